import { invalid } from '../errors.ts'
import type { Parameters } from '../store/tables/scripts.ts'

export const PARAMETER_MAX_KEYS = 50
export const PARAMETER_MAX_BYTES = 2048
export const PARAMETER_KEY = /^[A-Za-z0-9_.-]{1,64}$/

/** Returns `given` as parameters. Throws VALIDATION_FAILED at or below `/parameters` when it is not a flat object. */
export function checkParameters(given: unknown): Parameters {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('/parameters', 'Parameters must be an object of keys and values.')
  const entries = Object.entries(given)
  if (entries.length > PARAMETER_MAX_KEYS)
    throw invalid('/parameters', `A script can have at most ${PARAMETER_MAX_KEYS} parameters.`)
  for (const [key, value] of entries) {
    if (!PARAMETER_KEY.test(key))
      throw invalid('/parameters', 'A parameter key has 1 to 64 characters from A-Z, a-z, 0-9, "_", "." and "-".')
    const flaw = valueFlaw(value)
    if (flaw !== null) throw invalid(`/parameters/${key}`, flaw)
  }
  return given as Parameters
}

function valueFlaw(value: unknown): string | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return null
  if (typeof value !== 'string') return 'A value must be a string, a number, a boolean or null.'
  if (value.includes('\0')) return 'A value cannot contain a NUL character.'
  return Buffer.byteLength(value) > PARAMETER_MAX_BYTES
    ? `A value can have at most ${PARAMETER_MAX_BYTES} bytes.`
    : null
}

/** The script's defaults, overridden by the connection's values (docs/api/scripts.md#placeholders). */
export function mergeParameters(defaults: Parameters, overrides: Parameters): Parameters {
  return { ...defaults, ...overrides }
}
