import { invalid } from '../errors.ts'

/**
 * The language of a site's templates (docs/api/sites.md#templates): `{{ name }}` is a value, escaped for HTML;
 * `{{#name}}…{{/name}}` stands once for each entry of a list, or once where a value is not empty; `{{^name}}…{{/name}}`
 * stands where it is empty.
 */

/** HTML that stands in the page as it is. */
export class Raw {
  constructor(readonly html: string) {}
}
export interface Values {
  readonly [name: string]: string | Raw | readonly Values[]
}
/**
 * The names that a template may use: any number of times, or once because the value is long; for a list its entries'.
 */
export interface Names {
  readonly [name: string]: 'often' | 'once' | Names
}

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string }
  | { kind: 'section'; name: string; when_empty: boolean; parts: Part[] }
export type Template = readonly Part[]

const MAX_PLACEHOLDERS = 200
/** Characters of a page. What would exceed them is left out: long excerpts could fill ten times as many. */
const MAX_PAGE = 3_000_000
const MAX_DEPTH = 10

/** Reads a template. VALIDATION_FAILED at `/html` names the line of a placeholder that is unknown or misplaced. */
export function readTemplate(html: string, names: Names): Template {
  const root: Part[] = []
  const open: { name: string; parts: Part[]; names: Names[] }[] = [{ name: '', parts: root, names: [names] }]
  const used = new Set<string>()
  let placeholders = 0
  let at = 0
  for (let begin = html.indexOf('{{'); begin !== -1; begin = html.indexOf('{{', at)) {
    const fail = (message: string) => invalid('/html', `Line ${html.slice(0, begin).split('\n').length}: ${message}`)
    const end = html.indexOf('}}', begin)
    if (end === -1) throw fail('{{ has no }}.')
    if (++placeholders > MAX_PLACEHOLDERS) throw fail(`There are more than ${MAX_PLACEHOLDERS} placeholders.`)
    const { parts, names: known, name: opened } = open.at(-1)!
    const [, sign, name] = /^([#^/]?)\s*([\w.]{1,60})$/.exec(html.slice(begin + 2, end).trim()) ?? []
    if (at < begin) parts.push({ kind: 'text', text: html.slice(at, begin) })
    at = end + 2
    if (name === undefined) throw fail('{{ begins a placeholder, which has a name.')
    if (sign === '/') {
      if (name !== opened) throw fail(`{{/${name}}} closes no {{#${name}}}.`)
      open.pop()
      continue
    }
    const rule = known.findLast((scope) => Object.hasOwn(scope, name))?.[name]
    if (rule === undefined) throw fail(`{{ ${name} }} is no placeholder here.`)
    if (sign === '') {
      if (typeof rule !== 'string') throw fail(`{{ ${name} }} is a list: write {{#${name}}} and {{/${name}}}.`)
      if (rule === 'once' && used.has(name)) throw fail(`{{ ${name} }} stands in the template already.`)
      used.add(name)
      parts.push({ kind: 'value', name })
      continue
    }
    if (open.length > MAX_DEPTH) throw fail(`Sections nest deeper than ${MAX_DEPTH} levels.`)
    const when_empty = sign === '^'
    const is_list = typeof rule !== 'string' && !when_empty
    // Lists in lists would multiply.
    if (is_list && known.length > 1) throw fail(`{{#${name}}} stands inside a list.`)
    const section: Part = { kind: 'section', name, when_empty, parts: [] }
    parts.push(section)
    open.push({ name, parts: section.parts, names: is_list ? [...known, rule] : known })
  }
  root.push({ kind: 'text', text: html.slice(at) })
  const { name: unclosed } = open.at(-1)!
  if (open.length > 1) throw invalid('/html', `{{#${unclosed}}} has no {{/${unclosed}}}.`)
  return root
}

export function renderTemplate(template: Template, values: Values): string {
  const written: RenderedText = { texts: [], room: MAX_PAGE }
  render(template, [values], written)
  return written.texts.join('')
}

interface RenderedText {
  texts: string[]
  /** Characters that may still be added. */
  room: number
}

function add(written: RenderedText, text: string): void {
  written.room -= text.length
  if (written.room >= 0) written.texts.push(text)
}

function render(parts: readonly Part[], scopes: readonly Values[], written: RenderedText): void {
  const valueOf = (name: string) => scopes.findLast((scope) => Object.hasOwn(scope, name))?.[name] ?? ''
  for (const part of parts) {
    if (written.room < 0) return
    if (part.kind === 'text') {
      add(written, part.text)
      continue
    }
    const value = valueOf(part.name)
    if (part.kind === 'value') {
      if (typeof value === 'string') add(written, Bun.escapeHTML(value))
      else if (value instanceof Raw) add(written, value.html)
      continue
    }
    const is_empty = value instanceof Raw ? value.html === '' : value.length === 0
    if (is_empty !== part.when_empty) continue
    if (Array.isArray(value) && !is_empty)
      for (const entry of value as readonly Values[]) render(part.parts, [...scopes, entry], written)
    else render(part.parts, scopes, written)
  }
}
