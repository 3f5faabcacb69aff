import { expect, test } from 'bun:test'
import { stateWord } from '../../../static/app/ui/state.tsx'

// As the service names them: of campaigns, recipients, contacts, imports, jobs, apps, posts, invitations and keys.
const STATES = [
  ...['draft', 'scheduled', 'preparing', 'sending', 'paused', 'sent', 'failed', 'cancelled', 'archived'],
  ...['queued', 'leased', 'skipped', 'uncertain', 'pending', 'subscribed', 'unsubscribed', 'bounced', 'complained'],
  ...['suppressed', 'staged', 'validated', 'processing', 'running', 'completed', 'development', 'submitted'],
  ...['in_review', 'approved', 'rejected', 'changes_requested', 'withdrawn', 'suspended', 'published', 'active'],
  ...['live', 'disabled', 'revoked', 'expired'],
]

test('Every state has a word of its own, and one that is not known its name.', () => {
  expect(STATES.map(stateWord).filter((word) => !/^[A-Z]/.test(word))).toEqual([])
  expect([stateWord('cancelled'), stateWord('in_review'), stateWord('not_known')]).toEqual([
    ...['Canceled', 'In review', 'not known'],
  ])
})
