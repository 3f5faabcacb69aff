import { attributesOf, decodeEntities, tokens } from './markup.ts'
import type { Warn } from './warnings.ts'

/** Warns about links in a block's markup that people or spam filters distrust. */
export function checkLinks(markup: string, warn: Warn): void {
  let link: { href: string; text: string; alt: string } | null = null
  for (const token of tokens(markup)) {
    if (token.kind === 'open' && token.name === 'a') {
      const href = attributesOf(token).get('href')
      link = href === undefined ? null : { href, text: '', alt: '' }
    } else if (link && token.kind === 'text') link.text += decodeEntities(token.text)
    else if (link && token.kind === 'open' && token.name === 'img') link.alt += attributesOf(token).get('alt') ?? ''
    else if (link && token.kind === 'close' && token.name === 'a') {
      checkLink(link, warn)
      link = null
    }
  }
}

const SHORTENERS: ReadonlySet<string> = new Set([
  'bit.ly',
  'bl.ink',
  'buff.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'lnkd.in',
  'ow.ly',
  'rb.gy',
  'rebrand.ly',
  's.id',
  'shorturl.at',
  't.co',
  't.ly',
  'tiny.cc',
  'tinyurl.com',
  'v.gd',
])

function checkLink({ href, text, alt }: { href: string; text: string; alt: string }, warn: Warn): void {
  if (!(text + alt).replace(/[\s\u00A0\u200B]/g, ''))
    warn('link_without_text', 'A link has no text, and no image with alternative text.')
  const host = hostOf(href)
  if (host === null) return
  if (/^[\d.]+$|^\[/.test(host))
    warn('ip_address_link', `A link leads to the IP address ${host}, which spam filters distrust.`)
  if (SHORTENERS.has(host)) warn('shortened_link', `A link uses the shortener ${host}, which spam filters distrust.`)
  const shown = hostInText(text.trim())
  if (shown !== null && !isSameSite(shown, host)) warn('misleading_link', `A link shows ${shown} and leads to ${host}.`)
}

/** The host of an http or https link; null where a placeholder decides it. */
function hostOf(href: string): string | null {
  if (!/^https?:\/\/[^/?#]*$|^https?:\/\/[^/?#]*[/?#]/i.test(href) || /^https?:\/\/[^/?#]*\{\{/i.test(href)) return null
  return URL.parse(href)?.hostname.replace(/^www\./, '') ?? null
}

const WRITTEN =
  /^(https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(\p{L}{2,24}))(?::\d+)?(?:[/?#]\S*)?$/iu
/** File endings that look like top-level domains: "Node.js" is no host. */
const NO_DOMAINS: ReadonlySet<string> = new Set([
  'csv',
  'css',
  'doc',
  'docx',
  'gif',
  'htm',
  'html',
  'jpeg',
  'jpg',
  'js',
  'json',
  'md',
  'mp3',
  'pdf',
  'php',
  'png',
  'ps',
  'py',
  'rs',
  'sh',
  'svg',
  'ts',
  'txt',
  'webp',
  'xls',
  'xlsx',
  'xml',
  'yml',
])

/** A longer text is no address that a person reads. */
const MAX_WRITTEN = 2000

/** The host that a link's text shows, or null when the text does not look like an address. */
function hostInText(text: string): string | null {
  if (text.length > MAX_WRITTEN) return null
  const [, scheme, host, ending = ''] = WRITTEN.exec(text) ?? []
  if (!host || (!scheme && NO_DOMAINS.has(ending.toLowerCase()) && !/^www\./i.test(host))) return null
  return URL.parse(`https://${host}`)?.hostname.replace(/^www\./, '') ?? null
}

const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
