import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { sendingProject } from '../../../src/newsletter/campaigns/content.ts'
import { archivedLetters, letterRenderer, sentLetters } from '../../../src/newsletter/campaigns/letters.ts'
import { TaskTimeout } from '../../../src/threads/heavy.ts'
import type { Store } from '../../../src/store/open.ts'
import { campaigns, newsletter_settings } from '../../../src/store/tables/delivery.ts'
import { newCampaign, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

type Campaign = Partial<typeof campaigns.$inferInsert>
const to = (...ids: number[]) => ({ include: ids.map((id) => ({ type: 'list' as const, id })) })
const archived = async (project: ProjectId) => archivedLetters((await sharedStore()).db, project)
const sent = (project: ProjectId, list_id: number, more: Campaign = {}) =>
  newCampaign(project, { status: 'sent', started_at: NOW, audience_spec: to(list_id), ...more })

/** A document that is too large to be compiled at once. */
const largeDocument = (html: string) =>
  ({
    ...{ version: 1, settings: {} },
    blocks: [{ id: 'a', type: 'text', props: { html: `${html}<p>${'tide '.repeat(3000)}</p>` } }],
  }) as never

test('The archive has what was sent only to public lists of the project, the newest first.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const open = { letters_public: true }
  const [list, second] = [await newList(project, open), await newList(project, open)]
  const [hidden, closed] = [await newList(project), await newList(project, { ...open, archived_at: NOW })]
  const foreign = await newList(other, open)
  const early = await sent(project, list, { started_at: NOW - 1 })
  const tied = [await sent(project, list), await sent(project, list, { audience_spec: to(list, second) })]
  const excluding = { ...to(second), exclude: [{ type: 'tag' as const, id: 1 }, ...to(hidden).include] }
  const latest = await sent(project, list, { started_at: NOW + 1, audience_spec: excluding })
  for (const more of [
    { audience_spec: to(list, hidden) },
    { audience_spec: to(closed) },
    { audience_spec: to(foreign) },
    { audience_spec: { include: [] } },
    { audience_spec: { include: [{ type: 'all' as const }] } },
    { audience_spec: { include: [...to(list).include, { type: 'tag' as const, id: list }] } },
    { status: 'sending' as const },
    { status: 'cancelled' as const },
    { deleted_at: NOW },
  ])
    await sent(project, list, more)
  await sent(other, list)
  const theirs = await sent(other, foreign)
  expect(await archived(project)).toEqual([
    { id: latest, sent_at: NOW + 1 },
    { id: tied[1]!, sent_at: NOW },
    { id: tied[0]!, sent_at: NOW },
    { id: early, sent_at: NOW - 1 },
  ])
  expect(await archived(other)).toEqual([{ id: theirs, sent_at: NOW }])
  const { db } = await sharedStore()
  const sender = await sendingProject(db, project)
  const page = async (limit: number, offset: number) =>
    (await sentLetters(db, sender, { limit, offset })).map(({ id }) => id)
  expect([await page(2, 0), await page(2, 1), await page(9, 3), await page(9, 4)]).toEqual([
    ...[[latest, tied[1]!], [tied[1]!, tied[0]!], [early], []],
  ])
})

