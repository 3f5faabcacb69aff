import { expect, test } from 'bun:test'
import type { ProjectId } from '../../../src/ids.ts'
import { jobResource, JobResource, jobResources } from '../../../src/newsletter/jobs/job.ts'
import type { Job } from '../../../src/newsletter/jobs/queue.ts'
import { checker } from '../../../src/schema.ts'
import { segments } from '../../../src/store/tables/segments.ts'
import { newCampaign, newList, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const job = (project_id: ProjectId, id: number, kind: Job['kind'], payload: object): Job =>
  ({
    ...{
      id,
      project_id,
      kind,
      payload,
      status: 'running',
      position: 9,
      processed: 3,
      total: 7,
      error: 'Why',
      attempts: 2,
    },
    ...{ next_attempt_at: 0, worker_id: 'wrk', created_at: NOW, updated_at: NOW + 1 },
  }) as Job

test('A job is shown with its progress, and without what only its steps need.', async () => {
  const project = await newProject()
  const shown = await jobResource((await sharedStore()).db, job(project, 5, 'bulk', { action: 'delete', address: 'x' }))
  expect(shown).toEqual({
    ...{ id: 5, kind: 'bulk', action: 'delete', about: null, status: 'running', processed: 3, total: 7 },
    ...{ error: 'Why', attempts: 2, created_at: new Date(NOW).toISOString() },
    updated_at: new Date(NOW + 1).toISOString(),
  })
  expect(checker(JobResource).Check(shown)).toBeTrue()
})

test('A job names what it is about, while the project has it.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const campaign_id = await newCampaign(project, { name: 'Spring' })
  const [list_id, foreign] = [await newList(project, { name: 'Weekly' }), await newList(other)]
  const tag_id = await newTag(project)
  const rules = { op: 'and' as const, rules: [] }
  const at = { created_at: NOW, updated_at: NOW }
  const segment_id = await write(
    async (tx) =>
      (
        await tx
          .insert(segments)
          .values({ project_id: project, name: 'Old', name_key: 'old', rules, ...at })
          .returning()
      )[0]!.id,
  )
  const { db } = await sharedStore()
  const about = async (...payloads: object[]) =>
    (
      await jobResources(
        db,
        project,
        payloads.map((payload, id) => job(project, id + 1, 'bulk', payload)),
      )
    ).map((shown) => shown.about && [shown.about.type, shown.about.id, shown.about.name])
  expect(await about()).toEqual([])
  expect(
    await about(
      { campaign_id },
      { segment_id, tag_id },
      { action: 'add_to_list', list_id, tag_ids: [tag_id] },
      { action: 'remove_tags', tag_ids: [tag_id, tag_id] },
      { action: 'unsubscribe' },
      { import_id: 999_999_999 },
      { list_id: foreign },
      { campaign_id },
    ),
  ).toEqual([
    ...[['campaign', campaign_id, 'Spring'], ['segment', segment_id, 'Old'], ['list', list_id, 'Weekly'], null, null],
    ...[
      ['import', 999_999_999, null],
      ['list', foreign, null],
      ['campaign', campaign_id, 'Spring'],
    ],
  ] as never)
  const [tagged] = await about({ action: 'add_tags', tag_ids: [tag_id] })
  expect(tagged).toEqual(['tag', tag_id, expect.any(String)])
})

test('Only a bulk job has an action.', async () => {
  const project = await newProject()
  const shown = await jobResource((await sharedStore()).db, job(project, 1, 'campaign_prepare', { campaign_id: 1 }))
  expect([shown.kind, shown.action]).toEqual(['campaign_prepare', null])
})
