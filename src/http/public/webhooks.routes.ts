import { AppError } from '../../errors.ts'
import { unsubscribeByMail, unsubscribeTokenIn } from '../../newsletter/campaigns/unsubscribe-mail.ts'
import { connectionBehind, receiveWebhook } from '../../newsletter/connections/webhooks/receive.ts'
import type { FetchText } from '../../newsletter/connections/webhooks/report.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { fetchPublic } from '../../public-fetch.ts'
import { readBytes } from '../core/body.ts'
import { json } from '../core/exchange.ts'
import { type PublicContext, route } from '../core/route.ts'
import { SUCCESS, Success } from '../core/schemas.ts'

const MAX_JSON_BYTES = 5 * 1024 * 1024
const MAX_MAIL_BYTES = 10 * 1024 * 1024
const MAIL_TYPES = /^(?:message\/(?:rfc822|global)|text\/plain|application\/octet-stream)\s*(?:;|$)/i

/** The webhook of a connection's email provider (docs/api/delivery.md#webhooks). */
export const webhookRoute = route({
  method: 'POST',
  path: `${PUBLIC_ROOT}/webhooks/:provider/:token`,
  summary: 'Receives delivery reports of an email provider, or a bounce message.',
  auth: 'public',
  max_body: MAX_MAIL_BYTES,
  audit: { rows: 'noted' },
  response: Success,
  errors: ['UNAUTHORIZED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'INVALID_JSON', 'VALIDATION_FAILED'],
  respond: (context) => receiveReport(context, fetchPublic),
})

/**
 * JSON is parsed whatever its media type, because SNS sends it as text. The provider `mime` posts whole messages.
 * @param fetchText fetches certificates that a provider publishes; it must refuse private addresses
 */
export async function receiveReport(context: PublicContext, fetchText: FetchText): Promise<Response> {
  const { request, params, now, db } = context
  const { provider, token } = params
  const connection = await connectionBehind(db, provider!, token!)
  if (!connection) throw new AppError('UNAUTHORIZED', 'This is not the address of a webhook.')
  const isMail = provider === 'mime'
  const type = request.headers.get('content-type')
  if (isMail && type !== null && !MAIL_TYPES.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Post the message as message/rfc822.')
  const body = Buffer.from(await readBytes(context, isMail ? MAX_MAIL_BYTES : MAX_JSON_BYTES, 'known'))
  await receiveWebhook(context, connection, { headers: request.headers, body, now, fetchText })
  const token_in_subject = isMail ? await unsubscribeTokenIn(body) : null
  if (token_in_subject !== null) {
    const { project_id } = connection
    await context.store.write((tx) => unsubscribeByMail(tx, context.keys, { project_id, token: token_in_subject }, now))
  }
  return json(200, SUCCESS)
}
