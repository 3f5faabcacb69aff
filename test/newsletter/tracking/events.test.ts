import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type NewEvent, recordEvents } from '../../../src/newsletter/tracking/events.ts'
import { events } from '../../../src/store/tables/delivery.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const stored = async (project: number) =>
  (
    await (
      await sharedStore()
    ).db
      .select()
      .from(events)
      .where(eq(events.project_id, project as never))
      .orderBy(events.id)
  ).map(({ id: _, ...event }) => event)

const EMPTY = {
  ...{ campaign_id: null, delivery_id: null, contact_id: null, list_id: null, email: '', url: null },
  ...{ user_agent: null, machine: false, detail: null },
}

test('Each event is stored with its own values, and what it leaves out is empty.', async () => {
  const project_id = await newProject()
  const full: NewEvent = {
    ...{ project_id, type: 'click', campaign_id: 1, delivery_id: 2, contact_id: 3, list_id: 4 },
    ...{ email: 'a@x.example', at: NOW, url: '/tides', user_agent: 'Mail', machine: true, detail: 'told' },
  }
  const bare: NewEvent = { project_id, type: 'open', at: NOW + 1 }
  await write((tx) => recordEvents(tx, [full, bare]))
  expect(await stored(project_id)).toEqual([
    { ...EMPTY, ...full },
    { ...EMPTY, ...bare },
  ] as never)
  await write((tx) => recordEvents(tx, []))
  await write((tx) => recordEvents(tx, [bare]))
  expect(await stored(project_id)).toHaveLength(3)
})

test('More events than one statement takes are all stored once, in their order.', async () => {
  const project_id = await newProject()
  const many = Array.from({ length: 2001 }, (_, n): NewEvent => ({ project_id, type: 'open', at: NOW + n }))
  await write((tx) => recordEvents(tx, many))
  expect((await stored(project_id)).map(({ at }) => at)).toEqual(many.map(({ at }) => at))
})
