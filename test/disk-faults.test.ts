import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'bun:test'
import { configOf } from '../src/config.ts'
import { keysOf } from '../src/instance.ts'
import { createRecipientToken } from '../src/newsletter/tracking/tokens.ts'
import { SAMPLES } from './newsletter/connections/report-samples.ts'
import { readyToSend, SAMPLE_DOCUMENT } from './support/campaigns.ts'
import { dataFolder } from './support/command-line.ts'
import { scratchFolder } from './support/folder.ts'
import { program } from './support/program.ts'
import { freePort } from './support/service-process.ts'
import { startSmtpSink } from './support/smtp-sink.ts'

/** What a damaged database and a full disk do to a running service (docs/operations.md#damage, #full-disk). */

const folder = scratchFolder()
const running = new Set<Bun.Subprocess>()
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map(({ exited }) => exited))
})

/** Starts the service and waits until it listens; it may be not ready. */
async function start(data_dir: string, before: readonly string[] = [], env: Record<string, string> = {}) {
  const port = await freePort()
  const child = Bun.spawn([...before, ...program, 'serve'], {
    stdout: 'ignore',
    stderr: 'ignore',
    env: { PATH: process.env.PATH, MASTHEAD_DATA_DIR: data_dir, MASTHEAD_PORT: String(port), ...env },
  })
  running.add(child)
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const ready = async () => ((await (await fetch(`${url}/readyz`)).json()) as { reason?: string }).reason ?? 'ready'
  return { url, child, ready }
}

const until = async (what: () => Promise<boolean>): Promise<void> => {
  while (!(await what())) await Bun.sleep(20)
}

/** A project with a campaign under way, a contact, and a key of the API. */
async function seeded(name: string) {
  const data = await dataFolder(join(folder, name))
  const { data: key } = await data.run(
    'api-key',
    'create',
    '--project',
    'harbour',
    '--user',
    'owner@example.com',
    '--name',
    'k',
  )
  const now = Date.now()
  await data.withStore((store) =>
    store.write((tx) =>
      tx.script(`
        INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
        VALUES (${data.project_id}, 'ada@example.com', 'ada@example.com', 'ada', 'subscribed', ${now}, ${now});
        INSERT INTO campaigns (id, project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
          track_clicks, status, created_at, updated_at)
        VALUES (7, ${data.project_id}, 'Spring', 'spring', 'Spring', '${JSON.stringify(SAMPLE_DOCUMENT)}',
          '{"include":[],"exclude":[]}', 0, 0, 'sending', ${now}, ${now});
        INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at)
        VALUES (${data.project_id}, 'campaign', 7, 1, 'ada@example.com', 'queued', ${now}, ${now})`),
    ),
  )
  return { data, key: (key as { key: string }).key }
}

