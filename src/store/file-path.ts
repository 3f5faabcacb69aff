import { closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The path of a database's `file:` address, without decoding. */
export function filePath(url: string): string {
  const [path = ''] = url.slice('file:'.length).split('?')
  return path.startsWith('//') ? fileURLToPath(url) : path
}

/** Waits until a file is on the disk, or the names in a folder are. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const PIECE_BYTES = 4 << 20

/**
 * As `syncPath` for a large file that nothing else uses. While one sync writes hundreds of megabytes, those of all
 * other files on the disk wait. With O_DSYNC a write waits for its own piece only, so each piece is written again.
 */
export async function syncInPieces(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_DSYNC)
  const piece = Buffer.alloc(PIECE_BYTES)
  try {
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) break
      at += (await file.write(piece, 0, bytesRead, at)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
}
