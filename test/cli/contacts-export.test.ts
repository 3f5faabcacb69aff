import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { Failure, UsageError } from '../../src/cli/command.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const out = join(folder, 'out')
const path = (name: string) => join(out, name)
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(join(folder, 'data'))
  await data.withStore((store) =>
    store.write((tx) =>
      tx.script(`
        INSERT INTO projects (id, public_id, name, slug, created_at, updated_at) VALUES (77, 'p', 'P', 'other', 0, 0);
        INSERT INTO contacts
          (project_id, email, email_key, first_name, search_key, global_status, created_at, updated_at)
          VALUES (${data.project_id}, 'ada@example.com', 'ada@example.com', 'Ada', '', 'subscribed', 0, 0),
            (${data.project_id}, 'bo@example.com', 'bo@example.com', 'Bo', '', 'unsubscribed', 0, 0),
            (77, 'cy@example.com', 'cy@example.com', 'Cy', '', 'subscribed', 0, 0)`),
    ),
  )
})
beforeEach(() => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out)
})

const CSV = 'email,first_name\r\nada@example.com,Ada\r\nbo@example.com,Bo\r\n'
const save = (file: string, ...more: string[]) =>
  data.run('contacts', 'export', 'harbour', file, '--columns', ' email , first_name', ...more)
const refusal = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const kind = error instanceof UsageError ? 'usage' : error instanceof Failure ? 'failure' : error
  return [kind, (error as Error | null)?.message]
}

test('The contacts of the project are in a new file that only its owner can read.', async () => {
  const file = path('people.csv')
  expect(await save(file)).toEqual({
    text: `Exported the contacts to ${file} (${CSV.length} bytes).`,
    data: { file, size_bytes: CSV.length },
  })
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([CSV, 0o600])
  expect(readdirSync(out)).toEqual(['people.csv'])
})

test('Without columns all are there.', async () => {
  await data.run('contacts', 'export', 'harbour', path('all.csv'))
  const [header, ...lines] = readFileSync(path('all.csv'), 'utf8').trimEnd().split('\r\n')
  expect([header!.split(',').length > 5, lines.length]).toEqual([true, 2])
})

test('A file that exists, a missing folder and an unknown column are refused, and nothing is written.', async () => {
  writeFileSync(path('mine.csv'), 'mine')
  expect(await refusal(save(path('mine.csv')))).toEqual([
    'failure',
    `${path('mine.csv')} already exists. Choose a new file.`,
  ])
  expect(await refusal(save(path('no/people.csv')))).toEqual(['failure', `The folder ${path('no')} does not exist.`])
  const unknown = data.run('contacts', 'export', 'harbour', path('x.csv'), '--columns', 'email,shoes')
  expect((await refusal(unknown))[0]).toBe('usage')
  expect([readFileSync(path('mine.csv'), 'utf8'), readdirSync(out)]).toEqual(['mine', ['mine.csv']])
})

test('A file of another run under the temporary name is replaced, and a link there is not followed.', async () => {
  writeFileSync(path('people.csv.part'), 'half')
  await save(path('people.csv'))
  expect([readFileSync(path('people.csv'), 'utf8'), existsSync(path('people.csv.part'))]).toEqual([CSV, false])
  writeFileSync(path('target'), 'theirs')
  symlinkSync(path('target'), path('again.csv.part'))
  await save(path('again.csv'))
  expect(readFileSync(path('target'), 'utf8')).toBe('theirs')
  mkdirSync(path('other.csv.part'))
  const [kind, message] = await refusal(save(path('other.csv')))
  expect([kind, message]).toEqual(['failure', expect.stringMatching(/^Cannot write .*other\.csv\.part \(E\w+\)\.$/)])
  expect(existsSync(path('other.csv'))).toBe(false)
})

test('Standard output gets the contacts alone, ends where the reader does, and leaves no room for JSON.', async () => {
  let printed = ''
  let error: Error | null = null
  const write = spyOn(Bun, 'write').mockImplementation((async (target: unknown, piece: Uint8Array) => {
    expect(target).toBe(Bun.stdout)
    if (error) throw error
    printed += Buffer.from(piece).toString()
    return piece.length
  }) as unknown as typeof Bun.write)
  try {
    expect(await save('-')).toEqual({ code: 0 })
    expect(printed).toBe(CSV)
    error = Object.assign(new Error('broken pipe'), { code: 'EPIPE', syscall: 'write' })
    expect(await save('-')).toEqual({ code: 1 })
    error = Object.assign(new Error('disk full'), { code: 'ENOSPC', syscall: 'write' })
    expect(await refusal(save('-'))).toEqual([error, 'disk full'])
  } finally {
    write.mockRestore()
  }
  const needed = '--json needs a FILE: the contacts go to the file and the JSON goes to standard output.'
  expect(await refusal(save('-', '--json'))).toEqual(['usage', needed])
  expect(await refusal(data.run('contacts', 'export', 'harbour', '--json'))).toEqual(['usage', needed])
  expect(await save(path('j.csv'), '--json')).toMatchObject({ data: { size_bytes: CSV.length } })
})
