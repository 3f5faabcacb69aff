import { createCache } from '../cache.ts'
import { invalid } from '../errors.ts'
import { escapeFor } from './escape.ts'
import type { Parameters } from '../store/tables/scripts.ts'
import { type Part, parsePlaceholders } from './placeholders.ts'

/** The longest dangerous sequence that a value could complete is `</script`; this many characters around it suffice. */
const CONTEXT_LENGTH = 10

/**
 * Replaces the placeholders of a script by their values, in one pass: placeholders inside values are not expanded. A
 * placeholder without a value stays in the code (docs/api/scripts.md#placeholders).
 */
export function renderScript(code: string, parameters: Parameters): string {
  const parts = partsOf(
    code,
    Object.keys(parameters).filter((key) => parameters[key] !== null),
  )
  const text: string[] = []
  let before = ''
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    const written =
      typeof part === 'string'
        ? part
        : escapeFor(part.context, String(parameters[part.key]!), {
            before,
            after: typeof next === 'string' ? next.slice(0, CONTEXT_LENGTH) : '',
          })
    text.push(written)
    before =
      written.length < CONTEXT_LENGTH ? (before + written).slice(-CONTEXT_LENGTH) : written.slice(-CONTEXT_LENGTH)
  }
  return text.join('')
}

/** Limit of one rendered script. Without it a small script could expand into a page of any size. */
export const RENDERED_MAX_BYTES = 256 * 1024

/** Throws VALIDATION_FAILED when the code rendered with these parameters exceeds RENDERED_MAX_BYTES. */
export function checkRenderedSize(code: string, parameters: Parameters): void {
  if (Buffer.byteLength(renderScript(code, parameters)) > RENDERED_MAX_BYTES) {
    throw invalid('/parameters', `With these parameters the rendered code has more than ${RENDERED_MAX_BYTES} bytes.`)
  }
}

/** Parsed code, by its placeholders with values. Code changes rarely and is rendered for every uncached page. */
const PARSED_MAX_CHARACTERS = 8_000_000
const parsed = createCache<string, Part[]>({ max_size: PARSED_MAX_CHARACTERS, sizeOf: (_, key) => key.length })

function partsOf(code: string, keys: string[]): Part[] {
  return parsed.getOrMake(`${keys.sort().join(' ')}\n${code}`, () => {
    const set = new Set(keys)
    return parsePlaceholders(code, (key) => set.has(key))
  })
}
