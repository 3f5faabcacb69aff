/**
 * Names of facts at the place of backups: `facts/FOLDER_ID/DAY/OFFSET-LENGTH` for a piece of the file of a day, and
 * `facts/FOLDER_ID/FOLDER` for the identity of the folder.
 */

export const FACTS = 'facts/'
/** The name of the identity within a folder of facts. */
export const IDENTITY = 'FOLDER'

/** A piece of the file of a day. Offset and length are of the bytes as they are in that file. */
export interface Piece {
  folder_id: string
  /** The name of the day's file, without its ending. */
  day: string
  offset: number
  length: number
}

const PIECE = /^facts\/([^/]+)\/(\d{4}-\d{2}-\d{2})\/(\d+)-(\d+)(?:\.age)?$/
const OFFSET_DIGITS = 13

export function pieceName({ folder_id, day, offset, length }: Piece, is_encrypted: boolean): string {
  const bytes = `${String(offset).padStart(OFFSET_DIGITS, '0')}-${length}`
  return `${FACTS}${folder_id}/${day}/${bytes}${is_encrypted ? '.age' : ''}`
}

/** The piece of a name; null for the name of something else. */
export function pieceOf(name: string): Piece | null {
  const [, folder_id, day, offset, length] = PIECE.exec(name) ?? []
  if (folder_id === undefined || day === undefined) return null
  return { folder_id, day, offset: Number(offset), length: Number(length) }
}
