import { domainOf } from '../../address.ts'
import { baseUrlProblem } from '../../base-url.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import type { campaigns } from '../../store/tables/delivery.ts'
import { DNS_CHECKS, type DnsFinding } from '../../store/tables/dns-finding.ts'
import type { Connection } from '../connections/connection.ts'
import { isReserved, type ResolveTxt } from '../../mail/dns.ts'
import { dailyLimit, sentInLastDay, usedOfMonth } from '../outbox/quota.ts'
import { checkConnectionDns } from '../connections/sender-dns.ts'
import { connectionOf, senderOf } from '../connections/sender.ts'
import { countAudience } from './audience-count.ts'
import { compileDraft, sendingProject } from './content.ts'
import { contentChecks } from './readiness-content.ts'
import { type Check, verdict } from './resource.ts'
import { siteLinks } from './site-links.ts'

type Campaign = typeof campaigns.$inferSelect

interface ReadinessOptions {
  /** Whether to look up the sender's SPF, DKIM and DMARC records. It may take two seconds and gives warnings only. */
  dns: boolean
  /** Replaces the system's resolver. */
  resolveTxt?: ResolveTxt
}

/** All look-ups together take no longer. */
const DNS_TIMEOUT_MS = 2_000

/** Whether no error remains. Warnings do not stop a campaign. */
export function isReady(checks: readonly Check[]): boolean {
  return checks.every(({ ok, severity }) => ok || severity === 'warning')
}

/**
 * All checks of a campaign, errors first (docs/api/campaigns.md#readiness). Counts the audience, so callers run it
 * outside of transactions.
 */
export async function readinessOf(
  { store, config, base_url }: Pick<Runtime, 'store' | 'config' | 'base_url'>,
  campaign: Campaign,
  now: number,
  { dns, resolveTxt }: ReadinessOptions,
): Promise<Check[]> {
  const { db } = store
  const { project_id } = campaign
  const { project, settings } = await sendingProject(db, project_id)
  const { from_email } = senderOf(settings, campaign)
  const connection = await connectionOf(db, project_id, settings, campaign.connection_id)
  const domain = domainOf(from_email)
  const isReal = connection !== null && connection.provider !== 'sandbox'
  const looksUp = dns && domain !== '' && !isReserved(domain) && isReal
  const [audience, findings, this_month, last_day] = await Promise.all([
    countAudience(store, project_id, campaign.audience_spec, now),
    looksUp
      ? checkConnectionDns(db, { project_id, domain, connection }, { resolveTxt, timeout_ms: DNS_TIMEOUT_MS })
      : null,
    usedOfMonth(db, { project_id, in_sandbox: connection?.provider === 'sandbox' }, now),
    connection ? sentInLastDay(db, project_id, connection.id, now) : 0,
  ])
  const email = await compileDraft({ store, base_url }, { campaign, project, settings })
  const content = contentChecks(
    campaign,
    email,
    isReal ? baseUrlProblem(base_url) : null,
    await siteLinks(db, { project, base_url }, email),
  )
  const planned = audience.count
  return [
    content.subject,
    content.content,
    ...senderChecks(from_email, connection, campaign, config),
    postalAddressCheck(settings),
    content.unsubscribe_link,
    verdict('audience', planned > 0, `${recipients(planned)}.`, 'The audience has no recipients.'),
    limitCheck('plan_limit', { limit: project.monthly_limit, sent: this_month, planned, period: 'this month' }),
    withWarmUp(
      limitCheck('provider_limit', {
        limit: connection?.max_per_day ?? null,
        sent: last_day,
        planned,
        period: 'in 24 hours through this connection',
      }),
      { limit: connection && dailyLimit(connection, now), sent: last_day, planned },
    ),
    ...dnsChecks(findings),
    ...content.warnings,
  ]
}

/** Throws NOT_READY when not even a test message could be sent: no sender address, or no verified connection. */
export async function requireSendable(
  db: Reader,
  config: Config,
  campaign: Pick<Campaign, 'project_id' | 'connection_id' | 'from_name' | 'from_email' | 'reply_to'>,
): Promise<void> {
  const { settings } = await sendingProject(db, campaign.project_id)
  const connection = await connectionOf(db, campaign.project_id, settings, campaign.connection_id)
  requireReady(senderChecks(senderOf(settings, campaign).from_email, connection, campaign, config))
}

