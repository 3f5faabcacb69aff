import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '../../src/ids.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

/** What the commands say; what a rotation does to stored values is in test/store/sealed.test.ts. */

const folder = scratchFolder()
let data: DataFolder
beforeEach(async () => {
  data = await dataFolder(join(folder, newId('req')))
})

const secrets = (...words: string[]) => data.run('secrets', ...words)
const statusOf = async () => {
  const { data: answer, text } = await secrets('status')
  return { ...(answer as { keys: { id: string; use: string; since: string | null; sealed: number }[] }), text: text! }
}

/** Adds 250 values, more than two pages, that say they are sealed with the key and are not. */
const addBroken = (key: string) =>
  data.withStore((store) =>
    store.write((tx) =>
      tx.run(sql`
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 250)
        INSERT INTO account_messages (kind, recipient, content_sealed, state, next_attempt_at, expires_at, created_at)
        SELECT 'invitation', 'ada@example.com', ${`${key}broken`}, 'queued', 0, 0, 0 FROM number`),
    ),
  )

test('A rotation, a reseal and the keys of the ring are told with their ids, times and numbers.', async () => {
  const before = await statusOf()
  expect(before.keys).toEqual([{ id: expect.any(String), use: 'newest', since: expect.any(String), sealed: 0 }])
  const [old] = before.keys
  expect(Math.abs(Date.parse(old!.since!) - Date.now())).toBeLessThan(600_000)

  const rotated = await secrets('rotate')
  const { newest } = rotated.data as { newest: string }
  expect(rotated.data).toEqual({ newest, previous: old!.id, resealed: 0, unreadable: 0 })
  expect(newest).not.toBe(old!.id)
  expect(rotated.text!.split('\n')).toEqual([
    `The new key is ${newest}. Running processes use it within a second.`,
    `The previous key ${old!.id} still decrypts and verifies.`,
    'Sealed 0 stored values again.',
    `Back up ${join(data.path, 'secret.key')} again.`,
  ])
  expect(await secrets('reseal')).toEqual({
    text: 'Sealed 0 stored values again.',
    data: { newest, resealed: 0, unreadable: 0 },
  })

  const { keys, text } = await statusOf()
  expect(keys).toEqual([
    { id: newest, use: 'newest', since: expect.any(String), sealed: 0 },
    { id: old!.id, use: 'previous', since: old!.since, sealed: 0 },
  ])
  const lines = text.split('\n').map((line) => line.split(/ {2,}/))
  expect(lines).toEqual([
    ['KEY', 'USE', 'SINCE', 'NEEDED FOR'],
    [newest, 'newest', keys[0]!.since, '0 sealed values'],
    [old!.id, 'previous', old!.since, '0 sealed values'],
  ] as string[][])
})

test('A key that the ring lost is missing, and values that no key can read are counted, each once.', async () => {
  await secrets('rotate')
  const file = join(data.path, 'secret.key')
  const [newest, old] = (await statusOf()).keys
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, `${whole.split('\n')[0]}\n`)
  expect((await statusOf()).keys).toMatchObject([
    { id: newest!.id, use: 'newest', sealed: 0 },
    { id: old!.id, use: 'missing', since: old!.since, sealed: 0 },
  ])
  writeFileSync(file, whole)
  await addBroken(old!.id)
  expect((await statusOf()).keys).toMatchObject([{ sealed: 0 }, { use: 'previous', sealed: 250 }])
  const { text, data: answer } = await secrets('reseal')
  expect([text!.split('\n'), answer]).toEqual([
    ['Sealed 0 stored values again.', '250 stored values cannot be decrypted with any key of the ring.'],
    { newest: newest!.id, resealed: 0, unreadable: 250 },
  ])
})

test('A previous key is dropped by force only, a minute after the rotation, and not the newest.', async () => {
  await secrets('rotate')
  const [newest, old] = (await statusOf()).keys
  const forget = (...words: string[]) => secrets('forget', ...words)
  await expect(forget('00000', '--force')).rejects.toThrow(
    `There is no key 00000. Known keys: ${newest!.id}, ${old!.id}.`,
  )
  await expect(forget(newest!.id, '--force')).rejects.toThrow(`${newest!.id} is the newest key. Rotate first.`)
  await expect(forget(old!.id, '--force')).rejects.toThrow('The newest key is less than a minute old.')
  const older = (ms: number) =>
    data.withStore((store) => store.write((tx) => tx.run(sql`UPDATE secret_keys SET created_at = created_at - ${ms}`)))
  await older(60_000)
  await addBroken(old!.id)
  await expect(forget(old!.id)).rejects.toThrow(`Links made with the key ${old!.id} will stop working`)
  await expect(forget(old!.id, '--force')).rejects.toThrow('250 stored values are sealed with the key')
  await data.withStore((store) => store.write((tx) => tx.run(sql`DELETE FROM account_messages WHERE id % 250 <> 0`)))
  await expect(forget(old!.id, '--force')).rejects.toThrow('1 stored values are sealed with the key')
  await data.withStore((store) => store.write((tx) => tx.run(sql`DELETE FROM account_messages`)))
  expect(await forget(old!.id, '--force')).toEqual({
    text: `The key ${old!.id} is forgotten. Links that were made with it no longer work.`,
    data: { forgotten: old!.id },
  })
  expect((await statusOf()).keys.map(({ id }) => id)).toEqual([newest!.id])
})
