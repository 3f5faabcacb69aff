import { afterEach } from 'bun:test'
import { createSmtpPool, type SmtpOptions, type SmtpPool } from '../../src/mail/smtp-pool.ts'
import { type RawPeer, startRawSmtp, startSmtpSink } from './smtp-sink.ts'

export const MESSAGE = Buffer.from('Subject: x\r\n\r\nHello\r\n.dots\r\n..\r\n.\r\nend\r\n')
export const ENVELOPE = { from: 'news@acme.example', to: 'ada@example.com' }
const QUICK = { connect_timeout_ms: 2_000, greeting_timeout_ms: 2_000, socket_timeout_ms: 2_000 }
/** For tests in which the server is silent: before its greeting, and after it. */
export const NO_GREETING = { ...QUICK, greeting_timeout_ms: 100 }
export const NO_ANSWER = { ...QUICK, socket_timeout_ms: 250 }

const open: { close(): Promise<void> }[] = []

/** What a test opens is closed after it, the last first. Pools go before the servers they speak to. */
function opened<T extends { close(): Promise<void> }>(thing: T): T {
  open.push(thing)
  return thing
}

/** To be called once by a test file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close()
  })
}

export const poolTo = ({ host, port }: { host: string; port: number }, options: Partial<SmtpOptions> = {}): SmtpPool =>
  opened(createSmtpPool({ host, port, secure: 'none', ...QUICK, ...options }))

export const sink = async (...options: Parameters<typeof startSmtpSink>) => opened(await startSmtpSink(...options))

export const raw = async (...script: Parameters<typeof startRawSmtp>) => opened(await startRawSmtp(...script))

/** A reply (several lines are joined by LF), or none because the connection is cut, or none at all. */
export type Reply = string | 'drop' | 'silence'
type Stage = 'greeting' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'content' | 'reset'

export interface Relay {
  replies?: Partial<Record<Stage, Reply>>
  /** Whether the client may send ahead. */
  pipelining?: boolean
  /** Whether addresses may be written in any script (RFC 6531). */
  utf8?: boolean
  /** Every command heard, in order. */
  heard?: string[]
}

const PROPER: Record<Stage, string> = {
  greeting: '220 relay',
  ehlo: '',
  auth: '235 welcome',
  mail: '250 ok',
  rcpt: '250 ok',
  data: '354 go on',
  content: '250 taken',
  reset: '250 reset',
}
const STAGE_OF: Record<string, Stage> = {
  EHLO: 'ehlo',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  RSET: 'reset',
}

/** A relay that does all as it should but for the given replies. */
export function relay({ replies = {}, pipelining = true, utf8 = false, heard = [] }: Relay = {}): (
  peer: RawPeer,
) => Promise<void> {
  const capabilities = [
    '250-relay',
    ...(pipelining ? ['250-PIPELINING'] : []),
    ...(utf8 ? ['250-SMTPUTF8'] : []),
    '250 AUTH PLAIN',
  ]
  return async (peer) => {
    const answer = (stage: Stage): Reply => {
      const reply = replies[stage] ?? PROPER[stage]
      if (reply === 'drop') peer.drop()
      else if (stage === 'ehlo' && reply === '') peer.say(...capabilities)
      else if (reply !== 'silence') peer.say(...reply.split('\n'))
      return reply
    }
    let refused = false
    answer('greeting')
    for (;;) {
      const command = await peer.hear()
      heard.push(command)
      const verb = command.split(/[ :]/)[0]!.toUpperCase()
      const stage = STAGE_OF[verb]
      if (verb === 'MAIL') refused = false
      if (stage === 'data' && refused) peer.say('503 no recipients')
      else if (stage) {
        const reply = answer(stage)
        refused ||= !/^[23]/.test(reply) && reply !== ''
        if (reply === 'drop') return
        if (stage !== 'data' || !reply.startsWith('354')) continue
        await peer.hearUntil('.')
        if (answer('content') === 'drop') return
      } else if (verb === 'QUIT') peer.say('221 bye')
      else peer.say('502 what?')
    }
  }
}
