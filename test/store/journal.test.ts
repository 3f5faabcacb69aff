import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import fs, {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bootId,
  createJournal,
  type Item,
  journaledWorkers,
  readJournal,
  removeJournal,
} from '../../src/store/journal.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'masthead-journal-')), 'handover')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const journal = (worker_id = 'prc_1') => createJournal(folder, worker_id, 'this boot')
const read = (worker_id = 'prc_1') => readJournal(folder, worker_id, 'this boot')
const itemsOf = (lease_id: string): [number, Item][] => [...(read()?.get(lease_id)?.items ?? [])]
const files = () => readdirSync(folder).map((name) => join(folder, name))

test('A reader learns what was begun and answered, lease by lease, while the writer has it open.', () => {
  const writer = journal()
  const [first, second] = [writer.open('prc_a', 7), writer.open('prc_b', 8)]
  expect([first.begin(1), first.begin(2), second.begin(3)]).toEqual([true, true, true])
  first.answer(1, { status: 'sent' })
  second.answer(4, { status: 'failed', error: 'Grüße\nfrom ✉' })
  const pages = read()!
  expect([...pages.keys()]).toEqual(['prc_a', 'prc_b'])
  expect(pages.get('prc_a')?.about).toBe(7)
  expect(itemsOf('prc_a')).toEqual([
    [1, { answer: { status: 'sent' } }],
    [2, { begun: true }],
  ])
  expect(itemsOf('prc_b')).toEqual([
    [3, { begun: true }],
    [4, { answer: { status: 'failed', error: 'Grüße\nfrom ✉' } }],
  ])
})

test('Only the owner may read the journal.', () => {
  journal().open('prc_a', 1)
  expect([statSync(folder).mode & 0o777, statSync(files()[0]!).mode & 0o777]).toEqual([0o700, 0o600])
})

test('A journal of another boot, of another machine, or without a boot is not trusted.', () => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  expect(readJournal(folder, 'prc_1', 'another boot')).toBeNull()
  expect(readJournal(folder, 'prc_1', null)).toBeNull()
  expect(readJournal(folder, 'prc_elsewhere', 'this boot')).toBeNull()
  createJournal(folder, 'prc_2', null).open('prc_b', 1).begin(1)
  expect(readJournal(folder, 'prc_2', null)).toBeNull()
})

test('This machine names its boot, the same each time.', () => {
  expect(bootId()).toMatch(/^[\w-]{30,}$/)
  expect(bootId()).toBe(bootId())
})

test.each([1, 5, 10])('A record that a kill cut off at its end (%i bytes are missing) did not happen.', (bytes) => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  page.begin(2)
  const [file] = files()
  truncateSync(file!, statSync(file!).size - bytes)
  expect(itemsOf('prc_a')).toEqual([[1, { begun: true }]])
})

test('A record that was cut off leaves the message in doubt when it was the answer.', () => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  page.answer(1, { status: 'sent' })
  const [file] = files()
  truncateSync(file!, statSync(file!).size - 3)
  expect(itemsOf('prc_a')).toEqual([[1, { begun: true }]])
})

test('A record that a full disk cut off hides no later record.', () => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  appendFileSync(files()[0]!, '\n< prc_a 1 {"stat')
  page.begin(2)
  expect(itemsOf('prc_a')).toEqual([
    [1, { begun: true }],
    [2, { begun: true }],
  ])
})

test('A record that the disk does not take whole is an error, before anything is handed over.', () => {
  const page = journal().open('prc_a', 1)
  const write = fs.writeSync
  const cut = spyOn(fs, 'writeSync').mockImplementation(((descriptor: number, text: string) =>
    write(descriptor, text.slice(0, 5))) as typeof fs.writeSync)
  try {
    expect(() => page.begin(1)).toThrow('The handover journal cannot be written.')
  } finally {
    cut.mockRestore()
  }
  expect(page.begin(2)).toBe(true)
  expect(itemsOf('prc_a')).toEqual([[2, { begun: true }]])
})

test('A worker whose journal was read begins nothing under the leases in it; a new lease has another file.', () => {
  const writer = journal()
  const page = writer.open('prc_a', 1)
  expect(page.begin(1)).toBe(true)
  expect(itemsOf('prc_a')).toEqual([[1, { begun: true }]])
  expect(page.begin(2)).toBe(false)
  const next = writer.open('prc_b', 1)
  expect([page.begin(3), next.begin(4)]).toEqual([false, true])
  // What the reader saw stays there for a second reader.
  expect(itemsOf('prc_a').map(([id]) => id)).toEqual([1, 2])
  expect(itemsOf('prc_b')).toEqual([[4, { begun: true }]])
})

test('A worker whose journal was removed begins nothing under the leases in it.', () => {
  const writer = journal()
  const page = writer.open('prc_a', 1)
  removeJournal(folder, 'prc_1')
  expect(page.begin(1)).toBe(false)
  expect(writer.open('prc_b', 1).begin(1)).toBe(true)
})

