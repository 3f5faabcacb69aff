import type { Fault } from '../faults.ts'

/** Single faults of project keys, members, invitations, apps and account messages. */
export const faults: readonly Fault[] = [
  {
    name: 'admits-former-members',
    harm: 'A key or token still works in a project that its user has left.',
    file: 'src/access/permission.ts',
    find: 'if (role === null) throw projectNotAuthorized()',
    replace: "if (role === null && caller.kind === 'session') throw projectNotAuthorized()",
  },
  {
    name: 'key-in-any-project',
    harm: 'An API key answers for a project that it does not belong to.',
    file: 'src/access/permission.ts',
    find: 'named !== undefined && named !== caller.project_public_id',
    replace: 'named === caller.project_public_id && named === undefined',
  },
  {
    name: 'change-role-any-project',
    harm: 'An owner changes roles in other projects.',
    file: 'src/projects/members.ts',
    find: '.set({ role })\n    .where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))',
    replace: '.set({ role })\n    .where(eq(members.user_id, user_id))',
  },
  {
    name: 'last-owner-anywhere',
    harm: 'A project loses its last owner because there is one elsewhere.',
    file: 'src/projects/members.ts',
    find: "          eq(members.project_id, project_id),\n          eq(members.role, 'owner'),",
    replace: "          eq(members.role, 'owner'),",
  },
  {
    name: 'revoke-key-any-project',
    harm: 'An administrator revokes API keys of other projects.',
    file: 'src/projects/api-keys.ts',
    find: 'within.project_id === undefined ? undefined : eq(api_keys.project_id, within.project_id),',
    replace: '',
  },
  {
    name: 'revoke-invitation-any-project',
    harm: 'An administrator revokes invitations of other projects.',
    file: 'src/projects/invitations.ts',
    find: '.where(and(eq(invitations.project_id, project_id), eq(invitations.id, invitation_id)))',
    replace: '.where(eq(invitations.id, invitation_id))',
  },
  {
    name: 'invitation-replaces-any-project',
    harm: 'Inviting an address ends its invitations to other projects.',
    file: 'src/projects/invitations.ts',
    find: '.where(and(eq(invitations.project_id, project_id), eq(invitations.email_key, email_key)))\n    .returning(',
    replace: '.where(eq(invitations.email_key, email_key))\n    .returning(',
  },
  {
    name: 'withdraw-code-of-any-project',
    harm: 'Removing an app from one project ends codes that name only other projects.',
    file: 'src/oauth/authorizations.ts',
    find: 'WHERE value = ${project_id}',
    replace: 'WHERE value IS NOT NULL',
  },
  {
    name: 'reset-keeps-sessions',
    harm: 'Whoever knew the old password stays signed in after a reset.',
    file: 'src/accounts/users.ts',
    find:
      '  await tx.update(users).set({ password_hash, updated_at: now }).where(eq(users.id, user_id))\n' +
      '  await endSessionsOf(tx, user_id)\n',
    replace: '  await tx.update(users).set({ password_hash, updated_at: now }).where(eq(users.id, user_id))\n',
    tests: ['test/http/portal/account.routes.test.ts'],
  },
  {
    name: 'loopback-prefix',
    harm: 'http://localhost.evil.example is accepted as a loopback address.',
    file: 'src/developer/registration.ts',
    find: '(?::\\d{1,5})?(?:[/?]|$)/\n',
    replace: '(?::\\d{1,5})?/\n',
  },
  {
    name: 'wording-shared-by-projects',
    harm: "A contact's consent refers to another project's wording.",
    file: 'src/newsletter/consent/wordings.ts',
    find: 'WHERE project_id = ${project_id} AND hash = ${sha256(text)}',
    replace: 'WHERE hash = ${sha256(text)}',
  },
  {
    name: 'key-shown-in-sandbox',
    harm: 'The sandbox mailbox shows the internal key of a project.',
    file: 'src/http/public/sandbox-mailbox.routes.ts',
    find: 'project_id: project_public_id,',
    replace: 'project_id: row.project_id,',
  },
]
