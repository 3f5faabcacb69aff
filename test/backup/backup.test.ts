import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'bun:test'
import { listBackups } from '../../src/backup/list.ts'
import { makeBackupTask } from '../../src/backup/make.ts'
import { configOf } from '../../src/config.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { dataFolder } from '../support/command-line.ts'
import { startFastSink } from '../support/fast-sink.ts'
import { callOk, makeLoneProject, UNLIMITED, withDatabase } from '../support/lone-project.ts'
import { masthead, mastheadHere, scratchFolder } from '../cli/masthead.ts'
import { freePort, startServiceProcess } from '../support/service-process.ts'

/** Waits until a service says that a backup was proven after a time; the time. */
async function provenAfter(url: string, after: string | null = null): Promise<string> {
  for (;;) {
    const { backup_proven_on } = (await (await fetch(`${url}/readyz`)).json()) as { backup_proven_on: string | null }
    if (backup_proven_on !== null && (after === null || backup_proven_on > after)) return backup_proven_on
    await Bun.sleep(20)
  }
}

test('A service makes a backup and proves it; what a killed one left goes with the next start.', async () => {
  const scratch = scratchFolder()
  const data = join(scratch.path, 'data')
  const backups = join(scratch.path, 'backups')
  const settings = { MASTHEAD_BACKUP_DIR: backups, MASTHEAD_BACKUP_SCHEDULE: '0 0 1 1 *' }
  const doctor = async () => {
    const { stdout } = await masthead(scratch.path, ['doctor', '--json', '--port', '0'], { env: settings })
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'backups')
  }
  try {
    const ada = ['--email', 'ada@harbour.example', '--password', 'a long password']
    expect(await mastheadHere(scratch.path, ['user', 'create', ...ada])).toMatchObject({ code: 0 })
    expect(await doctor()).toMatchObject({ ok: false, message: 'There is no proven backup yet.' })
    for (const folder of ['backup-work', '../backups']) mkdirSync(join(data, folder))
    writeFileSync(join(data, 'backup-work/snapshot.db'), 'half')
    const part = join(backups, 'masthead-20260101T000000Z.db.masthead-0a1b2c3d.part')
    writeFileSync(part, 'half')
    utimesSync(part, 0, 0)
    const service = await startServiceProcess(data, settings)
    const proven_on = await provenAfter(service.url)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    await service.stop()
    expect(metrics).toContain(`masthead_backup_proven_timestamp_seconds ${Math.round(Date.parse(proven_on) / 1000)}\n`)
    expect(metrics).toContain('masthead_backup_missing 0\n')
    const names = readdirSync(backups).toSorted()
    expect(names).toEqual([expect.stringMatching(/^masthead-\d{8}T\d{6}Z\.db$/), `${names[0]}.json`])
    expect(readdirSync(join(data, 'backup-work')).filter((name) => !name.startsWith('claim'))).toEqual([])
    const record = JSON.parse(readFileSync(join(backups, names[1]!), 'utf8'))
    expect(record).toMatchObject({ proven_on, problem: null, holds: { users: 1, projects: 0 } })
    expect(record.sha256).toBe(
      new Bun.CryptoHasher('sha256').update(readFileSync(join(backups, names[0]!))).digest('hex'),
    )
    expect(await doctor()).toEqual({ name: 'backups', ok: true, message: `Last proven ${proven_on}.` })
  } finally {
    scratch.remove()
  }
})

test('A database that a restore would refuse is backed up, and not called proven.', async () => {
  const scratch = scratchFolder()
  try {
    const { path, run, withStore } = await dataFolder(join(scratch.path, 'data'))
    await run('project', 'create', '--name', 'Tides', '--slug', 'tides', '--owner', 'owner@example.com')
    await withStore((store) => store.write((tx) => tx.script("UPDATE audit_log SET action = 'other'")))
    const config = configOf({ data_dir: path, backup_dir: join(scratch.path, 'backups') })
    const made = await makeBackupTask.run(null as never, { config, now: 0 })
    expect(made).toMatchObject({
      proven_on: null,
      problem: expect.stringContaining('the chain of the audit log breaks'),
    })
    expect(await listBackups(config)).toMatchObject([{ name: 'masthead-19700101T000000Z.db', proven_on: null }])
  } finally {
    scratch.remove()
  }
})

