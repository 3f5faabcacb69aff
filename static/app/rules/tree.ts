import type { Rule, RuleGroup } from '../api/operations.d.ts'

/** Edits of a rule group. Every edit returns a new group and leaves the old one unchanged. */

/** A rule group without the limit of levels that its declared type has. */
export interface Group {
  op: 'and' | 'or' | 'not'
  rules: Member[]
}
export type Member = Rule | Group
export type { Rule }

/** Where a member is: its index in the outermost group, then in the next one, and so on. Empty: the group itself. */
export type Path = readonly number[]

/** Matches everybody. */
export const EVERYBODY: RuleGroup = { op: 'and', rules: [] }

export function isGroup(member: Member): member is Group {
  return 'rules' in member
}

/** A group as the service takes it; the service refuses one with too many levels. */
export function asRules(group: Group): RuleGroup {
  return group as RuleGroup
}

/**
 * The group with another member at `path`; with null, without it. A group that loses its last member is removed too.
 */
export function replaced(group: Group, path: Path, member: Member | null): Group {
  if (path.length === 0) return member && isGroup(member) ? member : EVERYBODY
  return replacedIn(group, path, member) ?? { ...group, rules: [] }
}

function replacedIn(group: Group, [index, ...rest]: Path, member: Member | null): Group | null {
  const rules = group.rules.flatMap((known, at) => {
    if (at !== index) return [known]
    const next = rest.length > 0 && isGroup(known) ? replacedIn(known, rest, member) : member
    return next === null ? [] : [next]
  })
  return rules.length === 0 ? null : { ...group, rules }
}

/** The group with one more member in the group at `path`. */
export function appended(group: Group, path: Path, member: Member): Group {
  const inner = memberAt(group, path)
  return inner && isGroup(inner) ? replaced(group, path, { ...inner, rules: [...inner.rules, member] }) : group
}

export function memberAt(group: Group, path: Path): Member | null {
  let at: Member = group
  for (const index of path) {
    const next: Member | undefined = isGroup(at) ? at.rules[index] : undefined
    if (next === undefined) return null
    at = next
  }
  return at
}

/**
 * The group with a further rule that everybody must match; null for a group of which not all rules must match. The rule
 * replaces the first outermost one that `instead` accepts.
 */
export function narrowed(group: Group, rule: Rule, instead: (rule: Rule) => boolean): Group | null {
  if (group.op !== 'and' && group.rules.length > 0) return null
  const at = group.rules.findIndex((member) => !isGroup(member) && instead(member))
  const rules = at === -1 ? [...group.rules, rule] : group.rules.with(at, rule)
  return { op: 'and', rules }
}

/** The rules in all groups together. */
export function rulesOf(group: Group): Rule[] {
  return group.rules.flatMap((member) => (isGroup(member) ? rulesOf(member) : [member]))
}

export function levelsOf(group: Group): number {
  return 1 + Math.max(0, ...group.rules.map((member) => (isGroup(member) ? levelsOf(member) : 0)))
}
