import { isIP } from 'node:net'
import type { Config } from './config.ts'
import { isPrivateAddress } from './public-fetch.ts'

/** The address of a service that listens on this host and port, as this machine reaches it. */
export function listeningUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The public address of the service: the setting, or where it listens when that is not set. */
export function baseUrlOf({ base_url, host, port }: Pick<Config, 'base_url' | 'host' | 'port'>): string {
  return base_url || listeningUrl(host, port)
}

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
