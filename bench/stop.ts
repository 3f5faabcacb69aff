import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { manyContacts, SAMPLE_DOCUMENT } from '../test/support/campaigns.ts'
import { HOSTILE, type Hostile, startHostileRelay } from '../test/support/hostile-relay.ts'
import { callOk, makeLoneProject, post, withDatabase } from '../test/support/lone-project.ts'
import { startServiceProcess } from '../test/support/service-process.ts'

/**
 * Seconds from a signal to the end of the process, for each relay that holds it up: with a campaign, a password reset
 * and a test of the connection under way at it, and a request whose body never ends.
 * `TESTED_EXECUTABLE=dist/masthead bun bench/stop.ts [SIGTERM|SIGHUP|SIGINT] [relay…]`
 */
const signal = (process.argv[2] ?? 'SIGTERM') as NodeJS.Signals
const relays = process.argv.length > 3 ? (process.argv.slice(3) as Hostile[]) : HOSTILE

async function secondsToEnd(hostile: Hostile): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-stop-'))
  const relay = await startHostileRelay(hostile)
  const project = await makeLoneProject(folder)
  const service = await startServiceProcess(folder, { MASTHEAD_MAIL_URL: `smtp://127.0.0.1:${relay.port}` })
  const { url } = service
  const call = (operation: string, body: Record<string, unknown>) => callOk(url, project.key, operation, body)
  await call('settings/update', { from_email: 'news@harbour.example', company_name: 'Harbour', postal_address: 'Quay' })
  const { list } = await call('lists/create', { name: 'Tides' })
  await withDatabase(folder, (store) => manyContacts(store, project.project_id, list.id, 300, Date.now()))
  const server = { name: hostile, provider: 'smtp', host: '127.0.0.1', port: relay.port, secure: 'none' }
  const connection_id: number = (await call('connections/create', server)).connection.id
  await withDatabase(folder, (store) => store.write((tx) => tx.run(sql`UPDATE connections SET verified_at = 1`)))
  const { campaign } = await call('campaigns/create', {
    subject: hostile,
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list.id }] },
    connection_id,
  })
  await call('campaigns/send', { campaign_id: campaign.id })
  await fetch(`${url}/user/password/reset-request`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  await relay.reached
  void post(url, project.key, 'connections/test', { connection_id }).catch(() => undefined)
  const endless = new ReadableStream({ start: (body) => body.enqueue('{"email":') })
  void fetch(`${url}/user/login`, { method: 'POST', body: endless, headers: { Origin: url } }).catch(() => undefined)
  // All connections are held up by now, not only the first.
  await Bun.sleep(1_500)
  const begun = performance.now()
  service.child.kill(signal)
  const code = await service.child.exited
  const seconds = (performance.now() - begun) / 1000
  relay.close()
  const counts = await withDatabase(folder, (store) =>
    store.db.all<{ status: string; n: number }>(sql`SELECT status, count(*) AS n FROM deliveries GROUP BY status`),
  )
  rmSync(folder, { recursive: true })
  return `${seconds.toFixed(2)} s, exit code ${code}, ${counts.map(({ status, n }) => `${n} ${status}`).join(', ')}`
}

for (const hostile of relays) process.stdout.write(`${signal} ${hostile}: ${await secondsToEnd(hostile)}\n`)
process.exit(0)
