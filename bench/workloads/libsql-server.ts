import { existsSync } from 'node:fs'
import { LIBSQL_PROGRAM, startLibsqlServer } from '../../test/support/libsql-server.ts'
import { Skipped, type Workload } from '../bench.ts'
import { load } from '../load.ts'
import { figuresOf, inTurn, type Side } from '../measure.ts'
import { prepare, start } from '../peers/masthead.ts'
import { headersOf, keyed, type Own, ownPlan, startOwn, upsertOf } from './plans.ts'

/** Upserts on a libSQL server, beside upserts of the same service on a file. */
const CALLERS = 16

export const libsqlServer: Workload = {
  name: 'libsql-server',
  async *run(bench) {
    if (!existsSync(LIBSQL_PROGRAM)) throw new Skipped('The libSQL server of npm has no program for this platform.')
    const server = await startLibsqlServer()
    bench.atEnd(server.close)
    const prepared = await prepare(bench, 0, server.url)
    const service = await start(bench, prepared, { MASTHEAD_DATABASE_URL: server.url })
    bench.atEnd(service.stop)
    const embedded = await startOwn(bench, 0)
    let turn = 0
    const side = (own: Own): Side => ({
      pids: () => [own.pid],
      run() {
        const requests = bench.quick ? 800 : 4_000
        const given = { ...upsertOf(own), first: ++turn * 1_000_000, span: requests, requests, connections: CALLERS }
        return load({ ...ownPlan(own, given), headers: keyed(headersOf(own)) })
      },
    })
    const measured = await inTurn(side(embedded), side({ ...prepared, ...service }), bench.pairs)
    yield {
      name: 'upserts on a libSQL server, 16 callers',
      reference: 'embedded',
      figures: figuresOf(measured, [{ measure: 'rate', at_least: 0.5 }]),
      ...measured,
    }
  },
}
