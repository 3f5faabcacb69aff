import { Type } from '@sinclair/typebox'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { read } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import type { campaigns } from '../../store/tables/delivery.ts'
import type { Connection } from '../connections/connections.operations.ts'
import { isReserved, type ResolveTxt, type SenderRecords, senderRecords } from '../../mail/dns.ts'
import { dailyLimit, sentInLastDay, sentThisMonth } from '../outbox/quota.ts'
import { connectionOf, senderOf } from '../connections/sender.ts'
import type { EmailDocument } from '../email/document.ts'
import { countAudience } from './audience-count.operations.ts'
import { compileCampaign } from './content.ts'
import { newestPosts } from '../templates/posts.ts'
import { contentChecks } from './readiness-content.ts'
import { ownerOf } from './render.operations.ts'
import { Check, getCampaign } from './resource.ts'

type Campaign = typeof campaigns.$inferSelect

export const campaignReadiness = read({
  path: '/campaigns/readiness',
  scope: 'read',
  summary: 'Checks whether a campaign can be sent.',
  request: obj({ campaign_id: Id }),
  response: obj({
    ready: Type.Boolean({ description: 'No check of severity error failed.' }),
    checks: Type.Array(Check, { description: 'Always all of them.' }),
  }),
  async run({ campaign_id }, context) {
    const checks = await readinessOf(
      context,
      await getCampaign(context.db, context.project_id, campaign_id),
      context.now,
      { dns: true },
    )
    return { ready: isReady(checks), checks }
  },
})

export interface ReadinessOptions {
  /** Whether to ask the DNS about the sender, which may take two seconds and is advice only. */
  dns: boolean
  /** In place of the system's resolver. */
  resolveTxt?: ResolveTxt
}

/** Whether no error stands in the way; warnings do not. */
export function isReady(checks: readonly Check[]): boolean {
  return checks.every(({ ok, severity }) => ok || severity === 'warning')
}

/** All checks of a campaign, errors first. It counts the audience: not for inside a transaction. */
export async function readinessOf(
  { store, config, base_url }: Pick<Runtime, 'store' | 'config' | 'base_url'>,
  campaign: Campaign,
  now: number,
  { dns, resolveTxt }: ReadinessOptions,
): Promise<Check[]> {
  const { db } = store
  const { project_id } = campaign
  const owner = await ownerOf(db, project_id)
  const { from_email } = senderOf(owner.settings, campaign)
  const connection = await connectionOf(db, project_id, owner.settings, campaign.connection_id)
  const [sender, verified] = senderChecks(from_email, connection, campaign, config)
  const domain = from_email.slice(from_email.lastIndexOf('@') + 1)
  const isChecked = dns && domain !== '' && !isReserved(domain) && connection?.provider !== 'sandbox'
  const [audience, records, this_month, last_day] = await Promise.all([
    countAudience(store, project_id, campaign.audience_spec, now),
    isChecked ? senderRecords(domain, resolveTxt) : null,
    sentThisMonth(db, project_id, now),
    connection ? sentInLastDay(db, project_id, connection.id, now) : 0,
  ])
  const daily = connection ? dailyLimit(connection, now) : null
  const posts = await newestPosts(db, campaign.editor_json as EmailDocument, { ...owner, base_url })
  const { errors, warnings } = contentChecks(campaign, compileCampaign({ campaign, ...owner }, posts))
  return [
    ...errors.filter(({ code }) => code !== 'unsubscribe_link'),
    sender,
    verified,
    verdict(
      'postal_address',
      owner.settings.postal_address.trim() !== '',
      'The footer gives the postal address.',
      'The settings give no postal address for the footer.',
    ),
    ...errors.filter(({ code }) => code === 'unsubscribe_link'),
    verdict('audience', audience.count > 0, `${recipients(audience.count)}.`, 'Nobody would get this campaign.'),
    limitCheck('plan_limit', 'this month', owner.project.monthly_limit, this_month, audience.count),
    withWarmUp(
      limitCheck(
        'provider_limit',
        'in 24 hours through this connection',
        connection?.max_per_day ?? null,
        last_day,
        audience.count,
      ),
      daily,
      last_day,
      audience.count,
    ),
    ...dnsChecks(records),
    ...warnings,
  ]
}

/** NOT_READY when not even a test could leave: there is no sender, or no connection that was tested. */
export async function requireSendable(
  db: Reader,
  config: Config,
  campaign: Pick<Campaign, 'project_id' | 'connection_id' | 'from_name' | 'from_email' | 'reply_to'>,
): Promise<void> {
  const { settings } = await ownerOf(db, campaign.project_id)
  const connection = await connectionOf(db, campaign.project_id, settings, campaign.connection_id)
  const checks = senderChecks(senderOf(settings, campaign).from_email, connection, campaign, config)
  if (!isReady(checks)) throw notReady(checks)
}

export function notReady(checks: readonly Check[]): AppError {
  return new AppError('NOT_READY', 'The campaign is not ready to be sent.', { details: { checks } })
}

/** What even a test message needs: somebody who sends it, and a way out. */
function senderChecks(
  from_email: string,
  connection: Connection | null,
  { connection_id }: Pick<Campaign, 'connection_id'>,
  config: Config,
): [sender: Check, connection_verified: Check] {
  const problem = connectionProblem(connection, connection_id, config)
  return [
    verdict(
      'sender',
      from_email !== '',
      `The sender is ${from_email}.`,
      'Nobody is named as the sender: set from_email in the campaign or in the settings.',
    ),
    verdict('connection_verified', problem === null, `The connection ${connection?.name} is verified.`, problem ?? ''),
  ]
}

/** Why nothing can be sent through a connection now, or null. */
export function connectionProblem(connection: Connection | null, chosen: number | null, config: Config): string | null {
  if (!connection)
    return chosen === null
      ? 'There is no connection to send through: make one, or choose the default in the settings.'
      : 'The connection chosen for the campaign does not exist any more.'
  if (connection.provider === 'sandbox')
    return config.sandbox ? null : 'The sandbox mailbox is switched off on this service.'
  return connection.verified_at === null ? `The connection ${connection.name} has not been verified: test it.` : null
}

function limitCheck(
  code: 'plan_limit' | 'provider_limit',
  span: string,
  limit: number | null,
  sent: number,
  count: number,
): Check {
  if (limit === null) return verdict(code, true, 'No limit.', '')
  const left = Math.max(0, limit - sent)
  return verdict(
    code,
    count <= left,
    `${left} of ${limit} messages are left ${span}.`,
    `${recipients(count)}, but only ${left} of ${limit} messages are left ${span}.`,
  )
}

/** A warm-up is there to spread what is sent over days: it stops nobody, and says so. */
function withWarmUp(check: Check, daily: number | null, sent: number, count: number): Check {
  const left = daily === null ? count : Math.max(0, daily - sent)
  if (!check.ok || count <= left) return check
  return {
    ...check,
    message: `The connection is warming up: ${left} of ${daily} messages are left in 24 hours, and the rest go out on the days after.`,
  }
}

function dnsChecks(records: SenderRecords | null): Check[] {
  return (['spf', 'dkim', 'dmarc'] as const).map((code) => ({
    code,
    severity: 'warning',
    ...(records?.[code] ?? { ok: true, message: 'Not checked.' }),
  }))
}

function verdict(code: Check['code'], ok: boolean, good: string, bad: string): Check {
  return { code, severity: 'error', ok, message: ok ? good : bad }
}

const recipients = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`)
