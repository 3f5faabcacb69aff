import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bulkJob } from '../../../src/newsletter/contacts/bulk-job.ts'
import { enqueueJob, runNextJob } from '../../../src/newsletter/jobs/queue.ts'
import { createSiteWorld, type SiteWorld } from '../../http/site-world.ts'
import { loopContext } from '../../support/world.ts'

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())

const cancel = (job_id: number, role: 'editor' | 'member' = 'editor') =>
  world.as(role, '/project/jobs/cancel', { job_id })

test('A change of many contacts is canceled between two of its steps, and what is done stays.', async () => {
  const contact_ids: number[] = []
  for (const name of ['ada', 'bo'])
    contact_ids.push(
      (await world.ok('contacts/upsert', { email: `${name}@example.com`, consent_text: 'Yes.' })).contact.id,
    )
  const { job } = await world.ok('contacts/bulk', { action: 'delete', contact_ids })
  const context = loopContext(world.service.runtime)
  const oneByOne: typeof bulkJob = {
    ...bulkJob,
    async step(tx, row, runtime, now) {
      const first = { ...row, payload: { ...row.payload, contact_ids: [contact_ids[0]!] } }
      return { ...(await bulkJob.step(tx, first, runtime, now)), payload: row.payload }
    },
    afterStep: () => void cancelled.push(cancel(job.id)),
  }
  const cancelled: ReturnType<typeof cancel>[] = []
  await runNextJob({ ...context, stopping: () => cancelled.length > 0 }, [oneByOne], { job_id: job.id })
  expect((await cancelled[0])!.body.job).toMatchObject({ id: job.id, status: 'cancelled', processed: 1 })
  expect(await runNextJob(context, [bulkJob], { job_id: job.id })).toBe(false)
  expect((await world.ok('contacts/list')).items.map(({ email }: { email: string }) => email)).toEqual([
    'bo@example.com',
  ])
  expect(await cancel(job.id)).toMatchObject({
    status: 409,
    body: { error: 'conflict', message: 'The job has ended.' },
  })
})

test('An import is canceled as an import, and a member cancels nothing.', async () => {
  const { store, clock } = world.service.runtime
  const { id } = await store.write((tx) =>
    enqueueJob(tx, {
      project_id: world.project.id,
      kind: 'import',
      payload: { import_id: 1, address: '', user_agent: '' },
      now: clock.now(),
    }),
  )
  expect((await cancel(id)).body.message).toBe('It is canceled with the import or the campaign it works for.')
  expect((await cancel(id, 'member')).status).toBe(403)
  expect((await cancel(id + 1)).status).toBe(404)
})
