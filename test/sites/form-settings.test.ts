import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { NOTICES_PER_HOUR } from '../../src/accounts/notices.ts'
import type { ProjectId } from '../../src/ids.ts'
import {
  announceEntry,
  countExpired,
  entryRetention,
  listFormSettings,
  resetFormSettings,
  setFormSettings,
} from '../../src/sites/form-settings.ts'
import type { Store } from '../../src/store/open.ts'
import { form_entries, form_settings } from '../../src/store/tables/sites.ts'
import { messagesTo } from '../support/mailbox.ts'
import { newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'

const UNCHECKED = { required: [], addresses: [] }
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const EDITOR = 'editor@example.com'
const OWNER = 'owner@example.com'

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.advance(60 * MINUTE_MS)
  world.forgetCookies()
  await world.service.runtime.store.write(async (tx) => {
    await tx.delete(form_entries)
    await tx.delete(form_settings)
  })
  await world.fetch('/general/sandbox/mailbox', { method: 'DELETE' })
})

function post(form: string, fields: Record<string, string | string[]>): Promise<Response> {
  const body = JSON.stringify({ project_id: world.project.public_id, form, fields })
  const headers = { 'Content-Type': 'application/json' }
  return world.fetch('/general/project/form/entry', { method: 'POST', headers, body })
}
async function send(form: string, fields: Record<string, string>): Promise<void> {
  expect((await post(form, fields)).status).toBe(200)
}
const set = (form: string | null, notify: string[], keep_days: number | null = null) =>
  world.edit('/project/form-settings/update', { form, notify, keep_days })
async function told(email: string) {
  await world.service.drain('forms')
  return messagesTo(world, email)
}
/** Days pass, in which sessions end and the cleanup runs. */
async function pass(days: number): Promise<void> {
  world.clock.advance(days * DAY_MS)
  world.forgetCookies()
  await world.service.drain('maintenance')
}
const left = async () =>
  (await world.edit('/project/form-entries/list')).items.map(({ form }: { form: string }) => form).toSorted()

test('An entry is mailed to the members who were chosen, and an answer goes to the visitor.', async () => {
  await set('contact', [world.users.editor, world.users.owner])
  await send('contact', { name: 'Bo <b>Lind</b>', Email: 'bo@visitor.example', message: 'Two\nlines' })
  const [notice, ...more] = await told(EDITOR)
  expect(more).toEqual([])
  expect(notice!.subject).toBe('New entries of your forms: 1')
  expect(notice!.text).toContain('name: Bo <b>Lind</b>\nEmail: bo@visitor.example\nmessage: Two\nlines')
  expect(notice!.text).toContain(`/portal/projects/${world.project.slug}/forms/contact`)
  expect(notice!.html).toContain('Bo &lt;b&gt;Lind&lt;/b&gt;<br>')
  expect(notice!.headers['reply-to']).toBe('bo@visitor.example')
  expect(await told(OWNER)).toHaveLength(1)
  await send('booking', { name: 'Ann' })
  expect(await told(EDITOR)).toHaveLength(1)
})

test('Before anybody chooses, the owner is told of entries, and an address is checked.', async () => {
  await world.edit('/project/form-settings/reset', { form: null })
  const [settings] = (await world.edit('/project/form-settings/list')).settings
  expect(settings).toMatchObject({ form: null, notify: ['owner'], required: [], addresses: ['email'] })
  await send('contact', { name: 'Bo', Email: 'bo@visitor.example' })
  expect(await told(OWNER)).toHaveLength(1)
  expect(await told(EDITOR)).toEqual([])
  for (const others of [{}, { email: 'bo@visitor.example' }] as Record<string, string>[])
    expect((await post('contact', { Email: 'bo@visitor', ...others })).status).toBe(400)
  // An empty field is no wrong address, and neither is one that is not there.
  for (const Email of [' ', ['bo@visitor.example', ''], []]) expect((await post('contact', { Email })).status).toBe(200)
  expect((await post('contact', { message: 'Hello' })).status).toBe(200)
})

