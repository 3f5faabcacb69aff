import { HOUR_MS } from '../clock.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { hasRows } from '../store/rows.ts'

/**
 * Authorization requests that an app's server stores before it sends the user here with a reference (RFC 9126).
 *
 *     pushed ──opened within a minute──▶ opened ──the user decides──▶ deleted
 *
 * The app has a minute to send the user here. Once opened, the request lives as long as a consent form, because signing
 * in takes longer than a minute and a page may be reloaded (RFC 9126, 4). It is single use (7.3) because the decision
 * deletes it in its own transaction; deleting it when it is shown would break every reload and every sign-in.
 */
const PUSHED_LIFE_MS = 60_000
const OPENED_LIFE_MS = HOUR_MS

export interface PushedRequest {
  request_hash: string
  params: URLSearchParams
  opened: boolean
}

/** RFC 9126, 2.2. */
interface PushedAnswer {
  request_uri: string
  expires_in: number
}

/** Stores a checked request and returns a reference that only its app can use. */
export async function pushRequest(tx: Tx, app_id: string, params: URLSearchParams, now: number): Promise<PushedAnswer> {
  const request_uri = `urn:ietf:params:oauth:request_uri:${randomBytes(32).toString('base64url')}`
  await tx.run(
    sql`
    INSERT INTO pushed_requests (request_hash, app_id, parameters, expires_at)
    VALUES (${tokenHash(request_uri)}, ${app_id}, ${params.toString()}, ${now + PUSHED_LIFE_MS})`,
  )
  return { request_uri, expires_in: PUSHED_LIFE_MS / 1000 }
}

/** The request of a reference; null when it is unknown, expired, used or another app's. */
export async function findPushed(
  db: Reader,
  app_id: string,
  request_uri: string,
  now: number,
): Promise<PushedRequest | null> {
  const request_hash = tokenHash(request_uri)
  const [row] = await db.all<{ parameters: string; opened_at: number | null }>(
    sql`
    SELECT parameters, opened_at FROM pushed_requests
    WHERE request_hash = ${request_hash} AND app_id = ${app_id} AND expires_at > ${now}`,
  )
  return row ? { request_hash, params: new URLSearchParams(row.parameters), opened: row.opened_at !== null } : null
}

/** Extends the life of a request when its user opens it. */
export async function openPushed(tx: Tx, { request_hash }: PushedRequest, now: number): Promise<void> {
  await tx.run(
    sql`
    UPDATE pushed_requests SET opened_at = ${now}, expires_at = ${now + OPENED_LIFE_MS}
    WHERE request_hash = ${request_hash} AND opened_at IS NULL`,
  )
}

/** Deletes a request after its decision. False when it was already deleted. */
export async function usePushed(tx: Tx, { request_hash }: PushedRequest): Promise<boolean> {
  return hasRows(await tx.all(sql`DELETE FROM pushed_requests WHERE request_hash = ${request_hash} RETURNING 1`))
}
