/** A record that the owner of a domain publishes. */
export interface NeededRecord {
  type: 'TXT' | 'CNAME'
  name: string
  value: string
}

/** The DNS checks, in the order in which they are shown. */
export const DNS_CHECKS = ['spf', 'dkim', 'dmarc'] as const

/** One check of the DNS for the domain that messages come from. */
export interface DnsFinding {
  name: (typeof DNS_CHECKS)[number]
  ok: boolean
  /** The record; null when there is none or the DNS gave no answer. */
  found: string | null
  expected: string
  /** The record to publish; null when none is needed, or when only the provider knows it. */
  record: NeededRecord | null
  /** What to do, or why it passes. */
  hint: string
}

/** The last result of `connections/verify-dns`. */
export interface DnsResult {
  domain: string
  checked_at: number
  checks: DnsFinding[]
}
