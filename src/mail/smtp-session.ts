import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Readable, Transform } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { isPrivateAddress } from '../public-fetch.ts'
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection'
import { wireContent } from './smtp-data.ts'
import { answerLine, failure, isRefusal, type NotSent, type SmtpOutcome } from './smtp-outcome.ts'

export interface SessionOptions {
  host: string
  /**
   * Resolves the host at each connection, for a relay that a project names; default: the system's resolver. A rejection
   * becomes the outcome. Whether a private address answers, and how, is then told only once it answered EHLO.
   */
  locate?: (host: string) => Promise<string>
  /**
   * How long an attempt takes in all when no SMTP server answers at a private address, for an attempt whose duration
   * somebody sees: it is the same whether the port is closed, silent or of another protocol.
   */
  unreached_ms?: number
  port: number
  /** `none` never encrypts, `starttls` fails without it, `tls` encrypts from the first byte. */
  secure: 'none' | 'starttls' | 'tls'
  username?: string | null
  password?: string | null
  /** From the name look-up to the end of the TLS handshake. */
  connect_timeout_ms?: number
  greeting_timeout_ms?: number
  /** How long the server may be silent. */
  socket_timeout_ms?: number
  /** Time limit for one whole message, or for opening a session. */
  message_timeout_ms?: number
  /** TLS options. Certificates are verified unless `rejectUnauthorized` is false. */
  tls?: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized' | 'servername'>
  /** The name in EHLO; the machine's own when left out. */
  name?: string
  /** When aborted, the connection is closed at once, whatever it waits for: the process ends. */
  ending?: AbortSignal
}

const CONNECT_TIMEOUT_MS = 15_000
const GREETING_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 60_000
const MESSAGE_TIMEOUT_MS = 300_000
/** How long the server may take to answer QUIT. */
const QUIT_TIMEOUT_MS = 2_000

/** Asked right before the content of a message is written, from when on only the relay's answer decides. */
export interface HandOverGate {
  /** Whether the message may still go. May read the database. */
  mayGo(): boolean | Promise<boolean>
  /** Called right before the final dot. False: the message must not be handed over. */
  begin(): boolean
}

export const WITHHELD: NotSent = {
  kind: 'temporary',
  scope: 'connection',
  stage: 'data',
  message: 'The message was not handed over.',
}

/** Whether a message may be handed over now; see `HandOverGate`. `isOver` tells that the attempt ended meanwhile. */
export async function passes(gate: HandOverGate | undefined, isOver = (): boolean => false): Promise<boolean> {
  if (!gate) return true
  return (await gate.mayGo()) && !isOver() && gate.begin()
}

/** One connection to a relay. nodemailer implements protocol, TLS and AUTH. */
export interface Session {
  connection: SMTPConnection
  /** Messages sent through it. */
  used: number
  gone: boolean
  /** The server accepts letters beyond ASCII before the @ (RFC 6531). */
  takes_utf8: boolean
  message_timeout_ms: number
  /** Ends the step that is waiting for the server. */
  end_step: ((error: SMTPError) => void) | null
  /** Closed because the process ends. `unwritten`: the last bytes of what was written never left this process. */
  cut: { unwritten: boolean } | null
}

const LOST: SMTPError = new Error('Connection closed')
const TOO_SLOW: SMTPError = new Error('Timeout')

/** Connects and signs in. */
export async function openSession(options: SessionOptions): Promise<Session | NotSent> {
  let { host } = options
  const { ending, unreached_ms } = options
  const allowed = unreached_ms === undefined ? null : pause(unreached_ms, null, { ref: false })
  try {
    if (options.locate) host = await untilEnd(options.locate(host), ending)
  } catch (error) {
    if (ending?.aborted) return WITHHELD
    return { kind: 'temporary', scope: 'connection', stage: 'connect', message: answerLine((error as Error).message) }
  }
  if (ending?.aborted) return WITHHELD
  const connection = new SMTPConnection({
    host,
    port: options.port,
    secure: options.secure === 'tls',
    requireTLS: options.secure === 'starttls',
    ignoreTLS: options.secure === 'none',
    connectionTimeout: options.connect_timeout_ms ?? CONNECT_TIMEOUT_MS,
    greetingTimeout: options.greeting_timeout_ms ?? GREETING_TIMEOUT_MS,
    socketTimeout: options.socket_timeout_ms ?? SOCKET_TIMEOUT_MS,
    tls: isIP(options.host) ? options.tls : { servername: options.host, ...options.tls },
    name: options.name,
  })
  const session: Session = {
    connection,
    used: 0,
    gone: false,
    takes_utf8: false,
    message_timeout_ms: options.message_timeout_ms ?? MESSAGE_TIMEOUT_MS,
    end_step: null,
    cut: null,
  }
  const cut = (): void => cutOff(session)
  ending?.addEventListener('abort', cut)
  connection.on('error', (error: SMTPError) => session.end_step?.(error))
  connection.once('end', () => {
    session.gone = true
    ending?.removeEventListener('abort', cut)
    // nodemailer may report the reason right after this event.
    setImmediate(() => session.end_step?.(LOST))
  })
  const isPrivate = options.locate !== undefined && isPrivateAddress(host)
  let isConnecting = true
  if (isPrivate) void allowed?.then(() => isConnecting && session.end_step?.(TOO_SLOW))
  const connected = await step(session, (done) => connection.connect(done))
  isConnecting = false
  if (session.cut) return WITHHELD
  if (connected.error) {
    connection.close()
    const failed = failure(connected.error, 'connect')
    if (!isPrivate || spokeSmtp(failed, options)) return failed
    if (allowed) await untilEnd(allowed, ending).catch(() => null)
    return ending?.aborted ? WITHHELD : OUT_OF_REACH
  }
  session.takes_utf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')
  if (!options.username) return session
  const signed_in = await signIn(session, options.username, options.password ?? '')
  if (session.cut) return WITHHELD
  if (!signed_in) return session
  quit(session)
  return signed_in
}

