import { createCache } from '../cache.ts'
import { invalid } from '../errors.ts'
import { escapeFor } from './escape.ts'
import type { Parameter, Parameters } from '../store/tables/scripts.ts'
import { type Part, takeApart } from './placeholders.ts'

/** As far as a sequence can reach that a value must not complete: `</script` and a bit more. */
const REACH = 10

/**
 * The code with its placeholders filled in, in one pass (spec, Parameter rules). A key without a value of its own
 * leaves its placeholder standing.
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
        : escapeFor(part.place, asText(parameters[part.key]!), {
            before,
            after: typeof next === 'string' ? next.slice(0, REACH) : '',
          })
    text.push(written)
    before = written.length < REACH ? (before + written).slice(-REACH) : written.slice(-REACH)
  }
  return text.join('')
}

/** What one script may put into a page, filled in: a small code could otherwise become a page of any size. */
export const RENDERED_MAX_BYTES = 256 * 1024

/** VALIDATION_FAILED when the code with these parameters is too large for a page. */
export function checkRenderedSize(code: string, parameters: Parameters): void {
  if (Buffer.byteLength(renderScript(code, parameters)) > RENDERED_MAX_BYTES) {
    throw invalid('/parameters', `Filled in with these parameters the code has more than ${RENDERED_MAX_BYTES} bytes.`)
  }
}

function asText(value: Exclude<Parameter, null>): string {
  return String(value)
}

/** Code changes seldom and is rendered with every page, so its parts are cached, by its keys and text. */
const parsed = createCache<string, Part[]>({ max_size: 8_000_000, sizeOf: (_, name) => name.length })

function partsOf(code: string, keys: string[]): Part[] {
  return parsed.getOrMake(`${keys.sort().join(' ')}\n${code}`, () => {
    const set = new Set(keys)
    return takeApart(code, (key) => set.has(key))
  })
}