test('The archive looks at the newest campaigns, of two at the same moment at the later one.', async () => {
  const project = await newProject()
  const list = await newList(project, { letters_public: true })
  const first = await sent(project, list)
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      INSERT INTO campaigns (project_id, name, search_key, subject, editor_json, audience_spec, track_opens,
        track_clicks, status, started_at, created_at, updated_at)
      SELECT project_id, '', '', '', '{}', audience_spec, 0, 0, status, started_at, 0, 0 FROM campaigns, numbers
      WHERE id = ${first}`),
  )
  const ids = (await archived(project)).map(({ id }) => id)
  expect([ids.length, ids[0]! > ids[999]!, ids.includes(first)]).toEqual([1000, true, false])
})

test("The subject of a letter has nobody's name, and the date of its own time zone.", async () => {
  const project = await newProject()
  const list = await newList(project, { letters_public: true })
  await write((tx) => tx.insert(newsletter_settings).values({ project_id: project, timezone: 'UTC', updated_at: NOW }))
  const subject = 'For {{ contact.first_name | default: you }} on {{ date }}'
  const started_at = Date.UTC(2026, 0, 15, 23)
  const plain = await sent(project, list, { subject, started_at })
  const abroad = await sent(project, list, { subject, started_at, timezone: 'Asia/Tokyo' })
  const { db } = await sharedStore()
  expect(await sentLetters(db, await sendingProject(db, project), { limit: 2, offset: 0 })).toEqual([
    { id: abroad, subject: 'For you on January 16, 2026', sent_at: started_at },
    { id: plain, subject: 'For you on January 15, 2026', sent_at: started_at },
  ])
})

test('A letter is rendered once while it stays as it is, and again after a failure.', async () => {
  const project = await newProject()
  const list = await newList(project, { letters_public: true })
  const editor_json = largeDocument('<p>Tides of {{ date }}, {{ campaign.subject }}</p>')
  const id = await sent(project, list, { editor_json, subject: 'Spring' })
  const { db, heavyTask } = await sharedStore()
  let rendered = 0
  let broken = false
  const counting = (async (task, input) => {
    rendered++
    if (broken) throw new Error('The thread ended.')
    return heavyTask(task, input)
  }) as Store['heavyTask']
  const letter = letterRenderer()
  const ask = (of = project) => letter({ db, heavyTask: counting }, of, id)
  const shown = expect.stringContaining('Tides of January 15, 2026, Spring')
  expect(await Promise.all([ask(), ask()])).toEqual([shown, shown])
  expect([await ask(), rendered]).toEqual([expect.stringContaining('Spring'), 1])
  const change = (more: Campaign) => write((tx) => tx.update(campaigns).set(more).where(eq(campaigns.id, id)))
  await change({ subject: 'Summer' })
  expect([await ask(), rendered]).toEqual([expect.stringContaining('Summer'), 2])
  await change({ started_at: NOW + 86_400_000 })
  expect([await ask(), rendered]).toEqual([expect.stringContaining('January 16'), 3])
  broken = true
  await change({ subject: 'Autumn' })
  await expect(ask()).rejects.toThrow('The thread ended.')
  broken = false
  expect([await ask(), rendered]).toEqual([expect.stringContaining('Autumn'), 5])
  expect(await ask(await newProject())).toBeNull()
  await change({ status: 'draft' })
  expect([await ask(), rendered]).toEqual([null, 5])
})

test('A letter that takes too long to render is no letter, and is tried again.', async () => {
  const project = await newProject()
  const list = await newList(project, { letters_public: true })
  const id = await sent(project, list, { editor_json: largeDocument('<p>Tides</p>') })
  const { db } = await sharedStore()
  let tries = 0
  const slow = (() => {
    tries++
    return Promise.reject(new TaskTimeout('compile'))
  }) as Store['heavyTask']
  const letter = letterRenderer()
  expect(await letter({ db, heavyTask: slow }, project, id)).toBeNull()
  expect([await letter({ db, heavyTask: slow }, project, id), tries]).toEqual([null, 2])
})

test('While twenty letters wait to be rendered, the next is refused for five seconds, and theirs come.', async () => {
  const project = await newProject()
  const list = await newList(project, { letters_public: true })
  const ids: number[] = []
  for (let number = 0; number < 21; number++)
    ids.push(await sent(project, list, { editor_json: largeDocument(`<p>Tide ${number}</p>`) }))
  const { db, heavyTask } = await sharedStore()
  const held = Promise.withResolvers<void>()
  const waiting = (async (task, input) => {
    await held.promise
    return heavyTask(task, input)
  }) as Store['heavyTask']
  const letter = letterRenderer()
  const ask = (id: number) => letter({ db, heavyTask: waiting }, project, id)
  const asked = Promise.allSettled([...ids, ids[0]!].map(ask))
  // Each is under way or refused when the store has answered all of them.
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate)
  held.resolve()
  const answers = await asked
  const [refused] = answers.splice(20, 1)
  const busy = { code: 'RATE_LIMITED', headers: { 'Retry-After': '5' } }
  expect(refused).toMatchObject({ status: 'rejected', reason: busy })
  const letters = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))
  expect(letters.map((html, at) => html?.includes(`Tide ${at % 20}<`))).toEqual(letters.map(() => true))
  expect(await ask(ids[20]!)).toContain('Tide 20<')
})
