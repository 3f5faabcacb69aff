import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { ReadMail } from '../../mail/reports.ts'
import { unsubscribeByMail, unsubscribeTokenIn } from '../../newsletter/campaigns/unsubscribe-mail.ts'
import type { Connection } from '../../newsletter/connections/connection.ts'
import { connectionBehind, receiveWebhook } from '../../newsletter/connections/webhooks/receive.ts'
import type { FetchText } from '../../newsletter/connections/webhooks/report.ts'
import { createReportQueue, type ReportQueue } from '../../newsletter/connections/webhooks/report-queue.ts'
import { keepUnread } from '../../newsletter/connections/unread-reports.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { SMALL_BYTES } from '../../operation/json-body.ts'
import { rateLimited } from '../../operation/rate-limit.ts'
import { fetchPublic } from '../../public-fetch.ts'
import type { Runtime } from '../../runtime.ts'
import { obj } from '../../schema.ts'
import { free, readBytes, readHead } from '../core/body.ts'
import { type PublicContext, type Route, route } from '../core/route.ts'
import { SUCCESS } from '../core/schemas.ts'

const MAX_JSON_BYTES = 5 * 1024 * 1024
const MAX_MAIL_BYTES = 10 * 1024 * 1024
/** What is read of a message: a report stands before the message that it returns. */
const READ_MAIL_BYTES = 256 * 1024
const MAIL_TYPES = /^(?:message\/(?:rfc822|global)|text\/plain|application\/octet-stream)\s*(?:;|$)/i

const Received = obj({
  success: Type.Literal(true),
  reports: Type.Integer({ minimum: 0, description: 'How many reports were understood.' }),
})

/** The webhook of a connection's email provider (docs/api/delivery.md#webhooks). */
export function webhookRoute({ counts }: Pick<Runtime, 'counts'>): Route {
  const queue = createReportQueue(counts)
  return route({
    method: 'POST',
    path: `${PUBLIC_ROOT}/webhooks/:provider/:token`,
    summary: 'Receives delivery reports of an email provider, or a bounce message.',
    auth: 'public',
    // Reports of providers, whatever their type says, and messages for `mime`.
    takes: ['application/json', 'text/plain', 'message/rfc822', 'application/octet-stream'],
    max_body: MAX_MAIL_BYTES,
    audit: { rows: 'noted' },
    response: Received,
    errors: [
      'UNAUTHORIZED',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
      'INVALID_JSON',
      'VALIDATION_FAILED',
      'RATE_LIMITED',
      'RATE_LIMIT_UNAVAILABLE',
    ],
    run: (input, context) => receiveReport(input, context, { fetchText: fetchPublic, queue }),
  })
}

/**
 * JSON is parsed whatever its media type, because SNS sends it as text. The provider `mime` posts whole messages.
 * @param fetchText fetches certificates that a provider publishes; it must refuse private addresses
 */
export async function receiveReport(
  { provider, token }: { provider: string; token: string },
  context: PublicContext,
  { fetchText, queue }: { fetchText: FetchText; queue: ReportQueue },
): Promise<Static<typeof Received>> {
  const { request, now, db } = context
  const connection = await connectionBehind(db, provider, token)
  if (!connection) throw new AppError('UNAUTHORIZED', 'This is not the address of a webhook.')
  const receive = (body: Uint8Array) =>
    receiveWebhook(context, connection, { headers: request.headers, body: viewOf(body), now, fetchText })
  if (provider !== 'mime') {
    const is_large = !(Number(request.headers.get('content-length') ?? Infinity) <= SMALL_BYTES)
    // Only the signature, which needs the whole body, shows who sent it.
    const body = await readBytes(context, MAX_JSON_BYTES, is_large ? 'anonymous' : 'known')
    const answer = async () => {
      const { reports, unread } = await receive(body)
      await keepUnread(context.store, connection.id, { unread, bytes: body.byteLength }, now)
      return { ...SUCCESS, reports }
    }
    if (!is_large) return answer()
    return queue.take(connection.project_id, body.byteLength, answer).finally(() => free(body))
  }
  const type = request.headers.get('content-type')
  if (type !== null && !MAIL_TYPES.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Post the message as message/rfc822.')
  const { limiter, config } = context
  const allowance = await limiter.take(`reports:${connection.id}`, config.mail_reports_per_minute)
  if (!allowance.allowed) throw rateLimited(allowance)
  const body = await readHead(context, { kept: READ_MAIL_BYTES, max: MAX_MAIL_BYTES, sender: 'known' })
  return queue.take(connection.project_id, body.byteLength, async () => {
    const { reports, unread, mail } = await receive(body)
    const has_left = await unsubscribe(context, connection, mail!)
    const bytes = Math.max(body.byteLength, Number(request.headers.get('content-length')) || 0)
    if (!has_left) await keepUnread(context.store, connection.id, { unread, bytes }, now)
    return { ...SUCCESS, reports: reports + (has_left ? 1 : 0) }
  })
}

/** The same bytes, not a copy of them. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Unsubscribes the recipient who sent the message for it; false for every other message. */
async function unsubscribe(
  { store, keys, now }: PublicContext,
  { project_id }: Connection,
  { subject }: ReadMail,
): Promise<boolean> {
  const token = unsubscribeTokenIn(subject)
  return token !== null && (await store.write((tx) => unsubscribeByMail(tx, keys, { project_id, token }, now)))
}
