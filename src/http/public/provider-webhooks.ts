import { AppError } from '../../errors.ts'
import { connectionBehind, receiveWebhook } from '../../newsletter/connections/webhooks/receive.ts'
import type { FetchText } from '../../newsletter/connections/webhooks/report.ts'
import { fetchPublic } from '../../public-fetch.ts'
import type { Runtime } from '../../runtime.ts'
import { readBytes } from '../core/body.ts'
import { type Handler, json } from '../core/exchange.ts'

const MAX_JSON_BYTES = 5 * 1024 * 1024
const MAX_MAIL_BYTES = 10 * 1024 * 1024
const MAIL_TYPES = /^(?:message\/(?:rfc822|global)|text\/plain|application\/octet-stream)\s*(?:;|$)/i

/**
 * `POST /general/newsletter/webhooks/:provider/:token`: what became of messages, as a connection's provider tells it.
 * JSON is read whatever its media type says (SNS calls it text); mail comes as it is.
 *
 * @param fetchText asks what a provider publishes; never a private address
 */
export function providerWebhook(runtime: Runtime, fetchText: FetchText = fetchPublic): Handler {
  return async ({ request, params, now }) => {
    const { provider, token } = params
    if (request.method !== 'POST')
      throw new AppError('METHOD_NOT_ALLOWED', 'Events are posted here.', { headers: { Allow: 'POST' } })
    const connection = await connectionBehind(runtime.store.db, provider!, token!)
    if (!connection) throw new AppError('UNAUTHORIZED', 'This is not the address of a webhook.')
    const isMail = provider === 'mime'
    const type = request.headers.get('content-type')
    if (isMail && type !== null && !MAIL_TYPES.test(type))
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The message is posted as message/rfc822.')
    const body = Buffer.from(await readBytes(request, isMail ? MAX_MAIL_BYTES : MAX_JSON_BYTES))
    await receiveWebhook(runtime, connection, { headers: request.headers, body, now, fetchText })
    return json(200, { success: true })
  }
}
