import { collectAfterPiece } from '../../heap.ts'
import { errorFields } from '../../log.ts'
import type { Runtime } from '../../runtime.ts'
import { inPieces, type Receiving } from './delivery.ts'

interface Download {
  status: number
  pieces: AsyncIterable<Uint8Array>
  media_type: string
  /** The name that a browser saves it under. */
  filename: string
  /** Bytes that it counts as held in memory while it is open: the rows read together, and their text. */
  held_bytes?: number
}

const DOWNLOAD_BYTES = 256 * 1024

/**
 * Sends a download as fast as the caller reads it. The first piece is made before the response begins, so an early
 * failure is still an error response. A later one can only break the connection.
 */
export async function streamed(
  {
    log,
    request_id,
    request,
    address,
    unread,
  }: Pick<Runtime, 'log'> & Omit<Receiving, 'reads'> & { request_id: string },
  { status, pieces, media_type, filename, held_bytes = DOWNLOAD_BYTES }: Download,
  headers: Record<string, string> = {},
): Promise<Response> {
  const answer = unread.begin({ address, content: pieces, bytes: held_bytes, own: true, always: false })
  const source = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array> | null
  try {
    first = await source.next()
  } catch (error) {
    answer.end()
    throw error
  }
  const next = async () => {
    try {
      const piece = first ?? (await source.next())
      first = null
      if (piece.done) return null
      collectAfterPiece(piece.value.length)
      return piece.value
    } catch (error) {
      log.error('a streamed answer failed', { request_id, ...errorFields(error) })
      throw error
    }
  }
  const about = {
    'Content-Type': `${media_type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${filename}"`,
  }
  const body = inPieces(request, answer, { next, end: () => source.return?.() })
  return new Response(body, { status, headers: { ...headers, ...about } })
}
