import type { Role } from './roles.ts'

/**
 * The data that the server writes into each document of the application for its script
 * (docs/web-application.md#document).
 */
export interface DocumentData {
  user: { id: string; email: string; first_name: string; last_name: string; is_reviewer: boolean }
  /** The projects of the user. */
  projects: DocumentProject[]
  /** The project that the address names, or null outside of projects. */
  project: CurrentProject | null
  /** The path that the addresses of all pages of this document begin with. Links to other paths load a new document. */
  scope: string
  /** Whether the service keeps messages in its sandbox mailbox. */
  sandbox: boolean
  /** The public address of the service, without a slash at its end. */
  base_url: string
  /** Why the service's own links in messages fail at recipients, or null. */
  base_url_problem: string | null
  /** Changes with every change of the application. */
  version: string
  /** Addresses of the style sheets that some pages need. */
  styles: Record<string, string>
  /** First answers by the key of their call (see `callKey`). */
  answers: Record<string, unknown>
}

export interface DocumentProject {
  id: string
  slug: string
  name: string
  role: Role
}

export interface CurrentProject extends DocumentProject {
  /** Names of the members who may change roles, owners first. */
  administrators: string[]
  /** Whether a connection needs attention. */
  sending_trouble: boolean
}

/** A call whose answer is delivered with the document. */
export interface FirstCall {
  operation: string
  body: Record<string, unknown>
}

/** The cache key of a call: the operation or route, and its input with sorted keys. */
export function callKey(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input, sortedKeys)}`
}

/** The operation and the input of a key of `callKey`. */
export function readCallKey(key: string): { name: string; input: Record<string, unknown> } {
  const end = key.indexOf(' ')
  return { name: key.slice(0, end), input: JSON.parse(key.slice(end + 1)) as Record<string, unknown> }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
