import { isIP } from 'node:net'
import { isPrivateAddress } from './public-fetch.ts'

const LOCAL_NAME = /\.(?:local|localhost|internal)$/

/** Whether the host of an address exists only on this machine or network. An address with a placeholder passes. */
export function isUnreachable(url: string): boolean {
  const host = url.includes('{{') ? undefined : URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')
  if (host === undefined) return false
  return isIP(host) === 0 ? !host.includes('.') || LOCAL_NAME.test(host) : isPrivateAddress(host)
}

/**
 * Why the service's own links in messages fail at recipients, with the setting to change; null when they work.
 * One-click unsubscribe needs https (RFC 8058, section 3.1).
 */
export function baseUrlProblem(base_url: string): string | null {
  const remedy = 'The operator of the service sets MASTHEAD_BASE_URL to its public https address.'
  if (isUnreachable(base_url))
    return `Recipients cannot reach ${base_url}, with which the links to unsubscribe begin. ${remedy}`
  if (!base_url.startsWith('https://'))
    return `One-click unsubscribe needs https, but the links of messages begin with ${base_url}. ${remedy}`
  return null
}
