import { isIP } from 'node:net'
import { type MailTransport, sandboxTransport } from '../mail/sandbox.ts'
import { createSmtpPool, type SmtpOptions } from '../mail/smtp-pool.ts'
import type { LoopContext, Runtime } from '../runtime.ts'

/** Time limits of an attempt, well below the time after which another worker takes the message. */
const PATIENCE = {
  connect_timeout_ms: 15_000,
  greeting_timeout_ms: 15_000,
  socket_timeout_ms: 20_000,
  message_timeout_ms: 30_000,
}
/** Messages of one tick. Each has a connection of its own, so none waits for another's timeout. */
export const AT_ONCE = 5

/** The configured relay; without one the sandbox mailbox, when it is on; else null. */
export function mailTransportOf(context: Runtime & Partial<LoopContext>): MailTransport | null {
  const { mail_url, sandbox } = context.config
  const { ending } = context
  if (mail_url !== '') return createSmtpPool({ ...relayOf(mail_url), ...PATIENCE, max_connections: AT_ONCE, ending })
  return sandbox ? sandboxTransport(context, null) : null
}

/**
 * Reads `smtps://user:password@host:port` or `smtp://…`. The first is TLS from the start; the second requires STARTTLS,
 * except on loopback. `?secure=none`, `starttls` or `tls` decides explicitly.
 */
export function relayOf(mail_url: string): SmtpOptions {
  const { protocol, hostname, port, username, password, searchParams } = new URL(mail_url)
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '')
  const said = searchParams.get('secure') as SmtpOptions['secure'] | null
  const secure = said ?? (protocol === 'smtps:' ? 'tls' : isThisMachine(host) ? 'none' : 'starttls')
  return {
    host,
    port: port === '' ? { none: 25, starttls: 587, tls: 465 }[secure] : Number(port),
    secure,
    username: username === '' ? null : decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** The configured sender, or `masthead@` the service's host. */
export function senderOf({ config, base_url }: Pick<Runtime, 'config' | 'base_url'>): string {
  return config.mail_from || `masthead@${new URL(base_url).hostname.replace(/^\[|\]$/g, '')}`
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
