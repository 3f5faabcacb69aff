import { errorFields } from '../../log.ts'
import type { Runtime } from '../../runtime.ts'

interface Download {
  status: number
  pieces: AsyncIterable<Uint8Array>
  media_type: string
  /** The name that a browser saves it under. */
  filename: string
}

/**
 * Sends a download as fast as the caller reads it. The first piece is made before the response begins, so an early
 * failure is still an error response. A later one can only break the connection.
 */
export async function streamed(
  { log, request_id }: Pick<Runtime, 'log'> & { request_id: string },
  { status, pieces, media_type, filename }: Download,
  headers: Record<string, string> = {},
): Promise<Response> {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  async function* body() {
    try {
      for (let piece = first; !piece.done; piece = await source.next()) yield piece.value
    } catch (error) {
      log.error('a streamed answer failed', { request_id, ...errorFields(error) })
      throw error
    } finally {
      await source.return?.()
    }
  }
  const about = {
    'Content-Type': `${media_type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${filename}"`,
  }
  return new Response(body() as unknown as ReadableStream, { status, headers: { ...headers, ...about } })
}
