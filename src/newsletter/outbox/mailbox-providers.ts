import { resolveMx } from 'node:dns/promises'
import { createCache } from '../../cache.ts'
import type { MailboxProvider } from '../../store/tables/delivery.ts'

/**
 * Which of the large mailbox providers an address belongs to: by its domain, or by where the mail of its domain goes
 * (companies and schools whose mailboxes they run). Each counts what it gets over all domains together.
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

export type ResolveMx = (domain: string) => Promise<{ exchange: string }[]>

export interface MailboxProviders {
  /** The provider of each of the domains; null for any other. What DNS does not tell in time is taken for another. */
  of(domains: ReadonlySet<string>, now: number): Promise<Map<string, MailboxProvider | null>>
}

const KNOWN_MS = 24 * 3_600_000
const UNKNOWN_MS = 10 * 60_000
const ASKED_AT_ONCE = 50
const PATIENCE_MS = 3_000

export function mailboxProviders(resolve: ResolveMx = resolveMx): MailboxProviders {
  const kept = createCache<string, { provider: MailboxProvider | null; until: number }>({ max_entries: 20_000 })

  const ask = async (domain: string, now: number): Promise<void> => {
    const records = await Promise.race([resolve(domain).catch(() => null), Bun.sleep(PATIENCE_MS).then(() => null)])
    const provider =
      records === null
        ? null
        : match(
            EXCHANGES,
            records.map(({ exchange }) => exchange.toLowerCase()),
          )
    kept.set(domain, { provider, until: now + (records === null ? UNKNOWN_MS : KNOWN_MS) })
  }

  return {
    async of(domains, now) {
      const asked = [...domains].filter(
        (domain) => match(DOMAINS, [domain]) === null && !((kept.get(domain)?.until ?? 0) > now),
      )
      for (let start = 0; start < asked.length; start += ASKED_AT_ONCE) {
        await Promise.all(asked.slice(start, start + ASKED_AT_ONCE).map((domain) => ask(domain, now)))
      }
      return new Map(
        [...domains].map((domain) => [domain, match(DOMAINS, [domain]) ?? kept.get(domain)?.provider ?? null]),
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

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
