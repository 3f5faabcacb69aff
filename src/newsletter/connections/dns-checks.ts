import { createPublicKey } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { Connection, DnsCheck } from './connections.operations.ts'
import type { DkimRecord } from './dkim-records.ts'
import { SPF_OF_PROVIDER, spfOfHost } from './dkim-records.ts'
import { isReserved, type ResolveTxt } from '../../mail/dns.ts'

type Check = Static<typeof DnsCheck>

/** Whose mail is looked at: the domain in From, the relay it goes through, and where its signatures are known to be found. */
export interface Sending {
  domain: string
  connection: Pick<Connection, 'provider' | 'host' | 'bounce_domain'>
  /** Where the key stands, as the provider says. */
  selector?: string
  /** This service's own keys of the domain, which sign what goes through an ordinary relay. */
  own_keys: readonly DkimRecord[]
}

/** All questions together take no longer. */
const PATIENCE_MS = 4_000
const SILENT = 'The DNS gave no answer.'

/**
 * What the DNS says about mail from a domain, as a receiver would see it: not only whether records are there, but
 * whether they speak for this domain (alignment, RFC 7489, 3.1). Never rejects.
 */
export async function checkDns(
  sending: Sending,
  resolveTxt: ResolveTxt,
): Promise<[spf: Check, dkim: Check, dmarc: Check]> {
  if (isReserved(sending.domain)) {
    const hint = `${sending.domain} exists for tests and examples alone: there is nothing to ask.`
    const none = (name: Check['name'], expected: string): Check => ({ name, ok: false, found: null, expected, hint })
    return [none('spf', spfExpected(sending)), none('dkim', dkimExpected(sending)), none('dmarc', DMARC_EXPECTED)]
  }
  const { texts, end } = within(PATIENCE_MS, resolveTxt)
  try {
    const policy = await findPolicy(texts, sending.domain)
    const [spf, dkim] = await Promise.all([checkSpf(texts, sending, policy), checkDkim(texts, sending, policy)])
    return [spf.check, dkim.check, checkDmarc(sending, policy, spf, dkim)]
  } finally {
    end()
  }
}

/** The texts of a name; none when it has none, null when the DNS gave no answer in time. */
type Texts = (name: string) => Promise<string[] | null>

function within(patience_ms: number, resolveTxt: ResolveTxt): { texts: Texts; end(): void } {
  const tooLate = Promise.withResolvers<null>()
  const timer = setTimeout(() => tooLate.resolve(null), patience_ms)
  const ask = async (name: string): Promise<string[] | null> => {
    try {
      return (await resolveTxt(name)).map((pieces) => pieces.join(''))
    } catch (error) {
      const { code } = error as { code?: string }
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
    }
  }
  return { texts: (name) => Promise.race([ask(name), tooLate.promise]), end: () => clearTimeout(timer) }
}

/** A check, and whether what it found counts for DMARC. */
interface Verdict {
  check: Check
  aligned: boolean
}

interface Policy {
  /** Null when the DNS gave no answer. */
  records: string[] | null
  at: string
  tags: Map<string, string>
}

// SPF (RFC 7208)

/** Followed so far into other domains; a receiver follows ten. */
const MOST_LOOKUPS = 10

async function checkSpf(texts: Texts, sending: Sending, { tags }: Policy): Promise<Verdict> {
  const at = returnDomain(sending)
  const found = (await texts(at))?.filter((text) => /^v=spf1(?: |$)/i.test(text)) ?? null
  const aligned = isAligned(at, sending.domain, tags.get('aspf'))
  const verdict = (ok: boolean, hint: string): Verdict => ({
    check: { name: 'spf', ok, found: found?.join(' | ') || null, expected: spfExpected(sending), hint },
    aligned: ok && aligned && returnsHome(sending),
  })
  if (!found) return verdict(false, SILENT)
  if (found.length === 0) return verdict(false, `Publish this as a TXT record of ${at}.`)
  if (found.length > 1)
    return verdict(false, `${at} has ${found.length} SPF records, which makes all of them void: join them into one.`)
  const terms = found[0]!.toLowerCase().split(/\s+/).slice(1)
  if (terms.some((term) => /^\+?all$/.test(term)))
    return verdict(false, 'The record lets everybody send: end it with ~all or -all.')
  if (!aligned)
    return verdict(
      false,
      `Bounces go to ${at}, which does not belong to ${sending.domain}: SPF does not count for DMARC. Choose a bounce domain below your own.`,
    )
  const wanted = mechanismOf(sending)
  const { reached, lookups } = await reach(texts, terms, wanted)
  if (lookups > MOST_LOOKUPS)
    return verdict(
      false,
      `The record asks for more than ${MOST_LOOKUPS} further names, which makes it void: remove what you do not need.`,
    )
  if (wanted === null || reached) return verdict(true, 'The relay may send for this domain.')
  if (sending.connection.provider === 'smtp')
    return verdict(
      true,
      `The record is there. Ask the operator of ${sending.connection.host} whether it covers the machines that mail leaves from.`,
    )
  return verdict(false, `Add ${wanted} to the record.`)
}

