import { asciiAddress } from '../address.ts'
import {
  deliver,
  type HandOverGate,
  openSession,
  quit,
  reset,
  type Session,
  type SessionOptions,
  WITHHELD,
} from './smtp-session.ts'
import type { SmtpOutcome } from './smtp-outcome.ts'

export interface SmtpOptions extends SessionOptions {
  /** Connections open at once. */
  max_connections?: number
  /** After so many messages a connection is closed and, if needed, another one opened. */
  max_messages_per_connection?: number
  /** An unused connection is closed after this time. */
  idle_timeout_ms?: number
}

const MAX_CONNECTIONS = 10
const MAX_MESSAGES_PER_CONNECTION = 500
const IDLE_TIMEOUT_MS = 5_000
/** How long no further connection is opened after the server refused one. */
const REOPEN_AFTER_MS = 10_000

export interface SmtpEnvelope {
  from: string
  to: string
}

export interface SmtpPool {
  /** Hands one message for one recipient to the relay, in the order of the calls. Never rejects. */
  send(envelope: SmtpEnvelope, message: Buffer, gate?: HandOverGate): Promise<SmtpOutcome>
  /** Tests connecting and signing in. */
  verify(): Promise<{ ok: true } | { ok: false; error: string }>
  /** Finishes messages in flight, answers `temporary` for those that wait, and closes the connections. */
  close(): Promise<void>
  /** Connections open now. */
  readonly size: number
}

interface Job extends SmtpEnvelope {
  message: Buffer
  gate?: HandOverGate
  settle(outcome: SmtpOutcome): void
  /** The server closed its first connection, and it waits for another. */
  requeued: boolean
}

/** A pool of connections to one relay, opened when they are needed. */
export function createSmtpPool(options: SmtpOptions): SmtpPool {
  const max_connections = options.max_connections ?? MAX_CONNECTIONS
  const max_messages = options.max_messages_per_connection ?? MAX_MESSAGES_PER_CONNECTION
  const waiting: Job[] = []
  /** Open connections without a message, the longest unused first, each with the timer that closes it. */
  const idle = new Map<Session, ReturnType<typeof setTimeout>>()
  const sessions = new Set<Session>()
  let opening = 0
  /** Sessions that are resetting after a refused message. */
  let resetting = 0
  let held: ReturnType<typeof setTimeout> | null = null
  let closing: PromiseWithResolvers<void> | null = null
  const { ending } = options
  const withhold = (): void => settleWaiting(WITHHELD)
  ending?.addEventListener('abort', withhold)

  function pump(): void {
    while (waiting.length > 0 && idle.size > 0) void serve([...idle.keys()].at(-1)!)
    while (opening + resetting < waiting.length && mayOpen()) void open()
  }

  function mayOpen(): boolean {
    if (ending?.aborted) return false
    const open = sessions.size + opening
    return open === 0 || (open < max_connections && !held)
  }

  async function open(): Promise<void> {
    opening += 1
    const opened = await openSession(options)
    opening -= 1
    if ('connection' in opened) {
      join(opened)
      void serve(opened)
    } else if (sessions.size > 0) holdOpening()
    // No connection is open or being opened, so every waiting message has the same outcome.
    else if (opening === 0) settleWaiting(opened)
    finishClosing()
  }

  function holdOpening(): void {
    held ??= setTimeout(() => {
      held = null
      pump()
    }, REOPEN_AFTER_MS)
    held.unref()
  }

  function join(session: Session): void {
    sessions.add(session)
    session.connection.once('end', () => {
      sessions.delete(session)
      leaveIdle(session)
      pump()
      finishClosing()
    })
  }

  /** Sends waiting messages through a session until none is left or the session ends. */
  async function serve(session: Session): Promise<void> {
    leaveIdle(session)
    while (session.used < max_messages) {
      const job = waiting.shift()
      if (!job) return closing ? quit(session) : rest(session)
      const foreign = session.takes_utf8 ? null : beyondAscii(job)
      if (foreign) {
        job.settle(foreign)
        continue
      }
      const { outcome, reusable, stale } = await deliver(session, job)
      if (stale && session.used > 1 && !job.requeued && !closing) waiting.unshift({ ...job, requeued: true })
      else job.settle(outcome)
      if (!reusable || (outcome.kind !== 'sent' && !(await isReset(session)))) {
        session.connection.close()
        return pump()
      }
    }
    quit(session)
  }

  async function isReset(session: Session): Promise<boolean> {
    resetting += 1
    const done = await reset(session)
    resetting -= 1
    return done
  }

  /** An idle connection is closed after a while. Its timer does not keep the process alive. */
  function rest(session: Session): void {
    const timer = setTimeout(() => {
      leaveIdle(session)
      quit(session)
    }, options.idle_timeout_ms ?? IDLE_TIMEOUT_MS)
    timer.unref()
    if (session.connection._socket) session.connection._socket.unref()
    idle.set(session, timer)
  }

  function leaveIdle(session: Session): void {
    clearTimeout(idle.get(session))
    if (idle.delete(session) && session.connection._socket) session.connection._socket.ref()
  }

  function settleWaiting(outcome: SmtpOutcome): void {
    for (const job of waiting.splice(0)) job.settle(outcome)
  }

  function finishClosing(): void {
    if (!closing || sessions.size + opening > 0) return
    ending?.removeEventListener('abort', withhold)
    closing.resolve()
  }

  return {
    get size() {
      return sessions.size
    },

    send(envelope, message, gate) {
      const refused = ending?.aborted ? WITHHELD : closing ? CLOSED : refusedEnvelope(envelope)
      if (refused) return Promise.resolve(refused)
      return new Promise((settle) => {
        waiting.push({
          from: asciiAddress(envelope.from),
          to: asciiAddress(envelope.to),
          message,
          gate,
          settle,
          requeued: false,
        })
        pump()
      })
    },

    async verify() {
      const opened = await openSession(options)
      if (!('connection' in opened)) return { ok: false, error: opened.message }
      quit(opened)
      return { ok: true }
    },

    close() {
      if (closing) return closing.promise
      closing = Promise.withResolvers()
      if (held) clearTimeout(held)
      settleWaiting(CLOSED)
      for (const session of [...idle.keys()]) {
        leaveIdle(session)
        quit(session)
      }
      finishClosing()
      return closing.promise
    },
  }
}

