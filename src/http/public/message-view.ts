import { browserView } from '../../newsletter/campaigns/content.ts'
import type { Runtime } from '../../runtime.ts'
import { translationsFor } from '../../i18n/languages.ts'
import type { Handler } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { publicPage } from '../core/pages.ts'

/**
 * `GET /general/newsletter/view/:token`: the message in the browser. What stands in it was sanitized when it was drawn;
 * the sandbox makes it a stranger on this address all the same: no script, no form, no cookie.
 */
export function viewPage(runtime: Runtime): Handler {
  const words = translationsFor('en')
  return async ({ params }) => {
    const message = await browserView(runtime, params.token!)
    if (message === null || message === 'gone') {
      const [title, text] = message === null ? words.not_found : words.gone
      return publicPage(
        runtime,
        message === null ? 404 : 410,
        { name: '', lang: 'en' },
        title,
        html`<p role="status">${text}</p>`,
      )
    }
    return new Response(message, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; img-src https: http:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex, nofollow',
      },
    })
  }
}
