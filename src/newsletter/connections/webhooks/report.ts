import { AppError } from '../../../errors.ts'

/** What became of a message after the relay took it, as its provider or another server tells it. */
export interface Report {
  kind: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unsubscribe' | 'delivered'
  /** Whom it names; empty when it names nobody. */
  email: string
  /** The Message-ID it quotes, with or without brackets; it may be anybody's. */
  message_id: string | null
  /** Where the report itself was sent to. */
  return_path?: string
  /** The same each time the same report is sent. */
  event_id: string
  /** What the receiving server said, or the provider of it. */
  response: string
}

/** A webhook's request as it came, and what it is checked with. */
export interface Delivered {
  headers: Headers
  body: Buffer
  /** The connection's webhook secret; empty when none is set. */
  secret: string
  now: number
  fetchText: FetchText
}

export type FetchText = (url: string) => Promise<{ status: number; text: string }>

/** How one provider's webhooks are verified and read. */
export interface ProviderReader {
  /** For people who set the webhook up. */
  verification: string
  /** The provider's names of the events to choose; others are ignored. */
  events: readonly string[]
  /** What it reports; null when it cannot be shown to be the provider's. Throws INVALID_JSON for what cannot be read. */
  read(delivered: Delivered): Promise<Verified | null>
}

export interface Verified {
  reports: Report[]
  /** Works once: a request that carries one which came before is ignored. */
  token?: string
}

/** A timestamp further off than this was replayed, or its clock is wrong. */
export const TOLERANCE_MS = 5 * 60_000

/** A webhook's JSON. Throws INVALID_JSON. */
export function parseBody(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON.')
  }
}

/** What is found below some names in foreign JSON; undefined where there is no such thing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string | number, unknown>)[name]
  }
  return found
}

/** As `at`, a text or a number as text; empty for anything else. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** As `at`, an array; empty for anything else. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The first text that says something. */
export function firstOf(...texts: string[]): string {
  return texts.find((text) => text !== '') ?? ''
}
