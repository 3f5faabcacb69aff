import { createPublicKey } from 'node:crypto'
import type { DnsFinding, NeededRecord } from '../store/tables/dns-finding.ts'
import {
  cnameOf,
  domainsUpToOrganization,
  isReserved,
  type ResolveCname,
  type ResolveTxt,
  tagsOf,
  textsOf,
} from './dns.ts'
import { type Finding, NO_ANSWER, type Policy, type SenderSetup, type Texts, type Verdict } from './sender-setup.ts'
import { checkProviderReturnPath, checkSpf, spfExpected } from './spf.ts'

/**
 * Checks the DNS records that receivers use for mail from a domain: SPF, DKIM and DMARC, and whether they are aligned
 * with the From domain (RFC 7489, section 3.1). See docs/api/delivery.md#dns-checks.
 */

const MIN_RSA_BITS = 1024
const GOOD_RSA_BITS = 2048
const DMARC_EXPECTED = 'v=DMARC1; p=none'

interface LookUps {
  resolveTxt: ResolveTxt
  resolveCname: ResolveCname
  /** All look-ups together take no longer. */
  timeout_ms: number
}

/** Looks up SPF, DKIM and DMARC. Never rejects. */
export async function checkSenderDns(
  setup: SenderSetup,
  look_ups: LookUps,
): Promise<[spf: DnsFinding, dkim: DnsFinding, dmarc: DnsFinding]> {
  const records = neededRecords(setup)
  const [spf, dkim, dmarc] = await findingsOf(setup, look_ups)
  const complete = (finding: Finding) => ({ ...finding, record: records[finding.name] })
  return [complete(spf), complete(dkim), complete(dmarc)]
}

/**
 * The record that the domain's owner has to publish for each check; null when none is needed, or when only the provider
 * knows it.
 */
export function neededRecords(setup: SenderSetup): Record<DnsFinding['name'], NeededRecord | null> {
  const {
    domain,
    return_domain,
    provider_return_path,
    own_keys: [own],
  } = setup
  const cname = provider_return_path?.cname
  return {
    spf: cname
      ? { type: 'CNAME', name: cname.name, value: cname.target }
      : provider_return_path === null
        ? { type: 'TXT', name: return_domain, value: spfExpected(setup) }
        : null,
    dkim: own ? { type: 'TXT', name: own.name, value: own.value } : null,
    dmarc: dmarcRecord(domain),
  }
}

/** The weakest policy. Large receivers require at least this. */
export function dmarcRecord(domain: string) {
  return { type: 'TXT' as const, name: `_dmarc.${domain}`, value: DMARC_EXPECTED }
}

async function findingsOf(
  setup: SenderSetup,
  { resolveTxt, resolveCname, timeout_ms }: LookUps,
): Promise<[spf: Finding, dkim: Finding, dmarc: Finding]> {
  if (isReserved(setup.domain)) {
    const hint = `${setup.domain} is reserved for tests and examples, so it has no records.`
    const none = (name: Finding['name'], expected: string): Finding => ({
      name,
      ok: false,
      found: null,
      expected,
      hint,
    })
    return [none('spf', spfExpected(setup)), none('dkim', dkimExpected(setup)), none('dmarc', DMARC_EXPECTED)]
  }
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => timeout.resolve(null), timeout_ms)
  const texts: Texts = (name) => Promise.race([textsOf(resolveTxt, name), timeout.promise])
  const cname = (name: string) => Promise.race([cnameOf(resolveCname, name), timeout.promise])
  try {
    const policy = await findPolicy(texts, setup.domain)
    const [spf, dkim] = await Promise.all([
      setup.provider_return_path
        ? checkProviderReturnPath(cname, setup, setup.provider_return_path)
        : checkSpf(texts, setup, policy),
      checkDkim(texts, setup, policy),
    ])
    return [spf.finding, dkim.finding, checkDmarc(setup, policy, spf.aligned || dkim.aligned)]
  } finally {
    clearTimeout(timer)
  }
}

// DKIM (RFC 6376)

