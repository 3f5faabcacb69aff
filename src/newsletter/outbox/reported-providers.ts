import { limitOfDomain } from './mailbox-providers.ts'
import { MAILBOX_PROVIDERS } from '../../store/tables/delivery.ts'

/** Mailbox providers that reports list separately, in addition to those that have rate limits. */
const OTHERS = {
  icloud: /^(icloud|me|mac)\.com$/,
  gmx: /^(gmx\.[a-z.]+|web\.de|mail\.com)$/,
  proton: /^(proton(mail)?\.[a-z]+|pm\.me)$/,
} as const

export const REPORTED_PROVIDERS = [...MAILBOX_PROVIDERS, ...(Object.keys(OTHERS) as (keyof typeof OTHERS)[]), 'other']

/** The provider of a domain by its name alone; companies that use a provider's mailboxes are among the others. */
export function reportedProvider(domain: string): string {
  const known = Object.entries(OTHERS).find(([, pattern]) => pattern.test(domain))?.[0]
  return limitOfDomain(domain, MAILBOX_PROVIDERS) ?? known ?? 'other'
}
