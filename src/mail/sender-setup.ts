import type { DnsFinding } from '../store/tables/dns-finding.ts'
import { organizationalDomain } from './dns.ts'

/** The sending setup of a domain, against which its DNS records are checked. */
export interface SenderSetup {
  /** The domain of the From address, in lower case. */
  domain: string
  /** The domain that bounces are sent to. */
  return_domain: string
  /** False when the provider replaces the return path: then SPF cannot be aligned. */
  keeps_return_path: boolean
  /**
   * For a provider that receives bounces at a domain of its own unless it is given one: then SPF passes there, whatever
   * the sender's domain says. `cname` is the record that puts such a name below the sender's domain, where it has one.
   */
  provider_return_path: { provider: string; cname: { name: string; target: string } | null } | null
  /** The SPF term that allows the relay, as `include:amazonses.com`; null when there is no relay. */
  spf_term: string | null
  /** The host of a relay that only its operator knows; null for a known provider. */
  relay_host: string | null
  /** Selectors under which the key may be published. */
  selectors: readonly string[]
  /** The selector that the provider would use; null when only the operator of the relay knows. */
  expected_selector: string | null
  /** Where the owner finds the selector, as the beginning of a sentence; null to ask the relay. */
  selector_hint: string | null
  /** Keys of this service that sign the domain's messages; then only these count. */
  own_keys: readonly { name: string; value: string; key: { public_key: string } }[]
}

/** As `textsOf`; null after the timeout, too. */
export type Texts = (name: string) => Promise<string[] | null>

/** A finding, and whether it passes DMARC's alignment. */
export interface Verdict {
  finding: Finding
  aligned: boolean
}

/** The result of a check, without the record to publish. */
export type Finding = Omit<DnsFinding, 'record'>

export interface Policy {
  /** The DMARC records; null when the DNS gave no answer. */
  records: string[] | null
  /** The domain at which the DMARC records were found. */
  at: string
  /** The tags of a single record. */
  tags: Map<string, string>
}

export const NO_ANSWER = 'The DNS gave no answer.'

/** Strict: the same domain. Relaxed: the same organizational domain. */
export function isAligned(one: string, other: string, mode = 'r'): boolean {
  return mode === 's' ? one === other : organizationalDomain(one) === organizationalDomain(other)
}