/** Closes the socket without waiting for the server, which may read nothing any more. */
function cutOff(session: Session): void {
  const { _socket: socket } = session.connection
  session.cut = { unwritten: Boolean(socket && socket.writableLength > 0) }
  if (socket) socket.destroy()
  session.connection.close()
  session.end_step?.(LOST)
}

/** Rejects when the process ends before `work` does. */
async function untilEnd<T>(work: Promise<T>, ending: AbortSignal | undefined): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(LOST)
  ending?.addEventListener('abort', end)
  return Promise.race([work, promise]).finally(() => ending?.removeEventListener('abort', end))
}

/** The outcome of every private address where no SMTP server answers, whatever the port. */
const NOT_REACHED = 'The server could not be reached.'
const OUT_OF_REACH: NotSent = { kind: 'temporary', scope: 'connection', stage: 'connect', message: NOT_REACHED }

/** Whether a failed connection got as far as SMTP. Other protocols greet with the same codes, and none has STARTTLS. */
function spokeSmtp({ stage }: NotSent, { secure }: SessionOptions): boolean {
  return stage === 'tls' && secure === 'starttls'
}

async function signIn(session: Session, user: string, pass: string): Promise<NotSent | null> {
  const { connection } = session
  if (!connection.allowsAuth) {
    return {
      kind: 'temporary',
      scope: 'connection',
      stage: 'auth',
      message: `The server does not let anyone sign in${connection.secure ? '' : ' without encryption'}.`,
    }
  }
  const { error } = await step(session, (done) => connection.login({ user, pass }, done))
  return error ? failure(error, 'auth') : null
}

interface Delivery {
  outcome: SmtpOutcome
  /** The session can be used again, after RSET if the message was refused. */
  reusable: boolean
  /** The connection was lost, or the server was closing it, before it asked for the content. */
  stale: boolean
}

/** Hands over one message to one recipient (RFC 5321, section 3.3). */
export async function deliver(
  session: Session,
  { from, to, message, gate }: { from: string; to: string; message: Buffer; gate?: HandOverGate },
): Promise<Delivery> {
  session.used += 1
  let is_handed_over = false
  let is_over = false
  let is_withheld = false
  // nodemailer reads a stream only after the server answered DATA with 354, which shows the moment from which only
  // the server's answer decides. With a buffer that moment would not be visible. The content goes past nodemailer's
  // stream, which looks at each byte: one write, with the final dot.
  const content = {
    async pipe(stream: Transform) {
      stream.unpipe()
      const may_go = await passes(gate, () => is_over).catch(() => false)
      if (is_over) return
      if (may_go) {
        is_handed_over = true
        const { _socket: socket } = session.connection
        return void (socket && socket.write(wireContent(message)))
      }
      // After 354 only the end of the connection keeps the message from the server.
      is_withheld = true
      session.connection.close()
    },
  }
  const { error, value } = await step<{ response: string }>(session, (done) =>
    session.connection.send({ from, to: [to] }, content as unknown as Readable, done),
  )
  is_over = true
  if (is_withheld) return { outcome: WITHHELD, reusable: false, stale: false }
  if (!error)
    return {
      outcome: { kind: 'sent', response: answerLine(value?.response ?? '') },
      reusable: !session.gone,
      stale: false,
    }
  // The server cannot have bytes that this process did not finish writing.
  if (session.cut && (!is_handed_over || session.cut.unwritten))
    return { outcome: WITHHELD, reusable: false, stale: false }
  const answered = isRefusal(error.responseCode)
  if (is_handed_over && !(answered && error.code === 'EMESSAGE')) {
    return { outcome: { kind: 'uncertain', message: answerLine(error.message) }, reusable: false, stale: false }
  }
  const outcome = failure(error, 'envelope')
  // A server that refuses before it has read all the content would read the rest of it as commands.
  const { _socket: socket } = session.connection
  const in_step = !is_handed_over || (socket && socket.writableLength === 0)
  return {
    outcome,
    reusable: answered && outcome.scope === 'recipient' && in_step && !session.gone,
    stale: !is_handed_over && (error.code === 'ECONNECTION' || error.code === 'ESOCKET' || error.responseCode === 421),
  }
}

/** Ends a refused transaction (RFC 5321, section 4.1.1.5). */
export async function reset(session: Session): Promise<boolean> {
  const { error } = await step(session, (done) => session.connection.reset(done))
  return !error && !session.gone
}

/** Sends QUIT; the session's connection emits `end` when it is closed. */
export function quit({ connection, gone }: Session): void {
  if (gone) return
  const timer = setTimeout(() => connection.close(), QUIT_TIMEOUT_MS)
  connection.once('end', () => clearTimeout(timer))
  connection.quit()
}

/** Waits for one step of a session: nodemailer's callback, the end of the session, or the timeout. */
function step<T>(
  session: Session,
  start: (done: (error?: SMTPError | null, value?: T) => void) => void,
): Promise<{ error?: SMTPError | null; value?: T }> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      done(TOO_SLOW)
      session.connection.close()
    }, session.message_timeout_ms)
    const done = (error?: SMTPError | null, value?: T) => {
      clearTimeout(timer)
      if (session.end_step === done) session.end_step = null
      resolve({ error, value })
    }
    session.end_step = done
    start(done)
  })
}
