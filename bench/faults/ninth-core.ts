import type { Fault } from '../faults.ts'

/** Faults of another random round over the core of the server that no test noticed at first. */
export const faults: Fault[] = [
  {
    name: 'reset-of-a-gone-session',
    harm: 'The next message is written to a connection that has ended, and waits for its time limit.',
    file: 'src/mail/smtp-session.ts',
    find: 'return !error && !session.gone',
    replace: 'return !error',
  },
  {
    name: 'audit-row-below-the-anchor',
    harm: 'A row that somebody puts in front of the audit log passes the check.',
    file: 'src/audit/verify.ts',
    find: 'ends.oldest_id <= anchor_id',
    replace: 'ends.oldest_id < anchor_id',
  },
  {
    name: 'audit-check-no-third-attempt',
    harm: 'The check reports a break while the retention removes rows.',
    file: 'src/audit/verify.ts',
    find: 'const ATTEMPTS = 3',
    replace: 'const ATTEMPTS = 2',
  },
  {
    name: 'audit-check-newest-row',
    harm: 'A check without the secret key does not see that the newest row was replaced.',
    file: 'src/audit/verify.ts',
    find: "  if (previous !== last_hash) return broken(checked, last_id, 'The newest row was changed')\n",
    replace: '',
  },
  {
    name: 'domain-end-not-recorded',
    harm: 'The audit log says that a domain ended when its record was only missing.',
    file: 'src/projects/domain-loop.ts',
    find: "if (change === 'ended')",
    replace: "if (change !== 'ended')",
  },
  {
    name: 'domain-end-without-project',
    harm: 'The audit log of a project does not show that its domain ended.',
    file: 'src/projects/domain-loop.ts',
    find: ', project_id: project.id })',
    replace: ' })',
  },
  {
    name: 'domain-record-swapped',
    harm: 'The notice of a missing record names the value as the name of the record.',
    file: 'src/projects/domain-loop.ts',
    find: '${name} with the value ${value}',
    replace: '${value} with the value ${name}',
  },
  {
    name: 'team-joined-beyond-room',
    harm: 'Invitations fill a team beyond its 50 people.',
    file: 'src/developer/team.ts',
    find: '  await requireRoomInTeam(tx, app_id)\n',
    replace: '',
  },
  {
    name: 'audit-target-only-of-ids',
    harm: 'The audit log does not name the thing that a call with other properties beside its id changed.',
    file: 'src/audit/call.ts',
    find: 'names.some(isId)',
    replace: 'names.every(isId)',
  },
  {
    name: 'server-store-cannot-flush',
    harm: 'On a libSQL server an answer that repeats an earlier one fails.',
    file: 'src/store/server-store.ts',
    find: '    flush: async () => undefined,\n',
    replace: '',
  },
  {
    name: 'rehearsal-always-of-an-earlier-release',
    harm: 'A rehearsal calls a backup of this release one of an earlier release.',
    file: 'src/cli/restore.ts',
    find: '...(pending.length > 0 ? [`It is',
    replace: '...(pending.length >= 0 ? [`It is',
  },
]