/** Throws NOT_READY for errors that do not pass by themselves: in the content, the sender and the postal address. */
export async function requireComplete(
  { store, base_url }: Pick<Runtime, 'store' | 'base_url'>,
  campaign: Campaign,
): Promise<void> {
  const { project, settings } = await sendingProject(store.db, campaign.project_id)
  const email = await compileDraft({ store, base_url }, { campaign, project, settings })
  const site = await siteLinks(store.db, { project, base_url }, email)
  const { subject, content, unsubscribe_link } = contentChecks(campaign, email, null, site)
  const { from_email } = senderOf(settings, campaign)
  requireReady([subject, content, senderCheck(from_email), postalAddressCheck(settings), unsubscribe_link])
}

/** Throws NOT_READY with all checks when an error remains. */
export function requireReady(checks: readonly Check[]): void {
  if (!isReady(checks))
    throw new AppError('NOT_READY', 'The campaign is not ready to be sent.', { details: { checks } })
}

/** The two checks that a test message needs as well. */
function senderChecks(
  from_email: string,
  connection: Connection | null,
  { connection_id }: Pick<Campaign, 'connection_id'>,
  config: Config,
): [sender: Check, connection_verified: Check] {
  const problem = connectionProblem(connection, connection_id, config)
  return [
    senderCheck(from_email),
    verdict('connection_verified', problem === null, `The connection ${connection?.name} is verified.`, problem ?? ''),
  ]
}

function senderCheck(from_email: string): Check {
  return verdict(
    'sender',
    from_email !== '',
    `The sender is ${from_email}.`,
    'There is no sender address: set from_email in the campaign or in the settings.',
  )
}

function postalAddressCheck({ postal_address }: { postal_address: string }): Check {
  return verdict(
    'postal_address',
    postal_address.trim() !== '',
    'The footer shows the postal address.',
    'The settings have no postal address for the footer.',
  )
}

/** Why a connection cannot send now, or null when it can. `chosen` is the campaign's own choice of a connection. */
export function connectionProblem(connection: Connection | null, chosen: number | null, config: Config): string | null {
  if (!connection)
    return chosen === null
      ? 'There is no connection to send through: create one, or choose the default in the settings.'
      : 'The connection chosen for the campaign no longer exists.'
  if (connection.provider === 'sandbox')
    return config.sandbox ? null : 'The sandbox mailbox is switched off on this service.'
  return connection.verified_at === null ? `The connection ${connection.name} is not verified: test it.` : null
}

interface Limit {
  /** Messages in the period; null for no limit. */
  limit: number | null
  /** Messages already sent in the period. */
  sent: number
  planned: number
}

function limitCheck(
  code: 'plan_limit' | 'provider_limit',
  { limit, sent, planned, period }: Limit & { period: string },
): Check {
  if (limit === null) return verdict(code, true, `Messages have no limit ${period}.`, '')
  const left = Math.max(0, limit - sent)
  return verdict(
    code,
    planned <= left,
    `${left} of ${limit} messages are left ${period}.`,
    `${recipients(planned)}, but only ${left} of ${limit} messages are left ${period}.`,
  )
}

/** A warm-up limit never fails the check, because it spreads a campaign over several days; the message says so. */
function withWarmUp(check: Check, { limit, sent, planned }: Limit): Check {
  const left = limit === null ? planned : Math.max(0, limit - sent)
  if (!check.ok || planned <= left) return check
  return {
    ...check,
    message:
      `The connection is warming up: ${left} of ${limit} messages are left in 24 hours. ` +
      'The rest are sent on the following days.',
  }
}

/** The findings of connections/verify-dns as warnings; null where nothing was looked up. */
function dnsChecks(findings: DnsFinding[] | null): Check[] {
  return DNS_CHECKS.map((code) => {
    const finding = findings?.find(({ name }) => name === code)
    return finding
      ? { code, severity: 'warning', ok: finding.ok, message: finding.hint }
      : { code, severity: 'warning', ok: true, message: `${code.toUpperCase()} was not checked.`, skipped: true }
  })
}

const recipients = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`)
