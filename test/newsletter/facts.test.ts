import { expect, test } from 'bun:test'
import { type Fact, factLine, readFact, signerOf } from '../../src/newsletter/facts.ts'

const KNOWN = { at: Date.UTC(2026, 0, 15, 9), project: 'prj_a', mark: `#${'a'.repeat(43)}` }
const FACTS: Fact[] = [
  { ...KNOWN, what: 'left', contact_id: 7, list_id: 3 },
  { ...KNOWN, what: 'left', contact_id: 7, list_id: null },
  { ...KNOWN, what: 'suppressed', reason: 'complaint', opted_out: false },
  { ...KNOWN, what: 'suppressed', reason: 'hard_bounce', opted_out: true },
  {
    ...KNOWN,
    what: 'handed-over',
    delivery_id: 5,
    kind: 'campaign',
    contact_id: 7,
    campaign: { id: 2, created_at: 1 },
  },
  { ...KNOWN, what: 'in-doubt', delivery_id: 5, kind: 'confirmation', contact_id: null, campaign: null },
] as Fact[]

test('A fact is one line, and is read back as it was.', () => {
  for (const fact of FACTS) {
    expect(factLine(fact)).toMatch(/^2026-01-15T09:00:00\.000Z \S+ prj_a #\S+ [^\n]+$/)
    expect(readFact(factLine(fact))).toEqual(fact)
  }
  expect(factLine(FACTS[1]!)).toEndWith(' left prj_a #' + 'a'.repeat(43) + ' 7 -')
})

test('A damaged line is no fact.', () => {
  for (const fact of FACTS) {
    const line = factLine(fact)
    for (const damaged of [
      line.slice(line.indexOf(' ') + 1),
      line.replace('#', ''),
      line.replace(/^\S+/, 'never'),
      `${line} more`,
      line.slice(0, line.lastIndexOf(' ')),
      line.replace(/ (left|suppressed|handed-over|in-doubt) /, ' other '),
    ])
      expect([damaged, readFact(damaged)]).toEqual([damaged, null])
  }
  expect(readFact('')).toBeNull()
})

test('A fact names an address by its hash in the project, whatever its case.', () => {
  const left = { what: 'left', contact_id: 7, list_id: null, at: KNOWN.at } as const
  const line = (key: string, email: string) => signerOf('prj_a', key).line(left, email)
  const fact = readFact(line('one', 'ada@example.com'))
  expect(fact).toEqual({ ...left, project: 'prj_a', mark: expect.stringMatching(/^#[\w-]{43}$/) })
  expect(line('one', ' Ada@Example.com')).toBe(line('one', 'ada@example.com'))
  for (const other of [line('one', 'bo@example.com'), line('two', 'ada@example.com')])
    expect(readFact(other)!.mark).not.toBe(fact!.mark)
})
