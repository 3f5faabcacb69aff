import { beforeAll, expect, test } from 'bun:test'
import { type Note, notesOf } from '../../src/audit/record.ts'
import { provePassword } from '../../src/accounts/confirmation.ts'
import { useDevice } from '../../src/accounts/devices.ts'
import { allowPassword } from '../../src/accounts/failures.ts'
import { hashNewPassword } from '../../src/accounts/passwords.ts'
import { configOf } from '../../src/config.ts'
import type { Tx } from '../../src/store/open.ts'
import { KEYS, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const PASSWORD = 'olive trees at dawn'
const WRONG = { code: 'VALIDATION_FAILED', details: [{ path: '/current', message: 'This is not your password.' }] }

let password_hash: string
beforeAll(async () => (password_hash = await hashNewPassword(PASSWORD)))

/** What a proof has. It notes what it counts, and what it leaves in the audit log. */
async function visit() {
  const store = await sharedStore()
  const [counted, notes]: [string[], Note[]] = [[], []]
  const context = {
    ...{ db: store.db, keys: KEYS, config: configOf({ logins_per_minute: 4 }) },
    limiter: { take: async (bucket: string) => ({ allowed: counted.push(bucket) > 0 }) },
    write: (work: (tx: Tx) => Promise<unknown>) =>
      store.write(async (tx) => {
        await work(tx)
        notes.push(...notesOf(tx))
      }),
  } as unknown as Parameters<typeof provePassword>[0]
  const prove = (user_id: string, address: string, password: string, device: string | null = null) =>
    provePassword(context, { user_id, address, device, password }, '/current', NOW)
  return { context, counted, notes, prove }
}

test('The right password proves who it is; a wrong one is refused at its field and noted.', async () => {
  const { prove, notes } = await visit()
  const user_id = await newUser({ password_hash })
  expect(await prove(user_id, '192.0.2.90', PASSWORD)).toBe(password_hash)
  expect(notes).toEqual([])
  await expect(prove(user_id, '192.0.2.90', 'a wrong one')).rejects.toMatchObject(WRONG)
  expect(notes).toEqual([{ action: 'password-confirm', outcome: 'refused', target: `user:${user_id}` }])
  await expect(prove(await newUser(), '192.0.2.90', PASSWORD)).rejects.toMatchObject(WRONG)
})

test('Wrong passwords count like failed sign-ins of the account, and not against a device that it knows.', async () => {
  const { context, counted, prove } = await visit()
  const email = `guessed-${crypto.randomUUID()}@proof.example`
  const user_id = await newUser({ email, password_hash })
  const address = '192.0.2.91'
  const browser = { address, user_agent: 'Desk' }
  const { cookie } = await write((tx) => useDevice(tx, KEYS, { user_id, cookie: null, visit: browser }, NOW))
  for (let count = 0; count < 2; count++)
    await expect(prove(user_id, address, 'a wrong one')).rejects.toMatchObject(WRONG)
  const paused = { code: 'RATE_LIMITED' }
  await expect(prove(user_id, address, PASSWORD)).rejects.toMatchObject(paused)
  await expect(allowPassword(context, { address, email, device_id: null }, NOW)).rejects.toMatchObject(paused)
  expect(new Set(counted.slice(0, 2))).toEqual(new Set(counted.slice(-2)))
  expect(await prove(user_id, address, PASSWORD, cookie)).toBe(password_hash)
  expect(await prove(await newUser({ password_hash }), address, PASSWORD)).toBe(password_hash)
})
