import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { manyContacts, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { scratchFolder } from '../../support/folder.ts'
import { HOSTILE, type Hostile, type HostileRelay, startHostileRelay } from '../../support/hostile-relay.ts'
import { callOk, makeLoneProject, UNLIMITED, withDatabase } from '../../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'

/** A service that is told to end while every relay holds it up. It runs as a process of its own. */

/** What a campaign through each of them has at the end: one recipient at the relay, two that wait. */
const BEFORE_THE_DOT = [{ status: 'queued', tried: 0, n: 3 }]
const AFTER_THE_DOT = [
  { status: 'queued', tried: 0, n: 2 },
  { status: 'uncertain', tried: 1, n: 1 },
]
const ENDS: Record<Hostile, object> = {
  greeting: BEFORE_THE_DOT,
  ehlo: BEFORE_THE_DOT,
  mail: BEFORE_THE_DOT,
  rcpt: BEFORE_THE_DOT,
  reading: AFTER_THE_DOT,
  content: AFTER_THE_DOT,
  dripping: AFTER_THE_DOT,
}

const folder = scratchFolder()
const relays: HostileRelay[] = []
let service: ServiceProcess | undefined
afterAll(async () => {
  await service?.kill()
  for (const relay of relays) relay.close()
})

const relay = async (hostile: Hostile): Promise<HostileRelay> => {
  const one = await startHostileRelay(hostile)
  relays.push(one)
  return one
}

test('A service that every relay holds up ends at SIGHUP, and only what has its final dot is in doubt.', async () => {
  const project = await makeLoneProject(folder)
  const account_relay = await relay('content')
  service = await startServiceProcess(folder, {
    ...UNLIMITED,
    MASTHEAD_MAIL_URL: `smtp://127.0.0.1:${account_relay.port}`,
  })
  const { url } = service
  const call = (operation: string, body: Record<string, unknown>) => callOk(url, project.key, operation, body)
  await call('settings/update', {
    from_email: 'news@harbour.example',
    company_name: 'Harbour',
    postal_address: '1 Quay',
  })
  const { list } = await call('lists/create', { name: 'Tides' })
  await withDatabase(folder, (store) => manyContacts(store, project.project_id, list.id, 3, Date.now()))
  const campaigns = new Map<Hostile, number>()
  const reached = [account_relay.reached]
  for (const hostile of HOSTILE) {
    const { port, reached: held } = await relay(hostile)
    reached.push(held)
    const server = { provider: 'smtp', host: '127.0.0.1', port, secure: 'none', max_connections: 1 }
    const { connection } = await call('connections/create', { name: hostile, ...server })
    await withDatabase(folder, (store) => store.write((tx) => tx.run(sql`UPDATE connections SET verified_at = 1`)))
    const { campaign } = await call('campaigns/create', {
      subject: hostile,
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list.id }] },
      connection_id: connection.id,
    })
    campaigns.set(hostile, campaign.id)
    await call('campaigns/send', { campaign_id: campaign.id })
  }
  await fetch(`${url}/user/password/reset-request`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  await Promise.all(reached)
  service.child.kill('SIGHUP')
  expect(await service.child.exited).toBe(0)
  const ends = await withDatabase(folder, async (store) => {
    const found: Partial<Record<Hostile, object>> = {}
    for (const [hostile, campaign_id] of campaigns)
      found[hostile] = await store.db.all(sql`
        SELECT status, attempts AS tried, count(*) AS n FROM deliveries WHERE campaign_id = ${campaign_id}
        GROUP BY status, attempts ORDER BY status`)
    return found
  })
  expect(ends).toEqual(ENDS)
}, 60_000)
