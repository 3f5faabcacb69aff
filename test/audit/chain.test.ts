import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { EMPTY_CHAIN, rowHash, sealOf, type StoredRow } from '../../src/audit/chain.ts'
import { auditedStore, note, type Origin } from '../../src/audit/record.ts'
import { auditRetention, removeOldRows } from '../../src/audit/retention.ts'
import { verifyChain } from '../../src/audit/verify.ts'
import { FixedClock } from '../../src/clock.ts'
import { Keys } from '../../src/secrets.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { scratchFolder } from '../support/folder.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'

const DAY_MS = 86_400_000
const START = 1_750_000_000_000
const folder = scratchFolder()
const keys = new Keys('a secret key of more than 32 bytes')
const clock = new FixedClock(START)
let number = 0
let store: Store
let audited: Store

const origin = (): Origin => ({
  keys,
  at: clock.now(),
  actor: 'user:usr_ada',
  action: 'POST /things',
  ip: '192.0.2.1',
  request_id: 'req_1',
})
const open = async (url: string): Promise<Store> => {
  const opened = await openStore({ url, grouped: true })
  await migrate(opened, migrationsFolder, clock)
  return opened
}
const opened: Store[] = []
beforeEach(async () => {
  store = await open(`file:${join(folder, `${++number}.db`)}`)
  opened.push(store)
  audited = auditedStore(store, origin, true)
})
afterAll(() => Promise.all(opened.map((one) => one.close())))

const write = (count: number, to: Store = audited) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => to.write(async (tx) => note(tx, { target: `thing:${index}` }))),
  )
const tamper = (statement: string) => store.write((tx) => tx.script(statement))
const verify = () => verifyChain(store.query, keys)
const rows = () => store.db.all<StoredRow>(sql`SELECT * FROM audit_log ORDER BY id`)

/** Computes all hashes again, as somebody can who changes the database but has no secret key. */
async function rehash(sealed_with?: Keys): Promise<void> {
  let hash = ''
  for (const row of await rows()) {
    hash = rowHash(hash, row.id, row)
    await tamper(`UPDATE audit_log SET hash = '${hash}' WHERE id = ${row.id}`)
  }
  const last_id = (await rows()).at(-1)!.id
  const ends = { ...EMPTY_CHAIN, last_id, last_hash: hash }
  const seal = sealed_with ? `, seal = '${sealOf(sealed_with, ends)}'` : ''
  await tamper(`UPDATE audit_chain SET last_id = ${last_id}, last_hash = '${hash}'${seal}`)
}