/** Whether a mechanism stands in a record or in one that it includes, and how many names a receiver has to ask for. */
async function reach(
  texts: Texts,
  terms: readonly string[],
  wanted: string | null,
  lookups = 0,
): Promise<{ reached: boolean; lookups: number }> {
  let asked = lookups + terms.filter((term) => /^[?~-]?\+?(?:a|mx|ptr|exists)(?:[:/]|$)/.test(term)).length
  let reached = wanted !== null && terms.some((term) => term.replace(/^\+/, '') === wanted)
  for (const term of terms) {
    const [, name] = /^\+?(?:include:|redirect=)([^\s%]+)$/.exec(term) ?? []
    if (!name || asked > MOST_LOOKUPS) continue
    const next =
      (await texts(name))
        ?.find((text) => /^v=spf1(?: |$)/i.test(text))
        ?.toLowerCase()
        .split(/\s+/)
        .slice(1) ?? []
    const deeper = await reach(texts, next, wanted, asked + 1)
    reached ||= deeper.reached
    asked = deeper.lookups
  }
  return { reached, lookups: asked }
}

function mechanismOf({ connection: { provider, host } }: Sending): string | null {
  return provider === 'smtp' ? spfOfHost(host) : (SPF_OF_PROVIDER[provider] ?? null)
}

function spfExpected(sending: Sending): string {
  return ['v=spf1', mechanismOf(sending), '~all'].filter(Boolean).join(' ')
}

/** The domain of the return path, as far as this service decides it. */
function returnDomain({ domain, connection }: Sending): string {
  return connection.bounce_domain || domain
}

/** Providers put a return path of their own in place of ours, unless bounces have a domain of their own. */
function returnsHome({ connection: { provider, bounce_domain } }: Sending): boolean {
  return provider === 'smtp' || provider === 'sandbox' || bounce_domain !== ''
}

// DKIM (RFC 6376)

const USUAL_SELECTORS = [
  'default',
  'mail',
  'dkim',
  'smtp',
  'email',
  's1',
  's2',
  'k1',
  'k2',
  'selector1',
  'selector2',
  'google',
]
const SELECTORS_OF: Partial<Record<Connection['provider'], readonly string[]>> = {
  sendgrid: ['s1', 's2'],
  mailgun: ['mx', 'pic', 'krs', 'smtp', 'mailo', 'k1', 'email', 'pdk1', 'pdk2'],
  resend: ['resend'],
}
const LEAST_RSA_BITS = 1024
const GOOD_RSA_BITS = 2048

async function checkDkim(texts: Texts, sending: Sending, { tags }: Policy): Promise<Verdict> {
  const {
    domain,
    connection: { provider },
    selector,
    own_keys,
  } = sending
  const own = provider === 'smtp' ? own_keys : []
  const selectors = [
    ...new Set(
      selector
        ? [selector]
        : own.length > 0
          ? own.map(({ key }) => key.selector)
          : [...(SELECTORS_OF[provider] ?? []), ...USUAL_SELECTORS],
    ),
  ]
  // A signature of the domain above counts as well, unless the policy is strict.
  const domains = tags.get('adkim') === 's' || own.length > 0 ? [domain] : familyOf(domain)
  const names = domains.flatMap((at) => selectors.map((word) => `${word}._domainkey.${at}`))
  const answers = await Promise.all(names.map(texts))
  const at = answers.findIndex((found) => found?.some((text) => keyOf(text) !== null))
  const record = answers[at]?.find((text) => keyOf(text) !== null) ?? null
  const verdict = (ok: boolean, hint: string): Verdict => ({
    check: { name: 'dkim', ok, found: record && `${names[at]}: ${record}`, expected: dkimExpected(sending), hint },
    aligned: ok,
  })
  if (record === null) {
    if (answers.every((found) => found === null)) return verdict(false, SILENT)
    return verdict(
      false,
      own.length > 0
        ? 'Publish this record; until it is there, messages go unsigned.'
        : `There is no key under ${selectors.length === 1 ? `the selector ${selectors[0]}` : 'the usual selectors'} of ${domain}. Ask your relay for its selector, and give it as dkim_selector.`,
    )
  }
  const weakness = weaknessOf(record)
  if (weakness) return verdict(false, weakness)
  if (own.length > 0 && !own.some((key) => key.name === names[at] && keyOf(record) === key.key.public_key))
    return verdict(false, 'Another key stands under this name: replace it.')
  return verdict(
    true,
    own.length === 0 && provider === 'smtp'
      ? 'There is a key. Whether the relay signs with it shows in a message it sent.'
      : 'The key is there.',
  )
}

