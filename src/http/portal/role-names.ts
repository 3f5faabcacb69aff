import type { Role } from '../../shared/roles.ts'

/** Roles as people read them. */
export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Owner',
  administrator: 'Administrator',
  editor: 'Editor',
  member: 'Member',
}
/** As in "you are an editor". */
export const ROLE_WITH_ARTICLE: Record<Role, string> = {
  owner: 'an owner',
  administrator: 'an administrator',
  editor: 'an editor',
  member: 'a member',
}