async function call(url: string, key: string, operation: string, body: object = {}) {
  const answer = await fetch(`${url}/general/api/v1/newsletter/${operation}`, {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

test('A page that is damaged makes the service not ready at once, and the campaign says why.', async () => {
  const { data, key } = await seeded('damaged')
  const file = join(data.path, 'masthead.db')
  const database = new Database(file)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const [[page]] = database.query("SELECT rootpage FROM sqlite_master WHERE name = 'newsletter_settings'").values() as [
    [number],
  ]
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096)
  closeSync(descriptor)

  const service = await start(data.path, [], { MASTHEAD_DISK_RESERVE_MEGABYTES: '0' })
  await until(async () => (await service.ready()).startsWith('The database is damaged.'))
  await until(async () => {
    const { campaign } = (await call(service.url, key, 'campaigns/get', { campaign_id: 7 })).body.data
    if (campaign.status !== 'paused') return false
    expect(campaign.failure.reason).toContain('the database is damaged')
    return true
  })
})

/** A disk of its own for a process, which needs no rights where the system allows user namespaces. */
const ON_SMALL_DISK = [
  'unshare',
  '-Urm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=48m none "$0" && cp -r "$1"/. "$0" && shift && exec "$@"',
]
const hasNamespaces = Bun.spawnSync(['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs none /mnt']).success

test.if(hasNamespaces)(
  'A full disk stores what must not be lost, refuses other changes, and ends with room.',
  async () => {
    const { data, key } = await seeded('seed')
    // As a process that was killed leaves it: the database is checked at the start.
    writeFileSync(join(data.path, 'masthead.db-wal'), 'frames')
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    const token = createRecipientToken(keysOf(configOf({ data_dir: data.path })), {
      delivery_id: 1,
      contact_id: 1,
      campaign_id: 7,
    })
    const { url, child, ready } = await start(disk, [...ON_SMALL_DISK, disk, data.path], {
      MASTHEAD_DISK_RESERVE_MEGABYTES: '4',
      MASTHEAD_MIN_FREE_DISK_MEGABYTES: '0',
      MASTHEAD_NEWSLETTER_MUTATIONS_PER_MINUTE: '100000',
    })
    const inside = (name: string) => `/proc/${child.pid}/root${disk}/${name}`
    await until(() => Bun.file(inside('masthead.db.reserve')).exists())
    await until(async () => (await ready()) === 'ready')
    await until(async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('\nmasthead_database_check_timestamp'),
    )

    const begun = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const relay = await startSmtpSink({
      onData() {
        begun.resolve()
        return answer.promise
      },
    })
    const ok = async (operation: string, body: object = {}) => (await call(url, key, operation, body)).body.data
    const { host, port } = relay
    const { connection_id, list_id } = await readyToSend(
      { ok },
      { name: 'R', provider: 'smtp', host, port, secure: 'none' },
    )
    const [webhook] = (await ok('connections/webhook-urls', { connection_id })).urls
    for (const name of ['bo', 'cy', 'dee'])
      await ok('contacts/upsert', {
        email: `${name}@example.com`,
        consent_text: 'Yes.',
        ...(name === 'dee' && { list_ids: [list_id] }),
      })
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const { campaign } = await ok('campaigns/create', { subject: 'Tides', editor_json: SAMPLE_DOCUMENT, audience_spec })
    await ok('campaigns/send', { campaign_id: campaign.id })
    await begun.promise

    const filler = openSync(inside('filler'), 'w')
    const fill = (chunk: Buffer) => {
      try {
        while (writeSync(filler, chunk) === chunk.length);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
    }
    fill(Buffer.alloc(1024 * 1024))
    fill(Buffer.alloc(4096))
    // The WAL still has room for some writes.
    const large = { name: 'Large', subject: 'x', editor_json: { version: 1, settings: {}, blocks: [] } }
    await until(
      async () => (await call(url, key, 'campaigns/create', large)).status === 507 || (await ready()) !== 'ready',
    )
    expect(await ready()).toStartWith('The disk is full.')
    expect((await call(url, key, 'contacts/upsert', { email: 'bo@example.com' })).body.error).toMatchObject({
      code: 'INSUFFICIENT_STORAGE',
      retryable: true,
    })
    const left = await fetch(`${url}/general/newsletter/unsubscribe/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect(left.status).toBe(200)
    expect((await call(url, key, 'contacts/get', { contact_id: 1 })).body.data.contact.global_status).toBe(
      'unsubscribed',
    )

    answer.resolve()
    await until(async () => (await ok('campaigns/stats', { campaign_id: campaign.id })).sent === 1)
    for (const [name, sample] of [
      ['bo', 'a bounce of Postfix'],
      ['cy', 'a complaint of Comcast'],
    ] as const) {
      const about = { email: `${name}@example.com`, message_id: '<x@y.example>', list_unsubscribe: '' }
      const report = await fetch(webhook.url, {
        method: 'POST',
        headers: { 'Content-Type': 'message/rfc822' },
        body: SAMPLES[sample]![1](about),
      })
      expect([report.status, await report.json()]).toEqual([200, { success: true, reports: 1 }])
    }
    const { items } = await ok('suppressions/list')
    expect(items.map(({ email, reason }: Record<string, string>) => [email, reason]).toSorted()).toEqual([
      ['ada@example.com', 'unsubscribe'],
      ['bo@example.com', 'hard_bounce'],
      ['cy@example.com', 'complaint'],
    ])
    expect(await ready()).toStartWith('The disk is full.')

    closeSync(filler)
    rmSync(inside('filler'))
    await until(async () => (await ready()) === 'ready')
    expect(await Bun.file(inside('masthead.db.reserve')).exists()).toBe(true)
    expect((await call(url, key, 'contacts/upsert', { email: 'bo@example.com', consent_text: 'Yes.' })).status).toBe(
      200,
    )
  },
)
