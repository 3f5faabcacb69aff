import type { RequestOf } from '../../api/calls.ts'
import type { RuleGroup } from '../../api/operations.d.ts'
import { unpackRules } from '../../rules/address.ts'
import { EVERYBODY } from '../../rules/tree.ts'

/** The state of the list of contacts in its address: `/contacts?q=lind&filter=…&order=oldest&size=100&from=CURSOR`. */
export interface ContactsQuery {
  search: string
  rules: RuleGroup
  order: 'newest' | 'oldest'
  size: number
  cursor: string | undefined
}

export const SIZES: readonly number[] = [50, 100, 200]

export function readQuery(query: Record<string, string>): ContactsQuery {
  const size = Number(query.size)
  return {
    search: query.q ?? '',
    rules: unpackRules(query.filter) ?? EVERYBODY,
    order: query.order === 'oldest' ? 'oldest' : 'newest',
    size: SIZES.includes(size) ? size : SIZES[0]!,
    cursor: query.from || undefined,
  }
}

/** The contacts that the address names; empty: all. */
export function whoOf({ search, rules }: Pick<ContactsQuery, 'search' | 'rules'>) {
  return { ...(search !== '' && { search }), ...(rules.rules.length > 0 && { filter: rules }) }
}

/** The request for a page of the list. */
export function listBody(query: ContactsQuery): RequestOf<'contacts/list'> {
  const { order, size, cursor } = query
  return { ...whoOf(query), order, limit: size, ...(cursor && { cursor }) }
}
