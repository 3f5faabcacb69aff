import { DAY_MS } from './clock.ts'
import { deviceRetention } from './accounts/devices.ts'
import { failureRetention } from './accounts/failures.ts'
import { accountRetention } from './accounts/messages.ts'
import { challengeRetention } from './accounts/passkeys.ts'
import { auditRetention, removeOldRows } from './audit/retention.ts'
import { sessionRetention } from './accounts/sessions.ts'
import { eraseProjects } from './deletion/erasure.ts'
import { appCallRetention, appDayRetention } from './developer/app-calls.ts'
import { requestLogRetention } from './developer/request-log.ts'
import { teamInvitationRetention } from './developer/team-invitations.ts'
import { bounceRetention } from './newsletter/connections/bounces.ts'
import { unreadRetention } from './newsletter/connections/unread-reports.ts'
import { cancelAbandonedImports, importRetention } from './newsletter/imports/storage.ts'
import { eraseDeleted } from './newsletter/contacts/erasure.ts'
import { messageRequestRetention } from './newsletter/consent/message-requests.ts'
import { campaignRetention } from './newsletter/campaigns/resource.ts'
import { deliveryDayRetention } from './newsletter/outbox/delivery-days.ts'
import { jobRetention } from './newsletter/jobs/queue.ts'
import { sandboxRetention } from './mail/sandbox.ts'
import { apiKeyRetention } from './projects/api-keys.ts'
import { eventRetention } from './oauth/events.ts'
import { oauthRetention } from './oauth/retention.ts'
import { rateWindowRetention } from './operation/rate-limit.ts'
import { receiptRetention } from './operation/receipt.ts'
import { entryRetention } from './sites/form-settings.ts'
import { factsFolder } from './instance.ts'
import type { LoopContext } from './runtime.ts'
import { removeOldFacts } from './store/facts.ts'
import { removeDeadWorkers } from './store/lease.ts'
import { reseal } from './store/sealed.ts'
import { applyRetention, type RetentionRule } from './store/retention.ts'

/** The retention rules that run as one SQL statement each. The audit log's rule also changes its chain of hashes. */
const statements: readonly RetentionRule[] = [
  receiptRetention,
  sessionRetention,
  ...oauthRetention,
  eventRetention,
  requestLogRetention,
  appCallRetention,
  appDayRetention,
  ...bounceRetention,
  unreadRetention,
  rateWindowRetention,
  ...importRetention,
  jobRetention,
  campaignRetention,
  deliveryDayRetention,
  messageRequestRetention,
  ...accountRetention,
  teamInvitationRetention,
  deviceRetention,
  failureRetention,
  challengeRetention,
  apiKeyRetention,
  sandboxRetention,
  entryRetention,
]

/** All retention rules (docs/api/limits.md#retention). */
export const retentionRules: readonly RetentionRule[] = [...statements, auditRetention]

/** The hourly cleanup. It removes one batch for each rule; true when there is more to remove. */
export async function maintain({ store, keys, log, clock, config, stopping }: LoopContext): Promise<boolean> {
  const now = clock.now()
  removeOldFacts(factsFolder(config), now - config.facts_days * DAY_MS)
  await store.write(async (tx) => {
    await removeDeadWorkers(tx, now)
    await cancelAbandonedImports(tx, now)
  })
  // A process that had not seen a rotation yet may have sealed with the key before it.
  const { unreadable } = await reseal(store, keys)
  if (unreadable > 0) log.warn('stored credentials cannot be decrypted', { count: unreadable })
  const erases = await store.write((tx) => eraseDeleted(tx))
  await eraseProjects(store, stopping)
  const more = await removeOldRows(store, keys, now)
  return (await applyRetention(store, statements, now)) || more || erases
}