test('The journal stays small: closed leases are forgotten, open ones are carried over.', () => {
  const writer = journal()
  const kept = writer.open('prc_kept', 9)
  kept.begin(1)
  kept.answer(1, { status: 'sent' })
  kept.begin(2)
  let largest = 0
  for (let lease = 0; lease < 60; lease++) {
    const page = writer.open(`prc_${lease}`, 1)
    for (let id = 0; id < 500; id++) {
      page.begin(id)
      page.answer(id, { status: 'failed', error: 'No.'.repeat(20) })
    }
    page.close()
    largest = Math.max(largest, ...files().map((path) => statSync(path).size))
  }
  expect(files()).toHaveLength(1)
  expect(largest).toBeLessThan(1_200_000)
  kept.begin(3)
  expect(itemsOf('prc_kept')).toEqual([
    [1, { answer: { status: 'sent' } }],
    [2, { begun: true }],
    [3, { begun: true }],
  ])
  expect(readFileSync(files()[0]!, 'utf8')).not.toContain('prc_1 ')
})

const fill = (page: { answer(id: number, answer: unknown): void }, bytes: number) => {
  const answer = 'x'.repeat(50_000)
  for (let id = 0; id * 50_000 < bytes; id++) page.answer(id, answer)
}

test('A file that is mostly of open leases is not followed by another, however large it is.', () => {
  const writer = journal()
  fill(writer.open('prc_open', 1), 900_000)
  const other = writer.open('prc_closed', 1)
  fill(other, 300_000)
  other.close()
  expect(readdirSync(folder)).toEqual(['prc_1.1'])
  const third = writer.open('prc_closed_too', 1)
  fill(third, 800_000)
  third.close()
  expect(readdirSync(folder)).toEqual(['prc_1.2'])
  expect([...read()!.keys()]).toEqual(['prc_open'])
})

test('A sealed file is followed by none when a lease closes, and the closed lease records nothing more.', () => {
  const writer = journal()
  const page = writer.open('prc_a', 1)
  fill(page, 1_200_000)
  expect(writer.page('prc_a')).toBe(page)
  read()
  page.close()
  expect([writer.page('prc_a'), page.begin(1)]).toEqual([undefined, false])
  page.answer(1, { status: 'sent' })
  expect(readdirSync(folder)).toEqual(['prc_1.1'])
  expect(statSync(files()[0]!).mode & 0o777).toBe(0o400)
})

test('A journal with a file that cannot be sealed is not trusted.', () => {
  journal().open('prc_a', 1)
  symlinkSync('prc_1.2', join(folder, 'prc_1.2'))
  expect(read()).toBeNull()
})

test('Files are read in the order of their numbers, and a worker whose name another begins with is another.', () => {
  const writer = journal()
  writer.open('prc_a', 1).begin(1)
  const records = readFileSync(files()[0]!, 'utf8')
  writeFileSync(join(folder, 'prc_1.10'), records.replace('> prc_a 1', '< prc_a 1 "last"'))
  writeFileSync(join(folder, 'prc_1.9'), records.replace('> prc_a 1', '< prc_a 1 "first"'))
  journal('prc_12').open('prc_b', 1)
  expect(itemsOf('prc_a')).toEqual([[1, { answer: 'last' }]])
  expect(journaledWorkers(folder).toSorted()).toEqual(['prc_1', 'prc_12'])
  removeJournal(folder, 'prc_1')
  expect(journaledWorkers(folder)).toEqual(['prc_12'])
  expect(journaledWorkers(join(folder, 'missing'))).toEqual([])
})

test('A kill while a file follows another loses nothing: the empty one is passed over.', () => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  appendFileSync(join(folder, 'prc_1.2'), '')
  expect(itemsOf('prc_a')).toEqual([[1, { begun: true }]])
})

test('A kill while a file follows another loses no answer: the records that it repeats do not take one back.', () => {
  const page = journal().open('prc_a', 1)
  page.begin(1)
  page.answer(1, { status: 'sent' })
  page.begin(2)
  const [file] = files()
  const records = readFileSync(file!, 'utf8')
  // The next file begins with the open pages, and was cut off between a beginning and its answer.
  writeFileSync(join(folder, 'prc_1.2'), records.slice(0, records.indexOf('\n<')))
  expect(itemsOf('prc_a')).toEqual([
    [1, { answer: { status: 'sent' } }],
    [2, { begun: true }],
  ])
})

test('Each worker has a file of its own, removed when it ends with nothing open.', () => {
  const [one, other] = [journal('prc_1'), journal('prc_2')]
  one.open('prc_a', 1).close()
  other.open('prc_b', 1)
  expect(journaledWorkers(folder).toSorted()).toEqual(['prc_1', 'prc_2'])
  one.close()
  other.close()
  expect(journaledWorkers(folder)).toEqual(['prc_2'])
  expect(read('prc_2')?.has('prc_b')).toBe(true)
})
