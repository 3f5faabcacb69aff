import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contrast, longHex, READABLE_LARGE, readableOn } from '../../newsletter/email/colors.ts'
import { root } from '../../root.ts'
import type { Runtime } from '../../runtime.ts'
import { directionOf } from '../../i18n/languages.ts'
import { html, Markup } from './markup.ts'

/** Whose page it is, as far as a person should see it. */
export interface Look {
  /** Empty where the project is not known. */
  name: string
  brand_color?: string | null
  /** BCP 47, of the words on the page. */
  lang: string
}

const RIGHT_TO_LEFT = html` dir="rtl"`
const BRAND = '#26457d'
let sheet: string | undefined

/**
 * A page of the public routes: no scripts, nothing from elsewhere, no cookie, never kept by anybody, and no word of its
 * address to where its links lead (contract-details 73): the path holds a token.
 */
export function publicPage(runtime: Runtime, status: number, look: Look, title: string, body: Markup): Response {
  sheet ??= readFileSync(join(root, 'static/public/public.css'), 'utf8')
  const brand = longHex(look.brand_color) ?? BRAND
  const style = `:root{--brand:${brand};--on-brand:${readableOn(brand, '#ffffff')};--edge-light:${edgeOn('#ffffff', brand, '#5a6270')};--edge-dark:${edgeOn('#1f2228', brand, '#a4abb8')}}\n${sheet}`
  const { text } = html`<!doctype html>
<html lang="${look.lang}"${directionOf(look.lang) === 'rtl' && RIGHT_TO_LEFT}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${look.name === '' ? title : `${title} · ${look.name}`}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${look.name !== '' && html`<header>${look.name}</header>`}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'self'; script-src 'none'; style-src '${hashOf(style)}'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      ...(runtime.base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    },
  })
}

/** The edge of a button in the brand's colour on a card: another grey where the brand's could hardly be told from it (WCAG 2.2, 1.4.11). */
function edgeOn(card: string, brand: string, grey: string): string {
  return contrast(card, brand) >= READABLE_LARGE ? brand : grey
}

/** The one style of the page by its hash (CSP 3, 2.3.1): no other is let in. */
function hashOf(style: string): string {
  return `sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}`
}
