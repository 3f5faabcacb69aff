import { isIP } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { isPrivateAddress } from '../public-fetch.ts'
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection'
import { oneLine } from '../one-line.ts'

export interface SessionOptions {
  host: string
  /**
   * Resolves the host at each connection, for a relay that a project names; default: the system's resolver. A rejection
   * becomes the outcome. Whether a private address answers, and how, is then told only once it speaks SMTP.
   */
  locate?: (host: string) => Promise<string>
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
}

const CONNECT_TIMEOUT_MS = 15_000
const GREETING_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 60_000
const MESSAGE_TIMEOUT_MS = 300_000
/** How long the server may take to answer QUIT. */
const QUIT_TIMEOUT_MS = 2_000
/** Characters of a server's answer that are stored. */
const ANSWER_MAX = 500

/** Where a session failed. `envelope`: between MAIL and the answer to DATA. `data`: at that answer or the next. */
export type SmtpStage = 'connect' | 'greeting' | 'tls' | 'auth' | 'envelope' | 'mail' | 'rcpt' | 'data'

export interface SmtpFailure {
  /** `recipient`: this message was refused. `connection`: this client was, which says nothing about the recipient. */
  scope: 'recipient' | 'connection'
  stage: SmtpStage
  code?: number
  /** As `5.1.1` (RFC 3463). */
  enhanced?: string
  /** The server's text or this client's, on one line. */
  message: string
}

/**
 * The outcome of a message. `temporary`: not accepted, may be tried again. `permanent`: refused for good (5xx);
 * `bad_address` when the address is the reason. `uncertain`: the connection was lost after the server had asked for
 * the content and before it answered, so the message may have been accepted.
 */
export type SmtpOutcome =
  | { kind: 'sent'; response: string }
  | ({ kind: 'temporary' } & SmtpFailure)
  | ({ kind: 'permanent'; code: number; bad_address: boolean } & SmtpFailure)
  | { kind: 'uncertain'; message: string }

type NotSent = Extract<SmtpOutcome, { kind: 'temporary' | 'permanent' }>

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
}

const LOST: SMTPError = new Error('Connection closed')
const TOO_SLOW: SMTPError = new Error('Timeout')

/** Connects and signs in. */
export async function openSession(options: SessionOptions): Promise<Session | NotSent> {
  let { host } = options
  try {
    if (options.locate) host = await options.locate(host)
  } catch (error) {
    return { kind: 'temporary', scope: 'connection', stage: 'connect', message: answerLine((error as Error).message) }
  }
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
  }
  connection.on('error', (error: SMTPError) => session.end_step?.(error))
  connection.once('end', () => {
    session.gone = true
    // nodemailer may report the reason right after this event.
    setImmediate(() => session.end_step?.(LOST))
  })
  const connected = await step(session, (done) => connection.connect(done))
  if (connected.error) {
    connection.close()
    const failed = failure(connected.error, 'connect')
    const isHidden = options.locate && isPrivateAddress(host) && !spokeSmtp(connected.error, failed, options)
    return isHidden ? OUT_OF_REACH : failed
  }
  session.takes_utf8 = /^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')
  if (!options.username) return session
  const signed_in = await signIn(session, options.username, options.password ?? '')
  if (!signed_in) return session
  quit(session)
  return signed_in
}

/** The outcome of every private address where no SMTP server answers, whatever the port. */
const NOT_REACHED = 'The server could not be reached.'
const OUT_OF_REACH: NotSent = { kind: 'temporary', scope: 'connection', stage: 'connect', message: NOT_REACHED }

