import { eq } from 'drizzle-orm'
import { projects } from '../../src/store/tables/accounts.ts'
import { published_scripts, script_connections, scripts } from '../../src/store/tables/scripts.ts'
import { withDatabase } from '../../test/support/lone-project.ts'
import type { Workload } from '../bench.ts'
import { load } from '../load.ts'
import { figuresOf, inTurn } from '../measure.ts'
import { prepare, type Prepared, start } from '../peers/masthead.ts'
import { startNginx } from '../peers/processes.ts'

/** A page of 50 kB without and with scripts of apps, beside nginx with the same file and the same texts put in. */
const DOMAIN = 'harbour.example'
const PAGE =
  `<!doctype html><html><head><title>Harbour</title></head><body>` +
  `${'<p>The tide waits for nobody.</p>\n'.repeat(50_000 / 34)}</body></html>`
const SCRIPTS = [
  { placement: 'HTML Head', code: '<script>window.weather = "fine"</script>', at: '</head>' },
  { placement: 'HTML Body start', code: '<script>window.tide = "high"</script>', at: '<body>' },
  { placement: 'HTML Body end', code: '<script>window.wind = "west"</script>', at: '</body>' },
] as const
const GOALS = [0.7, 1.3, undefined, 2.5]

const filterOf = ({ code, at }: (typeof SCRIPTS)[number]): string =>
  `sub_filter '${at}' '${at === '<body>' ? at + code : code + at}';`

export const hostedPages: Workload = {
  name: 'hosted-pages',
  async *run(bench) {
    const filters = [0, 1, 3].map((count) => [String(count), SCRIPTS.slice(0, count).map(filterOf)] as const)
    const other = await startNginx(bench, PAGE, Object.fromEntries(filters))
    const prepared = await prepare(bench, bench.quick ? 5_000 : 100_000)
    const own = await start(bench, prepared)
    bench.atEnd(own.stop)
    await withDatabase(prepared.folder, (store) =>
      store.write((tx) => tx.update(projects).set({ domain: DOMAIN }).where(eq(projects.id, prepared.project_id))),
    )
    await savePage(own.url, prepared)
    for (let count = 0; count <= 3; count++) {
      if (count !== 2) {
        const plan = {
          ...{ method: 'GET' as const, requests: bench.quick ? 8_000 : 30_000, connections: 32 },
          expect: count === 0 ? '</p>\n</body>' : SCRIPTS[count - 1]!.code,
        }
        const measured = await inTurn(
          {
            pids: () => [other.pid],
            run: () => load({ ...plan, url: other.url, path: `/${count}`, headers: {} }),
          },
          {
            pids: () => [own.pid],
            run: () => load({ ...plan, url: own.url, path: '/', headers: { Host: DOMAIN } }),
          },
          bench.pairs,
        )
        yield {
          name: `hosted page 50 kB, ${count} scripts`,
          reference: count === 0 ? 'nginx, static file' : `nginx, ${count} × sub_filter`,
          figures: figuresOf(measured, [{ measure: 'rate', at_least: GOALS[count] }]),
          ...measured,
        }
      }
      if (count < 3) await connect(prepared, count)
    }
  },
}

async function savePage(url: string, { cookie, public_id }: Prepared): Promise<void> {
  const saved = await fetch(`${url}/project/pages/create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: url },
    body: JSON.stringify({ project_id: public_id, path: '/', title: 'Harbour', published: true, html: PAGE }),
  })
  if (!saved.ok) throw new Error(await saved.text())
}

async function connect({ folder, project_id, app_id }: Prepared, index: number): Promise<void> {
  const { placement, code } = SCRIPTS[index]!
  const script = { name: `Script ${index}`, type: 'Essential' as const, placement, code, parameters: {} }
  const at = { created_at: 1, updated_at: 1 }
  await withDatabase(folder, (store) =>
    store.write(async (tx) => {
      const [made] = await tx
        .insert(scripts)
        .values({ app_id, ...script, ...at })
        .returning({ id: scripts.id })
      await tx.insert(published_scripts).values({ script_id: made!.id, ...script })
      await tx.insert(script_connections).values({ project_id, script_id: made!.id, ...at })
    }),
  )
}
