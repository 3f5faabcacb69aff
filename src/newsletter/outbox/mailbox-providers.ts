import { domainKey } from '../../address.ts'
import { DAY_MS, MINUTE_MS } from '../../clock.ts'
import { resolveMx } from 'node:dns/promises'
import { createCache } from '../../cache.ts'
import type { MailboxProvider } from '../../store/tables/delivery.ts'

/**
 * Which of the large mailbox providers an address belongs to: by its domain, or by the mail exchangers of its domain
 * (companies and schools that use a provider's mailboxes). A provider counts its messages over all domains together.
 */
const DOMAINS: readonly (readonly [MailboxProvider, RegExp])[] = [
  ['gmail', /^(gmail|googlemail)\.com$/],
  ['outlook', /^((outlook|hotmail|live)\.[a-z.]+|msn\.com|passport\.com|windowslive\.com)$/],
  ['yahoo', /^(yahoo\.[a-z.]+|ymail\.com|rocketmail\.com|aol\.(com|[a-z]{2})|aim\.com)$/],
]

const EXCHANGES: readonly (readonly [MailboxProvider, RegExp])[] = [
  ['gmail', /\.google(mail)?\.com$/],
  ['outlook', /\.(outlook|hotmail)\.com$|\.mail\.protection\.outlook\.com$/],
  ['yahoo', /\.yahoodns\.net$/],
]

type ResolveMx = (domain: string) => Promise<{ exchange: string }[]>

export interface MailboxProviders {
  /**
   * Which of the named limits holds for each domain: that of a mailbox provider, or a domain that the addresses or
   * their mail exchangers are in. Null for none, and for a domain that DNS does not answer for in time.
   */
  of(domains: ReadonlySet<string>, names: readonly string[], now: number): Promise<Map<string, string | null>>
}

/** How long an answer of DNS is cached, and how long a missing one. */
const ANSWER_MS = DAY_MS
const NO_ANSWER_MS = 10 * MINUTE_MS
const MAX_CACHED = 20_000
const MAX_EXCHANGES = 10
const LOOKUPS_AT_ONCE = 50
const TIMEOUT_MS = 3_000

export function mailboxProviders(resolve: ResolveMx = resolveMx): MailboxProviders {
  const cache = createCache<string, { exchanges: string[]; until: number }>({ max_entries: MAX_CACHED })

  const lookUp = async (domain: string, now: number): Promise<void> => {
    const records = await Promise.race([resolve(domain).catch(() => null), Bun.sleep(TIMEOUT_MS).then(() => null)])
    const exchanges = (records ?? []).slice(0, MAX_EXCHANGES).map(({ exchange }) => exchange.toLowerCase())
    cache.set(domain, { exchanges, until: now + (records === null ? NO_ANSWER_MS : ANSWER_MS) })
  }

  return {
    async of(domains, names, now) {
      const known = new Map([...domains].map((domain) => [domain, limitOfDomain(domain, names)]))
      const missing = [...domains].filter(
        (domain) => known.get(domain) === null && !((cache.get(domain)?.until ?? 0) > now),
      )
      for (let start = 0; start < missing.length; start += LOOKUPS_AT_ONCE)
        await Promise.all(missing.slice(start, start + LOOKUPS_AT_ONCE).map((domain) => lookUp(domain, now)))
      return new Map(
        [...known].map(([domain, limit]) => {
          const exchanges = cache.get(domain)?.exchanges ?? []
          return [domain, limit ?? named(names, exchanges) ?? among(names, match(EXCHANGES, exchanges))]
        }),
      )
    },
  }
}

/** Which of the named limits holds for a domain (a `domainKey`) by its own name; null for none. */
export function limitOfDomain(domain: string, names: readonly string[]): string | null {
  return named(names, [domain]) ?? among(names, match(DOMAINS, [domain]))
}

const among = (names: readonly string[], provider: MailboxProvider | null): string | null =>
  provider !== null && names.includes(provider) ? provider : null

/** The longest of the names that are domains and that one of the hosts is in. */
function named(names: readonly string[], hosts: readonly string[]): string | null {
  const found = names.filter((name) => {
    const domain = domainKey(name)
    return domain.includes('.') && hosts.some((host) => host === domain || host.endsWith(`.${domain}`))
  })
  return found.toSorted((one, other) => other.length - one.length)[0] ?? null
}

function match(
  patterns: readonly (readonly [MailboxProvider, RegExp])[],
  names: readonly string[],
): MailboxProvider | null {
  return patterns.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? null
}
