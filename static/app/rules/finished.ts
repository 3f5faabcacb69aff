import { type Group, isGroup, type Member, memberAt, type Rule } from './tree.ts'

/** Whether a rule has everything that its operator needs. Only the service decides whether the value is valid. */
export function isFinished({ field, operator, value }: Rule): boolean {
  if (field === '') return false
  if (operator === undefined || operator === 'is_set' || operator === 'is_not_set') return true
  if (operator === 'between') return Array.isArray(value) && value.length === 2 && value.every(isGiven)
  return Array.isArray(value) ? value.length > 0 : isGiven(value)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The finished rules of a group, and how many are not. Groups without finished rules are left out. */
export function finishedPart(group: Group): { group: Group; unfinished: number } {
  let unfinished = 0
  const keep = (member: Member): Member[] => {
    if (isGroup(member)) {
      const rules = member.rules.flatMap(keep)
      // The group itself, when all of it is finished, so that a caller can tell that nothing was left out.
      if (rules.length === member.rules.length && rules.every((rule, at) => rule === member.rules[at]))
        return rules.length === 0 ? [] : [member]
      return rules.length === 0 ? [] : [{ ...member, rules }]
    }
    if (isFinished(member)) return [member]
    unfinished += 1
    return []
  }
  const [found] = keep(group)
  return { group: found && isGroup(found) ? found : { op: 'and', rules: [] }, unfinished }
}

/** The rule that an error of a request refers to: `/rules/rules/0/value` when `at` is `/rules`. */
export function ruleOfFlaw(sent: Group, path: string, at: string): Rule | null {
  if (!path.startsWith(at)) return null
  const steps: number[] = []
  for (const [, index] of path.slice(at.length).matchAll(/\/rules\/(\d+)/gy)) steps.push(Number(index))
  const member = steps.length === 0 ? null : memberAt(sent, steps)
  return member === null || isGroup(member) ? null : member
}
