import { invalid } from '../errors.ts'
import type { Parameters } from '../store/tables/scripts.ts'

export const PARAMETER_MAX_KEYS = 50
export const PARAMETER_MAX_BYTES = 2048
const KEY = /^[A-Za-z0-9_.-]{1,64}$/

/** The object as parameters. VALIDATION_FAILED for what is no such object, at `path` and below. */
export function checkParameters(given: unknown, path = '/parameters'): Parameters {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(path, 'Parameters are an object of keys and values.')
  const entries = Object.entries(given)
  if (entries.length > PARAMETER_MAX_KEYS) throw invalid(path, `There are at most ${PARAMETER_MAX_KEYS} parameters.`)
  for (const [key, value] of entries) {
    if (!KEY.test(key)) throw invalid(path, 'The key of a parameter is 1 to 64 of A-Z, a-z, 0-9, "_", "." and "-".')
    const flaw = valueFlaw(value)
    if (flaw !== null) throw invalid(`${path}/${key}`, flaw)
  }
  return given as Parameters
}

function valueFlaw(value: unknown): string | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return null
  if (typeof value !== 'string') return 'A value is a text, a number, a boolean or null.'
  if (value.includes('\0')) return 'A value has no NUL character.'
  return Buffer.byteLength(value) > PARAMETER_MAX_BYTES ? `A value has at most ${PARAMETER_MAX_BYTES} bytes.` : null
}

/** The defaults with the connection's values over them (spec, Parameter rules 2). */
export function mergeParameters(defaults: Parameters, overrides: Parameters): Parameters {
  return { ...defaults, ...overrides }
}
