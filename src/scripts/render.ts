import { createCache } from '../cache.ts'
import { invalid } from '../errors.ts'
import { sha256 } from '../secrets.ts'
import type { ParameterFormats, Parameters } from '../store/tables/scripts.ts'
import { isClosed, type CodeRange } from './code.ts'
import { escapeFor } from './escape.ts'
import { type Part, parsePlaceholders } from './placeholders.ts'

/** The longest dangerous sequence that a value could complete is `</script`; this many characters around it suffice. */
const CONTEXT_LENGTH = 10

/**
 * Replaces the placeholders of a script by their values, in one pass: placeholders inside values are not expanded. A
 * placeholder without a value stays in the code (docs/api/scripts.md#placeholders). A value with the format `html` that
 * leaves something open is escaped as text: it may be older than the version that declares the format.
 */
export function renderScript(code: string, parameters: Parameters, formats: ParameterFormats = {}): string {
  return renderFilled(code, parameters, formats).html
}

/** As `renderScript`, with the places of the values, in order. */
export function renderFilled(
  code: string,
  parameters: Parameters,
  formats: ParameterFormats,
): { html: string; filled: CodeRange[] } {
  const raw = new Set(htmlKeys(parameters, formats).filter((key) => isClosed(String(parameters[key]))))
  const parts = partsOf(
    code,
    Object.keys(parameters).filter((key) => parameters[key] !== null),
  )
  const text: string[] = []
  const filled: CodeRange[] = []
  let length = 0
  let before = ''
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    const written =
      typeof part === 'string'
        ? part
        : escapeFor(part.context, String(parameters[part.key]!), {
            before,
            after: typeof next === 'string' ? next.slice(0, CONTEXT_LENGTH) : '',
            format: raw.has(part.key) ? 'html' : 'text',
          })
    text.push(written)
    if (typeof part !== 'string') filled.push({ from: length, to: length + written.length })
    length += written.length
    before =
      written.length < CONTEXT_LENGTH ? (before + written).slice(-CONTEXT_LENGTH) : written.slice(-CONTEXT_LENGTH)
  }
  return { html: text.join(''), filled }
}

/** Limit of one rendered script. Without it a small script could expand into a page of any size. */
const RENDERED_MAX_BYTES = 256 * 1024

/** Code and what its placeholders are filled with. */
export interface Filling {
  code: string
  parameters: Parameters
  parameter_formats: ParameterFormats
}

/**
 * Throws VALIDATION_FAILED for parameters that cannot be inserted into the code: at its key for a value with the format
 * `html` that leaves a tag or a comment open, else when the rendered code does so or exceeds RENDERED_MAX_BYTES.
 */
export function checkRendered({ code, parameters, parameter_formats }: Filling): void {
  for (const key of htmlKeys(parameters, parameter_formats)) {
    if (!isClosed(String(parameters[key])))
      throw invalid(
        `/parameters/${key}`,
        'The value leaves a tag or a comment open and would absorb the rest of the page. Close it.',
      )
  }
  const html = renderScript(code, parameters, parameter_formats)
  if (Buffer.byteLength(html) > RENDERED_MAX_BYTES)
    throw invalid('/parameters', `With these parameters the rendered code has more than ${RENDERED_MAX_BYTES} bytes.`)
  if (!staysClosed(code, html))
    throw invalid(
      '/parameters',
      'With these parameters the rendered code leaves a tag or a comment open, or has too many elements.',
    )
}

/** Whether the rendered code is small enough for a page and does not absorb the markup after it. */
export function fitsPage(code: string, html: string): boolean {
  return html.length <= RENDERED_MAX_BYTES && staysClosed(code, html)
}

/** The keys with values that are inserted as markup and contain any. */
function htmlKeys(parameters: Parameters, formats: ParameterFormats): string[] {
  return Object.keys(formats).filter(
    (key) => formats[key] === 'html' && Object.hasOwn(parameters, key) && /[<&]/.test(String(parameters[key])),
  )
}

/** Whether rendered code is closed, by its hash: pages ask again for the same text. */
const CLOSED_MAX_ENTRIES = 10_000
const closed = createCache<string, boolean>({ max_entries: CLOSED_MAX_ENTRIES })

/**
 * A placeholder in a tag's name or between attributes lets a value without `<` open an element, so the rendered code is
 * parsed as well. Code without values was checked when it was saved.
 */
function staysClosed(code: string, html: string): boolean {
  return html === code || closed.getOrMake(sha256(html), () => isClosed(html))
}

/** Parsed code, by its placeholders with values. Code changes rarely and is rendered for every uncached page. */
const PARSED_MAX_CHARACTERS = 8_000_000
const parsed = createCache<string, Part[]>({ max_size: PARSED_MAX_CHARACTERS, sizeOf: (_, key) => key.length })

function partsOf(code: string, keys: string[]): Part[] {
  return parsed.getOrMake(`${keys.sort().join(' ')}\n${code}`, () =>
    parsePlaceholders(code, (key) => keys.includes(key)),
  )
}