test('The chain holds the rows of writes that share a commit, each linked to the one before.', async () => {
  await write(200)
  expect((await rows()).map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  expect(await verify()).toEqual({ ok: true, rows: 200, message: '200 rows, and no break in their chain.' })
})

test('The chain goes on when several connections write to the same database.', async () => {
  const beside = await open(`file:${join(folder, `${number}.db`)}`)
  const other = auditedStore(beside, origin, true)
  await Promise.all(Array.from({ length: 10 }, () => [write(5), write(5, other)]).flat())
  expect(await verify()).toMatchObject({ ok: true, rows: 100 })
  await beside.close()
})

test('The chain has no row of a write that failed, and no gap.', async () => {
  const failing = audited.write(async (tx) => {
    note(tx, { target: 'thing:lost' })
    throw new Error('refused')
  })
  await Promise.all([write(3), expect(failing).rejects.toThrow('refused'), write(3)])
  expect((await rows()).map(({ target }) => target)).not.toContain('thing:lost')
  expect(await verify()).toMatchObject({ ok: true, rows: 6 })
})

test('The chain loses nothing and shows no row when the whole commit fails.', async () => {
  await write(2)
  await tamper(`CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END`)
  const outcomes = await Promise.allSettled([
    audited.write((tx) => tx.run(sql`INSERT INTO rate_windows VALUES ('a', 1, 1, 1)`)),
    store.write((tx) => tx.run(sql`INSERT INTO rate_windows VALUES ('b', 1, 1, 1)`)),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await store.query('SELECT * FROM rate_windows')).toEqual([])
  await tamper('DROP TRIGGER full')
  await write(1)
  expect(await verify()).toMatchObject({ ok: true, rows: 3 })
})

test('The chain bounds details to 1 kB and stores texts as they are hashed.', async () => {
  await audited.write(async (tx) => note(tx, { target: 'thing:\ud83d', details: { text: 'x'.repeat(2000) } }))
  await audited.write(async (tx) => note(tx, { details: { text: '\ud83d', empty: {} } }))
  expect((await rows()).map(({ details }) => details)).toEqual(['{"truncated":true}', '{"text":"\\ufffd","empty":{}}'])
  expect(await verify()).toMatchObject({ ok: true, rows: 2 })
})

describe('the check finds the row', () => {
  const forged = "actor = 'user:usr_mallory'"
  test.each([
    ['that was changed', `UPDATE audit_log SET ${forged} WHERE id = 5`, 5],
    ['whose details were changed', `UPDATE audit_log SET details = '{}' WHERE id = 7`, 7],
    ['that was removed in the middle', 'DELETE FROM audit_log WHERE id = 5', 5],
    ['that was removed at the end', 'DELETE FROM audit_log WHERE id = 10', 10],
    ['that was removed at the beginning', 'DELETE FROM audit_log WHERE id <= 2', 1],
    ['where all rows were removed', 'DELETE FROM audit_log', 1],
    ['where the record of the ends was removed', 'DELETE FROM audit_chain', 10],
    [
      'behind which rows were cut off with the record moved',
      `DELETE FROM audit_log WHERE id > 8;
       UPDATE audit_chain SET last_id = 8, last_hash = (SELECT hash FROM audit_log WHERE id = 8)`,
      8,
    ],
    [
      'before which rows were cut off with the record moved',
      `UPDATE audit_chain SET anchor_id = 2, anchor_hash = (SELECT hash FROM audit_log WHERE id = 2);
       DELETE FROM audit_log WHERE id <= 2`,
      10,
    ],
    [
      'that was added',
      `INSERT INTO audit_log SELECT 11, at, actor, action, target, ip, request_id, project_id, outcome, details, 'x'
       FROM audit_log WHERE id = 10`,
      11,
    ],
  ])('The check finds the row %s.', async (_, statement, broken_at) => {
    await write(10)
    await tamper(statement)
    const check = await verify()
    expect([check.ok, check.broken_at]).toEqual([false, broken_at])
    expect(check.message).toEndWith(`the chain of the audit log breaks at row ${broken_at}.`)
  })

  test('The check finds the row when somebody without the secret key computes the whole chain again.', async () => {
    await write(10)
    for (const by of [undefined, new Keys('a guessed key of more than 32 bytes')]) {
      await tamper(`UPDATE audit_log SET ${forged} WHERE id = 5`)
      await rehash(by)
      expect(await verify()).toMatchObject({ ok: false, broken_at: 10 })
      expect(await verifyChain(store.query, null)).toMatchObject({ ok: true })
    }
  })

  test('A service that goes on writing does not seal what somebody else wrote.', async () => {
    await write(10)
    await tamper(`UPDATE audit_log SET ${forged} WHERE id = 5`)
    await rehash()
    await write(5)
    expect(await verify()).toMatchObject({ ok: false, broken_at: 15 })
  })

  test.each(['DELETE FROM audit_chain', 'UPDATE audit_chain SET last_id = 3', 'DELETE FROM audit_log WHERE id > 5'])(
    'The service goes on writing, and the check still fails, after: %s.',
    async (statement) => {
      await write(10)
      await tamper(statement)
      await write(2)
      expect((await rows()).at(-1)!.id).toBe(12)
      expect((await verify()).ok).toBe(false)
    },
  )

  test('The check finds a row behind a large part of the log without holding it in memory.', async () => {
    await write(5000)
    await tamper(`UPDATE audit_log SET ${forged} WHERE id = 4321`)
    let longest = 0
    const counted: Store['query'] = async (text, params) => {
      const page = await store.query(text, params)
      longest = Math.max(longest, page.length)
      return page
    }
    expect(await verifyChain(counted, keys)).toMatchObject({ ok: false, broken_at: 4321, rows: 4320 })
    expect(longest).toBe(2000)
  })
})

test('The retention removes the first rows after 400 days, and the rest of the chain stays whole.', async () => {
  await write(3)
  clock.advance(401 * DAY_MS)
  await write(4)
  expect(await removeOldRows(store, keys, clock.now())).toBe(false)
  expect((await rows()).map(({ id }) => id)).toEqual([4, 5, 6, 7])
  expect(await verify()).toMatchObject({ ok: true, rows: 4 })
  await write(1)
  await tamper('DELETE FROM audit_log WHERE id = 4')
  expect(await verify()).toMatchObject({ ok: false, broken_at: 4 })
})

test('The check finds a row that was put in the place of the newest one that the retention removed.', async () => {
  await write(3)
  clock.advance(401 * DAY_MS)
  await write(2)
  await removeOldRows(store, keys, clock.now())
  await tamper(`INSERT INTO audit_log SELECT 3, at, actor, action, target, ip, request_id, project_id, outcome, details,
    hash FROM audit_log WHERE id = 4`)
  expect(await verify()).toMatchObject({ ok: false, broken_at: 3, message: expect.stringMatching(/^A row was added:/) })
})

test('The check begins again when the retention removes rows meanwhile, and gives up the third time.', async () => {
  await write(9)
  /** Checks the chain, and removes the first row before each of the first pages. */
  const verifyWhileRemoving = async (times: number) => {
    let first = (await rows())[0]!.id
    const last = first + times - 1
    return verifyChain(async (text, params) => {
      if (text.includes('LIMIT') && first <= last) {
        await tamper(`UPDATE audit_log SET at = at - ${401 * DAY_MS} WHERE id = ${first++}`)
        await removeOldRows(store, keys, clock.now())
      }
      return store.query(text, params)
    }, keys)
  }
  expect(await verifyWhileRemoving(2)).toMatchObject({ ok: true, rows: 7 })
  expect(await verifyWhileRemoving(3)).toMatchObject({ ok: false, broken_at: 5 })
  expect(await verify()).toMatchObject({ ok: true, rows: 4 })
})

test('The check without the secret key still compares the newest row with the record of the ends.', async () => {
  await write(3)
  await tamper("UPDATE audit_chain SET last_hash = 'x'")
  expect(await verifyChain(store.query, null)).toEqual({
    ...{ ok: false, rows: 3, broken_at: 3 },
    message: 'The newest row was changed: the chain of the audit log breaks at row 3.',
  })
})

test('The retention never removes a row behind one that stays, even when the clock went back.', async () => {
  clock.advance(401 * DAY_MS)
  await write(2)
  clock.advance(-401 * DAY_MS)
  await write(2)
  clock.advance(401 * DAY_MS)
  await removeOldRows(store, keys, clock.now())
  expect(await rows()).toHaveLength(4)
})

test('The retention asks to run again after a full batch, and the chain goes on without any row.', async () => {
  await write(1500)
  clock.advance(401 * DAY_MS)
  expect(await removeOldRows(store, keys, clock.now())).toBe(true)
  expect(await verify()).toMatchObject({ ok: true, rows: 500 })
  expect(await removeOldRows(store, keys, clock.now())).toBe(false)
  expect(await verify()).toMatchObject({ ok: true, rows: 0 })
  await write(2)
  expect((await rows()).map(({ id }) => id)).toEqual([1501, 1502])
  expect(await verify()).toMatchObject({ ok: true, rows: 2 })
})

test('The retention signs the ends again with the newest key, so that the one before can be forgotten.', async () => {
  const [old, next] = ['the first key of more than 32 bytes', 'the second key of more than 32 bytes']
  await write(
    3,
    auditedStore(store, () => ({ ...origin(), keys: new Keys(old) }), true),
  )
  expect(await verifyChain(store.query, new Keys(next))).toMatchObject({ ok: false })
  await removeOldRows(store, new Keys([next, old]), clock.now())
  expect(await verifyChain(store.query, new Keys(next))).toMatchObject({ ok: true, rows: 3 })
})

test('The retention reads the oldest rows by their key.', async () => {
  const plan = await store.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${auditRetention.statement(0, 10)}`)
  expect(plan.map(({ detail }) => detail).join('\n')).not.toMatch(/TEMP B-TREE|USING INDEX audit_log_in_order/)
})

describe('on a libSQL server', () => {
  let server: LibsqlServer
  afterAll(() => server.close())

  test('Writers that race on a libSQL server leave one chain.', async () => {
    server = await startLibsqlServer()
    const [one, two] = [await open(server.url), await openStore({ url: server.url })]
    const write_to = (to: Store) => write(5, auditedStore(to, origin, true))
    await Promise.all([write_to(one), write_to(two)])
    expect(await verifyChain(one.query, keys)).toMatchObject({ ok: true, rows: 10 })
    await Promise.all([one.close(), two.close()])
  })
})
