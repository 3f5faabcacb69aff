import { sql } from 'drizzle-orm'
import { newId, type ProjectId } from '../../src/ids.ts'
import { members, projects } from '../../src/store/tables/accounts.ts'
import { manyContacts } from '../../test/support/campaigns.ts'
import { withDatabase } from '../../test/support/lone-project.ts'
import type { Bench, Row, Workload } from '../bench.ts'
import { load, type Plan } from '../load.ts'
import { figuresOf, type Run } from '../measure.ts'
import { csvOf, emailOf } from '../people.ts'
import type { Growth } from '../report.ts'
import { headersOf, keyed, newNumbers, ownPlan, upsertOf } from './plans.ts'
import { sendCampaign, startSending } from './sending.ts'
import { exportAll, importCsv } from './transfer.ts'

/** How times grow with the contacts and the projects, and what long work costs other calls. */
const IMPORTED = 5_000
const PROJECTS = 1_000
const CONTACTS_OF_OTHERS = 100

type Ask = Pick<Plan, 'path' | 'body' | 'expect'> & Partial<Plan>

const filter = (field: string, operator: string, value: string) => ({
  op: 'and',
  rules: [{ field, operator, value }],
})
const json = (value: unknown): string => JSON.stringify(value)

const asksOf = (contacts: number, list_id: number): [string, Ask][] => [
  ['contacts/list, first page', { path: '/contacts/list', body: '{"limit":50}', expect: '"items":[{' }],
  ['contacts/list, of a list', { path: '/contacts/list', body: json({ list_id }), expect: '"items":[{' }],
  [
    'contacts/get',
    { path: '/contacts/get', body: '{"contact_id":{n}}', first: 1, span: contacts, expect: '"contact":' },
  ],
  [
    'filter email eq',
    {
      ...{ path: '/contacts/list', span: contacts, expect: '"items":[{' },
      body: json({ filter: filter('email', 'eq', emailOf('{n}')) }),
    },
  ],
  ['contact search', { path: '/contacts/list', body: json({ search: 'last99' }), expect: '"items":[{' }],
  [
    'segments/preview',
    { path: '/segments/preview', body: json({ rules: filter('custom.country', 'eq', 'DE') }), expect: '"count":' },
  ],
  ['contacts/stats', { path: '/contacts/stats', body: '{}', expect: '"total":' }],
  ['lists/list', { path: '/lists/list', body: '{}', expect: '"items":[{' }],
]

/** Filled by the workload below; the report draws it. */
export let growthOf: Growth | null = null

export const growth: Workload = {
  name: 'growth',
  async *run(bench) {
    const sizes = bench.quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
    const lines = new Map<string, { unit: string; cells: (number | null)[] }>()
    const note = (name: string, unit: string, value: number | null) => {
      const line = lines.get(name) ?? { unit, cells: [] }
      line.cells.push(value)
      lines.set(name, line)
    }
    for (const [at, contacts] of [...sizes, sizes[0]!].entries()) {
      const isCrowded = at === sizes.length
      const { own } = await startSending(bench, contacts)
      if (isCrowded) await withDatabase(own.folder, addProjects)
      for (const [name, ask] of asksOf(contacts, own.list_id)) {
        const run = (requests: number) => load(ownPlan(own, { span: 1, ...ask, requests, connections: 1 }))
        await run(20)
        note(name, 'ms', (await run(bench.quick ? 30 : 100)).p50_ms)
      }
      const fresh = { first: newNumbers(), span: 300, requests: 300, connections: 1 }
      const upserts = await load({ ...ownPlan(own, { ...upsertOf(own), ...fresh }), headers: keyed(headersOf(own)) })
      note('contacts/upsert', 'ms', upserts.p50_ms)
      const perRow = ({ seconds, requests }: { seconds: number; requests: number }) => (seconds / requests) * 1e6
      const imported = csvOf(20_000_000 + at * IMPORTED, IMPORTED)
      note('import of 5,000, a row', 'µs', perRow(await importCsv(own, imported, IMPORTED)))
      note('export, a row', 'µs', perRow(await exportAll(own)))
      const isSent = !isCrowded && contacts <= 100_000
      note('campaign, a message', 'µs', isSent ? perRow(await sendCampaign(own)) : null)
      await bench.endWorkload()
    }
    growthOf = {
      title: 'Times by the number of contacts',
      columns: [...sizes.map((size) => size.toLocaleString('en')), '10,000, beside 999 projects'],
      lines: [...lines].map(([name, { unit, cells }]) => ({ name, unit, cells })),
    }
    yield* []
  },
}

/** Makes the other projects, each with contacts of its own. */
async function addProjects(store: Parameters<Parameters<typeof withDatabase>[1]>[0]): Promise<void> {
  const [{ id: user_id }] = (await store.db.all(sql`SELECT id FROM users`)) as [{ id: string }]
  for (let n = 2; n <= PROJECTS; n++) {
    const project_id = n as ProjectId
    await store.write(async (tx) => {
      const at = { created_at: n, updated_at: n }
      await tx.insert(projects).values({ id: project_id, public_id: newId('prj'), name: `P${n}`, slug: `p${n}`, ...at })
      await tx.insert(members).values({ project_id, user_id, role: 'owner', added_at: n })
      await tx.run(
        sql`
          INSERT INTO lists (id, project_id, name, name_key, created_at, updated_at)
          VALUES (${100 + n}, ${project_id}, 'News', 'news', 0, 0)`,
      )
    })
    await manyContacts(store, project_id, 100 + n, CONTACTS_OF_OTHERS, n)
  }
}

/** contacts/get at a steady pace while long work runs, beside the same on the quiet service. */
export const pressure: Workload = {
  name: 'pressure',
  async *run(bench) {
    const { own } = await startSending(bench, bench.quick ? 10_000 : 100_000)
    const pace = { connections: 16, per_second: 200, requests: bench.quick ? 400 : 1_000 }
    const get = { path: '/contacts/get', body: '{"contact_id":{n}}', first: 1, expect: '"contact":', ...pace }
    const read = () => load(ownPlan(own, get))
    let turn = 0
    const rows = bench.quick ? 40_000 : 100_000
    const works: [string, () => Promise<unknown>][] = [
      ['a campaign is prepared and sent', () => sendCampaign(own)],
      ['an export runs', () => exportAll(own)],
      ['an import runs', () => importCsv(own, csvOf(30_000_000 + ++turn * rows, rows), rows)],
    ]
    for (const [name, work] of works) yield await beside(bench, name, read, work)
  },
}

async function beside(bench: Bench, name: string, read: () => ReturnType<typeof load>, work: () => Promise<unknown>) {
  const runs: { own: Run[]; other: Run[] } = { own: [], other: [] }
  for (let pair = -1; pair < bench.pairs; pair++) {
    const quiet = await read()
    let going = true
    const finished = (async () => {
      while (going) await work()
    })()
    const busy = await read()
    going = false
    await finished
    if (pair < 0) continue
    for (const [side, { requests: count, ...taken }] of [['other', quiet] as const, ['own', busy] as const])
      runs[side].push({ count, ...taken, cpu_seconds: Number.NaN, megabytes: Number.NaN })
  }
  const figures = figuresOf(runs, [{ measure: 'p99', at_most: 3 }]).slice(0, 1)
  return { name: `contacts/get while ${name}`, reference: 'the quiet service', figures, ...runs } satisfies Row
}
