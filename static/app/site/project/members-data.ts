import type { Role } from '../../../../src/shared/roles.ts'
import { type RouteResponse, send } from '../../api/calls.ts'
import { data, projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'
import type { RadioOption } from '../../ui/choice.tsx'

/** The members of the project, and the labels of their roles. */

export type People = RouteResponse<'POST /project/members/list'>
export type Member = People['members'][number]
export type Invitation = People['invitations'][number]

export const MEMBERS = '/project/members/list'

export function usePeople() {
  return useQuery(MEMBERS, () => send('POST /project/members/list', { project_id: projectId() }))
}

export function nameOf({ firstName, lastName, email }: Pick<Member, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email
}

export const ROLES: Record<Role, { name: string; may: string }> = {
  member: { name: 'Member', may: 'Reads what the project holds, changes nothing.' },
  editor: { name: 'Editor', may: 'Writes, imports contacts, sends campaigns, and changes the site.' },
  administrator: { name: 'Administrator', may: 'Also keeps people, keys, connections, apps and settings.' },
  owner: { name: 'Owner', may: 'Also makes owners, hands the project over, and deletes it.' },
}

/** The roles that the user may give: only an owner makes owners. */
export function givableRoles(): RadioOption<Role>[] {
  const roles: Role[] = data.project?.role === 'owner' ? ['member', 'editor', 'administrator', 'owner'] : GIVABLE
  return roles.map((role) => ({ value: role, label: ROLES[role].name, hint: ROLES[role].may }))
}

const GIVABLE: Role[] = ['member', 'editor', 'administrator']