/** The key of a record; null when it is none, or was revoked. */
function keyOf(record: string): string | null {
  return tagsOf(record).get('p')?.replace(/\s+/g, '') || null
}

function weaknessOf(record: string): string | null {
  const tags = tagsOf(record)
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return null
  try {
    const bits =
      createPublicKey({ key: Buffer.from(keyOf(record) ?? '', 'base64'), format: 'der', type: 'spki' })
        .asymmetricKeyDetails?.modulusLength ?? 0
    return bits < LEAST_RSA_BITS
      ? `The key has ${bits} bits: receivers ignore fewer than ${LEAST_RSA_BITS}. Ask for one with ${GOOD_RSA_BITS}.`
      : null
  } catch {
    return 'The key cannot be read: check that the record is complete.'
  }
}

function dkimExpected({ domain, connection: { provider }, selector, own_keys }: Sending): string {
  const own = provider === 'smtp' ? own_keys[0] : undefined
  return own
    ? `${own.name}: ${own.value}`
    : `${selector ?? SELECTORS_OF[provider]?.[0] ?? '<selector>'}._domainkey.${domain}: v=DKIM1; p=…`
}

// DMARC (RFC 7489)

const DMARC_EXPECTED = 'v=DMARC1; p=none'

/** The policy of a domain, or that of the nearest one above it which has one. */
async function findPolicy(texts: Texts, domain: string): Promise<Policy> {
  for (const at of familyOf(domain)) {
    const records = (await texts(`_dmarc.${at}`))?.filter((text) => /^v=DMARC1\s*(?:;|$)/.test(text)) ?? null
    if (records === null || records.length > 0)
      return { records, at, tags: records?.length === 1 ? tagsOf(records[0]!) : new Map() }
  }
  return { records: [], at: domain, tags: new Map() }
}

function checkDmarc({ domain }: Sending, { records, at, tags }: Policy, spf: Verdict, dkim: Verdict): Check {
  const verdict = (ok: boolean, hint: string): Check => ({
    name: 'dmarc',
    ok,
    found: records?.join(' | ') || null,
    expected: DMARC_EXPECTED,
    hint,
  })
  if (!records) return verdict(false, SILENT)
  if (records.length === 0)
    return verdict(false, `Publish this as a TXT record of _dmarc.${domain}: large receivers ask for it.`)
  if (records.length > 1)
    return verdict(false, `_dmarc.${at} has ${records.length} records, which makes all of them void: keep one.`)
  const policy = (at === domain ? tags.get('p') : (tags.get('sp') ?? tags.get('p')))?.toLowerCase()
  if (!policy || !['none', 'quarantine', 'reject'].includes(policy))
    return verdict(false, 'The record says no policy: p is none, quarantine or reject.')
  if (!spf.aligned && !dkim.aligned) {
    return verdict(
      false,
      `Neither SPF nor DKIM speaks for ${domain}${policy === 'none' ? '' : `, and the policy is ${policy}: messages will be refused or put aside`}. Mend one of them first.`,
    )
  }
  return verdict(
    true,
    policy === 'none'
      ? 'Messages pass. Once the reports show that all of yours do, quarantine or reject protects your name.'
      : 'Messages pass.',
  )
}

function tagsOf(record: string): Map<string, string> {
  return new Map(
    record
      .split(';')
      .filter((tag) => tag.includes('='))
      .map((tag) => [tag.slice(0, tag.indexOf('=')).trim().toLowerCase(), tag.slice(tag.indexOf('=') + 1).trim()]),
  )
}

/** Strict: the same domain; relaxed: the same organization. */
function isAligned(one: string, other: string, mode = 'r'): boolean {
  return mode === 's' ? one === other : familyOf(one).at(-1) === familyOf(other).at(-1)
}

/** Second levels under which organizations register their domains in some countries. */
const REGISTRIES = /^(?:ac|co|com|edu|go|gob|gov|gouv|id|ltd|me|ne|net|nom|or|org|plc|sch)$/

/**
 * A domain and those above it, down to the one its organization has registered. Which that is, the public suffix list
 * knows in all cases; here it is the last two names, or three where the last two are a country's registry (co.uk).
 */
function familyOf(domain: string): string[] {
  const names = domain.split('.')
  const kept = names.at(-1)!.length === 2 && REGISTRIES.test(names.at(-2) ?? '') ? 3 : 2
  return names.length <= kept
    ? [domain]
    : names.slice(0, names.length - kept + 1).map((_, index) => names.slice(index).join('.'))
}
