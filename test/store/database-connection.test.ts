import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'
import { type ConnectionOptions, DatabaseConnection } from '../../src/store/database-connection.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const open: DatabaseConnection[] = []
afterAll(() => {
  for (const connection of open) connection.close()
})

function connect(name: string, options: Partial<ConnectionOptions> = {}): DatabaseConnection {
  const connection = new DatabaseConnection({
    path: join(folder, name),
    read_only: false,
    synchronous: 'NORMAL',
    busy_timeout_ms: 50,
    ...options,
  })
  open.push(connection)
  return connection
}

function prepared(name: string): DatabaseConnection {
  const connection = connect(name)
  connection.script('PRAGMA journal_mode=WAL; CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE)')
  return connection
}

const texts = (connection: DatabaseConnection) =>
  connection.rows('SELECT text FROM notes ORDER BY id').map(({ text }) => text)
const insert = (connection: DatabaseConnection, text: string) =>
  connection.values('INSERT INTO notes (text) VALUES (?)', [text])

test('Rows are plain objects by column name, and values are arrays in the order of the columns.', () => {
  const connection = connect('shapes.db')
  connection.script(`
    CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, weight REAL, picture BLOB, at INTEGER);
    INSERT INTO things VALUES (1, 'anchor', 12.5, x'00ff10', 1767225600000), (2, NULL, -0.5, NULL, -9007199254740991)`)
  const rows = connection.rows('SELECT id, name, weight, at FROM things ORDER BY id')
  expect(rows).toEqual([
    { id: 1, name: 'anchor', weight: 12.5, at: 1_767_225_600_000 },
    { id: 2, name: null, weight: -0.5, at: -9_007_199_254_740_991 },
  ])
  expect(Object.keys(rows[0]!)).toEqual(['id', 'name', 'weight', 'at'])
  expect(connection.values('SELECT id, id + 1, name FROM things ORDER BY id')).toEqual([
    [1, 2, 'anchor'],
    [2, 3, null],
  ])
  expect(connection.rows('SELECT 1 AS id, 2 AS id')).toEqual([{ id: 1 }])
  expect(Buffer.from(connection.values('SELECT picture FROM things')[0]![0] as Buffer)).toEqual(
    Buffer.from([0, 255, 16]),
  )
})

test('A statement without rows answers an empty list, and RETURNING answers its rows.', () => {
  const connection = prepared('returning.db')
  expect(connection.rows("INSERT INTO notes (text) VALUES ('a')")).toEqual([])
  expect(connection.rows("INSERT INTO notes (text) VALUES ('b') RETURNING id, text")).toEqual([{ id: 2, text: 'b' }])
  expect(connection.values('UPDATE notes SET text = text || ? RETURNING text', ['!'])).toEqual([['a!'], ['b!']])
})

test('Booleans, dates and byte buffers are stored as SQLite holds them; undefined and NaN are refused.', () => {
  const connection = connect('parameters.db')
  expect(
    connection.values('SELECT ?, ?, ?, ?, typeof(?), ?', [true, false, new Date(1000), null, new ArrayBuffer(2), 'x']),
  ).toEqual([[1, 0, 1000, null, 'blob', 'x']])
  expect(() => connection.values('SELECT ?', [undefined])).toThrow('undefined cannot be stored')
  expect(() => connection.values('SELECT ?', [Number.NaN])).toThrow('NaN cannot be stored')
})

test('After a change of the schema statements are prepared again.', () => {
  const connection = prepared('changed.db')
  insert(connection, 'a')
  expect(connection.rows('SELECT * FROM notes')).toEqual([{ id: 1, text: 'a' }])
  connection.script('ALTER TABLE notes ADD COLUMN author TEXT')
  expect(connection.rows('SELECT * FROM notes')).toEqual([{ id: 1, text: 'a', author: null }])
})

