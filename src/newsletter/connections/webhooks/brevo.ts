import type { Report } from '../../../mail/reports.ts'
import { sameSecret } from '../../../secrets.ts'
import { BREVO_HEADER } from '../../outbox/outgoing.ts'
import { type Delivered, firstOf, isKnown, kindIn, type Kinds, type ProviderReader, textAt } from './report.ts'

/** Brevo's transactional webhooks carry the token or the password that was set up for them; events come one by one. */
export const brevo: ProviderReader = {
  verification:
    "Token or basic authentication: the connection's webhook_secret is the token, or user:password, that Brevo sends.",
  events: ['delivered', 'hardBounce', 'softBounce', 'invalid', 'blocked', 'spam', 'unsubscribed', 'error'],
  knows: (name) => isKnown(KINDS, IGNORED, name),
  async read(delivered) {
    if (!isAuthorized(delivered)) return null
    const payload = await delivered.readJson()
    const events: unknown[] = Array.isArray(payload) ? payload : [payload]
    return {
      reports: events.flatMap((event) => reportOf(event) ?? []),
      names: events.map((event) => textAt(event, 'event')),
    }
  },
}

function isAuthorized({ headers, secret }: Delivered): boolean {
  const [, scheme = '', given = ''] = /^(Bearer|Basic)\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
  if (secret === '') return false
  return sameSecret(scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString('utf8') : given, secret)
}

function reportOf(event: unknown): Report | null {
  const name = textAt(event, 'event')
  const kind = kindIn(KINDS, name, event)
  if (!kind) return null
  const email = textAt(event, 'email')
  const message_id = firstOf(textAt(event, BREVO_HEADER), textAt(event, 'message-id')) || null
  const time = firstOf(textAt(event, 'ts_epoch'), textAt(event, 'ts_event'), textAt(event, 'ts'))
  return {
    kind,
    email,
    message_id,
    event_id: `${name} ${time} ${email} ${message_id}`,
    response: textAt(event, 'reason'),
  }
}

const KINDS: Kinds = {
  hard_bounce: 'hard_bounce',
  invalid_email: 'hard_bounce',
  soft_bounce: 'soft_bounce',
  // Brevo did not try: its own list has the address, or it could not.
  blocked: 'soft_bounce',
  error: 'soft_bounce',
  spam: 'complaint',
  unsubscribed: 'unsubscribe',
  delivered: 'delivered',
}

const IGNORED = ['request', 'deferred', 'opened', 'unique_opened', 'proxy_open', 'unique_proxy_open', 'click']
