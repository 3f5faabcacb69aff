/**
 * Opaque ids of users, projects, apps and authorizations: a prefix that names the kind, and 120 bits of
 * randomness in lower-case base 32, safe in paths, file names and host names.
 */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

type IdPrefix =
  | 'usr'
  | 'prj'
  | 'app'
  | 'aut'
  | 'key'
  | 'ses'
  | 'inv'
  | 'req'
  | 'prc'
  | 'cli'
  | 'dev'
  | 'psk'
  | 'fct'
  | 'frm'

export function newId(prefix: IdPrefix): string {
  let text = `${prefix}_`
  for (const byte of crypto.getRandomValues(new Uint8Array(24))) text += ALPHABET[byte & 31]
  return text
}

/** A well-formed request id of the caller, otherwise a new one (docs/api/conventions.md#request-ids). */
export function requestId(given: string | null): string {
  return given !== null && /^[\w.-]{1,64}$/.test(given) ? given : newId('req')
}

declare const isProjectId: unique symbol

/**
 * A project's key inside the service, `projects.id`. Requests and answers carry `projects.public_id` (`prj_…`) instead;
 * `admit` in access/permission.ts translates. The type refuses other numbers, such as a contact's id.
 */
export type ProjectId = number & { readonly [isProjectId]: true }
