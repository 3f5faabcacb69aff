import { read, type RequestOf } from '../../api/calls.ts'
import type { Contact, RuleGroup } from '../../api/operations.d.ts'
import { asRules, EVERYBODY, levelsOf, type Member } from '../../rules/tree.ts'

/** The contacts of an action: those selected on the page, or all that match. */
export type Target =
  | { kind: 'picked'; contacts: readonly Contact[] }
  | { kind: 'matching'; search?: string; filter?: RuleGroup }

/** The same as the service's parameters. */
export function targetBody(target: Target): Pick<RequestOf<'contacts/bulk'>, 'contact_ids' | 'filter' | 'search'> {
  if (target.kind === 'picked') return { contact_ids: target.contacts.map(({ id }) => id) }
  return { filter: target.filter ?? EVERYBODY, ...(target.search && { search: target.search }) }
}

export function isEverybody(target: Target): boolean {
  return target.kind === 'matching' && !target.filter && !target.search
}

/** How many there are now. */
export async function countTarget(target: Target): Promise<number> {
  if (target.kind === 'picked') return target.contacts.length
  return (await read('contacts/stats', whoIn(target))).total
}

function whoIn({ search, filter }: Target & { kind: 'matching' }) {
  return { ...(search && { search }), ...(filter && { filter }) }
}

const CAN_JOIN = ['subscribed', 'pending'] as const

/**
 * How many of them would at most be asked to confirm when they join a list with double opt-in: those who neither are
 * subscribed to it nor left it. Null when the rules are too deep for the service to count.
 */
export async function countAsked(target: Target, list_id: number, max_levels: number): Promise<number | null> {
  if (target.kind === 'picked') return target.contacts.filter((contact) => isAsked(contact, list_id)).length
  const { filter = EVERYBODY } = target
  const isOpen = filter.op === 'and' || filter.rules.length === 0
  if (!isOpen && levelsOf(filter) >= max_levels) return null
  const members: Member[] = [
    ...(isOpen ? filter.rules : [filter]),
    { field: 'global_status', operator: 'in', value: [...CAN_JOIN] },
    { field: 'list', operator: 'not_in', value: [list_id], status: 'subscribed' },
    { field: 'list', operator: 'not_in', value: [list_id], status: 'unsubscribed' },
  ]
  const asked = { ...target, filter: asRules({ op: 'and', rules: members }) }
  return (await read('contacts/stats', whoIn(asked))).total
}

function isAsked({ global_status, lists }: Contact, list_id: number): boolean {
  const membership = lists.find((entry) => entry.list_id === list_id)
  const isNew = membership === undefined || membership.status === 'pending'
  return isNew && (global_status === 'subscribed' || global_status === 'pending')
}
