import { invalid } from '../../errors.ts'
import { wholeNumber } from '../api/scripts.ts'

interface PageAsked {
  limit: number
  before_id?: number
}

/** `limit` (1 to 200, 50 when left out), `before_id` and further numbers of a query. VALIDATION_FAILED for what is none. */
export function pageOf<N extends string>(url: URL, further: readonly N[] = []): PageAsked & Partial<Record<N, number>> {
  const numbers: Record<string, number> = {}
  for (const name of ['limit', 'before_id', ...further]) {
    const given = url.searchParams.get(name)
    if (given === null) continue
    const number = wholeNumber(given)
    if (number === null || (name === 'limit' && number > 200))
      throw invalid(
        `/${name}`,
        name === 'limit' ? 'Expected a number from 1 to 200.' : 'Expected a positive whole number.',
      )
    numbers[name] = number
  }
  return { limit: 50, ...numbers } as PageAsked & Partial<Record<N, number>>
}
