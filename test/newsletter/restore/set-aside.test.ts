import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { type Note, notesOf } from '../../../src/audit/record.ts'
import type { Store } from '../../../src/store/open.ts'
import { countPausedByRestore, setAside } from '../../../src/newsletter/restore/set-aside.ts'
import { campaigns, type CampaignStatus, type DeliveryKind } from '../../../src/store/tables/delivery.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { newCampaign, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('A restore pauses what was being sent, unschedules what waits, and holds confirmations that wait.', async () => {
  const store = await sharedStore()
  // Of other tests.
  await setAside(store, { as_of: 'before', reach: null, now: NOW })
  const before = await countPausedByRestore(store.db)
  const [project_id, quiet, importing] = [await newProject(), await newProject(), await newProject()]
  const [changing, linking] = [await newProject(), await newProject()]
  const campaign = (status: CampaignStatus, more: Parameters<typeof newCampaign>[1] = {}) =>
    newCampaign(project_id, { status, scheduled_at: NOW, timezone: 'UTC', ...more })
  const message = (of: typeof project_id, kind: DeliveryKind, status: string) =>
    write((tx) =>
      tx.run(sql`
        INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at)
        VALUES (${of}, ${kind}, 'a@x.example', ${status}, 0, 0)`),
    )
  const [preparing, sending, scheduled] = [
    await campaign('preparing'),
    await campaign('sending'),
    await campaign('scheduled'),
  ]
  const untouched = [await campaign('draft'), await campaign('sent'), await campaign('scheduled', { deleted_at: NOW })]
  untouched.push(await campaign('paused', { deleted_at: NOW }))
  const paused = await campaign('paused', { failure: { reason: 'Paused by Ada.' } })
  await message(linking, 'link', 'queued')
  await message(project_id, 'confirmation', 'sending')
  for (const [kind, status] of [
    ['confirmation', 'sent'],
    ['test', 'queued'],
  ] as const)
    await message(quiet, kind, status)
  await write((tx) =>
    tx.run(sql`UPDATE deliveries SET status = 'sent' WHERE project_id NOT IN (${project_id}, ${quiet}, ${linking})`),
  )
  await write((tx) => tx.run(sql`UPDATE jobs SET status = 'completed'`))
  const job = {
    payload: { import_id: 1, address: '', user_agent: '' },
    next_attempt_at: 0,
    created_at: 0,
    updated_at: 0,
  }
  for (const [of, kind, status] of [
    [quiet, 'import', 'completed'],
    [quiet, 'import_examine', 'running'],
    [importing, 'import', 'running'],
    [changing, 'bulk', 'queued'],
  ] as const)
    await write((tx) => tx.insert(jobs).values({ ...job, project_id: of, kind, status }))

  const noted: Note[] = []
  const noting: Store = {
    ...store,
    write: (work) =>
      store.write(async (tx) => {
        const result = await work(tx)
        noted.push(...notesOf(tx))
        return result
      }),
  }
  expect(await setAside(noting, { as_of: 'noon', reach: 'ten', now: NOW + 5 })).toEqual({
    paused: 2,
    drafts: 1,
    held: 4,
  })
  const rows = await store.db
    .select()
    .from(campaigns)
    .where(sql`project_id = ${project_id}`)
    .orderBy(campaigns.id)
  const of = (id: number) => rows.find((row) => row.id === id)!
  for (const id of [preparing, sending])
    expect(of(id)).toMatchObject({
      ...{ status: 'paused', updated_at: NOW + 5, scheduled_at: NOW },
      failure: {
        reason: expect.stringMatching(/^Paused by a restore\. The backup is of noon, the facts reach until ten, /),
      },
    })
  expect(of(scheduled)).toMatchObject({
    ...{ status: 'draft', scheduled_at: null, timezone: null },
    failure: {
      reason: expect.stringMatching(
        /^A draft again since a restore\. The backup is of noon, the facts reach until ten, /,
      ),
    },
  })
  expect(untouched.map((id) => [of(id).status, of(id).updated_at])).toEqual([
    ['draft', NOW],
    ['sent', NOW],
    ['scheduled', NOW],
    ['paused', NOW],
  ])
  expect(of(paused)).toMatchObject({
    ...{ status: 'paused', updated_at: NOW + 5 },
    failure: {
      reason: expect.stringMatching(/^Paused before a restore\. The backup is of noon, the facts reach until ten, /),
    },
  })
  const held = await store.db.all<{ project_id: number }>(sql`
    SELECT project_id FROM newsletter_settings
    WHERE confirmations_held = 1 AND project_id IN (${project_id}, ${quiet}, ${importing}, ${changing}, ${linking})
    ORDER BY project_id`)
  expect(held).toEqual([{ project_id }, { project_id: importing }, { project_id: changing }, { project_id: linking }])
  const own = noted.filter((one) => one.project_id === project_id)
  expect(own.map(({ action, target }) => [action, target])).toEqual([
    ['campaigns/pause', `campaign:${paused}`],
    ['campaigns/pause', `campaign:${preparing}`],
    ['campaigns/pause', `campaign:${sending}`],
    ['campaigns/unschedule', `campaign:${scheduled}`],
    ['confirmations/hold', undefined],
  ])
  expect(await countPausedByRestore(store.db)).toBe(before + 2)
  // It may be repeated.
  expect(await setAside(store, { as_of: 'noon', reach: null, now: NOW + 9 })).toMatchObject({ paused: 0, drafts: 0 })
})
