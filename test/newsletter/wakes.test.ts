import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { bulkJob } from '../../src/newsletter/contacts/bulk-job.ts'
import { importJob } from '../../src/newsletter/imports/import-job.ts'
import type { LoopName } from '../../src/runtime.ts'
import { jobs } from '../../src/store/tables/jobs.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'

/** Queued work begins at once and not at the next time of its loop, half a minute later. */

let world: SiteWorld
let open: number
let asks: number
const woken: LoopName[] = []
beforeAll(async () => {
  world = await createSiteWorld()
  open = (await world.ok('lists/create', { name: 'Open' })).list.id
  asks = (await world.ok('lists/create', { name: 'Asks', double_opt_in: true })).list.id
  spyOn(world.service.runtime, 'wake').mockImplementation((name) => void woken.push(name))
})
afterAll(() => world.close())

/** The loops that some work wakes. */
async function wokenBy(work: () => Promise<unknown>): Promise<LoopName[]> {
  woken.length = 0
  await work()
  return [...woken]
}
const upsert = async (email: string, list_ids: number[] = []) =>
  (await world.ok('contacts/upsert', { email, list_ids, consent_text: 'Yes.' })).contact.id as number

test('A confirmation that was queued leaves at once, and without one nothing is woken.', async () => {
  expect(await wokenBy(() => upsert('ada@example.com', [open]))).toEqual([])
  expect(await wokenBy(() => upsert('ada@example.com', [asks]))).toEqual(['delivery'])
  const contact_id = await upsert('bo@example.com')
  const join = (list_id: number) => () =>
    world.ok('contacts/membership', { contact_id, list_id, action: 'subscribe', consent_text: 'Yes.' })
  expect([await wokenBy(join(open)), await wokenBy(join(asks))]).toEqual([[], ['delivery']])
  const rename = (more: object) => () => world.ok('contacts/update', { contact_id, ...more })
  expect(await wokenBy(rename({ first_name: 'Bo' }))).toEqual([])
  expect(await wokenBy(rename({ email: 'b@example.com' }))).toEqual(['delivery'])
})

test('A message that a visitor caused leaves at once: a confirmation and a personal link.', async () => {
  await upsert('ada@example.com', [open])
  const { form } = await world.edit('/project/sign-up-forms/create', {
    ...{ name: 'Footer', title: 'Footer', consent_text: 'Yes.', list_ids: [asks] },
  })
  const post = (path: string, fields: Record<string, string>) => () =>
    world.fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
  const project_id = world.project.public_id
  const signUp = { project_id, form_id: form.id, form_version: '1', email: 'cy@example.com' }
  expect(await wokenBy(post('/general/newsletter/signup', signUp))).toEqual(['delivery'])
  const link = `/general/newsletter/own-link/${project_id}`
  expect(await wokenBy(post(link, { email: 'ada@example.com' }))).toEqual(['delivery'])
  expect(await wokenBy(post(link, { email: 'unknown@example.com' }))).toEqual([])
})

test('A job begins at once.', async () => {
  const contact_id = await upsert('di@example.com')
  const bulk = { action: 'unsubscribe', contact_ids: [contact_id] }
  expect(await wokenBy(() => world.ok('contacts/bulk', bulk))).toEqual(['jobs'])
  const { segment } = await world.ok('segments/create', { name: 'All', rules: { op: 'and', rules: [] } })
  const materialize = { segment_id: segment.id, tag_name: 'In' }
  expect(await wokenBy(() => world.ok('segments/materialize', materialize))).toEqual(['jobs'])
  const { import: staged } = await world.ok('imports/create', { csv: 'email\neve@example.com\n' })
  const reading = { import_id: staged.id, mapping: { 0: 'email' }, options: {} }
  expect(await wokenBy(() => world.edit('/project/imports/examine', reading))).toEqual(['jobs'])
  await world.ok('imports/dry-run', reading)
  expect(await wokenBy(() => world.ok('imports/commit', { import_id: staged.id }))).toEqual(['jobs'])
})

test('Confirmations that a step of a job queued leave before its next step.', () => {
  woken.length = 0
  for (const { afterStep } of [bulkJob, importJob])
    afterStep!({ state: 'completed' }, world.service.runtime, { total: 1 } as never)
  expect(woken).toEqual(['delivery', 'delivery'])
})

test('A project with a thousand waiting jobs gets no further one.', async () => {
  const contact_id = await upsert('flo@example.com')
  const { segment } = await world.ok('segments/create', { name: 'Full', rules: { op: 'and', rules: [] } })
  const { store } = world.service.runtime
  await store.write((tx) => tx.delete(jobs))
  await store.write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 999)
      INSERT INTO jobs (project_id, kind, status, payload, next_attempt_at, created_at, updated_at)
      SELECT ${world.project.id}, 'bulk', 'queued', '{}', 0, 0, 0 FROM n`),
  )
  const bulk = () => world.call('contacts/bulk', { action: 'unsubscribe', contact_ids: [contact_id] })
  const materialize = () => world.call('segments/materialize', { segment_id: segment.id, tag_name: 'Full' })
  expect((await bulk()).status).toBe(202)
  expect([(await bulk()).status, (await materialize()).status]).toEqual([409, 409])
  await store.write((tx) => tx.delete(jobs).where(eq(jobs.project_id, world.project.id)))
  expect((await materialize()).status).toBe(202)
})
