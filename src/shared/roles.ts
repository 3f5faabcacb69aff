/** The roles of members in a project, the highest first. */
export const ROLES = ['owner', 'administrator', 'editor', 'member'] as const
export type Role = (typeof ROLES)[number]
