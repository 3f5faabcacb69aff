import { SilentDatabase } from '../errors.ts'
import type { ServerAddress } from './server-address.ts'
import { fromWire, type WireValue } from './server-value.ts'
import { unreachableText } from './faults.ts'

/**
 * A connection to the database of a libSQL server, by Hrana 3 over HTTP
 * (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md). The server keeps it between requests, which
 * name it by a baton. To open one costs the server more than most statements, because SQLite reads the whole schema.
 */
export interface ServerStream {
  /**
   * Runs the steps of a batch in one request; an error of one ends none of the others. With `is_first` nothing depends
   * on earlier requests, so that a stream that the server has ended is replaced. Throws SilentDatabase or ServerError
   * when the request fails as a whole.
   */
  batch(steps: readonly Step[], options?: { is_first?: boolean }): Promise<StepOutcome[]>
  /** Runs several statements without parameters, up to the first error. */
  script(statements: string): Promise<void>
  /** Ends the stream on the server, which rolls back an open transaction. The next request opens another. */
  end(): void
}

/** A condition on the outcome of earlier steps of the same batch, which are named by their index. */
export type Condition =
  | { type: 'ok'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and'; conds: Condition[] }
  | { type: 'is_autocommit' }

export interface Step {
  sql: string
  args?: readonly WireValue[]
  condition?: Condition | undefined
}

export interface ResultSet {
  columns: string[]
  rows: unknown[][]
}

/** Both null for a step whose condition did not hold. */
export interface StepOutcome {
  result: ResultSet | null
  error: ServerError | null
}

/** An error that the server reports. `code` is as in SQLITE_CONSTRAINT or STREAM_EXPIRED. */
export class ServerError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(`${code}: ${message}`)
    this.name = 'ServerError'
  }
}

interface WireError {
  message: string
  code?: string
}
interface WireResult {
  cols: { name: string | null }[]
  rows: WireValue[][]
}
type WireResponse =
  | { type: 'error'; error: WireError }
  | {
      type: 'ok'
      response: { result: { step_results: (WireResult | null)[]; step_errors: (WireError | null)[] } }
    }
interface WireAnswer {
  baton: string | null
  base_url: string | null
  results: WireResponse[]
}

/** Time limit for a server that does not answer. */
const REQUEST_TIMEOUT_MS = 30_000
/** After a failure that took this long, those that waited for it fail as well: it would take them as long. */
export const PATIENCE_MS = 5_000
/** The server ends a stream after ten seconds without a request. */
const IDLE_MS = 8_000

export function createServerStream({ base, token }: ServerAddress): ServerStream {
  const headers = {
    'Content-Type': 'application/json',
    // To compress small answers costs the server more than to send them.
    'Accept-Encoding': 'identity',
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  }
  let baton: string | null = null
  let at = base
  let used_at = 0

  const forget = (): void => {
    baton = null
    at = base
  }

  const post = async (request: object): Promise<WireResponse> => {
    const body = JSON.stringify({ baton, requests: [request] })
    const { status, text } = await answerOf(new URL('v3/pipeline', at), { method: 'POST', headers, body })
    if (status !== 200) throw refusal(status, text)
    const answer = JSON.parse(text) as WireAnswer
    baton = answer.baton
    at = answer.base_url ?? at
    used_at = performance.now()
    return answer.results[0]!
  }

  const send = async (request: object, is_first = false): Promise<WireResponse> => {
    if (is_first && performance.now() - used_at > IDLE_MS) forget()
    const is_known = baton !== null
    try {
      return await post(request)
    } catch (error) {
      // The server may have the request of which no answer came, so `end` can still find the transaction.
      if (error instanceof SilentDatabase) throw error
      forget()
      // A server that was restarted, or ended the stream, refuses the baton before it runs anything.
      if (is_first && is_known && isEnded(error)) return post(request)
      throw error
    }
  }

  return {
    async batch(steps, { is_first } = {}) {
      const answer = await send({ type: 'batch', batch: { steps: steps.map(toStep) } }, is_first)
      if (answer.type === 'error') throw errorOf(answer.error)
      const { step_results, step_errors } = answer.response.result
      return steps.map((_, index) => {
        const [result, error] = [step_results[index] ?? null, step_errors[index] ?? null]
        return { result: result && resultSet(result), error: error && errorOf(error) }
      })
    },
    async script(statements) {
      const answer = await send({ type: 'sequence', sql: statements })
      if (answer.type === 'error') throw errorOf(answer.error)
    },
    end() {
      if (baton === null) return
      const closing = post({ type: 'close' })
      closing.catch(() => undefined)
      forget()
    },
  }
}

/**
 * Throws SilentDatabase for a server that cannot be reached, does not answer in time, or answers 5xx. One that starts
 * or ends answers statements with 404.
 */
async function answerOf(url: URL, request: RequestInit): Promise<{ status: number; text: string }> {
  let reason: unknown
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const { status } = answer
    const text = await answer.text()
    if (status < 500 && status !== 404) return { status, text }
    reason = new Error(`The server answered ${status}.`)
  } catch (error) {
    reason = error
  }
  throw new SilentDatabase(unreachableText(url.origin, 'reached', reason), { cause: reason })
}

function isEnded(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'STREAM_EXPIRED'
}

/**
 * The error of a request that the server refused as a whole, with JSON or with plain text. A server that was restarted
 * knows no baton of before: then the transaction is gone, as if the stream had expired.
 */
function refusal(status: number, text: string): ServerError {
  try {
    const { message, code } = JSON.parse(text) as Partial<WireError>
    if (message !== undefined) return new ServerError(message, code ?? `HTTP_${status}`)
  } catch {
    // Plain text is the message.
  }
  return new ServerError(text.slice(0, 200), /\bbaton\b/.test(text) ? 'STREAM_EXPIRED' : `HTTP_${status}`)
}

function errorOf({ message, code }: WireError): ServerError {
  return new ServerError(message, code ?? 'UNKNOWN')
}

function toStep({ sql, args = [], condition }: Step): object {
  return { condition, stmt: { sql, args, want_rows: true } }
}

function resultSet({ cols, rows }: WireResult): ResultSet {
  return { columns: cols.map(({ name }) => name ?? ''), rows: rows.map((row) => row.map(fromWire)) }
}
