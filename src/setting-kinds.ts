import { isIP } from 'node:net'
import { Cron } from 'croner'

/* The kinds of settings, and how the text of each is read. */

/**
 * One setting of the service. A flag overrides the environment variable, which overrides `masthead.toml`, which
 * overrides the default. Unknown names and invalid values stop the start with a one-line error. The help text and
 * docs/configuration.md are generated from the table SETTINGS.
 */
export interface Setting<T> {
  /** Description in `masthead serve --help` and docs/configuration.md. */
  help: string
  default: T
  parse(text: string): T
  /** Whether the value is a secret, which is never printed. */
  secret?: boolean
  placeholder: string
  /** The least and the greatest value of a number. */
  between?: readonly [min: number, max: number]
}

export const text = (fallback: string, help: string, more: Partial<Setting<string>> = {}): Setting<string> => ({
  default: fallback,
  help,
  parse: (value) => value,
  placeholder: 'TEXT',
  ...more,
})

export const whole = (fallback: number, min: number, max: number, help: string): Setting<number> => ({
  default: fallback,
  help,
  placeholder: 'N',
  between: [min, max],
  parse(value) {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`expects a whole number from ${min} to ${max}`)
    return number
  },
})

export const yesNo = (fallback: boolean, help: string): Setting<boolean> => ({
  default: fallback,
  help,
  placeholder: 'true|false',
  parse(value) {
    if (value === '1' || value === 'true') return true
    if (value === '0' || value === 'false') return false
    throw new Error('expects true or false')
  },
})

export const oneOf = <const W extends string>(choices: readonly W[], fallback: W, help: string): Setting<W> => ({
  default: fallback,
  help,
  placeholder: choices.join('|'),
  parse(value) {
    if (!(choices as readonly string[]).includes(value)) throw new Error(`expects one of ${choices.join(', ')}`)
    return value as W
  },
})

export const webAddress = (value: string): string => {
  if (value === '') return value
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw new Error('expects an http or https address')
  if (url.pathname !== '/')
    throw new Error('expects an address without a path: the service runs at the root of its host')
  return value.replace(/\/+$/, '')
}

export const databaseAddress = (value: string): string => {
  if (value !== '' && !/^(file:|libsql:\/\/|https?:\/\/|wss?:\/\/)/.test(value))
    throw new Error('expects file:PATH, libsql://HOST, http://HOST or https://HOST')
  return value
}

export const mailAddress = (value: string): string => {
  const url = value === '' ? null : URL.parse(value)
  const secure = url?.searchParams.get('secure') ?? 'tls'
  if (value !== '' && (!url?.hostname || !/^smtps?:$/.test(url.protocol) || !/^(none|starttls|tls)$/.test(secure)))
    throw new Error('expects smtp://USER:PASSWORD@HOST:PORT or smtps://…')
  return value
}

export const senderAddress = (value: string): string => {
  if (value !== '' && !/^[!-;=?A-~]+@[^\s<>@]+$/.test(value))
    throw new Error('expects an email address with only ASCII before the @')
  return value
}

/** Names of this machine: no project can have them as its domain. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** The issuer exactly as the provider spells it: it is compared byte by byte. http is allowed only for loopback. */
export const issuerAddress = (value: string): string => {
  const url = value === '' ? null : URL.parse(value)
  if (
    value !== '' &&
    (!url ||
      url.search ||
      url.hash ||
      (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))))
  )
    throw new Error('expects an https address')
  return value
}

/** An IP address or host name to listen on. */
export const listenAddress = (value: string): string => {
  if (isIP(value) === 0 && !/^(?=.{1,253}$)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(value))
    throw new Error('expects an IP address or a host name')
  if (isIP(value) === 0 && /^[\d.]+$/.test(value)) throw new Error('expects an IP address or a host name')
  return value
}

/** The entries of a list that is separated by commas. */
export const entriesOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Addresses and networks (ADDRESS/PREFIX_LENGTH), separated by commas. */
export const networks = (value: string): string => {
  for (const entry of entriesOf(value)) {
    const [address = '', length, ...rest] = entry.split('/')
    const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
    const fits = length === undefined ? most > 0 : /^\d{1,3}$/.test(length) && Number(length) <= most
    if (!fits || rest.length > 0)
      throw new Error('expects addresses or networks such as 10.0.0.0/8, separated by commas')
  }
  return value
}

/** Host names and IP addresses, separated by commas. */
export const hostNames = (value: string): string => {
  for (const entry of entriesOf(value)) {
    const isAddress = isIP(entry.replace(/^\[(.*)\]$/, '$1')) !== 0
    if (!isAddress && !/^(?=.{1,253}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(entry))
      throw new Error('expects host names or IP addresses without port, separated by commas')
  }
  return value
}

export const secretKey = (value: string): string => {
  if (value !== '' && (Buffer.byteLength(value) < 32 || value.includes(',')))
    throw new Error('expects at least 32 characters and no comma')
  return value
}

export const secretKeys = (value: string): string => {
  for (const key of entriesOf(value)) secretKey(key)
  return value
}

/** A pattern of cron with five fields, or six with seconds. */
export const schedule = (value: string): string => {
  try {
    new Cron(value, { paused: true }).stop()
  } catch {
    throw new Error('expects a pattern of cron such as "12 3 * * *"')
  }
  return value
}

/** Public keys of age (X25519), separated by commas. */
export const ageRecipients = (value: string): string => {
  if (!entriesOf(value).every((key) => /^age1[02-9ac-hj-np-z]{58}$/.test(key)))
    throw new Error('expects public keys of age such as age1…, separated by commas')
  return value
}
