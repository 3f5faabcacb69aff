import type { ProjectId } from '../../ids.ts'
import { type ResolveCname, type ResolveTxt, systemCname, systemTxt } from '../../mail/dns.ts'
import { checkSenderDns } from '../../mail/sender-dns.ts'
import type { SenderSetup } from '../../mail/sender-setup.ts'
import type { Reader } from '../../store/open.ts'
import type { Provider } from '../../store/tables/delivery.ts'
import type { DnsFinding } from '../../store/tables/dns-finding.ts'
import type { Connection } from './connection.ts'
import { listDkimKeys } from './dkim-keys.ts'
import { type DkimRecord, dkimRecords, spfTerm } from './dkim-records.ts'

/** The one DNS check of connections/verify-dns and of a campaign's readiness; see docs/api/delivery.md#dns-checks. */

type Relay = Pick<Connection, 'provider' | 'host' | 'bounce_domain' | 'dkim_selector'>

const SELECTORS_OF_PROVIDER: Partial<Record<Provider, readonly string[]>> = {
  sendgrid: ['s1', 's2'],
  mailgun: ['mx', 'pic', 'krs', 'smtp', 'mailo', 'k1', 'email', 'pdk1', 'pdk2'],
  resend: ['resend'],
  brevo: ['brevo1', 'brevo2', 'mail'],
}
const USUAL_SELECTORS = 'default mail dkim smtp email s1 s2 k1 k2 selector1 selector2 google'.split(' ')

/** Providers that choose a selector for each domain. */
const SELECTOR_HINTS: Partial<Record<Provider, string>> = {
  ses: 'Take one of the three tokens that SES shows for the domain (the part before ._domainkey)',
  postmark: 'Take the selector that Postmark shows for the domain (the part before ._domainkey)',
}

/** Where SES and Postmark receive bounces while the connection has no bounce domain. */
function returnPathOf(provider: Provider, domain: string): SenderSetup['provider_return_path'] {
  if (provider === 'ses') return { provider: 'SES', cname: null }
  if (provider !== 'postmark') return null
  return { provider: 'Postmark', cname: { name: `pm-bounces.${domain}`, target: 'pm.mtasv.net' } }
}

/** Checks the DNS for messages from `domain` through a connection. `selector` is where the provider says the key is. */
export async function checkConnectionDns(
  db: Reader,
  sending: { project_id: ProjectId; domain: string; connection: Relay; selector?: string },
  {
    resolveTxt = systemTxt,
    resolveCname = systemCname,
    timeout_ms,
  }: { resolveTxt?: ResolveTxt; resolveCname?: ResolveCname; timeout_ms: number },
): Promise<DnsFinding[]> {
  const own_keys = dkimRecords(await listDkimKeys(db, sending.project_id, sending.domain))
  return checkSenderDns(senderSetup({ ...sending, own_keys }), { resolveTxt, resolveCname, timeout_ms })
}

/** The DNS records that messages from a domain through a connection need. */
export function senderSetup({
  domain,
  connection: { provider, host, bounce_domain, dkim_selector },
  selector = dkim_selector || undefined,
  own_keys,
}: {
  domain: string
  connection: Relay
  selector?: string
  own_keys: readonly DkimRecord[]
}): SenderSetup {
  const of_provider = SELECTORS_OF_PROVIDER[provider] ?? []
  return {
    domain,
    return_domain: bounce_domain || domain,
    keeps_return_path: provider === 'smtp' || provider === 'sandbox' || bounce_domain !== '',
    provider_return_path: bounce_domain === '' ? returnPathOf(provider, domain) : null,
    spf_term: spfTerm({ provider, host }),
    relay_host: provider === 'smtp' ? host : null,
    selectors: selector ? [selector] : [...new Set([...of_provider, ...USUAL_SELECTORS])],
    expected_selector: selector ?? of_provider[0] ?? null,
    selector_hint: SELECTOR_HINTS[provider] ?? null,
    // Providers sign by themselves.
    own_keys: provider === 'smtp' && !selector ? own_keys : [],
  }
}
