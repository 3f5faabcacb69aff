import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RuleGroup } from '../../api/operations.d.ts'
import { packRules } from '../../rules/address.ts'
import { finishedPart } from '../../rules/finished.ts'
import { link } from '../../api/link.ts'
import { type ContactsQuery, readQuery, SIZES } from './query.ts'

const QUIET_MS = 400

/** The filter of the page, also while it is being edited. The address follows after a pause. */
export interface Filter {
  /** The filter in the address, which the list shows. */
  shown: ContactsQuery
  search: string
  rules: RuleGroup
  setSearch(search: string): void
  setRules(rules: RuleGroup): void
  clear(): void
  /** The address with another order, size or page. */
  hrefOf(change: Partial<Pick<ContactsQuery, 'order' | 'size' | 'cursor'>>): string
}

export function useFilter(query: Record<string, string>): Filter {
  const { route } = useLocation()
  const shown = readQuery(query)
  const [search, setSearch] = useState(shown.search)
  const [rules, setRules] = useState(shown.rules)
  const written = useRef(keyOf(query.q ?? '', query.filter ?? ''))
  const inAddress = keyOf(query.q ?? '', query.filter ?? '')
  const packed = packRules(finishedPart(rules).group)
  useEffect(() => {
    // The address changed by a link or the back button.
    if (inAddress === written.current) return
    written.current = inAddress
    setSearch(shown.search)
    setRules(shown.rules)
  }, [inAddress])
  useEffect(() => {
    const key = keyOf(search.trim(), packed)
    if (key === written.current) return
    const timer = setTimeout(() => {
      written.current = key
      route(addressOf({ ...shown, cursor: undefined }, search.trim(), packed), true)
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [search, packed])
  return {
    shown,
    search,
    rules,
    setSearch,
    setRules,
    clear() {
      setSearch('')
      setRules({ op: 'and', rules: [] })
    },
    hrefOf: (change) => addressOf({ ...shown, cursor: undefined, ...change }, query.q ?? '', query.filter ?? ''),
  }
}

function keyOf(search: string, packed: string): string {
  return `${packed} ${search}`
}

function addressOf({ order, size, cursor }: ContactsQuery, q: string, filter: string): string {
  return link('/contacts', {
    q,
    filter,
    order: order === 'newest' ? null : order,
    size: size === SIZES[0] ? null : size,
    from: cursor,
  })
}
