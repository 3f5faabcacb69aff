import { isRead, keyOf, type RememberedReads } from './remembered-reads.ts'
import { toDriver } from './database-connection.ts'
import type { ResultSet, ServerStream, Step, StepOutcome } from './server-stream.ts'

/**
 * The statements of one transaction on their way to a libSQL server. Those that wait for a result are sent at once,
 * with all that were queued before them; statements whose result nobody needs wait for the next one. The first error of
 * such a statement fails its series: the ones behind it are not run.
 */
export interface Pipeline {
  /**
   * Queues a statement that begins or ends a part of the transaction. When it fails, the transaction is lost. With
   * `unless` it runs only when that statement failed, with `after` only when it did not.
   */
  control(sql: string, when?: { unless?: Statement | null; after?: Statement | null }): Statement
  /** The statements of one write. With `remembered` its first reads are answered at once where they are known. */
  series(remembered?: RememberedReads): Series
  /** Sends what is queued. Throws when the transaction is lost. */
  flush(): Promise<void>
  /** Waits until nothing is on its way. */
  quiet(): Promise<void>
  /** Throws when the transaction is lost. */
  requireAlive(): void
}

export interface Series {
  /** With `expected` the answer is that, until the server says otherwise. */
  ask(sql: string, params: readonly unknown[], expected?: ResultSet): Promise<ResultSet>
  later(sql: string, params: readonly unknown[]): void
  script(statements: string): Promise<void>
  /** Makes every further statement throw. */
  end(): void
  /** The error of a statement given to `later`; null when there is none that is known. */
  failure(): Error | null
  /** The last statement given to `later` that was not sent yet. */
  last(): Statement | null
  /** Whether a read was answered from memory and the server has not confirmed it yet. */
  isUnconfirmed(): boolean
}

/** A write was given a remembered result that is no longer true, so it has to run again. */
export class OutdatedRead extends Error {}

/** A statement, and what came of it once it was sent. */
export interface Statement {
  sql: string
  args: readonly unknown[]
  after: Statement | null
  unless: Statement | null
  is_sent: boolean
  is_done: boolean
  settle(outcome: StepOutcome): void
}

const NONE: StepOutcome = { result: null, error: null }

export function createPipeline(stream: ServerStream): Pipeline {
  let queued: Statement[] = []
  let sending: Promise<void> | null = null
  let is_first = true
  let lost: { error: unknown } | null = null
  let latest_error: Error | null = null

  const lose = (error: unknown): void => {
    lost ??= { error }
  }
  const requireAlive = (): void => {
    if (lost) throw lost.error
  }

  const add = (
    { sql, params = [] }: { sql: string; params?: readonly unknown[] },
    { after = null, unless = null }: { after?: Statement | null; unless?: Statement | null },
    settle: (outcome: StepOutcome) => void,
  ): Statement => {
    const statement = { sql, args: params.map(toDriver), after, unless, is_sent: false, is_done: false, settle }
    queued.push(statement)
    return statement
  }

  const send = async (): Promise<void> => {
    const batch = queued
    queued = []
    for (const statement of batch) statement.is_sent = true
    const outcomes = await stream
      .batch(
        batch.map((statement) => stepOf(statement, batch)),
        { is_first },
      )
      .catch((error: unknown) => lose(error))
    is_first = false
    for (const [index, statement] of batch.entries()) {
      const outcome = outcomes?.[index] ?? NONE
      statement.is_done = outcome.result !== null
      if (outcome.error) latest_error = outcome.error
      statement.settle(outcome)
    }
  }

  const sendAll = (): Promise<void> => {
    // In a microtask, so that statements of the same turn travel together.
    sending ??= Promise.resolve().then(async () => {
      while (queued.length > 0 && !lost) await send()
      for (const statement of queued.splice(0)) statement.settle(NONE)
      sending = null
    })
    return sending
  }

  const ended = (): Error => new Error('The server has ended the transaction.', { cause: latest_error })

  const control: Pipeline['control'] = (sql, when = {}) =>
    add({ sql }, when, ({ result, error }) => {
      const isSkipped = error === null && (when.unless || when.after)
      // Without an error of its own the server found no transaction: an earlier error has ended it.
      if (result === null && !isSkipped) lose(error ?? ended())
    })

  const flush = async (): Promise<void> => {
    while (queued.length > 0 && !lost) await sendAll()
    requireAlive()
  }

  const series: Pipeline['series'] = (remembered) => {
    let isEnded = false
    let failure: Error | null = null
    let unconfirmed = 0
    let hasChanged = false
    /** Answers to the reads before the first change: until then a second one would find the same. */
    const made = new Map<string, ResultSet | Promise<ResultSet>>()
    let last: Statement | null = null
    const requireOpen = (): void => {
      if (isEnded) throw new Error('The transaction has ended.')
      requireAlive()
      if (failure !== null) throw failure
    }
    const pending = (): Statement | null => (last?.is_sent ? null : last)
    /** Sends a read behind the others, and compares its result with the one that the write was given. */
    const confirm = (sql: string, params: readonly unknown[], expected: ResultSet): ResultSet => {
      unconfirmed += 1
      last = add({ sql, params }, { after: pending() }, ({ result, error }) => {
        unconfirmed -= 1
        if (error !== null) failure ??= error
        if (result === null) return
        if (remembered!.find(sql, params)) remembered!.note(sql, params, result)
        if (!Bun.deepEquals(result.rows, expected.rows)) failure ??= new OutdatedRead('A read is outdated.')
      })
      return expected
    }
    const send = (sql: string, params: readonly unknown[]): Promise<ResultSet> =>
      new Promise((resolve, reject) => {
        add({ sql, params }, { after: pending() }, ({ result, error }) => {
          if (result !== null) resolve(result)
          else reject(error ?? failure ?? lost?.error ?? ended())
        })
        void sendAll()
      })
    return {
      async ask(sql, params, expected) {
        requireOpen()
        hasChanged ||= !isRead(sql)
        if (expected && remembered) return confirm(sql, params, expected)
        if (hasChanged) return send(sql, params)
        const key = keyOf(sql, params)
        let answer = made.get(key)
        if (answer === undefined) {
          const known = remembered?.find(sql, params)
          answer = known ? confirm(sql, params, known) : send(sql, params)
          made.set(key, answer)
        }
        return answer
      },
      later(sql, params) {
        requireOpen()
        hasChanged = true
        last = add({ sql, params }, { after: pending() }, ({ error }) => {
          failure ??= error
        })
      },
      async script(statements) {
        requireOpen()
        hasChanged = true
        await flush()
        requireOpen()
        await stream.script(statements)
      },
      end() {
        isEnded = true
      },
      failure: () => failure,
      last: pending,
      isUnconfirmed: () => unconfirmed > 0,
    }
  }

  return {
    control,
    series,
    flush,
    requireAlive,
    async quiet() {
      while (sending) await sending
    },
  }
}

/** Nothing but BEGIN runs outside the transaction, also when the server ended it between two statements. */
function stepOf({ sql, args, after, unless }: Statement, batch: readonly Statement[]): Step {
  return {
    sql,
    args,
    in_transaction: sql !== 'BEGIN IMMEDIATE',
    after: after && batch.includes(after) ? batch.indexOf(after) : null,
    unless: unless && batch.indexOf(unless),
  }
}
