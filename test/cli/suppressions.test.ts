import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const path = (name: string) => join(folder, name)
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(path('data'))
})
beforeEach(() => data.withStore((store) => store.write((tx) => tx.run(sql`DELETE FROM suppressions`))))

const load = async (text: string) => {
  writeFileSync(path('given.csv'), text)
  return data.run('suppressions', 'import', 'harbour', path('given.csv'))
}
const stored = () =>
  data.withStore(async (store) =>
    (await store.query('SELECT project_id, email, reason FROM suppressions ORDER BY id')).map(
      ({ project_id, email, reason }) => `${project_id === data.project_id} ${String(email)} ${String(reason)}`,
    ),
  )

test('Each address is suppressed by its reason, by the status of another program, or by hand.', async () => {
  const text =
    'Name;E-Mail Address;Status\nA;a@example.com;complaint\nB; b@example.com ;Hard_Bounce\nC;c@example.com;cleaned\n' +
    "D;'+d@example.com;\nE;e@example.com;spam\nF;f@example.com;MANUAL\n"
  expect(await load(text)).toEqual({
    text: 'Suppressed 6 of 6 addresses.',
    data: { rows: 6, suppressed: 6, invalid: 0, invalid_rows: [] },
    code: 0,
  })
  expect(await stored()).toEqual([
    'true a@example.com complaint',
    'true b@example.com hard_bounce',
    'true c@example.com hard_bounce',
    'true +d@example.com manual',
    'true e@example.com complaint',
    'true f@example.com manual',
  ])
})

test('The column of addresses and that of reasons are found under each of their names.', async () => {
  for (const [address, reason] of [
    ['email', 'reason'],
    ['E-Mail Address', 'Status'],
    ['Address', 'REASON'],
    ['mail', 'status'],
  ]) {
    await load(`Name,${reason},${address}\nA,complaint,${address!.replaceAll(/\W/g, '')}@example.com\n`)
    expect((await stored()).at(-1)).toBe(`true ${address!.replaceAll(/\W/g, '')}@example.com complaint`)
  }
  await expect(load('Name,Post\nA,\n')).rejects.toThrow('No column of the file is called email.')
})

test('Neither a wrong address nor a reason that suppresses nobody is imported, and its row is named.', async () => {
  const text = 'email,reason\nwrong,\na@example.com,shoes\nb@example.com,subscribed\nc@example.com,manual\n ,manual\n'
  expect(await load(text)).toEqual({
    text: 'Suppressed 1 of 5 addresses.\nNot imported: rows 2, 3, 4, 6.',
    data: { rows: 5, suppressed: 1, invalid: 4, invalid_rows: [2, 3, 4, 6] },
    code: 1,
  })
  expect(await stored()).toEqual(['true c@example.com manual'])
})

test('A file without a header has the addresses in the column of the first one, and no reasons.', async () => {
  await load('x,a@example.com,complaint\ny,b@example.com,\n')
  expect(await stored()).toEqual(['true a@example.com manual', 'true b@example.com manual'])
})

test('A file in which no column is called email, or that is not there, is refused.', async () => {
  await expect(load('name,reason\nAda,manual\n')).rejects.toThrow('No column of the file is called email.')
  const absent = data.run('suppressions', 'import', 'harbour', path('absent.csv'))
  await expect(absent).rejects.toThrow('does not exist')
  await expect(data.run('suppressions', 'import', 'nowhere', path('given.csv'))).rejects.toThrow('nowhere')
})

test('More addresses than fit into one write are all imported, and all exported in their order.', async () => {
  const emails = Array.from({ length: 1003 }, (_, n) => `p${n}@example.com`)
  const wrong = Array.from({ length: 101 }, (_, n) => `wrong${n}`)
  const { text, data: counts } = await load(['email', ...emails, ...wrong].join('\n'))
  expect(counts).toMatchObject({ rows: 1104, suppressed: 1003, invalid: 101 })
  const { invalid_rows } = counts as { invalid_rows: number[] }
  expect([invalid_rows.length, invalid_rows[0], invalid_rows[99]]).toEqual([100, 1005, 1104])
  expect(text).toEndWith(', 1023, 1024, ….')
  expect((await load(`email\n${wrong.slice(0, 20).join('\n')}`)).text).toEndWith(', 20, 21.')
  await data.withStore((store) =>
    store.write(async (tx) => {
      await tx.run(sql`
        UPDATE suppressions SET reason = 'complaint', note = 'By "post"', created_at = 86400000
        WHERE email = 'p0@example.com'`)
      // What remains of the address of a contact that was deleted.
      await tx.run(sql`UPDATE suppressions SET email = '' WHERE email = 'p1@example.com'`)
      await tx.run(sql`
        INSERT INTO projects (id, public_id, name, slug, created_at, updated_at) VALUES (77, 'p', 'P', 'p', 0, 0)`)
      await tx.run(sql`UPDATE suppressions SET project_id = 77 WHERE email = 'p2@example.com'`)
    }),
  )
  const file = path('all.csv')
  expect(await data.run('suppressions', 'export', 'harbour', file)).toEqual({
    text: `Exported 1001 suppressions to ${file}.`,
    data: { file, exported: 1001 },
  })
  const lines = readFileSync(file, 'utf8').split('\r\n')
  expect(lines.slice(0, 2)).toEqual([
    'email,reason,note,created_at',
    'p0@example.com,complaint,"By ""post""",1970-01-02T00:00:00.000Z',
  ])
  expect(lines.slice(2, -1).map((line) => line.split(',')[0]!)).toEqual(emails.slice(3))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = data.run('suppressions', 'export', 'harbour', file)
  await expect(again).rejects.toThrow(`Cannot create ${file} (EEXIST).`)
  const actions = await data.withStore((store) =>
    store.query("SELECT project_id FROM audit_log WHERE action = 'suppressions export'"),
  )
  expect(actions).toEqual([{ project_id: data.project_id }])
})
