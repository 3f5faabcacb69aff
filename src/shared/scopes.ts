import type { Role } from './roles.ts'

/** Kinds of access that scopes give, in the order of the consent page. */
export const SCOPE_KINDS = {
  read: 'Read',
  change: 'Change',
  send: 'Send',
  administer: 'Administer',
  code: 'Put code on your pages',
} as const

interface Scope {
  kind: keyof typeof SCOPE_KINDS
  /** The risk of granting the scope, where its label does not make it plain. */
  risk?: string
  /** What the scope allows, as the consent page says it. */
  label: string
  /** The role a user needs in a project to grant it (docs/api/oauth.md#scopes). */
  least_role: Role
}

/** Every scope that an app can request. */
export const SCOPES: Readonly<Record<string, Scope>> = Object.freeze({
  'newsletter:read': { kind: 'read', label: 'Read contacts, audiences, campaigns and reports', least_role: 'member' },
  'newsletter:write': {
    kind: 'change',
    label: 'Change contacts, audiences, drafts and templates, and import contacts',
    least_role: 'editor',
  },
  'newsletter:send': {
    kind: 'send',
    label: 'Send, schedule and retry campaigns, and send test messages',
    risk: 'It can write to your contacts in your name.',
    least_role: 'editor',
  },
  'newsletter:admin': {
    kind: 'administer',
    label: 'Change sender settings and mail connections, and delete lists',
    least_role: 'administrator',
  },
  'cms:post:read': { kind: 'read', label: 'Read the posts of the site', least_role: 'member' },
  'directory:items:read': { kind: 'read', label: 'Read the directory entries of the site', least_role: 'member' },
  'scripts:read': { kind: 'read', label: 'See which of its scripts are on the site', least_role: 'member' },
  'scripts:embed': {
    kind: 'code',
    label: 'Put its scripts on the pages of the site',
    risk: 'It can run code in your visitors’ browsers.',
    least_role: 'editor',
  },
  'scripts:delete': { kind: 'code', label: 'Take its scripts off the pages of the site', least_role: 'editor' },
  profile: { kind: 'read', label: 'Read your name and your email address', least_role: 'member' },
})

/** The scopes that a key can be limited to: keys call newsletter operations only. */
export const KEY_SCOPES = ['newsletter:read', 'newsletter:write', 'newsletter:send', 'newsletter:admin'] as const

export function isScope(name: string): boolean {
  return Object.hasOwn(SCOPES, name)
}

/** The names in a `scope` parameter (RFC 6749, 3.3), without duplicates, in their order. */
export function scopeNames(text: string): string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))]
}
