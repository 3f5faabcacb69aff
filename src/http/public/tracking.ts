import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { findLink } from '../../newsletter/tracking/campaign-links.ts'
import { isMachine } from '../../newsletter/tracking/machines.ts'
import { createEngagementLog, type EngagementEvent } from '../../newsletter/tracking/engagement.ts'
import { readClickToken, readOpenTrackingToken, targetOf } from '../../newsletter/tracking/tracking.ts'
import type { Runtime } from '../../runtime.ts'
import { translationsFor } from '../../i18n/languages.ts'
import type { Exchange, Handler } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { publicPage } from '../core/pages.ts'

/** Whoever follows a link is not kept longer than this by a store that is slow. */
const PATIENCE_MS = 500

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/**
 * `GET, HEAD /general/newsletter/open/:token` and `…/click/:token`. A reaction is kept before the answer is given, so
 * that whoever asks for the report next sees it; when keeping it fails, people get where they wanted all the same.
 */
export function trackingRoutes(runtime: Runtime): [path: string, handler: Handler][] {
  const reactions = createEngagementLog(runtime.store)

  const keep = async (
    { request, user_agent, address, now }: Exchange,
    reaction: Pick<EngagementEvent, 'type' | 'campaign_id' | 'delivery_id' | 'url'>,
  ): Promise<void> => {
    const machine = isMachine({ method: request.method, user_agent, address, headers: request.headers })
    const kept = reactions
      .record({ ...reaction, at: now, user_agent, machine })
      .catch((error: unknown) => runtime.log.error('an open or a click was not kept', errorFields(error)))
    await Promise.race([kept, Bun.sleep(PATIENCE_MS)])
  }

  return [
    [
      'open/:token',
      onlyLooked(async (exchange) => {
        const opened = readOpenTrackingToken(runtime.keys, exchange.params.token!)
        if (!opened) return refusal(runtime, 404)
        const { campaign_id, delivery_id } = opened
        await keep(exchange, { type: 'open', campaign_id, delivery_id, url: null })
        return new Response(PIXEL, { headers: PIXEL_HEADERS })
      }),
    ],
    [
      'click/:token',
      onlyLooked(async (exchange) => {
        const clicked = readClickToken(runtime.keys, exchange.params.token!)
        if (!clicked) return refusal(runtime, 404)
        const { campaign_id, delivery_id, position, values } = clicked
        const url = await findLink(runtime.store.db, campaign_id, position)
        if (url === null) return refusal(runtime, 410)
        await keep(exchange, { type: 'click', campaign_id, delivery_id, url })
        return new Response(null, {
          status: 302,
          headers: { ...LINK_HEADERS, Location: inAscii(targetOf(url, values)) },
        })
      }),
    ],
  ]
}

const PIXEL_HEADERS = {
  'Content-Type': 'image/gif',
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  Pragma: 'no-cache',
  Expires: '0',
  // Webmail may show pictures only of those who allow it.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const LINK_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

function onlyLooked(handler: Handler): Handler {
  return (exchange) => {
    const { method } = exchange.request
    if (method !== 'GET' && method !== 'HEAD')
      throw new AppError('METHOD_NOT_ALLOWED', 'This address is only opened.', { headers: { Allow: 'GET, HEAD' } })
    return handler(exchange)
  }
}

/** A page, never a redirect (contract-details 42); 410: the token is one of ours, and what it meant is there no more. */
function refusal(runtime: Runtime, status: 404 | 410): Response {
  const words = translationsFor('en')
  const [title, text] = status === 404 ? words.not_found : words.gone
  return publicPage(runtime, status, { name: '', lang: 'en' }, title, html`<p role="status">${text}</p>`)
}

/** A header holds ASCII alone; an address that is so already is not touched. */
function inAscii(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : (URL.parse(url)?.href ?? encodeURI(url.toWellFormed()))
}
