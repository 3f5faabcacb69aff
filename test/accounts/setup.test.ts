import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newSetupToken, setUp, setupIsOpen } from '../../src/accounts/setup.ts'
import { insertUser, prepareUser } from '../../src/accounts/users.ts'
import { FixedClock } from '../../src/clock.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { setup_links, users } from '../../src/store/tables/accounts.ts'
import { scratchFolder } from '../support/folder.ts'

/** On a database of its own, because it has no user. */

const NOW = Date.UTC(2026, 0, 15, 9)
const DAY_MS = 86_400_000
const ADA = { email: 'ada@example.com', password: 'long enough a password', first_name: 'Ada', last_name: '' }

const folder = scratchFolder()
let store: Store
beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder, 'setup.db')}` })
  await migrate(store, migrationsFolder, new FixedClock(NOW))
})
afterAll(() => store.close())
beforeEach(() =>
  store.write(async (tx) => {
    await tx.delete(users)
    await tx.delete(setup_links)
  }),
)

const use = (token: string, more: object = {}, also: () => Promise<unknown> = async () => 'done', now = NOW) =>
  setUp(store, { ...ADA, token, other_flaws: [], ...more }, also, now)
const people = async () => (await store.db.select().from(users)).map(({ email, admin }) => [email, admin])

test('A link works for a day, and only the newest one.', async () => {
  const old = (await newSetupToken(store, NOW))!
  const token = (await newSetupToken(store, NOW))!
  expect([token.startsWith('svc_st_'), token === old]).toEqual([true, false])
  const open = (of: string, now = NOW) => setupIsOpen(store.db, of, now)
  expect([await open(token), await open(old), await open('')]).toEqual([true, false, false])
  expect([await open(token, NOW + DAY_MS - 1), await open(token, NOW + DAY_MS)]).toEqual([true, false])
  await expect(use(token, {}, undefined, NOW + DAY_MS)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('The link makes the administrator and what belongs to the account, once.', async () => {
  const token = (await newSetupToken(store, NOW))!
  expect(await use(token)).toBe('done')
  expect(await people()).toEqual([['ada@example.com', true]])
  await expect(use(token, { email: 'bo@example.com' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect([await people(), await newSetupToken(store, NOW)]).toEqual([[['ada@example.com', true]], null])
})

test('Every flaw is told at once, and neither a flaw nor a failure uses the link up.', async () => {
  const token = (await newSetupToken(store, NOW))!
  const other_flaws = [{ path: '/project_name', message: 'Too long.' }]
  const flawed = use(token, { email: 'ada', password: 'short', other_flaws })
  await expect(flawed).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '/email' }, { path: '/password' }, { path: '/project_name' }],
  })
  await expect(use(token, { other_flaws })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(use(token, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect([await people(), await setupIsOpen(store.db, token, NOW)]).toEqual([[], true])
})

test('A user who is made meanwhile closes the link.', async () => {
  const token = (await newSetupToken(store, NOW))!
  const prepared = await prepareUser({ ...ADA, email: 'first@example.com' })
  const raced: Store = {
    ...store,
    async write(work) {
      await store.write((tx) => insertUser(tx, prepared, NOW))
      return store.write(work)
    },
  }
  const late = setUp(raced, { ...ADA, token, other_flaws: [] }, async () => 'done', NOW)
  await expect(late).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await people()).toEqual([['first@example.com', false]])
  expect([await setupIsOpen(store.db, token, NOW), await newSetupToken(store, NOW)]).toEqual([false, null])
})
