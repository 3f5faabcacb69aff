import { MINUTE_MS } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import { type ReadMail, readMail, type Report } from '../../../mail/reports.ts'

/** A webhook request, and the secrets with which it is verified. */
export interface Delivered {
  headers: Headers
  body: Buffer
  /** The connection's webhook secret; empty when none is set. */
  secret: string
  /** The topic that the connection is subscribed to; null before the first subscription. */
  topic: string | null
  now: number
  fetchText: FetchText
  /** The body as JSON. Throws INVALID_JSON. */
  readJson(): Promise<unknown>
}

export type FetchText = (url: string) => Promise<{ status: number; text: string }>

/** How one provider's webhooks are verified and read. */
export interface ProviderReader {
  /** How the request is verified, for people who set the webhook up. */
  verification: string
  /** The provider's names of the events to subscribe to; others are ignored. */
  events: readonly string[]
  /** Whether the provider has an event of this name, also one that gives no report. */
  knows(name: string): boolean
  /** The reports; null when the request does not prove that the provider sent it. Throws INVALID_JSON. */
  read(delivered: Delivered): Promise<Verified | null>
}

export interface Verified {
  reports: Report[]
  /** The message of a bounce mailbox. */
  mail?: ReadMail
  /** The provider's names of the events in the request. */
  names?: readonly string[]
  /** A one-time token: a request with a token that was used before is ignored. */
  token?: string
  /** A topic whose subscription was confirmed just now. */
  topic?: string
}

type Kind = Report['kind'] | null

/** The kinds of reports by the provider's names of events. Null for an event that is ignored. */
export type Kinds = Readonly<Record<string, Kind | ((event: unknown) => Kind)>>

/** The kind of an event with this name; `otherwise` for a name that the table does not have. */
export function kindIn(kinds: Kinds, name: string, event: unknown, otherwise: Kind = null): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name]! : otherwise
  return typeof kind === 'function' ? kind(event) : kind
}

/** Whether a name is in the table, or among names of events that are ignored. */
export function isKnown(kinds: Kinds, ignored: readonly string[], name: string): boolean {
  return Object.hasOwn(kinds, name) || ignored.includes(name)
}

/** A request whose timestamp differs by more is a replay, or its clock is wrong. */
const TOLERANCE_MS = 5 * MINUTE_MS

/** Whether a timestamp in whole seconds is close to now. */
export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= TOLERANCE_MS
}

/** JSON in a webhook's body. Throws INVALID_JSON. */
export function parseBody(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON.')
  }
}

/** The value at a path in foreign JSON; undefined where there is none. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, unknown>)[name]
  }
  return found
}

/** As `at`: a string, or a number as a string; empty for anything else. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** As `at`: an array; empty for anything else. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The Message-ID in a list of headers with `name` and `value`, else `instead`; null when both are empty. */
export function messageIdIn(headers: readonly unknown[], instead: string): string | null {
  const header = headers.find((entry) => textAt(entry, 'name').toLowerCase() === 'message-id')
  return firstOf(textAt(header, 'value'), instead) || null
}

/** The first text that is not empty. */
export function firstOf(...texts: string[]): string {
  return texts.find((text) => text !== '') ?? ''
}

/** A message of this service has one recipient. */
const MAX_REPORTS = 1000

/** Bounce mailboxes: reports by mail, for relays that have no webhooks. */
export const mime: ProviderReader = {
  verification:
    'The secret address alone: post each message that arrives in the bounce mailbox there, unchanged, as ' +
    'message/rfc822.',
  events: ['multipart/report; report-type=delivery-status', 'multipart/report; report-type=feedback-report'],
  knows: () => true,
  async read({ body }) {
    const mail = readMail(body)
    return { reports: mail.reports.slice(0, MAX_REPORTS), mail }
  },
}