test('An entry with a missing field or a wrong address is refused with a flaw for each.', async () => {
  await set('order', [])
  const checks = { required: ['name', 'a/b'], addresses: ['invoice to'] }
  await world.edit('/project/form-settings/update', { form: 'order', notify: [], keep_days: 5, ...checks })
  await set('order', [], 7)
  const [own] = (await world.edit('/project/form-settings/list')).settings
  expect(own).toMatchObject({ ...checks, keep_days: 7 })
  const refused = await post('order', { name: ' ', 'Invoice to': 'nobody' })
  expect(refused.status).toBe(400)
  expect((await refused.json()).message).toContain('fields.name: Required.')
  const body = new URLSearchParams({ project_id: world.project.public_id, form: 'order', 'Invoice to': 'no<b>' })
  const page = await world.fetch('/general/project/form/entry', { method: 'POST', body })
  expect([page.status, (await page.text()).match(/<li>.*?<.li>/g)]).toEqual([
    400,
    ['<li>name</li>', '<li>a/b</li>', '<li>Invoice to</li>'],
  ])
  expect(await left()).toEqual([])
  await send('order', { NAME: 'Bo', 'a/b': 'x', 'invoice TO': 'bo@visitor.example' })
  await send('other', {})
  expect(await left()).toEqual(['order', 'other'])
})

test('An entry is told in the language of the project.', async () => {
  await world.ok('settings/update', { locale: 'de' })
  await set('kontakt', [world.users.editor])
  await send('kontakt', { name: 'Ann' })
  const { subject, text, html } = (await told(EDITOR)).at(-1)!
  await world.ok('settings/update', { locale: 'en' })
  expect(subject).toBe('Neue Einträge in Ihren Formularen: 1')
  expect(text).toContain('weil das Projekt „Harbour News“')
  expect(html).toContain('<html lang="de" dir="ltr">')
})

test('Entries that follow within five minutes come together, and each is told once.', async () => {
  await set(null, [world.users.editor])
  await send('contact', { name: 'Ann' })
  expect(await told(EDITOR)).toHaveLength(1)
  for (let number = 1; number <= 12; number += 1)
    await send(number > 6 ? 'booking' : 'contact', { number: `№${number}.` })
  expect(await told(EDITOR)).toHaveLength(1)
  world.clock.advance(5 * MINUTE_MS)
  const [, together, ...more] = await told(EDITOR)
  expect([more, together!.subject]).toEqual([[], 'New entries of your forms: 12'])
  for (const part of ['№1.', '№10.', 'And 2 more.']) expect(together!.text).toContain(part)
  for (const part of ['Ann', '№11.']) expect(together!.text).not.toContain(part)
  world.clock.advance(5 * MINUTE_MS)
  expect(await told(EDITOR)).toHaveLength(2)
})

test('Nobody gets more than 30 messages about forms in an hour; the others come later.', async () => {
  const names = Array.from({ length: NOTICES_PER_HOUR + 2 }, (_, index) => `form ${index}`)
  for (const name of names) await set(name, [world.users.editor])
  for (const name of names) await send(name, { name: 'Ann' })
  expect(await told(EDITOR)).toHaveLength(NOTICES_PER_HOUR)
  world.clock.advance(60 * MINUTE_MS)
  world.forgetCookies()
  const late = (await told(EDITOR)).slice(NOTICES_PER_HOUR)
  expect(late.map(({ text }) => /form \d+/.exec(text)?.[0]).toSorted()).toEqual(names.slice(NOTICES_PER_HOUR))
})

test('Settings of a form stand before those of every other form, until they are reset.', async () => {
  await set(null, [world.users.editor], 30)
  await set('contact', [], null)
  await send('contact', { name: 'Ann' })
  await send('booking', { name: 'Bo' })
  expect((await told(EDITOR)).map(({ subject }) => subject)).toEqual(['New entries of your forms: 1'])
  const named = (await world.edit('/project/form-settings/list')).settings.map((one: any) => [one.form, one.keep_days])
  expect(named).toEqual([
    [null, 30],
    ['contact', null],
  ])
  await pass(31)
  expect(await left()).toEqual(['contact'])
  await world.edit('/project/form-settings/reset', { form: 'contact' })
  expect(await world.edit('/project/form-settings/expired', { form: null, keep_days: 30 })).toEqual({ entries: 1 })
  await pass(0)
  expect(await left()).toEqual([])
})

test('Entries of a form stay as many days as its editors chose.', async () => {
  await set('contact', [], 7)
  await send('contact', { name: 'old' })
  await pass(6)
  await send('contact', { name: 'new' })
  await send('booking', { name: 'kept' })
  await pass(1)
  expect(await left()).toEqual(['booking', 'contact'])
})

test('Entries that were deleted before their mail are not told, and the next one is.', async () => {
  await set('contact', [world.users.editor])
  await send('contact', { name: 'Ann' })
  await world.edit('/project/form-entries/delete', { form: 'contact' })
  expect(await told(EDITOR)).toEqual([])
  expect(await dueOf(world.project.id, world.service.runtime.store)).toEqual([['contact', null, null]])
  world.clock.advance(5 * MINUTE_MS)
  await send('contact', { name: 'Bo' })
  expect((await told(EDITOR)).map(({ text }) => text.includes('name: Bo'))).toEqual([true])
})

