import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { NOTICES_PER_HOUR } from '../../src/accounts/notices.ts'
import { form_entries, form_settings } from '../../src/store/tables/sites.ts'
import { messagesTo } from '../support/mailbox.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'

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

async function send(form: string, fields: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ project_id: world.project.public_id, form, fields })
  const headers = { 'Content-Type': 'application/json' }
  expect((await world.fetch('/general/project/form/entry', { method: 'POST', headers, body })).status).toBe(200)
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
  expect(notice!.subject).toBe('New entry of the form “contact”')
  expect(notice!.text).toContain('name: Bo <b>Lind</b>\nEmail: bo@visitor.example\nmessage: Two\nlines')
  expect(notice!.text).toContain(`/portal/projects/${world.project.slug}/forms/contact`)
  expect(notice!.html).toContain('Bo &lt;b&gt;Lind&lt;/b&gt;<br>')
  expect(notice!.headers['reply-to']).toBe('bo@visitor.example')
  expect(await told(OWNER)).toHaveLength(1)
  await send('booking', { name: 'Ann' })
  expect(await told(EDITOR)).toHaveLength(1)
})

test('An entry is told in the language of the project.', async () => {
  await world.ok('settings/update', { locale: 'de' })
  await set('kontakt', [world.users.editor])
  await send('kontakt', { name: 'Ann' })
  const { subject, text, html } = (await told(EDITOR)).at(-1)!
  await world.ok('settings/update', { locale: 'en' })
  expect(subject).toBe('Neuer Eintrag im Formular „kontakt“')
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
  expect([more, together!.subject]).toEqual([[], '12 new entries of your forms'])
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
  expect(late.map(({ subject }) => subject).toSorted()).toEqual(
    names.slice(NOTICES_PER_HOUR).map((name) => `New entry of the form “${name}”`),
  )
})

test('Settings of a form stand before those of every other form, until they are reset.', async () => {
  await set(null, [world.users.editor], 30)
  await set('contact', [], null)
  await send('contact', { name: 'Ann' })
  await send('booking', { name: 'Bo' })
  expect((await told(EDITOR)).map(({ subject }) => subject)).toEqual(['New entry of the form “booking”'])
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
