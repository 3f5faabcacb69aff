import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { manyContacts } from '../../support/campaigns.ts'
import { scratchFolder } from '../../support/folder.ts'
import { callOk, type LoneProject, makeLoneProject, UNLIMITED, withDatabase } from '../../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'

/** Jobs under SIGKILL: no row is imported twice or left out, and every counter is right. */

const NEW = 6_000
const KILLS = 2

const scratch = scratchFolder()
let folder: string
let project: LoneProject
let service: ServiceProcess
const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)

beforeEach(async () => {
  folder = mkdtempSync(join(scratch, 'data-'))
  project = await makeLoneProject(folder)
  service = await startServiceProcess(folder, UNLIMITED)
})
afterEach(async () => {
  await service?.kill()
})

/** Kills the process at random moments while a job is under way; answers what `look` says at the end. */
async function underKills<T extends { status: string }>(
  look: () => Promise<T & { processed: number }>,
  total: number,
): Promise<T> {
  let killed = 0
  for (let until = 0; ;) {
    const now = await look()
    if (now.status === 'completed') {
      expect(killed).toBeGreaterThanOrEqual(1)
      return now
    }
    if (now.processed < until || killed === KILLS) {
      await Bun.sleep(3)
      continue
    }
    const [spread = 0] = crypto.getRandomValues(new Uint16Array(1))
    until = now.processed + 1 + (spread % Math.floor(total / KILLS / 2))
    await service.kill()
    service = await startServiceProcess(folder, UNLIMITED)
    killed += 1
  }
}

test(`An import of ${NEW} people survives SIGKILL.`, async () => {
  const { list } = await call('lists/create', { name: 'News' })
  const { tag } = await call('tags/create', { name: 'Fair' })
  for (const n of [1, 2, 3])
    await call('contacts/upsert', { email: `p${n}@example.com`, first_name: 'Old', consent_text: 'Yes' })
  const rows = Array.from({ length: NEW }, (_, n) => `p${n}@example.com,First${n}`)
  const csv = [
    'email,name',
    ...rows,
    ...rows.slice(0, 50),
    ...Array.from({ length: 30 }, (_, n) => `broken${n},X`),
  ].join('\n')
  const {
    import: { id: import_id },
  } = await call('imports/create', { csv })
  const { summary } = await call('imports/dry-run', {
    import_id,
    mapping: { 0: 'email', 1: 'first_name' },
    options: { list_ids: [list.id], tag_ids: [tag.id], consent_confirmed: true, update_existing: true },
  })
  expect(summary).toEqual({
    rows: NEW + 80,
    valid: NEW + 50,
    invalid: 30,
    new: NEW - 3,
    existing: 3,
    suppressed: 0,
    duplicates_in_file: 50,
  })
  const { job } = await call('imports/commit', { import_id })

  await underKills(async () => (await call('jobs/get', { job_id: job.id })).job, NEW)
  const { import: done } = await call('imports/get', { import_id })
  expect(done).toMatchObject({
    status: 'completed',
    counters: { processed: NEW + 80, created: NEW - 3, updated: 3, skipped: 50, failed: 30 },
  })
  expect((await call('jobs/get', { job_id: job.id })).job).toMatchObject({ processed: NEW + 80, total: NEW + 80 })
  await service.kill()
  const [counts] = await withDatabase(folder, (store) =>
    store.db.all(sql`
    SELECT (SELECT count(*) FROM contacts) AS contacts, (SELECT count(*)
      FROM memberships) AS memberships, (SELECT count(*) FROM contact_tags) AS tags,
      (SELECT count(*) FROM consents WHERE list_id IS NOT NULL) AS consents, (SELECT count(*) FROM events
        WHERE list_id IS NOT NULL) AS events,
      (SELECT count(*) FROM import_pages) + (SELECT count(*) FROM import_texts) AS storage`),
  )
  expect(counts).toEqual({ contacts: NEW, memberships: NEW, tags: NEW, consents: NEW, events: NEW, storage: 0 })
})

test('A bulk job continues after SIGKILL.', async () => {
  const { list: first } = await call('lists/create', { name: 'First' })
  await withDatabase(folder, (store) => manyContacts(store, project.project_id, first.id, NEW, Date.now()))
  const { list } = await call('lists/create', { name: 'Second' })
  const { job } = await call('contacts/bulk', {
    action: 'add_to_list',
    filter: { op: 'and', rules: [] },
    list_id: list.id,
    consent_text: 'Yes',
  })
  expect(await underKills(async () => (await call('jobs/get', { job_id: job.id })).job, NEW)).toMatchObject({
    processed: NEW,
    total: NEW,
  })
  await service.kill()
  const [counts] = await withDatabase(folder, (store) =>
    store.db.all(sql`
    SELECT (SELECT count(*) FROM memberships WHERE list_id = ${list.id}) AS memberships, (SELECT count(*) FROM consents
      WHERE list_id = ${list.id}) AS consents, (SELECT count(*) FROM events WHERE list_id = ${list.id}) AS events`),
  )
  expect(counts).toEqual({ memberships: NEW, consents: NEW, events: NEW })
})
