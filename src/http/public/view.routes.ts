import { browserView } from '../../newsletter/campaigns/content.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { route } from '../core/route.ts'
import { translationsFor } from '../../i18n/languages.ts'
import { textResponse } from '../core/large-body.ts'
import { deadLinkPage, NO_BRANDING, noticePage } from './page.ts'

/**
 * Besides the sanitizing when the message was rendered, the sandbox gives the message an opaque origin: it runs no
 * scripts, submits no forms and sees no cookies.
 */
export const MESSAGE_POLICY = [
  "default-src 'none'",
  'img-src https: http:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

/** The web version of a message (docs/api/delivery.md#links-and-tracking). */
export const viewRoute = route({
  method: 'GET',
  path: `${PUBLIC_ROOT}/view/:token`,
  summary: 'Shows a message in the browser.',
  auth: 'public',
  response: 'page',
  async respond(context) {
    const message = await browserView(context, context.params.token!)
    if (message === null) return deadLinkPage(404)
    if (message === 'gone') return deadLinkPage(410)
    if (message === 'test') return noticePage(200, NO_BRANDING, translationsFor(null).test_message)
    return textResponse(message, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': MESSAGE_POLICY,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex, nofollow',
      },
    })
  },
})
