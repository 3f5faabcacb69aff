import { LibsqlError } from '@libsql/core/api'
import {
  type Batch,
  BatchCond,
  type BatchStep,
  type Client,
  HttpServerError,
  type InValue,
  type Stream,
} from '@libsql/hrana-client'
import { SilentDatabase } from '../errors.ts'

/**
 * A connection to the database of a libSQL server, which the server keeps between requests. To open one costs the
 * server more than most statements, because SQLite reads the whole schema.
 */
export interface ServerStream {
  /**
   * Runs the steps of a batch in one request; an error of one ends none of the others. With `is_first` nothing depends
   * on earlier requests, so that a stream that the server has ended is replaced. Throws SilentDatabase or LibsqlError
   * when the request fails as a whole.
   */
  batch(steps: readonly Step[], options?: { is_first?: boolean }): Promise<StepOutcome[]>
  /** Runs several statements without parameters, up to the first error. */
  script(statements: string): Promise<void>
  /** Ends the stream on the server, which rolls back an open transaction. The next request opens another. */
  end(): void
}

export interface Step {
  sql: string
  args?: readonly unknown[]
  /** Runs only inside a transaction. */
  in_transaction?: boolean
  /** Runs only after these steps of the same batch succeeded, and this one did not; named by their index. */
  after?: number | null
  unless?: number | null
}

export interface ResultSet {
  columns: string[]
  rows: unknown[][]
}

/** Both null for a step whose condition did not hold. */
export interface StepOutcome {
  result: ResultSet | null
  error: Error | null
}

/** After a failure that took this long, those that waited for it fail as well: it would take them as long. */
export const PATIENCE_MS = 5_000
/** The server ends a stream after ten seconds without a request. */
const IDLE_MS = 8_000

/** @param client speaks version 3 of the protocol, and is closed by its owner */
export function createServerStream(client: Pick<Client, 'openStream'>): ServerStream {
  let stream: Stream | null = null
  let used_at = 0

  const end = (): void => {
    stream?.close()
    stream = null
  }

  const send = async <T>(request: (stream: Stream) => Promise<T>): Promise<T> => {
    stream ??= client.openStream()
    const answer = await request(stream)
    used_at = performance.now()
    return answer
  }

  const run = async <T>(request: (stream: Stream) => Promise<T>, is_first = false): Promise<T> => {
    if (is_first && performance.now() - used_at > IDLE_MS) end()
    const is_known = stream !== null
    try {
      return await send(request)
    } catch (caught) {
      const error = errorOf(caught)
      // The client closed its stream, and asks the server to end it where it can be reached.
      if (stream?.closed) stream = null
      // A server that was restarted, or ended the stream, refuses the request before it runs anything.
      if (is_first && is_known && isEnded(error)) return send(request)
      throw error
    }
  }

  return {
    batch: (steps, { is_first } = {}) => run((open) => batchOn(open, steps), is_first),
    script: (statements) => run((open) => open.sequence(statements)),
    end,
  }
}

async function batchOn(stream: Stream, steps: readonly Step[]): Promise<StepOutcome[]> {
  const batch = stream.batch(false)
  const made: BatchStep[] = []
  const outcomes = steps.map(async (step): Promise<StepOutcome> => {
    const built = batch.step()
    for (const condition of conditionsOf(step, batch, made)) built.condition(condition)
    made.push(built)
    try {
      const found = await built.query([step.sql, (step.args ?? []) as InValue[]])
      return { result: found ? resultSet(found) : null, error: null }
    } catch (error) {
      return { result: null, error: errorOf(error) }
    }
  })
  await batch.execute()
  return Promise.all(outcomes)
}

function conditionsOf(
  { in_transaction = false, after = null, unless = null }: Step,
  batch: Batch,
  made: readonly BatchStep[],
): BatchCond[] {
  const conditions: BatchCond[] = []
  if (in_transaction) conditions.push(BatchCond.not(BatchCond.isAutocommit(batch)))
  if (after !== null) conditions.push(BatchCond.ok(made[after]!))
  if (unless !== null) conditions.push(BatchCond.not(BatchCond.ok(made[unless]!)))
  return conditions
}

function resultSet({
  columnNames,
  rows,
}: {
  columnNames: (string | undefined)[]
  rows: ArrayLike<unknown>[]
}): ResultSet {
  return {
    columns: columnNames.map((name) => name ?? ''),
    rows: rows.map((row) => Array.from(row, (value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value))),
  }
}

function isEnded(error: Error): boolean {
  return error instanceof LibsqlError && error.code === 'STREAM_EXPIRED'
}

/**
 * A server that was restarted knows no stream of before, and refuses a request of it without a code: then the
 * transaction is gone, as if the stream had expired.
 */
function errorOf(caught: unknown): Error {
  if (caught instanceof SilentDatabase || caught instanceof LibsqlError) return caught
  const { message, code } = caught as Error & { code?: string }
  const isUnknown = caught instanceof HttpServerError && caught.status === 400
  return new LibsqlError(
    message,
    isUnknown ? 'STREAM_EXPIRED' : (code ?? 'UNKNOWN'),
    undefined,
    undefined,
    caught as Error,
  )
}
