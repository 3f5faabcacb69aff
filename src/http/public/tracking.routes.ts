import { errorFields } from '../../log.ts'
import { findLink } from '../../newsletter/tracking/campaign-links.ts'
import { createEngagementLog, type EngagementEvent } from '../../newsletter/tracking/engagement.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { isMachine } from '../../newsletter/tracking/machines.ts'
import { targetOf } from '../../newsletter/tracking/tracking.ts'
import { readClickToken, readRecipientToken } from '../../newsletter/tracking/tokens.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange } from '../core/exchange.ts'
import { type Route, route } from '../core/route.ts'
import { deadLinkPage } from './page.ts'

/** The longest that a response waits for its event to be stored. */
const RECORD_TIMEOUT_MS = 500

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/**
 * Opens and clicks (docs/api/delivery.md#links-and-tracking). The event is stored before the response, so that a report
 * read afterwards includes it. When storing fails or takes too long, the recipient still gets the image or redirect.
 */
export function trackingRoutes(runtime: Runtime): Route[] {
  const engagement = createEngagementLog(runtime.store)

  const record = async (
    { request, user_agent, address, now }: Exchange,
    event: Pick<EngagementEvent, 'type' | 'campaign_id' | 'delivery_id' | 'url'>,
  ): Promise<void> => {
    const machine = isMachine({ method: request.method, user_agent, address, headers: request.headers })
    const recorded = engagement
      .record({ ...event, at: now, user_agent, machine })
      .catch((error: unknown) => runtime.log.error('an open or a click was not stored', errorFields(error)))
    await Promise.race([recorded, Bun.sleep(RECORD_TIMEOUT_MS)])
  }

  return [
    route({
      method: 'GET',
      path: `${PUBLIC_ROOT}/open/:token`,
      summary: 'Records an open and returns a transparent pixel.',
      auth: 'public',
      response: 'file',
      media_type: 'image/gif',
      async respond(context) {
        const opened = readRecipientToken(context.keys, context.params.token!, 'open')
        if (!opened) return deadLinkPage(404)
        const { campaign_id, delivery_id } = opened
        await record(context, { type: 'open', campaign_id, delivery_id, url: null })
        return new Response(PIXEL, { headers: PIXEL_HEADERS })
      },
    }),

    route({
      method: 'GET',
      path: `${PUBLIC_ROOT}/click/:token`,
      summary: 'Records a click and redirects to the link.',
      auth: 'public',
      response: 'redirect',
      async respond(context) {
        const clicked = readClickToken(context.keys, context.params.token!)
        if (!clicked) return deadLinkPage(404)
        const { campaign_id, delivery_id, position, values } = clicked
        const url = await findLink(context.db, campaign_id, position)
        if (url === null) return deadLinkPage(410)
        await record(context, { type: 'click', campaign_id, delivery_id, url })
        return new Response(null, {
          status: 302,
          headers: { ...LINK_HEADERS, Location: toAscii(targetOf(url, values)) },
        })
      },
    }),
  ]
}

const PIXEL_HEADERS = {
  'Content-Type': 'image/gif',
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  Pragma: 'no-cache',
  Expires: '0',
  // Some webmail clients show only images that allow cross-origin use.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const LINK_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** Header values must be ASCII. A URL that is ASCII already stays byte for byte. */
function toAscii(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : (URL.parse(url)?.href ?? encodeURI(url.toWellFormed()))
}
