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

/** The provider of one of its own domains; null for any other domain. */
export function providerOfDomain(domain: string): MailboxProvider | null {
  return match(DOMAINS, [domain])
}

export type ResolveMx = (domain: string) => Promise<{ exchange: string }[]>

export interface MailboxProviders {
  /** The provider of each domain; null for any other, and for a domain that DNS does not answer for in time. */
  of(domains: ReadonlySet<string>, now: number): Promise<Map<string, MailboxProvider | null>>
}

/** How long an answer of DNS is cached, and how long a missing one. */
const ANSWER_MS = 24 * 3_600_000
const NO_ANSWER_MS = 10 * 60_000
const MAX_CACHED = 20_000
const LOOKUPS_AT_ONCE = 50
const TIMEOUT_MS = 3_000

export function mailboxProviders(resolve: ResolveMx = resolveMx): MailboxProviders {
  const cache = createCache<string, { provider: MailboxProvider | null; until: number }>({ max_entries: MAX_CACHED })

  const lookUp = async (domain: string, now: number): Promise<void> => {
    const records = await Promise.race([resolve(domain).catch(() => null), Bun.sleep(TIMEOUT_MS).then(() => null)])
    const provider =
      records === null
        ? null
        : match(
            EXCHANGES,
            records.map(({ exchange }) => exchange.toLowerCase()),
          )
    cache.set(domain, { provider, until: now + (records === null ? NO_ANSWER_MS : ANSWER_MS) })
  }

  return {
    async of(domains, now) {
      const missing = [...domains].filter(
        (domain) => match(DOMAINS, [domain]) === null && !((cache.get(domain)?.until ?? 0) > now),
      )
      for (let start = 0; start < missing.length; start += LOOKUPS_AT_ONCE) {
        await Promise.all(missing.slice(start, start + LOOKUPS_AT_ONCE).map((domain) => lookUp(domain, now)))
      }
      return new Map(
        [...domains].map((domain) => [domain, match(DOMAINS, [domain]) ?? cache.get(domain)?.provider ?? null]),
      )
    },
  }
}

function match(
  patterns: readonly (readonly [MailboxProvider, RegExp])[],
  names: readonly string[],
): MailboxProvider | null {
  return patterns.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? null
}

/** The domain of an address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
