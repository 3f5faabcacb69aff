export type Bytes = AsyncIterable<Uint8Array>

export interface Stored {
  /** The path below the destination, with slashes. */
  name: string
  size_bytes: number
}

/** Where backups go. */
export interface Destination {
  /** How people find a file there. */
  shown(name: string): string
  /** Stores a file as a whole: one that is interrupted has no name. Replaces one of the same name. */
  put(name: string, content: Bytes): Promise<void>
  /** As `put`, for a file of this machine that does not change any more. */
  putFile(name: string, path: string): Promise<void>
  /** Throws for a file that is not there. */
  read(name: string): Bytes
  /** The files whose names begin with a text, in the order of their names. */
  list(prefix: string): Promise<Stored[]>
  remove(names: readonly string[]): Promise<void>
  /** Removes what killed processes left. */
  clear(): Promise<void>
}
