import { isAligned, NO_ANSWER, type Policy, type SenderSetup, type Texts, type Verdict } from './sender-setup.ts'

/** SPF of a sender's domain (RFC 7208), as docs/api/delivery.md#dns-checks describes it. */

/** A receiver follows at most this many terms that need a look-up (RFC 7208, section 4.6.4). */
const MAX_SPF_LOOKUPS = 10

/** Bounces go to the provider, so SPF always passes; a CNAME record aligns it with the sender's domain. */
export async function checkProviderReturnPath(
  cnameAt: (name: string) => Promise<string | null>,
  { domain }: SenderSetup,
  { provider, cname }: NonNullable<SenderSetup['provider_return_path']>,
): Promise<Verdict> {
  const target = cname && (await cnameAt(cname.name))
  const aligned = cname !== null && target === cname.target
  const passes = `Bounces go to a domain of ${provider}, where SPF passes.`
  const hint = aligned
    ? `Bounces go to ${cname.name}, which ${provider} answers for.`
    : cname
      ? `${passes} So that SPF counts for ${domain}, let the CNAME record of ${cname.name} lead to ${cname.target}.`
      : `${passes} So that SPF counts for ${domain}, set up a MAIL FROM domain there, and give it as bounce_domain.`
  const expected = cname ? `${cname.name} CNAME ${cname.target}` : `no record of ${domain}`
  return {
    finding: { name: 'spf', ok: true, found: target ? `${cname!.name} CNAME ${target}` : null, expected, hint },
    aligned,
  }
}

/** Whether the record where bounces go lets the relay send (RFC 7208). */
export async function checkSpf(texts: Texts, setup: SenderSetup, { tags }: Policy): Promise<Verdict> {
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
  const { includes_term, lookups, ending } = await followSpf(texts, terms, { wanted: spf_term, lookups: 0 })
  if (lookups > MAX_SPF_LOOKUPS) {
    return verdict(
      false,
      `The record needs more than ${MAX_SPF_LOOKUPS} look-ups, so receivers ignore it. Remove unused terms.`,
    )
  }
  if (spf_term === null || includes_term) return verdict(true, 'The relay may send for this domain.')
  if (relay_host !== null && ending === '-all') {
    return verdict(
      false,
      `The record ends with -all and does not name ${relay_host}: receivers refuse your messages unless another term ` +
        `covers the servers that send them. Ask the operator of the relay, or add ${spf_term}.`,
    )
  }
  if (relay_host !== null) {
    return verdict(
      true,
      `There is a record. Ask the operator of ${relay_host} whether it covers the servers that send your messages.`,
    )
  }
  return verdict(false, `Add ${spf_term} to the record.`)
}

interface Followed {
  /** Whether the wanted term is in a record or in one that it includes. */
  includes_term: boolean
  /** How many look-ups a receiver needs for all of it. */
  lookups: number
  /** The term that decides about all other servers, also behind a `redirect`; null without one. */
  ending: string | null
}

/** Reads a record to its end, with all that it includes. */
async function followSpf(
  texts: Texts,
  terms: readonly string[],
  { wanted, lookups }: { wanted: string | null; lookups: number },
): Promise<Followed> {
  let ending = terms.find((term) => /^[?~+-]?all$/.test(term)) ?? null
  let count = lookups + terms.filter((term) => /^[?~-]?\+?(?:a|mx|ptr|exists)(?:[:/]|$)/.test(term)).length
  let includes_term = wanted !== null && terms.some((term) => term.replace(/^\+/, '') === wanted)
  for (const term of terms) {
    const [, name] = /^\+?(?:include:|redirect=)([^\s%]+)$/.exec(term) ?? []
    if (!name || count > MAX_SPF_LOOKUPS) continue
    const included = (await texts(name))?.find(isSpf)
    const inner = await followSpf(texts, included ? termsOf(included) : [], { wanted, lookups: count + 1 })
    includes_term ||= inner.includes_term
    count = inner.lookups
    if (term.startsWith('redirect=')) ending ??= inner.ending
  }
  return { includes_term, lookups: count, ending }
}

function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text)
}

function termsOf(record: string): string[] {
  return record.toLowerCase().split(/\s+/).slice(1)
}

/** The record that the relay needs. */
export function spfExpected({ spf_term }: SenderSetup): string {
  return ['v=spf1', spf_term, '~all'].filter(Boolean).join(' ')
}
