import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tokens from '../../../static/app/ui/tokens.css' with { type: 'text' }
import { directionOf, translationsFor } from '../../i18n/languages.ts'
import { brandColor, contrast, READABLE_LARGE, readableOn } from '../../shared/contrast.ts'
import { root } from '../../root.ts'
import { errorResponse, type Refuse } from '../core/exchange.ts'
import { textResponse } from '../core/large-body.ts'
import { html, Markup } from '../core/markup.ts'

/** The project's branding on a public page. */
export interface Branding {
  /** The project's name; empty where the project is not known. */
  name: string
  brand_color?: string | null
  /** An http or https address. */
  logo_url?: string | null
  /** BCP 47 tag of the language of the page. */
  lang: string
}

/** The branding of a page that belongs to no known project. */
export const NO_BRANDING: Branding = { name: '', lang: 'en' }

export interface PublicPage {
  status: number
  branding: Branding
  title: string
  body: Markup
  /** An address outside this service to which a form of the page may redirect. */
  leads_to?: string
  /** Search engines may list it and follow its links. Others hold a token, or are for one person. */
  for_search?: boolean
  /** Loads the widget of the proof of work. */
  with_widget?: boolean
}

const RIGHT_TO_LEFT = html` dir="rtl"`
/** The design tokens for paper and quiet text, in light and dark. */
const LIGHT = { paper: '#ffffff', quiet: '#5c6066' }
const DARK = { paper: '#1f2225', quiet: '#a3a7ad' }
let sheet: string | undefined

/**
 * A page of the public routes. It has no scripts, external resources or cookies. It is never cached and sends no
 * referrer, because its path holds a token (docs/api/platform.md#security-headers).
 */
export function publicPage({
  status,
  branding,
  title,
  body,
  leads_to,
  for_search = false,
  with_widget = false,
}: PublicPage): Response {
  const { name, lang } = branding
  const logo = URL.parse(branding.logo_url ?? '')
  const style = styleOf(branding)
  const { text } = html`<!doctype html>
<html lang="${lang}"${directionOf(lang) === 'rtl' && RIGHT_TO_LEFT}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${!for_search && html`<meta name="robots" content="noindex, nofollow">`}
<title>${name === '' ? title : `${title} · ${name}`}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${name !== '' && header(name, logo)}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return textResponse(text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': [
        "default-src 'self'",
        ...(logo ? [`img-src 'self'${sourceOf(logo)}`] : []),
        ...(with_widget
          ? ["script-src 'self'", "worker-src 'self' blob:", "style-src 'self' 'unsafe-inline'"]
          : ["script-src 'none'", `style-src '${hashOf(style)}'`]),
        "object-src 'none'",
        "base-uri 'none'",
        // A browser follows a form to where the answer redirects only if that is named, too.
        `form-action 'self'${leads_to ? sourceOf(new URL(leads_to)) : ''}`,
        "frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      ...(for_search ? {} : { 'X-Robots-Tag': 'noindex, nofollow' }),
    },
  })
}

function header(name: string, logo: URL | null): Markup {
  return html`<header>${logo ? html`<img src="${logo.href}" alt="${name}">` : name}</header>`
}

/** The origin of an address as a source of the policy; none for a host with characters that would end a directive. */
function sourceOf({ origin, host }: URL): string {
  return /^[\w.:[\]-]+$/.test(host) ? ` ${origin}` : ''
}

/** A page with one message. */
export function noticePage(
  status: number,
  branding: Branding,
  [title, text]: readonly [title: string, text: string],
): Response {
  return publicPage({ status, branding, title, body: html`<p role="status">${text}</p>` })
}

/**
 * The page for a link without an object: 404 for an unknown or tampered token, 410 for a genuine token whose object was
 * deleted. Never a redirect.
 */
export function deadLinkPage(status: 404 | 410): Response {
  const { not_found, gone } = translationsFor(null)
  return noticePage(status, NO_BRANDING, status === 404 ? not_found : gone)
}

/** Renders errors of routes that people open from a message as pages. */
export const pageRefusal: Refuse = (runtime, error, { request_id }) => {
  const refusal = errorResponse(runtime, error, request_id, 'platform')
  const { not_found, failed } = translationsFor(null)
  const page = noticePage(refusal.status, NO_BRANDING, refusal.status === 404 ? not_found : failed)
  for (const name of ['Allow', 'Retry-After']) {
    const value = refusal.headers.get(name)
    if (value) page.headers.set(name, value)
  }
  return page
}

function styleOf({ brand_color }: Branding): string {
  sheet ??= readFileSync(join(root, 'static/public/public.css'), 'utf8')
  const brand = brandColor(brand_color)
  const colors = {
    '--brand': brand,
    '--on-brand': readableOn(brand, '#ffffff'),
    '--edge-light': edgeOn(LIGHT.paper, brand, LIGHT.quiet),
    '--edge-dark': edgeOn(DARK.paper, brand, DARK.quiet),
  }
  const declarations = Object.entries(colors).map(([name, color]) => `${name}:${color}`)
  return `${tokens}\n:root{${declarations.join(';')}}\n${sheet}`
}

/** The color of a button's edge: the brand color, or gray where that has too little contrast (WCAG 1.4.11). */
function edgeOn(background: string, brand: string, gray: string): string {
  return contrast(background, brand) >= READABLE_LARGE ? brand : gray
}

/** Allows the page's only style element by its hash (CSP Level 3, 2.3.1). */
function hashOf(style: string): string {
  return `sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}`
}
