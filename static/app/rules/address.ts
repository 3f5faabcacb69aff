import type { RuleGroup } from '../api/operations.d.ts'
import { asRules, type Group, isGroup, type Member, type Rule } from './tree.ts'

/**
 * Rules in an address, without property names: a group is `[op, …members]`, a rule `[field, operator, value, status]`.
 * That is about half of the JSON, and it is synchronous, so a link can be made during rendering. An empty group is an
 * empty text.
 */
export function packRules(group: Group): string {
  return group.rules.length === 0 ? '' : base64Url(JSON.stringify(packMember(group)))
}

/** The rules in an address; null for a text that `packRules` did not make. */
export function unpackRules(text: string | undefined): RuleGroup | null {
  if (!text) return null
  try {
    const group = unpackMember(JSON.parse(textOf(text)))
    return group && isGroup(group) ? asRules(group) : null
  } catch {
    return null
  }
}

type Packed = unknown[]

/** What stands for a part that a rule does not have, by its place. At the end it is left out; a value of 0 is not. */
const ABSENT: Packed = [null, 0, null, 0]

function packMember(member: Member): Packed {
  if (isGroup(member)) return [member.op, ...member.rules.map(packMember)]
  const { field, operator, value, status } = member
  const parts = [field, operator ?? 0, value ?? null, status ?? 0]
  while (parts.length > 1 && parts.at(-1) === ABSENT[parts.length - 1]) parts.pop()
  return parts
}

function unpackMember(packed: unknown): Member | null {
  if (!Array.isArray(packed)) return null
  const [head, ...rest] = packed as Packed
  if (typeof head !== 'string') return null
  if (head === 'and' || head === 'or' || head === 'not') {
    const rules = rest.map(unpackMember)
    return rules.includes(null) ? null : { op: head, rules: rules as Member[] }
  }
  const [operator, value, status] = rest
  return {
    field: head,
    ...(typeof operator === 'string' && { operator: operator as Rule['operator'] }),
    ...(value !== undefined && value !== null && { value }),
    ...(typeof status === 'string' && { status: status as Rule['status'] }),
  }
}

function base64Url(text: string): string {
  return new TextEncoder().encode(text).toBase64({ alphabet: 'base64url', omitPadding: true })
}

function textOf(packed: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromBase64(packed, { alphabet: 'base64url' }))
}