test('A long value is shortened, only what is an address is answered, and a name is part of the link.', async () => {
  await set('a/b', [world.users.editor])
  await send('a/b', { email: 'not an address', long: 'x'.repeat(2001), fits: 'y'.repeat(2000) })
  const [notice] = await told(EDITOR)
  expect(notice!.text).toContain(`long: ${'x'.repeat(2000)}…`)
  expect(notice!.text).toContain(`fits: ${'y'.repeat(2000)}`)
  expect(notice!.text).not.toContain(`${'y'.repeat(2000)}…`)
  expect(notice!.text).toContain(`/portal/projects/${world.project.slug}/forms/a%2Fb`)
  expect(notice!.headers['reply-to']).toBeUndefined()
  world.clock.advance(5 * MINUTE_MS)
  await send('a/b', { email: 'ann@visitor.example' })
  await send('a/b', { email: 'bo@visitor.example' })
  const [, two] = await told(EDITOR)
  expect([two!.subject, two!.headers['reply-to']]).toEqual(['New entries of your forms: 2', undefined])
})

test('A notice of one project leaves the waiting one of another alone.', async () => {
  const { store } = world.service.runtime
  const tell_at = world.clock.now() + 60 * MINUTE_MS
  const waits = { project_id: world.other.id, form: 'contact', notify: ['usr_x'], tell_from: 1, tell_at, told_at: null }
  await store.write((tx) => tx.insert(form_settings).values({ ...waits, keep_days: null, updated_at: 0 }))
  await set('contact', [world.users.editor])
  await send('contact', { name: 'Ann' })
  expect(await told(EDITOR)).toHaveLength(1)
  const rows = (await store.db.select().from(form_settings)).filter(({ project_id }) => project_id === world.other.id)
  expect(rows).toMatchObject([waits])
})

test('Only members are told, and only editors choose.', async () => {
  const refused = await world.as('editor', '/project/form-settings/update', {
    form: 'contact',
    notify: [world.users.outsider],
    keep_days: null,
  })
  expect(refused).toMatchObject({ status: 404, body: { error: 'not_found' } })
  const asMember = await world.as('member', '/project/form-settings/update', { form: null, notify: [], keep_days: 1 })
  expect(asMember.status).toBe(403)
  await set('contact', [world.users.member])
  await world.as('owner', '/project/members/remove', { user_id: world.users.member })
  expect((await world.edit('/project/form-settings/list')).settings[0].notify).toEqual([])
  await send('contact', { name: 'Ann' })
  expect(await told('member@example.com')).toEqual([])
})

type Chosen = Parameters<typeof setFormSettings>[2]
const choose = (project: ProjectId, chosen: Partial<Chosen>, now = NOW) =>
  write((tx) => setFormSettings(tx, project, { form: null, notify: [], keep_days: null, ...chosen }, now))
async function dueOf(project: ProjectId, store?: Store): Promise<unknown[]> {
  const rows = await (store ?? (await sharedStore())).db.select().from(form_settings)
  return rows
    .filter((row) => row.project_id === project)
    .map(({ form, tell_from, tell_at }) => [form, tell_from, tell_at])
}

test('An entry is due at once where somebody wants it, and five minutes after the last mail.', async () => {
  const project = await newProject()
  const ada = await newUser({}, [project, 'member'])
  const announce = (form: string, id: number, now = NOW) =>
    write((tx) => announceEntry(tx, { id, project_id: project, form }, now))
  await choose(project, { form: ' contact ', notify: [ada] })
  await choose(project, { form: 'quiet' })
  await announce('quiet', 1)
  await announce('other', 2)
  expect(await dueOf(project)).toEqual([
    ['contact', null, null],
    ['quiet', null, null],
  ])
  await announce('contact', 3)
  await announce('contact', 4, NOW + 9)
  expect(await dueOf(project)).toContainEqual(['contact', 3, NOW])
  await choose(project, { form: 'contact', notify: [ada] }, NOW + 1)
  expect(await dueOf(project)).toContainEqual(['contact', 3, NOW])
  await choose(project, { form: 'contact' }, NOW + 2)
  expect(await dueOf(project)).toContainEqual(['contact', null, null])
  await choose(project, { form: 'contact', notify: [ada] }, NOW + 3)
  await write((tx) => tx.update(form_settings).set({ told_at: NOW }))
  await announce('contact', 5, NOW + 9)
  expect(await dueOf(project)).toContainEqual(['contact', 5, NOW + 5 * MINUTE_MS])
})

