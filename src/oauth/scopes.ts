import type { Role } from '../store/tables/accounts.ts'

interface Scope {
  /** What the scope allows, as the consent page says it. */
  label: string
  /** The role a user needs in a project to grant it (docs/api/oauth.md#scopes). */
  least_role: Role
}

/** Every scope that an app can request. */
export const SCOPES: Readonly<Record<string, Scope>> = Object.freeze({
  'newsletter:read': { label: 'Read contacts, audiences, campaigns and reports', least_role: 'member' },
  'newsletter:write': {
    label: 'Change contacts, audiences, drafts and templates, and import contacts',
    least_role: 'editor',
  },
  'newsletter:send': { label: 'Send, schedule and retry campaigns, and send test messages', least_role: 'editor' },
  'newsletter:admin': {
    label: 'Change sender settings and mail connections, and delete lists',
    least_role: 'administrator',
  },
  'cms:post:read': { label: 'Read the posts of the site', least_role: 'member' },
  'directory:items:read': { label: 'Read the directory entries of the site', least_role: 'member' },
  'scripts:read': { label: 'See which of its scripts are on the site', least_role: 'member' },
  'scripts:embed': { label: 'Put its scripts on the pages of the site', least_role: 'editor' },
  'scripts:delete': { label: 'Take its scripts off the pages of the site', least_role: 'editor' },
})

export function isScope(name: string): boolean {
  return Object.hasOwn(SCOPES, name)
}

/** The names in a `scope` parameter (RFC 6749, 3.3), without duplicates, in their order. */
export function scopeNames(text: string): string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))]
}
