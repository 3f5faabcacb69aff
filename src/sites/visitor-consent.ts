import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5'
import { createCache } from '../cache.ts'
import { directionOf, translationsFor } from '../i18n/languages.ts'
import type { Translations } from '../i18n/translations.ts'
import { brandColor, readableOn } from '../shared/contrast.ts'
import { root } from '../root.ts'
import type { ConnectedScript } from '../scripts/connections.ts'
import type { ConsentWords } from '../store/tables/sites.ts'
import type { ProjectLook, SiteSettings } from './settings.ts'

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

/** The scripts that wait for consent: the names of their apps by kind. */
export type WaitingScripts = ReadonlyMap<string, readonly string[]>

interface BannerOptions {
  scripts: WaitingScripts
  /** The visitor's browser sends Global Privacy Control (`Sec-GPC: 1`). */
  gpc: boolean
  look: ProjectLook
}

/** The consent runtime and its banner, inline in the page: it must run before any other script. */
export function consentRuntime(settings: SiteSettings, { scripts, gpc, look }: BannerOptions): string {
  code ??= minified(readFileSync(join(root, 'static/consent.js'), 'utf8'))
  const measures = scripts.has('analytics') || scripts.has('advertising')
  const options = [
    settings.consent_banner && 'data-banner="1"',
    gpc && 'data-gpc="1"',
    measures && 'data-mode="1"',
    `data-style="${Bun.escapeHTML(styleOf(look))}"`,
  ]
  const texts = { settings, words: translationsFor(look.locale) }
  const content = banner(texts, scripts) + opener(texts)
  return `<template ${options.filter(Boolean).join(' ')}>${content}</template><script>${code}</script>`
}

/** The banner, and the button that opens it again, as a document in which nothing runs. */
export function consentPreview(settings: SiteSettings, { scripts, look }: Omit<BannerOptions, 'gpc'>): string {
  const shown = scripts.size > 0 ? scripts : new Map(KINDS.map((kind) => [kind, []]))
  const texts = { settings, words: translationsFor(look.locale) }
  const content = banner(texts, shown).replace('<details>', '<details open>') + opener(texts)
  // A document that is built by a parser has no shadow roots.
  const style = (styleOf(look) + IN_PREVIEW).replaceAll(':host', 'body')
  return (
    `<!doctype html><html${languageOf(texts.words)}><head><style>${style}</style></head>` +
    `<body style="margin:0;min-height:360px;font-family:sans-serif;background:#e8e8e8">${content}</body></html>`
  )
}

/** Above the banner, where both can be seen. */
const IN_PREVIEW = '.opener{inset-block:16px auto}'

/** The texts of the banner: the project's own, and for the others those of its language. */
interface Texts {
  settings: SiteSettings
  words: Translations
}

/** Both answers look the same: neither is easier to find. */
function banner({ settings, words }: Texts, scripts: WaitingScripts): string {
  const safe = Bun.escapeHTML
  const word = wordsOf({ settings, words })
  const { consent } = words
  const button = (value: number, label: string) => `<button value="${value}">${label}</button>`
  const { consent_message, consent_accept, consent_decline, consent_privacy_url } = settings
  // Without a value: a click on a box is no answer yet.
  const box = (kind: Kind) => {
    const apps = safe(scripts.get(kind)!.join(', '))
    const purpose = [word(`${kind}_purpose`), apps].filter(Boolean).join(' ')
    const input = `<input type="checkbox" name="${kind}" value="">`
    return `<label>${input} <b>${word(kind)}</b> <small>${purpose}</small></label>`
  }
  const boxes = KINDS.filter((kind) => scripts.has(kind))
    .map(box)
    .join('')
  const privacy = consent_privacy_url && ` <a href="${safe(consent_privacy_url)}">${word('privacy')}</a>`
  return [
    `<section aria-label="${safe(consent.label)}"${languageOf(words)}>`,
    `<p class="question">${safe(consent_message || consent.question)}${privacy}</p>`,
    `<div class="answers">${button(1, safe(consent_accept || consent.accept))}`,
    `${button(0, safe(consent_decline || consent.decline))}</div>`,
    `<details><summary>${word('choose')}</summary><div class="kinds">${boxes}</div>${button(2, word('save'))}`,
    '</details></section>',
  ].join('')
}

function opener({ settings, words }: Texts): string {
  return `<button class="opener"${languageOf(words)}>${wordsOf({ settings, words })('reopen')}</button>`
}

function wordsOf({ settings, words }: Texts): (name: keyof ConsentWords) => string {
  return (name) => Bun.escapeHTML(settings.consent_words[name] || words.consent[name])
}

/** The page around it may have another language. */
function languageOf({ lang }: Translations): string {
  return ` lang="${lang}" dir="${directionOf(lang)}"`
}

function styleOf({ brand_color }: ProjectLook): string {
  sheet ??= readFileSync(join(root, 'static/consent-banner.css'), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
  const brand = brandColor(brand_color)
  return `:host{--brand:${brand};--on-brand:${readableOn(brand, '#ffffff')}}${sheet}`
}

let sheet: string | undefined
let code: string | undefined

function minified(source: string): string {
  const options = { loader: 'js', minify: true } as Bun.TranspilerOptions // its types lack `minify`
  return new Bun.Transpiler(options).transformSync(source).trim()
}