async function checkDkim(texts: Texts, setup: SenderSetup, { tags }: Policy): Promise<Verdict> {
  const { domain, selectors, own_keys } = setup
  // A signature of a parent domain is aligned as well, unless the policy is strict.
  const domains = tags.get('adkim') === 's' ? [domain] : domainsUpToOrganization(domain)
  const names =
    own_keys.length > 0
      ? own_keys.map(({ name }) => name)
      : domains.flatMap((at) => selectors.map((selector) => `${selector}._domainkey.${at}`))
  const answers = await Promise.all(names.map(texts))
  const at = answers.findIndex((found) => found?.some((text) => publicKeyOf(text) !== null))
  const record = answers[at]?.find((text) => publicKeyOf(text) !== null) ?? null
  const verdict = (ok: boolean, hint: string): Verdict => ({
    finding: { name: 'dkim', ok, found: record && `${names[at]}: ${record}`, expected: dkimExpected(setup), hint },
    aligned: ok,
  })
  if (record === null) {
    if (answers.every((found) => found === null)) return verdict(false, NO_ANSWER)
    if (own_keys.length > 0) {
      return verdict(false, `Publish the key as a TXT record of ${names[0]}. Until then messages are not signed.`)
    }
    const where = selectors.length === 1 ? `the selector ${selectors[0]}` : 'the usual selectors'
    const ask = setup.selector_hint ?? 'Ask your relay for its selector'
    return verdict(false, `There is no key under ${where} of ${domain}. ${ask}, and give it as dkim_selector.`)
  }
  const weakness = weaknessOf(record)
  if (weakness) return verdict(false, weakness)
  if (own_keys.length > 0) {
    const isOwn = own_keys.some(({ name, key }) => name === names[at] && publicKeyOf(record) === key.public_key)
    return isOwn
      ? verdict(true, 'The key is published.')
      : verdict(false, 'Another key is published under this name. Replace it.')
  }
  return verdict(
    true,
    setup.relay_host === null
      ? 'The key is published.'
      : 'A key is published. A message that the relay sent shows whether it signs with this key.',
  )
}

/** The public key of a record; null when there is none or it was revoked. */
function publicKeyOf(record: string): string | null {
  return tagsOf(record).get('p') || null
}

/** Why receivers ignore a DKIM key; null for a usable key. */
function weaknessOf(record: string): string | null {
  if ((tagsOf(record).get('k') ?? 'rsa') !== 'rsa') return null
  try {
    const key = Buffer.from(publicKeyOf(record) ?? '', 'base64')
    const bits = createPublicKey({ key, format: 'der', type: 'spki' }).asymmetricKeyDetails?.modulusLength ?? 0
    return bits < MIN_RSA_BITS
      ? `The key has ${bits} bits; receivers ignore keys below ${MIN_RSA_BITS}. Ask for one with ${GOOD_RSA_BITS}.`
      : null
  } catch {
    return 'The key cannot be read. Check that the record is complete.'
  }
}

function dkimExpected({ domain, expected_selector, own_keys: [own] }: SenderSetup): string {
  return own ? `${own.name}: ${own.value}` : `${expected_selector ?? '<selector>'}._domainkey.${domain}: v=DKIM1; p=…`
}

// DMARC (RFC 7489)

/** The policy of a domain, or that of its nearest parent that has one. */
async function findPolicy(texts: Texts, domain: string): Promise<Policy> {
  for (const at of domainsUpToOrganization(domain)) {
    const records = (await texts(`_dmarc.${at}`))?.filter((text) => /^v=DMARC1\s*(?:;|$)/.test(text)) ?? null
    if (records === null || records.length > 0) {
      return { records, at, tags: records?.length === 1 ? tagsOf(records[0]!) : new Map() }
    }
  }
  return { records: [], at: domain, tags: new Map() }
}

function checkDmarc({ domain }: SenderSetup, { records, at, tags }: Policy, is_aligned: boolean): Finding {
  const finding = (ok: boolean, hint: string): Finding => ({
    name: 'dmarc',
    ok,
    found: records?.join(' | ') || null,
    expected: DMARC_EXPECTED,
    hint,
  })
  if (!records) return finding(false, NO_ANSWER)
  if (records.length === 0) {
    return finding(false, `Publish ${DMARC_EXPECTED} as a TXT record of _dmarc.${domain}. Large receivers require it.`)
  }
  if (records.length > 1) {
    return finding(false, `_dmarc.${at} has ${records.length} records, so receivers ignore all of them. Keep one.`)
  }
  const policy = (at === domain ? tags.get('p') : (tags.get('sp') ?? tags.get('p')))?.toLowerCase()
  if (!policy || !['none', 'quarantine', 'reject'].includes(policy)) {
    return finding(false, 'The record has no policy: p is none, quarantine or reject.')
  }
  if (!is_aligned) {
    const consequence =
      policy === 'none' ? '' : `, and the policy is ${policy}: receivers reject or quarantine messages`
    return finding(false, `Neither SPF nor DKIM is aligned with ${domain}${consequence}. Fix one of them first.`)
  }
  return finding(
    true,
    policy === 'none'
      ? 'Messages pass. Once the reports show that all of yours do, quarantine or reject protects your domain.'
      : 'Messages pass.',
  )
}
