import type { Role } from '../../../src/shared/roles.ts'
import { data } from './data.ts'

const RANK: Record<Role, number> = { member: 0, editor: 1, administrator: 2, owner: 3 }
const WITH_ARTICLE: Record<Role, string> = {
  member: 'a member',
  editor: 'an editor',
  administrator: 'an administrator',
  owner: 'an owner',
}

/** Whether the user has a role, or a higher one, in the project of this document. */
export function can(least: Role): boolean {
  return data.project !== null && RANK[data.project.role] >= RANK[least]
}

/** "Sending takes an editor; you are a member here. Ask Ada or Bo." */
export function whoMay(doing: string, least: Role): string {
  const { role, administrators } = data.project!
  const sentence = `${doing} takes ${WITH_ARTICLE[least]}; you are ${WITH_ARTICLE[role]} here.`
  if (administrators.length === 0) return sentence
  return `${sentence} Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(administrators)}.`
}