test('Settings of another project do not decide what an entry has.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const ada = await newUser({}, [project, 'member'])
  await choose(other, { form: 'booking' })
  await choose(project, { notify: [ada] })
  await write((tx) => announceEntry(tx, { id: 7, project_id: project, form: 'booking' }, NOW))
  expect(await dueOf(project)).toEqual([['', 7, NOW]])
})

test('Settings are listed with those of every other form first, and without members who left.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [ada, bo] = [await newUser({}, [project, 'member']), await newUser({}, [project, 'member'])]
  await choose(project, { form: 'contact', notify: [ada, bo], keep_days: 7 })
  await choose(project, { notify: [bo] }, NOW + 1)
  await choose(other, { form: 'contact' })
  const { db, write: writing } = await sharedStore()
  const list = (of: ProjectId) => listFormSettings(db, of)
  expect(await list(project)).toEqual([
    { form: null, notify: [bo], keep_days: null, ...UNCHECKED, updated_at: NOW + 1 },
    { form: 'contact', notify: [ada, bo], keep_days: 7, ...UNCHECKED, updated_at: NOW },
  ])
  const stranger = { code: 'NOT_FOUND', details: [{ path: '/notify/1' }] }
  await expect(choose(project, { notify: [bo, await newUser()] })).rejects.toMatchObject(stranger)
  await writing((tx) => resetFormSettings(tx, project, ' contact ', NOW))
  expect((await list(project)).map(({ form }) => form)).toEqual([null])
  await writing((tx) => resetFormSettings(tx, project, null, NOW))
  expect((await list(project)).map(({ notify }) => notify)).toEqual([['owner']])
  expect((await list(other)).map(({ form }) => form)).toEqual(['contact'])
})

test('Entries that a time would delete are counted for a form, and for forms without own settings.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const entry = { project_id: project, fields: {}, created_at: NOW - 7 * DAY_MS }
  await choose(project, { form: 'contact' })
  await write((tx) =>
    tx.insert(form_entries).values([
      { ...entry, form: 'contact' },
      { ...entry, form: 'contact', created_at: entry.created_at + 1 },
      { ...entry, form: 'a' },
      { ...entry, form: 'b', created_at: 0 },
      { ...entry, form: 'a', project_id: other },
    ]),
  )
  const expired = async (form: string | null, keep_days = 7) =>
    countExpired(await sharedStore(), project, { form, keep_days }, NOW)
  expect([await expired(' contact '), await expired('contact', 6), await expired(null)]).toEqual([1, 2, 2])
  expect([await expired('a'), await expired('none')]).toEqual([1, 0])
})

test('The cleanup deletes the expired entries of the forms and projects that chose it, and no others.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await choose(project, { form: 'contact', keep_days: 7 })
  await choose(project, { form: 'kept' })
  await choose(project, { keep_days: 30 })
  // Another project's choice for a form of this name is none here.
  await choose(other, { form: 'any' })
  const old = (days: number) => ({ project_id: project, fields: {}, created_at: NOW - days * DAY_MS })
  const entries = [
    { ...old(7), form: 'contact' },
    { ...old(6), form: 'contact' },
    { ...old(99), form: 'kept' },
    { ...old(30), form: 'any' },
    { ...old(29), form: 'any' },
    { ...old(99), form: 'contact', project_id: other },
    { ...old(99), form: 'any', project_id: other },
  ]
  await write((tx) => tx.insert(form_entries).values(entries))
  const gone = await write((tx) => tx.all(entryRetention.statement(NOW, 1000)))
  expect(gone.length).toBeGreaterThanOrEqual(2)
  const left = (await (await sharedStore()).db.select().from(form_entries).orderBy(form_entries.id))
    .filter(({ project_id }) => project_id === project || project_id === other)
    .map(({ form, created_at }) => [form, (NOW - created_at) / DAY_MS])
  expect(left).toEqual([
    ['contact', 6],
    ['kept', 99],
    ['any', 29],
    ['contact', 99],
    ['any', 99],
  ])
})

test('At most 200 forms of a project have settings, and those can still be changed.', async () => {
  const project = await newProject()
  const row = { project_id: project, notify: [], keep_days: null, tell_from: null, tell_at: null, told_at: null }
  const rows = Array.from({ length: 199 }, (_, n) => ({ ...row, form: `form ${n}`, updated_at: NOW }))
  await write((tx) => tx.insert(form_settings).values(rows))
  await choose(project, { form: 'the last' })
  await expect(choose(project, { form: 'one more' })).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect(await choose(project, { form: 'the last', keep_days: 3 })).toMatchObject({ keep_days: 3 })
})
