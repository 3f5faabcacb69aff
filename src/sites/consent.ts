import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5'
import { createCache } from '../cache.ts'
import { directionOf, translationsFor } from '../i18n/languages.ts'
import type { Translations } from '../i18n/translations.ts'
import { root } from '../root.ts'
import type { ConnectedScript } from '../scripts/connections.ts'
import type { ConsentWords } from '../store/tables/sites.ts'
import type { SiteSettings } from './settings.ts'

type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * The markup of a script that waits for consent. None of it runs, loads or shows: script elements get a type that
 * browsers do not run, and everything between them goes into templates. A call after them lets the consent runtime
 * (`static/consent.js`) activate both at the position where the parser would have reached the code itself.
 */
export function gatedMarkup({ html, type }: Pick<ConnectedScript, 'html' | 'type'>): string {
  const category = type.toLowerCase()
  return cached.getOrMake(`${category}\n${html}`, () => deactivated(html, category))
}

const CACHED_SCRIPTS = 200
const cached = createCache<string, string>({ max_entries: CACHED_SCRIPTS })

function deactivated(html: string, category: string): string {
  let text = ''
  let between: Node[] = []
  const close = () => {
    if (between.some(hasEffect))
      text += `<template data-consent="${category}">${between.map((node) => serializeOuter(node)).join('')}</template>`
    between = []
  }
  for (const node of parseFragment(html).childNodes) {
    if (node.nodeName !== 'script') {
      between.push(node)
      continue
    }
    close()
    text += serializeOuter(inert(node as DefaultTreeAdapterTypes.Element, category))
  }
  close()
  return text && text + CALL
}

const CALL = "<script>window['masthead.consent']?.()</script>"

/** A script element that does not run until the consent runtime restores its type. */
function inert(script: DefaultTreeAdapterTypes.Element, category: string): DefaultTreeAdapterTypes.Element {
  const attrs = script.attrs.map((attr) => (attr.name === 'type' ? { ...attr, name: 'data-consent-type' } : attr))
  return {
    ...script,
    attrs: [{ name: 'type', value: 'text/plain' }, { name: 'data-consent', value: category }, ...attrs],
  }
}

function hasEffect(node: Node): boolean {
  return (
    node.nodeName !== '#comment' &&
    !(node.nodeName === '#text' && (node as DefaultTreeAdapterTypes.TextNode).value.trim() === '')
  )
}

/** The kinds of scripts that wait for consent, in the order in which the banner names them. */
const KINDS = ['functional', 'analytics', 'advertising'] as const
type Kind = (typeof KINDS)[number]

interface BannerOptions {
  /** The kinds of which scripts are connected. */
  kinds: ReadonlySet<string>
  /** The visitor's browser sends Global Privacy Control (`Sec-GPC: 1`). */
  gpc: boolean
  /** Of the project. */
  locale: string | null
}

/** The consent runtime and its banner, inline in the page: it must run before any other script. */
export function consentRuntime(settings: SiteSettings, { kinds, gpc, locale }: BannerOptions): string {
  code ??= minified(readFileSync(join(root, 'static/consent.js'), 'utf8'))
  const measures = kinds.has('analytics') || kinds.has('advertising')
  const options = [
    settings.consent_banner && 'data-banner="1"',
    gpc && 'data-gpc="1"',
    measures && 'data-mode="1"',
    `data-style="${AT_THE_EDGE + BANNER_STYLE}" data-opener="${IN_THE_CORNER + OPENER_STYLE}"`,
  ]
  const texts = { settings, words: translationsFor(locale) }
  const content = banner(texts, kinds) + opener(texts)
  return `<template ${options.filter(Boolean).join(' ')}>${content}</template><script>${code}</script>`
}

/** The banner, and the button that opens it again, as a document in which nothing runs. */
export function consentPreview(settings: SiteSettings, { kinds, locale }: Omit<BannerOptions, 'gpc'>): string {
  const shown = kinds.size > 0 ? kinds : new Set<string>(KINDS)
  const texts = { settings, words: translationsFor(locale) }
  return (
    `<!doctype html><html${languageOf(texts.words)}><body style="margin:0;background:#e8e8e8">` +
    banner(texts, shown, ` style="${BANNER_STYLE}"`).replace('<details>', '<details open>') +
    `<p style="margin:1em">${opener(texts, ` style="${OPENER_STYLE}"`)}</p></body></html>`
  )
}

/** The texts of the banner: the project's own, and for the others those of its language. */
interface Texts {
  settings: SiteSettings
  words: Translations
}

function banner({ settings, words }: Texts, kinds: ReadonlySet<string>, attributes = ''): string {
  const safe = Bun.escapeHTML
  const word = wordsOf({ settings, words })
  const { consent } = words
  const button = (value: number, label: string) =>
    `<button value="${value}" style="padding:.5em 1em;font:inherit">${label}</button>`
  const { consent_message, consent_accept, consent_decline, consent_privacy_url } = settings
  // Without a value: a click on a box is no answer yet.
  const box = (kind: Kind) =>
    `<p><label><input type="checkbox" name="${kind}" value=""> <b>${word(kind)}</b> ` +
    `${word(`${kind}_purpose`)}</label></p>`
  const boxes = KINDS.filter((kind) => kinds.has(kind))
    .map(box)
    .join('')
  return [
    `<section aria-label="${safe(consent.label)}"${languageOf(words)}${attributes}>`,
    safe(consent_message || consent.question),
    consent_privacy_url && ` <a href="${safe(consent_privacy_url)}" style="color:inherit">${word('privacy')}</a>`,
    button(1, safe(consent_accept || consent.accept)),
    button(0, safe(consent_decline || consent.decline)),
    `<details><summary>${word('choose')}</summary>${boxes}${button(2, word('save'))}`,
    '</details></section>',
  ].join('')
}

function opener({ settings, words }: Texts, attributes = ''): string {
  return `<button${languageOf(words)}${attributes}>${wordsOf({ settings, words })('reopen')}</button>`
}

function wordsOf({ settings, words }: Texts): (name: keyof ConsentWords) => string {
  return (name) => Bun.escapeHTML(settings.consent_words[name] || words.consent[name])
}

/** The page around it may have another language. */
function languageOf({ lang }: Translations): string {
  return ` lang="${lang}" dir="${directionOf(lang)}"`
}

// Applied by the runtime, because a page's own Content-Security-Policy can forbid style attributes.
const AT_THE_EDGE = 'position:fixed;inset:auto 0 0;z-index:2147483647;max-height:100vh;overflow:auto;'
const BANNER_STYLE = [
  'display:flex;flex-flow:wrap;gap:1em;align-items:center;padding:1em',
  'background:#fff;color:#222;font:16px/1.5 sans-serif;box-shadow:0 0 8px',
].join(';')
const IN_THE_CORNER = 'position:fixed;bottom:1em;inset-inline-start:1em;z-index:2147483647;'
const OPENER_STYLE =
  'padding:.5em 1em;font:14px/1.4 sans-serif;background:#fff;color:#222;border:1px solid #767676;border-radius:4px'

let code: string | undefined

function minified(source: string): string {
  const options = { loader: 'js', minify: true } as Bun.TranspilerOptions // its types lack `minify`
  return new Bun.Transpiler(options).transformSync(source).trim()
}
