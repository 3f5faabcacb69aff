import { expect, test } from 'bun:test'
import { createUnread, type Unread, UNREAD_LIMITS } from '../src/http/core/unread.ts'
import { createUploads, UPLOAD_LIMITS } from '../src/http/core/uploads.ts'
import { countsMemory, createCounts, forgetCounts } from '../src/shared-counts.ts'

/** The counts of three threads, as each of them sees them. */
function threads() {
  const counts_memory = countsMemory(3)
  return { counts_memory, all: [0, 1, 2].map((thread) => createCounts({ counts_memory, thread, threads: 3 })) }
}

test('Each thread sees what the others count, under any number of names, until they count nothing.', () => {
  const { all } = threads()
  const names = Array.from({ length: 3000 }, (_, n) => `name ${n}`)
  for (const [thread, counts] of all.entries())
    for (const [n, name] of names.entries()) counts.set(name, n * 10 ** thread)
  expect(names.filter((name, n) => all[1]!.elsewhere(name) !== n * 101)).toEqual([])
  for (const counts of all) for (const name of names) counts.set(name, 0)
  // Their places are free for other names.
  for (const n of names.keys()) all[0]!.set(`other ${n}`, 5)
  expect(names.filter((name, n) => all[1]!.elsewhere(name) !== 0 || all[1]!.elsewhere(`other ${n}`) !== 5)).toEqual([])
})

test('The counts of a thread that ended can be taken out.', () => {
  const { counts_memory, all } = threads()
  for (const counts of all) counts.set('bodies', 100)
  forgetCounts(counts_memory, 1, 3)
  expect(all.map((counts) => counts.elsewhere('bodies'))).toEqual([100, 200, 100])
})

test('Names that find no place are counted by their own thread alone.', () => {
  const { all } = threads()
  const names = Array.from({ length: 20_000 }, (_, n) => `name ${n}`)
  for (const name of names) all[0]!.set(name, 7)
  const seen = names.filter((name) => all[1]!.elsewhere(name) === 7)
  expect(seen.length).toBeGreaterThan(7000)
  expect(names.filter((name) => ![0, 7].includes(all[1]!.elsewhere(name)))).toEqual([])
})

test('Unfinished bodies and unread answers have the budgets of one thread, however many receive or send them.', () => {
  const { all } = threads()
  const few = { process_bytes: 100, address_bytes: 60, address_slow: 2, bytes_per_second: 0 }
  const anonymous = { ...UPLOAD_LIMITS.anonymous, ...few }
  const limits = { ...UPLOAD_LIMITS, anonymous }
  let at = 0
  const desks = all.map((counts) => createUploads(limits, () => at, counts))
  const begin = (desk: number, address = '192.0.2.1') => {
    const refused: string[] = []
    const refuse = ({ code }: { code: string }) => void refused.push(code)
    const upload = desks[desk]!.begin({ address, sender: 'anonymous', setTimeout: () => undefined, refuse })
    return { ...upload, refused }
  }
  const bodies = [begin(0), begin(1), begin(2)] as const
  bodies[0].add(50)
  bodies[1].add(10)
  expect(() => bodies[2].add(1)).toThrow('Too many bodies')
  expect(() => begin(2, '192.0.2.2').add(40)).toThrow('Too many bodies')
  at += limits.grace_ms + 1
  for (const desk of desks) desk.check()
  expect(bodies.map(({ refused }) => refused)).toEqual([[], [], ['REQUEST_TIMEOUT']])
  for (const { end } of bodies) end()
  begin(2).add(59)

  const sending = all.map((counts) => createUnread({ ...UNREAD_LIMITS, own_bytes: 100_000 }, () => at, counts))
  const answer = (thread: number) =>
    sending[thread]!.begin({ address: '192.0.2.1', content: {}, bytes: 50_000, own: true, always: false })
  const first = answer(0)
  expect(() => answer(1)).toThrow('wait to be read')
  first.end()
  answer(1)
})

test('An answer that nobody reads on one thread makes room for one that another thread refused.', () => {
  const { all } = threads()
  let at = 0
  const [here, there] = all.map((counts) =>
    createUnread({ ...UNREAD_LIMITS, process_bytes: 100_000 }, () => at, counts),
  ) as [Unread, Unread]
  const answer = (unread: Unread, address: string) => {
    const begun = unread.begin({ address, content: {}, bytes: 50_000, own: true, always: false })
    begun.whenSlow(() => begun.end())
  }
  answer(here, '192.0.2.1')
  at += UNREAD_LIMITS.stalled_ms + 1
  // Nobody lacks room.
  here.check()
  expect(here.bytes).toBeGreaterThan(50_000)
  expect(() => answer(there, '192.0.2.2')).toThrow('wait to be read')
  here.check()
  expect(here.bytes).toBe(0)
  answer(there, '192.0.2.2')
})
