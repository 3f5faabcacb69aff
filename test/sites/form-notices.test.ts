import { beforeEach, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { NOTICES_PER_HOUR, queueNotice } from '../../src/accounts/notices.ts'
import { DAY_MS, FixedClock, MINUTE_MS } from '../../src/clock.ts'
import type { ProjectId } from '../../src/ids.ts'
import type { LoopContext } from '../../src/runtime.ts'
import { formLoop } from '../../src/sites/form-notices.ts'
import { one } from '../../src/store/rows.ts'
import { newsletter_settings } from '../../src/store/tables/delivery.ts'
import { EVERY_OTHER_FORM, form_entries, form_settings } from '../../src/store/tables/sites.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const LINK = 'https://masthead.example/portal/projects'

beforeEach(() => write(async (tx) => void (await tx.delete(form_settings))))

/** Runs the loop once at NOW. Answers whether it did something, and what it woke. */
async function tick(): Promise<unknown[]> {
  const woken: string[] = []
  const context = {
    ...senderAt(),
    store: await sharedStore(),
    clock: new FixedClock(NOW),
    wake: woken.push.bind(woken),
  }
  return [await formLoop.tick(context as unknown as LoopContext), ...woken]
}
const enter = (project_id: ProjectId, form: string, fields = {}) =>
  write(async (tx) => {
    const values = { project_id, form, fields, created_at: NOW }
    return one(await tx.insert(form_entries).values(values).returning({ id: form_entries.id })).id
  })
const due = (project_id: ProjectId, form: string, notify: string[], tell_from: number, tell_at = NOW) =>
  write(async (tx) => {
    const row = { project_id, form, notify, tell_from, tell_at, told_at: 7, keep_days: null, updated_at: NOW }
    await tx.insert(form_settings).values(row)
  })
async function settingsOf(project_id: ProjectId, form: string) {
  const { db } = await sharedStore()
  const which = and(eq(form_settings.project_id, project_id), eq(form_settings.form, form))
  const { tell_from, tell_at, told_at } = one(await db.select().from(form_settings).where(which))
  return [tell_from, tell_at, told_at]
}
/** A project with a member, and the member's address. */
async function told(name: string) {
  const email = `${name}@forms.example`
  const project = await newProject({ slug: `forms-of-${name}`, name: 'Quay' })
  return { email, project, user_id: await newUser({ email }, [project, 'member']) }
}

test('The notice that is due for longest goes out first, is useful for three days, and comes once.', async () => {
  const { email, project, user_id } = await told('first')
  const [a, b] = [await enter(project, 'a'), await enter(project, 'b')]
  await due(project, 'a', [user_id], a)
  await due(project, 'b', [user_id], b, NOW - 1)
  await due(project, 'c', [user_id], b, NOW + 1)
  const forms = async () => (await queuedFor(email)).map(({ text }) => /^(.), 2026/m.exec(text)?.[1])
  expect([await tick(), await forms()]).toEqual([[true, 'mail'], ['b']])
  expect([await tick(), await forms()]).toEqual([
    [true, 'mail'],
    ['b', 'a'],
  ])
  expect([await tick(), await forms()]).toEqual([[false], ['b', 'a']])
  expect(await settingsOf(project, 'a')).toEqual([null, null, NOW])
  expect(await settingsOf(project, 'c')).toEqual([b, NOW + 1, 7])
  for (const { kind, expires_at } of await queuedFor(email))
    expect([kind, expires_at]).toEqual(['form_notice', NOW + 3 * DAY_MS])
})

test('A notice waits ten minutes while all who want it got many, and goes to the others otherwise.', async () => {
  const { email, project, user_id } = await told('full')
  const other = 'free@forms.example'
  const free = await newUser({ email: other }, [project, 'member'])
  const parts = { subject: 'Told', paragraphs: [], closing: '' }
  const many = Array.from({ length: NOTICES_PER_HOUR }, () => email)
  await write((tx) => queueNotice(tx, senderAt(), { kind: 'form_notice', recipients: many }, parts))
  const id = await enter(project, 'a')
  await due(project, 'a', [user_id], id)
  expect(await tick()).toEqual([true, 'mail'])
  expect(await settingsOf(project, 'a')).toEqual([id, NOW + 10 * MINUTE_MS, 7])
  await due(project, 'b', [user_id, free], await enter(project, 'b'))
  await tick()
  expect(await settingsOf(project, 'b')).toEqual([null, null, NOW])
  expect([(await queuedFor(email)).length, (await queuedFor(other)).length]).toEqual([NOTICES_PER_HOUR, 1])
})

test('A notice that nobody can get any more does not wait, and none is written of a deleted project.', async () => {
  const { email, project, user_id } = await told('gone')
  await due(project, 'a', [await newUser()], await enter(project, 'a'))
  await tick()
  expect(await settingsOf(project, 'a')).toEqual([null, null, NOW])
  const deleted = await newProject({ deleted_at: NOW })
  const other = 'left@forms.example'
  const member = await newUser({ email: other }, [deleted, 'member'])
  await due(deleted, 'a', [member, user_id], await enter(deleted, 'a'))
  await tick()
  expect([await queuedFor(other), await queuedFor(email)]).toEqual([[], []])
})

test('A notice counts the new entries of its own project and form, and links to where they stand.', async () => {
  const { email, project, user_id } = await told('counted')
  await enter(project, 'a', { name: 'Before' })
  const from = await enter(project, 'a', { name: 'Ann' })
  await enter(await newProject(), 'a', { name: 'Foreign' })
  await enter(project, 'b', { name: 'Other' })
  await enter(project, 'a', { name: 'Bo' })
  await due(project, 'a', [user_id], from)
  await tick()
  await due(project, EVERY_OTHER_FORM, [user_id], from)
  await tick()
  const last = await enter(project, 'x/y', { name: 'Cy' })
  await write(async (tx) => void (await tx.delete(form_settings)))
  await due(project, EVERY_OTHER_FORM, [user_id], last)
  await tick()
  const slug = `${LINK}/forms-of-counted/forms`
  const notices = (await queuedFor(email)).map(({ subject, text }) => [
    subject,
    text.match(/(?<=name: ).+/g)!.join(),
    /https\S+\/portal\/projects\S+/.exec(text)![0],
  ])
  expect(notices).toEqual([
    ['New entries of your forms: 2', 'Ann,Bo', `${slug}/a`],
    ['New entries of your forms: 1', 'Other', slug],
    ['New entries of your forms: 1', 'Cy', slug],
  ])
})

test('A notice names several values of a field as the export does.', async () => {
  const { email, project, user_id } = await told('several')
  const from = await enter(project, 'a', { days: ['Mon, Tue', 'Fri'], adult: true, seats: 2 })
  await due(project, 'a', [user_id], from)
  await tick()
  expect((await queuedFor(email))[0]!.text).toContain('\ndays: Mon, Tue; Fri\nadult: true\nseats: 2\n')
})

test('In a language from right to left, names stand apart from the sentence.', async () => {
  const { email, project, user_id } = await told('isolated')
  const settings = { project_id: project, locale: 'ar', updated_at: NOW }
  await write(async (tx) => void (await tx.insert(newsletter_settings).values(settings as never)))
  await due(project, 'contact', [user_id], await enter(project, 'contact'))
  await tick()
  const [notice] = await queuedFor(email)
  expect(notice!.text).toContain('\u2068Quay\u2069')
})

test('A notice says what was sent and when, up to two thousand characters of a value.', async () => {
  const { email, project, user_id } = await told('whole')
  const [whole, cut] = ['w'.repeat(2000), 'c'.repeat(2001)]
  await due(project, 'Contact', [user_id], await enter(project, 'Contact', { whole, cut, ok: true, two: ['a', 'b'] }))
  await tick()
  const [notice] = await queuedFor(email)
  const lines = ['Contact, 2026-01-15 09:00 UTC', `whole: ${whole}`, `cut: ${cut.slice(1)}…`, 'ok: true', 'two: a; b']
  expect(notice!.text).toContain(`${lines.join('\n')}\n\n`)
})
