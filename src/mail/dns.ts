import { Resolver } from 'node:dns/promises'
import { once } from '../once.ts'

const tldts = once(() => require('tldts') as typeof import('tldts'))

/** The TXT records of a name, each in its pieces; rejects with `code` ENOTFOUND or ENODATA when there are none. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** Time limit of a query to one DNS server. */
const SERVER_TIMEOUT_MS = 2_000

/** Asks the DNS servers of the operating system. */
export const systemTxt: ResolveTxt = (name) => new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 1 }).resolveTxt(name)

/** The target of a CNAME record; rejects with `code` ENOTFOUND or ENODATA when there is none. */
export type ResolveCname = (name: string) => Promise<string[]>

/** Asks the DNS servers of the operating system. */
export const systemCname: ResolveCname = (name) =>
  new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 1 }).resolveCname(name)

/** The TXT records of a name: empty when it has none, null when the DNS gave no answer. */
export async function textsOf(resolveTxt: ResolveTxt, name: string): Promise<string[] | null> {
  return recordsOf(async () => (await resolveTxt(name)).map((pieces) => pieces.join('')))
}

/** The target of a name's CNAME record, in lower case; empty when it has none, null when the DNS gave no answer. */
export async function cnameOf(resolveCname: ResolveCname, name: string): Promise<string | null> {
  const targets = await recordsOf(() => resolveCname(name))
  return targets && (targets[0] ?? '').toLowerCase().replace(/\.$/, '')
}

async function recordsOf(resolve: () => Promise<string[]>): Promise<string[] | null> {
  try {
    return await resolve()
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
  }
}

/** The tags of a DKIM or DMARC record (RFC 6376, section 3.2): names in lower case, values without white space. */
export function tagsOf(record: string): Map<string, string> {
  return new Map(
    record
      .split(';')
      .filter((tag) => tag.includes('='))
      .map((tag) => {
        const sign = tag.indexOf('=')
        return [tag.slice(0, sign).trim().toLowerCase(), tag.slice(sign + 1).replace(/\s+/g, '')]
      }),
  )
}

/** Whether a domain is reserved for tests and examples (RFC 6761). */
export function isReserved(domain: string): boolean {
  return /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/i.test(domain)
}

/** A domain and its parents up to the organizational domain (RFC 7489, section 3.2), the longest first. */
export function domainsUpToOrganization(domain: string): string[] {
  const organization = organizationalDomain(domain)
  const domains: string[] = []
  for (let name = domain; name.length > organization.length; name = name.slice(name.indexOf('.') + 1))
    domains.push(name)
  return [...domains, organization]
}

/** The domain that an organization registered below a public suffix; the domain itself when it is such a suffix. */
export function organizationalDomain(domain: string): string {
  return tldts().getDomain(domain, { allowPrivateDomains: true }) ?? domain
}
