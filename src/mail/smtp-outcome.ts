import type { SMTPError } from 'nodemailer/lib/smtp-connection'
import { oneLine } from '../one-line.ts'

/** Characters of a server's answer that are stored. */
const ANSWER_MAX = 500

/** Where a session failed. `envelope`: between MAIL and the answer to DATA. `data`: at that answer or the next. */
export type SmtpStage = 'connect' | 'greeting' | 'tls' | 'auth' | 'envelope' | 'mail' | 'rcpt' | 'data'

interface SmtpFailure {
  /** `recipient`: this message was refused. `connection`: this client was, which says nothing about the recipient. */
  scope: 'recipient' | 'connection'
  stage: SmtpStage
  code?: number
  /** The enhanced status code, such as `5.1.1` (RFC 3463). */
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

export type NotSent = Extract<SmtpOutcome, { kind: 'temporary' | 'permanent' }>

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

/** Turns an SMTP error into an outcome. `during`: the stage to assume when the error does not name one. */
export function failure(error: SMTPError, during: SmtpStage): NotSent {
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
  return { kind: 'permanent', ...found, code, bad_address: isBadAddress(found) }
}

/**
 * Whether a refusal is about the sender, whose address or right to send the relay denies. It then says nothing about
 * the recipient, also when it answers RCPT. RFC 3463: X.1.7 and X.1.8 are about the sender's address.
 */
export function isAboutSender({ stage, enhanced = '', message }: SmtpFailure): boolean {
  return stage === 'mail' || /^\d\.1\.[78]$/.test(enhanced) || DENIES_SENDER.test(message)
}

/** Words by which relays refuse a sender at RCPT, whatever the code. */
const DENIES_SENDER = new RegExp(
  '\\bsender (?:address|domain|verif|(?:is |was )?(?:rejected|denied|refused|unknown|not|blocked))|' +
    '\\brelay(?:ing)? (?:access |is |was )?(?:denied|prohibited|refused|disabled|not (?:allowed|permitted))|' +
    '\\b(?:not|cannot|unable|unauthori[sz]ed) (?:\\w+ )?to relay\\b|\\bdoes not relay\\b|\\bwe do not relay\\b|' +
    '\\ballowed rcpthosts\\b',
  'i',
)

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

export function isRefusal(code: number | undefined): code is number {
  return code !== undefined && code >= 400 && code < 600
}

/** The first enhanced status code in an answer that is not part of an IP address. */
function enhancedCode(answer: string, code: number | undefined): string | undefined {
  const found = answer.match(/(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\d|\.\d)/)?.[0]
  return code && found?.startsWith(String(code)[0]!) ? found : undefined
}

/** RFC 3463: X.1.x is about an address, X.2.1 a disabled mailbox. */
function isBadAddress(found: SmtpFailure): boolean {
  return found.stage === 'rcpt' && /^5\.(?:1\.\d+|2\.1)$/.test(found.enhanced ?? '') && !isAboutSender(found)
}

/** An answer on one line, without the codes that start its further lines. */
export function answerLine(answer: string): string {
  return oneLine(answer.replace(/\r?\n\d{3}[ -]/g, ' '))
    .slice(0, ANSWER_MAX)
    .toWellFormed()
}
