import { makeLoneProject, withDatabase } from '../../test/support/lone-project.ts'
import { populate } from '../audience-data.ts'
import { previewsOf } from '../audience-rules.ts'
import type { Workload } from '../bench.ts'
import { load, type Plan } from '../load.ts'
import { start } from '../peers/masthead.ts'

/** Counts by deep rules over very many contacts, and what other calls notice of them. */
const MANY = 1_000_000
const ROUNDS = 7
const AT = '/general/api/v1/newsletter'

export const segments: Workload = {
  name: 'segments',
  async *run(bench) {
    const contacts = bench.quick ? 100_000 : MANY
    const folder = bench.folder('segments')
    const project = await makeLoneProject(folder)
    await withDatabase(folder, (store) => populate(store, project.project_id, contacts))
    const own = await start(bench, { folder, key: project.key })
    bench.atEnd(own.stop)
    const sixty = previewsOf(contacts).filter(([name]) => name.startsWith('60 rules'))
    const ask = (given: Pick<Plan, 'path' | 'body' | 'expect' | 'requests'> & Partial<Plan>, signal?: AbortSignal) =>
      load(
        {
          ...{ url: own.url, method: 'POST', connections: 1 },
          headers: { 'Content-Type': 'application/json', Authorization: project.key },
          ...given,
          path: AT + given.path,
        },
        signal,
      )
    const previewOf = (rules: unknown) => ({
      ...{ path: '/segments/preview', body: JSON.stringify({ rules }), expect: '"count":', requests: ROUNDS },
    })
    const times: number[] = []
    for (const [, rules] of sixty) times.push((await ask(previewOf(rules))).p50_ms)
    const get = {
      ...{ path: '/contacts/get', body: '{"contact_id":{n}}', first: 1, span: contacts, expect: '"contact"' },
      ...{ requests: 1_000, per_second: 200, connections: 4 },
    }
    await ask(get)
    const enough = new AbortController()
    const previews = ask({ ...previewOf(sixty[0]![1]), requests: 10_000 }, enough.signal)
    const meanwhile = await ask(get)
    enough.abort()
    await previews
    yield {
      name: 'segment preview, 4 levels, 60 rules, 1M',
      reference: '–',
      figures: [
        { measure: 'value', unit: 'ms', values: times, at_most: 300 },
        { measure: 'value', unit: 'ms p99 of contacts/get meanwhile', values: [meanwhile.p99_ms], at_most: 10 },
      ],
      own: [],
      other: [],
      ...(contacts === MANY ? {} : { note: `${contacts} contacts` }),
    }
  },
}