/** A server of S3's protocol with the bucket `backups`, in a process of its own. */
async function startBucket(directory: string) {
  const port = await freePort()
  const server = fileURLToPath(import.meta.resolve('s3rver/bin/s3rver.js'))
  const flags = ['--address', '127.0.0.1', '--port', String(port), '--configure-bucket', 'backups']
  const child = Bun.spawn([process.execPath, server, '--directory', directory, ...flags], { stdout: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  while (!(await fetch(endpoint).catch(() => null))) await Bun.sleep(10)
  return { endpoint, stop: () => child.kill() }
}

test('A backup in a bucket is encrypted, and restored with the private key on another machine.', async () => {
  const scratch = scratchFolder()
  const bucket = await startBucket(join(scratch.path, 'bucket'))
  try {
    const identity = await generateX25519Identity()
    const { path, run } = await dataFolder(join(scratch.path, 'data'))
    await run('project', 'create', '--name', 'Tides', '--slug', 'tides', '--owner', 'owner@example.com')
    const settings = {
      backup_s3_bucket: 'backups',
      backup_s3_prefix: 'here',
      backup_s3_endpoint: bucket.endpoint,
      ...{ backup_s3_key: 'S3RVER', backup_s3_secret: 'S3RVER' },
    }
    const config = configOf({ ...settings, data_dir: path, backup_recipients: await identityToRecipient(identity) })
    const made = await makeBackupTask.run(null as never, { config, now: 0 })
    const file = 's3://backups/here/masthead-19700101T000000Z.db.age'
    expect(made).toMatchObject({ file, problem: null })
    expect(await listBackups(config)).toMatchObject([{ proven_on: made!.proven_on, size_bytes: made!.size_bytes }])
    const key = join(scratch.path, 'identity.txt')
    writeFileSync(key, `# public key: of the bucket\n${identity}\n`)
    const other = join(scratch.path, 'other')
    mkdirSync(other)
    copyFileSync(join(path, 'secret.key'), join(other, 'secret.key'))
    const flags = Object.entries(settings).flatMap(([name, value]) =>
      ['backup_s3_bucket', 'backup_s3_prefix'].includes(name) ? [] : [`--${name.replaceAll('_', '-')}`, value],
    )
    const restored = (...more: string[]) =>
      run('restore', '--from', 's3://backups/here', '--data-dir', other, ...flags, ...more)
    await expect(restored()).rejects.toThrow('The backup is encrypted.')
    const done = await restored('--identity', key)
    expect(done.text).toStartWith(`Restored ${file}.`)
    expect(done.data).toMatchObject({ file })
    const rehearsed = await restored('--identity', key, '--rehearse')
    expect(rehearsed.text).toStartWith(`${file} can be restored`)
    expect(rehearsed.data).toMatchObject({ file })
    expect((await run('project', 'list', '--data-dir', other)).text).toContain('tides')
    expect(readdirSync(other).filter((name) => name.includes('fetched'))).toEqual([])
  } finally {
    bucket.stop()
    scratch.remove()
  }
})

test('On another machine a backup and the facts beside it write to nobody twice and to nobody who left.', async () => {
  const scratch = scratchFolder()
  const [data, lost] = [join(scratch.path, 'data'), join(scratch.path, 'lost')]
  const backups = join(scratch.path, 'backups')
  const settings = { ...UNLIMITED, MASTHEAD_BACKUP_DIR: backups, MASTHEAD_BACKUP_SCHEDULE: '0 0 1 1 *' }
  const sink = startFastSink()
  mkdirSync(data)
  const { key, project_id } = await makeLoneProject(data)
  let service = await startServiceProcess(data, UNLIMITED)
  const call = (operation: string, body: Record<string, unknown> = {}) => callOk(service.url, key, operation, body)
  try {
    const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
    const { list_id } = await readyToSend({ ok: call }, { ...relay, max_per_second: 2 })
    await withDatabase(data, (store) => manyContacts(store, project_id, list_id, 60, Date.now()))
    sink.recipients.length = 0
    const audience_spec = { include: [{ type: 'list', id: list_id }] }
    const { campaign } = await call('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec,
    })
    await call('campaigns/send', { campaign_id: campaign.id })
    await sink.waitFor(2)
    await service.stop()
    service = await startServiceProcess(data, settings)
    await provenAfter(service.url)
    const at_backup = sink.recipients.length
    await call('suppressions/add', { email: 'reader59@example.com', reason: 'unsubscribe' })
    await sink.waitFor(at_backup + 2)
    const copied = () =>
      readdirSync(join(backups, 'facts'), { recursive: true })
        .filter((name) => /\/\d+-\d+$/.test(String(name)))
        .map((name) => readFileSync(join(backups, 'facts', String(name)), 'utf8'))
        .join('')
    while (!existsSync(join(backups, 'facts')) || !copied().includes(' left ')) await Bun.sleep(50)
    await service.kill()
    const had = [...sink.recipients]
    renameSync(data, lost)
    mkdirSync(data)
    copyFileSync(join(lost, 'secret.key'), join(data, 'secret.key'))
    const { code, stdout } = await mastheadHere(scratch.path, ['restore', '--from', backups, '--json'])
    const { reach, missing, facts, set_aside } = JSON.parse(stdout)
    expect([code, missing, set_aside.paused]).toEqual([0, expect.stringContaining('are a copy'), 1])
    expect(facts).toMatchObject({ left: 1 })
    service = await startServiceProcess(data, UNLIMITED)
    const { campaign: paused } = await call('campaigns/get', { campaign_id: campaign.id })
    expect([paused.status, paused.failure.reason]).toEqual(['paused', expect.stringContaining(reach)])
    expect(sink.recipients).toHaveLength(had.length)
    await call('connections/update', { connection_id: paused.connection_id ?? 1, max_per_second: null })
    await call('campaigns/resume', { campaign_id: campaign.id, acknowledge_doubles: true })
    while ((await call('campaigns/get', { campaign_id: campaign.id })).campaign.status !== 'sent') await Bun.sleep(50)
    const reached = new Set(sink.recipients)
    expect([reached.size, reached.has('reader59@example.com')]).toEqual([59, false])
    // Only of what was sent in the last seconds no fact was copied.
    expect(sink.recipients.length - reached.size).toBeLessThanOrEqual(had.length - at_backup)
  } finally {
    await service.kill()
    sink.close()
    scratch.remove()
  }
})
