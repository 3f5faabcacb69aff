import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import type { Job, Progress } from '../../../src/newsletter/jobs/queue.ts'
import { segmentMaterialize } from '../../../src/newsletter/segments/materialize.operations.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { segments } from '../../../src/store/tables/segments.ts'
import { newContact, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const newSegment = (project_id: ProjectId, value: string) =>
  write(async (tx) => {
    const rules = { op: 'and' as const, rules: [{ field: 'email_domain', operator: 'eq' as const, value }] }
    const values = { project_id, name: value, name_key: value, rules, created_at: NOW, updated_at: NOW }
    return (await tx.insert(segments).values(values).returning())[0]!.id
  })
const step = (
  project_id: ProjectId,
  payload: { segment_id: number; tag_id: number },
  position = 0,
): Promise<Progress> =>
  write((tx) => {
    const job = { project_id, position, created_at: NOW, payload } as Job<'segment_materialize'>
    return segmentMaterialize.step(tx, job, {} as Runtime, NOW)
  })

test('Each step goes over two thousand contacts of the project and tags those in the segment.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [segment_id, tag_id] = [await newSegment(project, 'x.example'), await newTag(project)]
  const outside = await newContact(project, 'a@y.example')
  await newContact(other, 'a@x.example')
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
      INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${project}, n || '@x.example', n || '@x.example', '', 'subscribed', 0, 0 FROM numbers`),
  )
  const tagged = async () =>
    (
      await (
        await sharedStore()
      ).db.all<{ n: number }>(sql`SELECT count(*) AS n FROM contact_tags WHERE tag_id = ${tag_id}`)
    )[0]!.n
  const first = await step(project, { segment_id, tag_id })
  expect([first, await tagged()]).toEqual([{ state: 'more', position: outside + 2000, processed: 1999 }, 1999])
  const second = await step(project, { segment_id, tag_id }, outside + 2000)
  expect([second, await tagged()]).toEqual([{ state: 'more', position: outside + 2001, processed: 1 }, 2000])
  expect(await step(project, { segment_id, tag_id }, outside + 2001)).toEqual({ state: 'completed' })
})

test('A segment or a tag that is gone, or of another project, cancels the job.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [segment_id, tag_id] = [await newSegment(project, 'x.example'), await newTag(project)]
  const [foreign_segment, foreign_tag] = [await newSegment(other, 'x.example'), await newTag(other)]
  for (const payload of [
    { segment_id: 999_999_999, tag_id },
    { segment_id: foreign_segment, tag_id },
    { segment_id, tag_id: 999_999_999 },
    { segment_id, tag_id: foreign_tag },
  ])
    expect(await step(project, payload)).toEqual({ state: 'cancelled' })
  expect(await step(project, { segment_id, tag_id })).toEqual({ state: 'completed' })
})

test('Each step judges by the moment at which the tag was asked for.', async () => {
  const project = await newProject()
  const rules = { op: 'and' as const, rules: [{ field: 'created_at', operator: 'in_last_days' as const, value: 1 }] }
  const [{ id: segment_id } = { id: 0 }] = await write((tx) =>
    tx
      .insert(segments)
      .values({ project_id: project, name: 'New', name_key: 'new', rules, created_at: NOW, updated_at: NOW })
      .returning(),
  )
  await newContact(project, 'new@x.example')
  const job = { project_id: project, position: 0, payload: { segment_id, tag_id: await newTag(project) } }
  const tagged = (created_at: number, now: number) =>
    write((tx) => segmentMaterialize.step(tx, { ...job, created_at } as Job<'segment_materialize'>, {} as Runtime, now))
  expect(await tagged(NOW + 1, NOW + 9 * 86_400_000)).toMatchObject({ processed: 1 })
  expect(await tagged(NOW + 2 * 86_400_000, NOW + 1)).toMatchObject({ processed: 0 })
})
