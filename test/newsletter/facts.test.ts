import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId, type ProjectId } from '../../src/ids.ts'
import { type Fact, factLine, readFact, recordFacts, signerOf } from '../../src/newsletter/facts.ts'
import type { CommitWork, Tx } from '../../src/store/open.ts'
import { newContact, newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

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

/** What a transaction appends to the facts, for these calls of `recordFacts` in it. */
async function appended(...calls: Parameters<typeof recordFacts>[1][]): Promise<{ at: number; lines: string[] }[]> {
  const found: { at: number; lines: string[] }[] = []
  await write(async (tx) => {
    let work: CommitWork<unknown> | undefined
    const entries: unknown[] = []
    const noting = {
      all: tx.all.bind(tx),
      facts: { append: (at: number, lines: string[]) => void found.push({ at, lines }) },
      beforeCommit: (asked: CommitWork<unknown>, entry: unknown) => ((work = asked), entries.push(entry)),
    } as unknown as Tx
    for (const facts of calls) recordFacts(noting, facts)
    await work?.(noting, entries)
  })
  return found
}

test('The facts of a transaction are appended at once, each under the hash of its own project.', async () => {
  const [project, other] = [await newProject({ public_id: newId('prj') }), await newProject()]
  const [ada, bo] = [await newContact(project, 'Ada@x.example'), await newContact(other, 'ada@x.example')]
  const left = (project_id: ProjectId, contact_id: number, at: number, list_id: number | null = null) =>
    ({ project_id, what: 'left', contact_id, list_id, at }) as const
  const suppressed = { project_id: project, what: 'suppressed', reason: 'complaint', opted_out: false } as const
  const found = await appended(
    [left(project, ada, NOW, 7), left(other, bo, NOW + 1)],
    [],
    [{ ...suppressed, email_key: 'ada@x.example', at: NOW + 2 }, left(project, 999_999_999, NOW + 3)],
  )
  expect(found.map(({ at }) => at)).toEqual([NOW])
  const facts = found[0]!.lines.map((line) => readFact(line)!)
  const { db } = await sharedStore()
  const idOf = async (id: ProjectId) =>
    (await db.all<{ public_id: string }>(sql`SELECT public_id FROM projects WHERE id = ${id}`))[0]!.public_id
  expect(facts).toMatchObject([
    { what: 'left', project: await idOf(project), contact_id: ada, list_id: 7, at: NOW },
    { what: 'left', project: await idOf(other), contact_id: bo, list_id: null, at: NOW + 1 },
    { what: 'suppressed', project: await idOf(project), reason: 'complaint', opted_out: false, at: NOW + 2 },
  ])
  expect([facts[2]!.mark === facts[0]!.mark, facts[1]!.mark === facts[0]!.mark]).toEqual([true, false])
})

test('Nothing is appended without a fact, or where no facts are kept.', async () => {
  expect(await appended([])).toEqual([])
  const fact = { project_id: 1 as ProjectId, what: 'left', contact_id: 1, list_id: null, at: NOW } as const
  const without = { facts: null, beforeCommit: () => expect.unreachable() } as unknown as Tx
  expect(recordFacts(without, [fact])).toBeUndefined()
})