/** Whether a failed connection got as far as SMTP: the server refused by its greeting, or its STARTTLS failed. */
function spokeSmtp({ command }: SMTPError, { stage, code }: NotSent, { secure }: SessionOptions): boolean {
  return (command === 'CONN' && code !== undefined) || (stage === 'tls' && secure === 'starttls')
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

export interface Delivery {
  outcome: SmtpOutcome
  /** The session can be used again, after RSET if the message was refused. */
  reusable: boolean
  /** The connection was lost, or the server was closing it, before it asked for the content. */
  stale: boolean
}

/** Hands over one message to one recipient (RFC 5321, section 3.3). */
export async function deliver(
  session: Session,
  { from, to, message }: { from: string; to: string; message: Buffer },
): Promise<Delivery> {
  session.used += 1
  const handed_over: { to?: Duplex } = {}
  // nodemailer reads a stream only after the server answered DATA with 354, which shows the moment from which only
  // the server's answer decides. With a buffer that moment would not be visible.
  const content = { pipe: (stream: Duplex) => (handed_over.to = stream).end(message) }
  const { error, value } = await step<{ response: string }>(session, (done) =>
    session.connection.send({ from, to: [to] }, content as unknown as Readable, done),
  )
  if (!error)
    return {
      outcome: { kind: 'sent', response: answerLine(value?.response ?? '') },
      reusable: !session.gone,
      stale: false,
    }
  const answered = isRefusal(error.responseCode)
  if (handed_over.to && !(answered && error.code === 'EMESSAGE')) {
    return { outcome: { kind: 'uncertain', message: answerLine(error.message) }, reusable: false, stale: false }
  }
  const outcome = failure(error, 'envelope')
  // A server that refuses before it has read all the content would read the rest of it as commands.
  const in_step = !handed_over.to || handed_over.to.readableEnded
  return {
    outcome,
    reusable: answered && outcome.scope === 'recipient' && in_step && !session.gone,
    stale: !handed_over.to && (error.code === 'ECONNECTION' || error.code === 'ESOCKET' || error.responseCode === 421),
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

const STAGES: Record<string, SmtpStage> = {
  EHLO: 'greeting',
  HELO: 'greeting',
  STARTTLS: 'tls',
  'MAIL FROM': 'mail',
  'RCPT TO': 'rcpt',
  DATA: 'data',
}

/** Codes about this client at any command: closing (RFC 5321), or a temporary sign-in failure (RFC 4954). */
const ABOUT_US = new Set([421, 432, 454])
/** Codes about this client before RCPT: wrong order, or sign in first (RFC 4954, section 6). */
const ABOUT_US_AT_MAIL = new Set([503, 530, 534, 535, 538])

function failure(error: SMTPError, during: SmtpStage): NotSent {
  const stage = stageOf(error, during)
  const answer = isForeign(error) ? 'The server does not speak SMTP.' : (error.response ?? error.message)
  const code = isRefusal(error.responseCode) ? error.responseCode : undefined
  const enhanced = enhancedCode(answer, code)
  const about_us = code !== undefined && (ABOUT_US.has(code) || (stage === 'mail' && ABOUT_US_AT_MAIL.has(code)))
  const about_message = (stage === 'mail' || stage === 'rcpt' || stage === 'data') && !about_us
  const found: SmtpFailure = {
    scope: about_message ? 'recipient' : 'connection',
    stage,
    code,
    enhanced,
    message: answerLine(answer),
  }
  if (!code || code < 500) return { kind: 'temporary', ...found }
  return { kind: 'permanent', ...found, code, bad_address: stage === 'rcpt' && isBadAddress(answer, enhanced) }
}

/** The first bytes were no SMTP reply (RFC 5321, 4.2). What another service says is not repeated to the caller. */
function isForeign({ code, command, response }: SMTPError): boolean {
  return code === 'EPROTOCOL' && command === 'CONN' && !/^[245]\d\d(?:[ -]|$)/.test(String(response ?? ''))
}

function stageOf(error: SMTPError, during: SmtpStage): SmtpStage {
  if (error.code === 'ETLS' || error.timeoutType === 'UPGRADE_TIMEOUT') return 'tls'
  // System error codes are one word (ECONNRESET); those of TLS have several (CERT_HAS_EXPIRED).
  if (error.originalCode?.includes('_')) return 'tls'
  if (error.timeoutType === 'GREETING_TIMEOUT') return 'greeting'
  if (during === 'connect' && error.command === 'CONN' && error.responseCode) return 'greeting'
  return STAGES[error.command ?? ''] ?? during
}

function isRefusal(code: number | undefined): code is number {
  return code !== undefined && code >= 400 && code < 600
}

/** The first enhanced status code in an answer that is not part of an IP address. */
function enhancedCode(answer: string, code: number | undefined): string | undefined {
  const found = answer.match(/(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\d|\.\d)/)?.[0]
  return code && found?.startsWith(String(code)[0]!) ? found : undefined
}

/** RFC 3463: X.1.x is about an address (7 and 8: the sender's); X.2.1 is a disabled mailbox. */
function isBadAddress(answer: string, enhanced: string | undefined): boolean {
  return enhanced !== undefined && /^5\.(?:1\.(?![78]$)\d+|2\.1)$/.test(enhanced) && !/\bsender address\b/i.test(answer)
}

/** An answer on one line, without the codes that start its further lines. */
function answerLine(answer: string): string {
  return oneLine(answer.replace(/\r?\n\d{3}[ -]/g, ' '))
    .slice(0, ANSWER_MAX)
    .toWellFormed()
}
