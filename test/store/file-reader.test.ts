import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { expect, test } from 'bun:test'
import { readAtOnce } from '../../src/store/file-reader.ts'
import { scratchFolder } from '../support/folder.ts'

/** Each SELECT once by the client's own way and once by the reader: nobody sees a difference. */

const url = `file:${join(scratchFolder(), 'read.db')}`
const [own, quick] = [createClient({ url, timeout: 5000 }), readAtOnce(createClient({ url, timeout: 5000 }), url, 5000)]
await own.execute('PRAGMA journal_mode=WAL')
await own.executeMultiple(`
  CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, weight REAL, picture BLOB, at INTEGER);
  INSERT INTO things VALUES (1, 'anchor', 12.5, x'00ff10', 1767225600000), (2, NULL, NULL, NULL, -9007199254740991), (3, 'Ω "quoted"', -0.0, x'', 0);`)

test.each<[string, (string | number | boolean | null | Date | Uint8Array)[]]>([
  ['SELECT * FROM things ORDER BY id', []],
  ['SELECT * FROM things WHERE id = ?', [2]],
  ['SELECT * FROM things WHERE id = ?', [99]],
  ['SELECT a.id, b.id, b.name FROM things a JOIN things b ON b.id = a.id + 1', []],
  [
    'SELECT ? AS text, ? AS number, ? AS half, ? AS yes, ? AS none, ? AS day, ? AS bytes',
    ['x', 3, 0.5, true, null, new Date(1000), new Uint8Array([1, 2])],
  ],
  ['SELECT 1 AS length, 2 AS "0"', []],
  ['select count(*), sum(at) from things', []],
])('%s', async (sql, args) => {
  const [expected, found] = await Promise.all([own, quick].map((client) => client.execute({ sql, args })))
  expect(found!.columns).toEqual(expected!.columns)
  expect(found!.rows.map((row) => ({ ...row }))).toEqual(expected!.rows.map((row) => ({ ...row })))
  expect(found!.rows.map((row) => Array.prototype.slice.call(row))).toEqual(
    expected!.rows.map((row) => Array.prototype.slice.call(row)),
  )
})

test('what was committed is seen at once, what was not is not', async () => {
  const count = async () =>
    Number(
      (await quick.execute({ sql: 'SELECT count(*) AS count FROM things WHERE id > ?', args: [100] })).rows[0]!.count,
    )
  const transaction = await quick.transaction('write')
  await transaction.execute('INSERT INTO things (id) VALUES (101)')
  expect(await count()).toBe(0)
  await transaction.commit()
  expect(await count()).toBe(1)
  await own.execute('DELETE FROM things WHERE id > 100')
  expect(await count()).toBe(0)
})

test('a fault is an error, also of a value that the database cannot hold', async () => {
  await expect(quick.execute({ sql: 'SELECT * FROM nowhere', args: [] })).rejects.toThrow('no such table')
  await expect(quick.execute({ sql: 'SELECT ?', args: [Number.NaN] })).rejects.toThrow('no value')
  expect((await quick.execute({ sql: 'SELECT ? AS one', args: [1] })).rows[0]!.one).toBe(1)
  quick.close()
  await expect(quick.execute({ sql: 'SELECT 1', args: [] })).rejects.toThrow('closed')
  own.close()
})
