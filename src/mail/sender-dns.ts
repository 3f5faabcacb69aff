import { createPublicKey } from 'node:crypto'
import type { DnsFinding } from '../store/tables/delivery.ts'
import { domainsUpToOrganization, isReserved, organizationalDomain, type ResolveTxt, tagsOf, textsOf } from './dns.ts'

/**
 * What receivers read in the DNS about mail from a domain: SPF, DKIM and DMARC, and whether they are aligned with the
 * From domain (RFC 7489, section 3.1). See docs/api/delivery.md#dns-checks.
 */

/** How messages from a domain are sent. */
export interface SenderSetup {
  /** The domain of the From address, in lower case. */
  domain: string
  /** The domain that bounces are sent to. */
  return_domain: string
  /** False when the provider replaces the return path: then SPF cannot be aligned. */
  keeps_return_path: boolean
  /** The SPF term that allows the relay, as `include:amazonses.com`; null when there is no relay. */
  spf_term: string | null
  /** The host of a relay that only its operator knows; null for a known provider. */
  relay_host: string | null
  /** Selectors under which the key may be published. */
  selectors: readonly string[]
  /** The selector that the provider would use; null when only the operator of the relay knows. */
  expected_selector: string | null
  /** Keys of this service that sign the domain's messages; then only these count. */
  own_keys: readonly { name: string; value: string; key: { public_key: string } }[]
}

const NO_ANSWER = 'The DNS gave no answer.'
/** A receiver follows at most this many terms that need a look-up (RFC 7208, section 4.6.4). */
const MAX_SPF_LOOKUPS = 10
const MIN_RSA_BITS = 1024
const GOOD_RSA_BITS = 2048
const DMARC_EXPECTED = 'v=DMARC1; p=none'

/** Looks up SPF, DKIM and DMARC; all look-ups together take no longer than `timeout_ms`. Never rejects. */
export async function checkSenderDns(
  setup: SenderSetup,
  { resolveTxt, timeout_ms }: { resolveTxt: ResolveTxt; timeout_ms: number },
): Promise<[spf: DnsFinding, dkim: DnsFinding, dmarc: DnsFinding]> {
  if (isReserved(setup.domain)) {
    const hint = `${setup.domain} is reserved for tests and examples, so it has no records.`
    const none = (name: DnsFinding['name'], expected: string): DnsFinding => ({
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
  try {
    const policy = await findPolicy(texts, setup.domain)
    const [spf, dkim] = await Promise.all([checkSpf(texts, setup, policy), checkDkim(texts, setup, policy)])
    return [spf.finding, dkim.finding, checkDmarc(setup, policy, spf.aligned || dkim.aligned)]
  } finally {
    clearTimeout(timer)
  }
}

/** As `textsOf`; null after the timeout, too. */
type Texts = (name: string) => Promise<string[] | null>

/** A finding, and whether it passes DMARC's alignment. */
interface Verdict {
  finding: DnsFinding
  aligned: boolean
}

interface Policy {
  /** The DMARC records; null when the DNS gave no answer. */
  records: string[] | null
  /** The domain that they belong to. */
  at: string
  /** The tags of a single record. */
  tags: Map<string, string>
}

// SPF (RFC 7208)

async function checkSpf(texts: Texts, setup: SenderSetup, { tags }: Policy): Promise<Verdict> {
  const { domain, return_domain: at, spf_term, relay_host } = setup
  const found = (await texts(at))?.filter(isSpf) ?? null
  const aligned = isAligned(at, domain, tags.get('aspf'))
  const verdict = (ok: boolean, hint: string): Verdict => ({
    finding: { name: 'spf', ok, found: found?.join(' | ') || null, expected: spfExpected(setup), hint },
    aligned: ok && aligned && setup.keeps_return_path,
  })
  if (!found) return verdict(false, NO_ANSWER)
  if (found.length === 0) return verdict(false, `Publish ${spfExpected(setup)} as a TXT record of ${at}.`)
  if (found.length > 1) {
    return verdict(false, `${at} has ${found.length} SPF records, so receivers ignore all of them. Join them into one.`)
  }
  const terms = termsOf(found[0]!)
  if (terms.some((term) => /^\+?all$/.test(term))) {
    return verdict(false, 'The record allows every server to send. End it with ~all or -all.')
  }
  if (!aligned) {
    return verdict(
      false,
      `Bounces go to ${at}, which does not belong to ${domain}, so SPF does not count for DMARC. ` +
        'Choose a bounce domain below your own.',
    )
  }
  const { includes_term, lookups } = await followSpf(texts, terms, { wanted: spf_term, lookups: 0 })
  if (lookups > MAX_SPF_LOOKUPS) {
    return verdict(
      false,
      `The record needs more than ${MAX_SPF_LOOKUPS} look-ups, so receivers ignore it. Remove unused terms.`,
    )
  }
  if (spf_term === null || includes_term) return verdict(true, 'The relay may send for this domain.')
  if (relay_host !== null) {
    return verdict(
      true,
      `There is a record. Ask the operator of ${relay_host} whether it covers the servers that send your messages.`,
    )
  }
  return verdict(false, `Add ${spf_term} to the record.`)
}

/** Whether a term is in a record or in one that it includes, and how many look-ups a receiver needs for all of it. */
async function followSpf(
  texts: Texts,
  terms: readonly string[],
  { wanted, lookups }: { wanted: string | null; lookups: number },
): Promise<{ includes_term: boolean; lookups: number }> {
  let count = lookups + terms.filter((term) => /^[?~-]?\+?(?:a|mx|ptr|exists)(?:[:/]|$)/.test(term)).length
  let includes_term = wanted !== null && terms.some((term) => term.replace(/^\+/, '') === wanted)
  for (const term of terms) {
    const [, name] = /^\+?(?:include:|redirect=)([^\s%]+)$/.exec(term) ?? []
    if (!name || count > MAX_SPF_LOOKUPS) continue
    const included = (await texts(name))?.find(isSpf)
    const inner = await followSpf(texts, included ? termsOf(included) : [], { wanted, lookups: count + 1 })
    includes_term ||= inner.includes_term
    count = inner.lookups
  }
  return { includes_term, lookups: count }
}

function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text)
}

function termsOf(record: string): string[] {
  return record.toLowerCase().split(/\s+/).slice(1)
}

function spfExpected({ spf_term }: SenderSetup): string {
  return ['v=spf1', spf_term, '~all'].filter(Boolean).join(' ')
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
    return verdict(
      false,
      `There is no key under ${where} of ${domain}. Ask your relay for its selector, and give it as dkim_selector.`,
    )
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

/** Why receivers ignore a key, or null. */
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

function checkDmarc({ domain }: SenderSetup, { records, at, tags }: Policy, is_aligned: boolean): DnsFinding {
  const finding = (ok: boolean, hint: string): DnsFinding => ({
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

/** Strict: the same domain. Relaxed: the same organizational domain. */
function isAligned(one: string, other: string, mode = 'r'): boolean {
  return mode === 's' ? one === other : organizationalDomain(one) === organizationalDomain(other)
}
