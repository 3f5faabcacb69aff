import { mutate } from '../api/calls.ts'
import { ApiError } from '../api/errors.ts'
import type { CustomField, Import } from '../api/operations.d.ts'

type Column = Pick<Import['columns'][number], 'index' | 'samples'> & { label: string }

/**
 * Makes custom fields of columns, with the type that their sample values suggest, or takes those that are there. Two
 * columns of one name become two fields. Answers the fields by the index of their column; it ends at the first refusal.
 */
export async function makeFields(
  columns: readonly Column[],
  known: readonly CustomField[],
  taken: Iterable<string>,
): Promise<{ made: Record<string, string>; refusal: string | null }> {
  const used = new Set(taken)
  const keys = new Set(known.map(({ key }) => key))
  const made: Record<string, string> = {}
  for (const { index, label, samples } of columns) {
    const { key, place } = freeKey(keyOf(label, index), used)
    try {
      if (!keys.has(key))
        await mutate('custom-fields/create', {
          key,
          label: place === 1 ? label : `${label} ${place}`,
          type: isDigitsOnly(label) ? 'text' : typeOf(samples),
        })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { made, refusal: `${label}: ${error.flaws[0]?.message ?? error.message}` }
    }
    keys.add(key)
    used.add(`custom.${key}`)
    made[index] = `custom.${key}`
  }
  return { made, refusal: null }
}

const KEY_LENGTH = 40

/** The key of a field: the letters and digits of its name. A name in other letters leaves none. */
function keyOf(label: string, index: number): string {
  const named = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, KEY_LENGTH)
  return /^[a-z]/.test(named) ? named : `column_${index + 1}`
}

/** The key, with a number where another column is mapped to the field already. */
function freeKey(wanted: string, used: ReadonlySet<string>): { key: string; place: number } {
  for (let place = 1; ; place++) {
    const key = place === 1 ? wanted : `${wanted.slice(0, KEY_LENGTH - 4)}_${place}`
    if (!used.has(`custom.${key}`)) return { key, place }
  }
}

function typeOf(samples: readonly string[]): 'text' | 'number' | 'date' {
  const given = samples.filter((sample) => sample !== '')
  if (given.length === 0) return 'text'
  if (given.every((sample) => /^-?(0|[1-9]\d*)([.,]\d+)?$/.test(sample))) return 'number'
  return given.every((sample) => /^\d{4}-\d{2}-\d{2}/.test(sample)) ? 'date' : 'text'
}

/** Words for what is written in digits and is no number: a leading zero belongs to it. */
const DIGITS =
  /\b(?:plz|postleitzahl|zip|zip ?code|post(?:al)? ?code|code postal|codigo postal|cap|cep|postnr|postnummer|postcode|phone|telephone|tel|telefon|telefono|telefone|telefoon|mobile|mobil|mobiltelefon|handy|cell|fax|iban)\b/

/** Whether the name of a column says that its digits are no number to calculate with. */
function isDigitsOnly(label: string): boolean {
  const words = label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
  return DIGITS.test(words)
}
