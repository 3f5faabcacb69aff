import { DAY_MS } from '../clock.ts'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { type Keys, newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { first } from '../store/rows.ts'
import { sessions } from '../store/tables/accounts.ts'
import { devices } from '../store/tables/sign-in.ts'
import type { Visit } from './sessions.ts'

/**
 * Browsers that a user has signed in with. Each has a cookie that outlives the session: a signed text for each account
 * (at most four), with a secret that changes at each sign-in. It opens nothing; it shows that a sign-in does not come
 * from a stranger.
 */
export type Device = typeof devices.$inferSelect

/** Accounts that one browser may have used. */
const MAX_ACCOUNTS = 4
/** Devices of one user; the longest unused one gives way. */
const MAX_DEVICES = 50
const UNUSED_MS = 400 * DAY_MS

/** The device of a cookie, when it belongs to the user and its secret is the present one. */
export async function knownDevice(
  db: Reader,
  keys: Keys,
  cookie: string | null,
  user_id: string,
): Promise<string | null> {
  const text = readCookie(keys, cookie).find((entry) => entry.user_id === user_id)
  if (!text) return null
  const row = first(
    await db
      .select({ id: devices.id })
      .from(devices)
      .where(and(eq(devices.user_id, user_id), eq(devices.token_hash, tokenHash(text.token)))),
  )
  return row?.id ?? null
}

/**
 * Notes a sign-in: gives the known device a new secret, or stores a new device. `is_news` when the user knows other
 * devices but not this one.
 */
export async function useDevice(
  tx: Tx,
  keys: Keys,
  { user_id, cookie, visit }: { user_id: string; cookie: string | null; visit: Visit },
  now: number,
): Promise<{ id: string; cookie: string; is_news: boolean }> {
  const token = newToken('svc_dv_')
  const used = { token_hash: tokenHash(token), last_used_at: now, address: visit.address, user_agent: visit.user_agent }
  const known = await knownDevice(tx, keys, cookie, user_id)
  const id = known ?? newId('dev')
  const others = known ? [] : await listDevices(tx, user_id)
  if (known) await tx.update(devices).set(used).where(eq(devices.id, known))
  else await tx.insert(devices).values({ id, user_id, created_at: now, ...used })
  const surplus = others.slice(MAX_DEVICES - 1).map((device) => device.id)
  if (surplus.length > 0) await tx.delete(devices).where(inArray(devices.id, surplus))
  const rest = readCookie(keys, cookie).filter((entry) => entry.user_id !== user_id)
  const entries = [{ user_id, token }, ...rest].slice(0, MAX_ACCOUNTS)
  return { id, cookie: entries.map((entry) => signed(keys, entry)).join('.'), is_news: others.length > 0 }
}

/** The devices of a user, last used first. */
export async function listDevices(db: Reader, user_id: string): Promise<Device[]> {
  return db
    .select()
    .from(devices)
    .where(eq(devices.user_id, user_id))
    .orderBy(desc(devices.last_used_at), desc(devices.created_at))
}

/** Forgets a device and ends its sessions. NOT_FOUND for another user's device. */
export async function removeDevice(tx: Tx, user_id: string, id: string): Promise<void> {
  const removed = await tx
    .delete(devices)
    .where(and(eq(devices.id, id), eq(devices.user_id, user_id)))
    .returning({ id: devices.id })
  if (removed.length === 0) throw notFound('device')
  await tx.delete(sessions).where(and(eq(sessions.user_id, user_id), eq(sessions.device_id, id)))
}

/** Forgets the devices of a user. */
export async function forgetDevices(tx: Tx, user_id: string): Promise<void> {
  await tx.delete(devices).where(eq(devices.user_id, user_id))
}

interface Entry {
  user_id: string
  token: string
}

function signed(keys: Keys, { user_id, token }: Entry): string {
  return keys.sign('device', `${user_id} ${token}`)
}

function readCookie(keys: Keys, cookie: string | null): Entry[] {
  return (cookie ?? '')
    .split('.', MAX_ACCOUNTS)
    .map((text) => keys.verify('device', text)?.toString().split(' '))
    .filter((parts) => parts?.length === 2)
    .map((parts) => ({ user_id: parts![0]!, token: parts![1]! }))
}

export const deviceRetention: RetentionRule = {
  rows: 'devices',
  kept: '400 days after their last sign-in',
  statement: (now, limit) => deleteWhere('devices', 'id', sql`last_used_at <= ${now - UNUSED_MS}`, limit),
}