const CLOSED: SmtpOutcome = {
  kind: 'temporary',
  scope: 'connection',
  stage: 'connect',
  message: 'The connections to the relay are being closed.',
}

const ENVELOPE_ADDRESS = /^[^\s<>\u0000-\u001f\u007f]+@[^\s<>\u0000-\u001f\u007f]+$/

/** The refusal of an address that needs SMTPUTF8 at a relay without it (RFC 6531, section 3.7.4.2). */
function beyondAscii({ from, to }: SmtpEnvelope): SmtpOutcome | null {
  const stage = NOT_ASCII.test(from) ? 'mail' : NOT_ASCII.test(to) ? 'rcpt' : null
  return (
    stage && {
      kind: 'permanent',
      scope: 'recipient',
      stage,
      code: 553,
      enhanced: '5.6.7',
      bad_address: false,
      message:
        'The relay does not offer SMTPUTF8, so it accepts only ASCII letters before the @ of a ' +
        (stage === 'mail' ? 'sender.' : 'recipient.'),
    }
  )
}

const NOT_ASCII = /[^\u0000-\u007f]/

/** The refusal of an address that cannot be part of an SMTP command (RFC 5321, section 4.2.2). */
function refusedEnvelope({ from, to }: SmtpEnvelope): SmtpOutcome | null {
  const stage = !ENVELOPE_ADDRESS.test(from) ? 'mail' : !ENVELOPE_ADDRESS.test(to) ? 'rcpt' : null
  return (
    stage && {
      kind: 'permanent',
      scope: 'recipient',
      stage,
      code: 501,
      message: 'Not an address that mail can be sent to or from.',
      bad_address: false,
    }
  )
}
