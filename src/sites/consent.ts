import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5'
import { createCache } from '../cache.ts'
import { root } from '../root.ts'
import type { ConnectedScript } from '../scripts/connections.ts'
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

/**
 * The consent runtime and its banner, inline in the page: it must run before any other script.
 * @param gpc the visitor's browser sends Global Privacy Control (`Sec-GPC: 1`)
 */
export function consentRuntime(settings: SiteSettings, gpc: boolean): string {
  code ??= minified(readFileSync(join(root, 'static/consent.js'), 'utf8'))
  const options = [settings.consent_banner && 'data-banner="1"', gpc && 'data-gpc="1"', `data-style="${BANNER_STYLE}"`]
  return `<template ${options.filter(Boolean).join(' ')}>${banner(settings)}</template><script>${code}</script>`
}

function banner({ consent_message, consent_accept, consent_decline }: SiteSettings): string {
  const button = (value: number, label: string) =>
    `<button value="${value}" style="padding:.5em 1em;font:inherit">${Bun.escapeHTML(label)}</button>`
  const message = Bun.escapeHTML(consent_message || 'May this site use non-essential services?')
  const buttons = button(1, consent_accept || 'Accept') + button(0, consent_decline || 'Decline')
  return `<section aria-label="Consent">${message}${buttons}</section>`
}

/** Applied by the runtime, because a page's own Content-Security-Policy can forbid style attributes. */
const BANNER_STYLE = [
  'position:fixed;inset:auto 0 0;z-index:2147483647',
  'display:flex;flex-flow:wrap;gap:1em;align-items:center;padding:1em',
  'background:#fff;color:#222;font:16px/1.5 sans-serif;box-shadow:0 0 8px',
].join(';')

let code: string | undefined

function minified(source: string): string {
  const options = { loader: 'js', minify: true } as Bun.TranspilerOptions // its types lack `minify`
  return new Bun.Transpiler(options).transformSync(source).trim()
}