test('A failed statement is not used again, and the same text works afterwards.', () => {
  const connection = prepared('failed.db')
  insert(connection, 'a')
  expect(() => insert(connection, 'a')).toThrow('UNIQUE')
  insert(connection, 'b')
  expect(texts(connection)).toEqual(['a', 'b'])
  expect(() => connection.rows('SELECT * FROM nowhere')).toThrow('no such table')
})

test('A connection that only reads refuses writes.', () => {
  prepared('read-only.db')
  expect(() => insert(connect('read-only.db', { read_only: true }), 'a')).toThrow('readonly')
})

test.each([
  ['NORMAL', 1],
  ['FULL', 2],
] as const)('Every connection opens with the same settings, with synchronous %s.', (synchronous, level) => {
  const connection = connect('settings.db', { synchronous })
  const pragma = (name: string) => connection.values(`PRAGMA ${name}`)[0]![0]
  expect(
    ['foreign_keys', 'synchronous', 'cache_size', 'temp_store', 'wal_autocheckpoint', 'mmap_size'].map(pragma),
  ).toEqual([1, level, -6000, 2, 4000, 0])
})

test('After SQLITE_BUSY the next writes of the same connection are on disk.', () => {
  const other = prepared('busy.db')
  const connection = connect('busy.db')
  insert(connection, 'before')
  other.values('BEGIN IMMEDIATE')
  insert(other, 'blocking')
  expect(() => insert(connection, 'refused')).toThrow(/locked|BUSY/i)
  expect(() => connection.values('BEGIN IMMEDIATE')).toThrow(/locked|BUSY/i)
  other.values('COMMIT')
  for (let n = 0; n < 5; n++) insert(connection, `kept ${n}`)
  connection.close()
  other.close()
  expect(texts(connect('busy.db'))).toEqual(['before', 'blocking', 'kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4'])
})

test('SQLITE_BUSY inside a transaction gives up its locks, so other writers go on.', () => {
  const other = prepared('busy-inside.db')
  const connection = connect('busy-inside.db')
  connection.values('BEGIN')
  expect(texts(connection)).toEqual([])
  insert(other, 'other')
  // The snapshot of the open transaction is older than the last commit, so it cannot write.
  expect(() => insert(connection, 'mine')).toThrow(/locked|BUSY/i)
  expect(connection.in_transaction).toBe(false)
  insert(connection, 'again')
  insert(other, 'last')
  expect(texts(other)).toEqual(['other', 'again', 'last'])
})

test("A revision changes with every commit of another connection, and not with this connection's reads.", () => {
  const writing = prepared('revision.db')
  const reading = connect('revision.db', { read_only: true })
  const first = reading.revision()
  expect(texts(reading)).toEqual([])
  expect(reading.revision()).toBe(first)
  writing.values('BEGIN IMMEDIATE')
  insert(writing, 'a')
  expect(reading.revision()).toBe(first)
  writing.values('COMMIT')
  expect(reading.revision()).not.toBe(first)
})

test('A closed connection refuses statements, and closing it rolls back and lets others write at once.', () => {
  const connection = prepared('closed.db')
  connection.values('BEGIN IMMEDIATE')
  insert(connection, 'lost')
  connection.close()
  connection.close()
  expect(() => texts(connection)).toThrow('The database is closed.')
  const other = connect('closed.db')
  insert(other, 'kept')
  expect(texts(other)).toEqual(['kept'])
})

test('Watching the revision keeps no lock: the log can be moved into the database file.', () => {
  const writing = prepared('watched.db')
  const reading = connect('watched.db', { read_only: true })
  reading.revision()
  texts(reading)
  insert(writing, 'a')
  reading.revision()
  expect(writing.rows('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }])
})

test('After EXPLAIN a connection sees what others commit.', () => {
  const writing = prepared('explained.db')
  const reading = connect('explained.db', { read_only: true })
  expect(reading.rows('EXPLAIN QUERY PLAN SELECT * FROM notes')).toMatchObject([{ detail: 'SCAN notes' }])
  insert(writing, 'a')
  expect(texts(reading)).toEqual(['a'])
})
