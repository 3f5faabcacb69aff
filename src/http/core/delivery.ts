import { encodedAlone, encodedOnce } from './encoding.ts'
import { isWhole, LARGE_BYTES, LargeResponse, sharedResponse, sized, wholeResponse } from './large-body.ts'
import { isSafe } from './origin.ts'
import type { ReadTurns } from './read-turns.ts'
import type { Unread, UnreadAnswer } from './unread.ts'

/** The recipient of a response body: the request, its client address, and the count of unread answers. */
export interface Receiving {
  request: Request
  /** The client's address. */
  address: string
  unread: Unread
  reads: ReadTurns
}

/** Small, because each open answer holds one. */
const PIECE_BYTES = 32 * 1024
const NOTHING = new Uint8Array(0)

/**
 * Gives a response its large body: in pieces, each made when the reader has taken the one before, and counted until the
 * last. TOO_MANY_UNREAD beyond the limits (docs/api/limits.md#unread-answers).
 */
export async function delivered(receiving: Receiving, response: Response): Promise<Response> {
  if (!(response instanceof LargeResponse)) return response
  const { status, headers } = response
  const isHead = receiving.request.method === 'HEAD'
  if (isWhole(response.large.content)) {
    const { content } = response.large
    return isHead ? new Response(content, { status, headers }) : wholeResponse(content, { status, headers })
  }
  if (isHead) return new Response(null, { status, headers })
  const { content, answer } = await ready(receiving, response.large)
  if (content.length < LARGE_BYTES) {
    answer.end()
    return sharedResponse(content, { status, headers })
  }
  let rest = content
  const source = {
    next() {
      const piece = rest.subarray(0, PIECE_BYTES)
      rest = rest.subarray(PIECE_BYTES)
      return piece.length > 0 ? piece : null
    },
    // The connection may refer to its stream for longer.
    end: () => void (rest = NOTHING),
  }
  const body = inPieces(receiving.request, answer, source)
  return sized(new Response(body, { status, headers }), content.length)
}

/** The bytes to send, counted as unread. What waits for its compression counts as well. */
async function ready(
  { request, address, unread, reads }: Receiving,
  large: LargeResponse['large'],
): Promise<{ content: Uint8Array<ArrayBuffer>; answer: UnreadAnswer }> {
  const { content, coding, repeatable } = large
  const always = !repeatable && !isSafe(request)
  // A text belongs to this answer alone.
  const own = typeof content === 'string'
  const begin = (held: object, bytes: number) => unread.begin({ address, content: held, bytes, own, always })
  const plain = begin(own ? {} : content, content.length)
  try {
    const body = own ? new TextEncoder().encode(content) : content
    // Else the text would stay until the form is made.
    large.content = ''
    if (!coding) return { content: body, answer: plain }
    const coded = own
      ? await reads.hold(address, body.length, () => encodedAlone(body, coding))
      : await encodedOnce(body, coding.encoding, coding.effort)
    const answer = begin(coded, coded.length)
    plain.end()
    return { content: coded, answer }
  } catch (error) {
    plain.end()
    throw error
  }
}

/** Where the pieces of a body come from. `next` returns null after the last; `end` is called once. */
interface Source {
  next(): Uint8Array | null | Promise<Uint8Array | null>
  end(): unknown
}

/** A body that asks its source for a piece when the reader has taken the one before. */
export function inPieces({ signal }: Request, answer: UnreadAnswer, source: Source): ReadableStream<Uint8Array> {
  let ended = false
  const end = async () => {
    if (ended) return
    ended = true
    signal.removeEventListener('abort', end)
    answer.end()
    await source.end()
  }
  // A reader that is gone before the body began never cancels it.
  signal.addEventListener('abort', end)
  if (signal.aborted) void end()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        answer.whenSlow(() => {
          controller.error(new Error('The answer is read too slowly.'))
          void end()
        })
      },
      async pull(controller) {
        try {
          const piece = ended ? null : await source.next()
          if (piece === null) {
            await end()
            controller.close()
            return
          }
          answer.took(piece.length)
          controller.enqueue(piece)
        } catch (error) {
          await end()
          throw error
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
