import type { Fault } from '../faults.ts'

/** Faults of the newsletter that no test noticed at first. */
export const faults: Fault[] = [
  {
    name: 'confirmation-beyond-the-month',
    harm: 'A project at its monthly limit is told that its confirmation is queued.',
    file: 'src/newsletter/outbox/confirmation-block.ts',
    find: 'campaign_id: null, max_per_day, monthly_limit }',
    replace: 'campaign_id: null, max_per_day, monthly_limit: null }',
  },
  {
    name: 'long-name-cut-in-a-character',
    harm: 'A long name in a subject ends with half a character.',
    file: 'src/newsletter/outbox/confirmation.ts',
    find: "`${characters.slice(0, MAX_CHARACTERS).join('')}…`",
    replace: '`${name.slice(0, MAX_CHARACTERS)}…`',
  },
  {
    name: 'known-outcomes-lost',
    harm: 'Outcomes that a failing store did not take are not among those to settle later.',
    file: 'src/newsletter/outbox/groups.ts',
    find: 'handed = [...outcomes, ...handed]',
    replace: 'handed = [...handed]',
  },
  {
    name: 'marks-go-on-after-unsent',
    harm: 'Messages are marked although the campaign stops.',
    file: 'src/newsletter/outbox/groups.ts',
    find: "one.outcome.status === 'unreachable' || one.outcome.status === 'unsent'",
    replace: "one.outcome.status === 'unreachable'",
  },
  {
    name: 'error-gone-while-marked',
    harm: 'A message that is tried again shows no earlier error.',
    file: 'src/newsletter/outbox/outbox.ts',
    find: 'iif(may, delivery.last_error, ${request.skipped_because})',
    replace: 'iif(may, NULL, ${request.skipped_because})',
  },
]
