import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { join } from 'node:path'
import { maySend } from '../../../src/newsletter/outbox/consent-check.ts'
import { createConfirmationToken, createRecipientToken } from '../../../src/newsletter/tracking/tokens.ts'
import { openStore } from '../../../src/store/open.ts'
import { readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'
import { randomness } from '../segments/population.ts'

/** Who leaves by their own act gets nothing more until they come back (docs/api/consent.md#leaving). */

let world: World
let news: number
let sports: number
let club: number
let segment: number
beforeAll(async () => {
  world = await createWorld()
  news = (await readyToSend(world)).list_id
  sports = (await world.ok('lists/create', { name: 'Sports' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  segment = (await world.ok('segments/create', { name: 'Everybody', rules: { op: 'and', rules: [] } })).segment.id
})
afterAll(() => world.close())

interface Mail {
  id: number
  to: string
  text: string
}
let read = 0
/** The messages that left since the last call. */
async function newMail(): Promise<Mail[]> {
  await world.settle()
  const response = await world.fetch(`/general/sandbox/mailbox?after_id=${read}`)
  const { messages } = (await response.json()) as { messages: Mail[] }
  read = messages.at(-1)?.id ?? read
  return messages
}

const upsert = async (email: string, list_ids: number[], more = {}) =>
  (await world.ok('contacts/upsert', { email, consent_text: 'I agree', list_ids, ...more })).contact
const find = async (email: string) => {
  const { status, body } = await world.call('contacts/get', { email })
  return status === 200 ? body.data : null
}
const post = (path: string, fields: [string, string][] = []) =>
  world.fetch(path, { method: 'POST', body: new URLSearchParams(fields) })

async function campaign(include: { type: string; id?: number }[]): Promise<number> {
  const { campaign } = await world.ok('campaigns/create', {
    name: 'Tides',
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include },
  })
  return campaign.id
}
const sendTo = async (include: { type: string; id?: number }[]) => {
  await world.ok('campaigns/send', { campaign_id: await campaign(include) })
  return (await newMail()).map(({ to }) => to)
}

/** The link of a message: of a campaign to these lists, or of a confirmation when none is named. */
async function linkTo(page: 'unsubscribe' | 'preferences', contact_id: number, list_ids: number[]): Promise<string> {
  const campaign_id = list_ids.length === 0 ? 0 : await campaign(list_ids.map((id) => ({ type: 'list', id })))
  const { keys, store } = world.service.runtime
  const [delivery] = await store.write((tx) =>
    tx.all<{ id: number }>(sql`
      INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at)
      SELECT project_id, 'link', id, email, 'sent', 0, 0 FROM contacts WHERE id = ${contact_id} RETURNING id`),
  )
  const token = createRecipientToken(keys, { delivery_id: delivery!.id, contact_id, campaign_id })
  return `/general/newsletter/${page}/${token}`
}

test('One click on the only list leaves everything: no campaign reaches the person any more.', async () => {
  const ada = await upsert('ada@example.com', [news])
  await upsert('bo@example.com', [news])
  const page = await (await post(await linkTo('unsubscribe', ada.id, [news]))).text()
  expect(page).toContain('No further messages will be sent to a…@example.com.')
  expect(await find('ada@example.com')).toMatchObject({
    contact: { global_status: 'unsubscribed', lists: [{ status: 'unsubscribed' }] },
    suppression: { reason: 'unsubscribe' },
  })
  for (const include of [[{ type: 'all' }], [{ type: 'list', id: news }], [{ type: 'segment', id: segment }]])
    expect(await sendTo(include)).toEqual(['bo@example.com'])
})

test('One click with another list left leaves that list alone.', async () => {
  const cy = await upsert('cy@example.com', [news, sports])
  const path = await linkTo('unsubscribe', cy.id, [news])
  await post(path)
  expect(await find('cy@example.com')).toMatchObject({ contact: { global_status: 'subscribed' }, suppression: null })
  await post(await linkTo('unsubscribe', cy.id, [sports]))
  expect((await find('cy@example.com')).contact.global_status).toBe('unsubscribed')
})

test('A list that is archived or waits for a confirmation keeps nobody subscribed.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Old' })
  const di = await upsert('di@example.com', [news, list.id, club])
  await newMail()
  await world.ok('lists/update', { list_id: list.id, archived: true })
  await post(await linkTo('unsubscribe', di.id, [news]))
  expect((await find('di@example.com')).contact).toMatchObject({ global_status: 'unsubscribed' })
  const token = createConfirmationToken(world.service.runtime.keys, {
    contact_id: di.id,
    email: di.email,
    list_ids: [club],
  })
  await post(`/general/newsletter/confirm/${token}`)
  expect((await find('di@example.com')).contact.lists.map(({ status }: any) => status)).toEqual(
    Array.from({ length: 3 }, () => 'unsubscribed'),
  )
})

test('Unticking the last list in the preference center leaves everything; exchanging it does not.', async () => {
  const ed = await upsert('ed@example.com', [news])
  const path = await linkTo('preferences', ed.id, [news])
  await post(path, [['list_ids', String(sports)]])
  expect((await find('ed@example.com')).contact.global_status).toBe('subscribed')
  await post(path)
  expect(await find('ed@example.com')).toMatchObject({
    contact: { global_status: 'unsubscribed' },
    suppression: { reason: 'unsubscribe' },
  })
  await post(path, [['list_ids', String(news)]])
  expect(await find('ed@example.com')).toMatchObject({ contact: { global_status: 'subscribed' }, suppression: null })
})

test('Saving the preference center without any list, before and after, changes nothing.', async () => {
  const fe = await upsert('fe@example.com', [])
  await post(await linkTo('preferences', fe.id, []))
  expect((await find('fe@example.com')).contact.global_status).toBe('subscribed')
})

test('An integration that takes a contact off its last list leaves the global status.', async () => {
  const gil = await upsert('gil@example.com', [news])
  await world.ok('contacts/membership', { contact_id: gil.id, list_id: news, action: 'unsubscribe' })
  expect(await find('gil@example.com')).toMatchObject({ contact: { global_status: 'subscribed' }, suppression: null })
})

test('Removing the suppression of a person who left subscribes nobody; resubscribe does.', async () => {
  const email = 'hal@example.com'
  const hal = await upsert(email, [news])
  await post(await linkTo('unsubscribe', hal.id, [news]))
  await world.ok('suppressions/remove', { email })
  expect((await find(email)).contact.global_status).toBe('unsubscribed')
  const again = await world.ok('contacts/upsert', { email, consent_text: 'I agree', list_ids: [news] })
  expect(again.skipped).toEqual([{ list_id: news, reason: 'unsubscribed' }])
  await upsert(email, [news], { resubscribe: true })
  expect((await find(email)).contact.global_status).toBe('subscribed')
})

test('A manual suppression outlives the opt-out of its person.', async () => {
  const email = 'ivy@example.com'
  const ivy = await upsert(email, [news])
  await world.ok('suppressions/add', { email })
  await post(await linkTo('unsubscribe', ivy.id, [news]))
  expect(await find(email)).toMatchObject({
    contact: { global_status: 'unsubscribed' },
    suppression: { reason: 'manual' },
  })
})

test('The end of a bounce does not end the opt-out before or after it.', async () => {
  const leave = async (email: string) => post(await linkTo('unsubscribe', (await find(email)).contact.id, [news]))
  const bounce = (email: string) => world.ok('suppressions/add', { email, reason: 'hard_bounce' })
  const reset = async (email: string) =>
    world.ok('contacts/reset-status', { contact_id: (await find(email)).contact.id })
  const remove = async (email: string) => world.ok('contacts/delete', { contact_id: (await find(email)).contact.id })
  const again = (email: string) => upsert(email, [news])
  for (const [index, acts] of [
    [leave, bounce, reset],
    [bounce, leave, reset],
    [leave, bounce, remove, again, reset],
    [leave, remove, bounce, again, reset],
    [leave, remove, again, bounce, reset, again],
  ].entries()) {
    const email = `jo-${index}@example.com`
    await upsert(email, [news])
    for (const act of acts) await act(email)
    expect([index, await find(email)]).toMatchObject([
      index,
      { contact: { global_status: 'unsubscribed' }, suppression: { reason: 'unsubscribe' } },
    ])
  }
})

/** Sequences of everything that may subscribe an address again, after its person left. */
for (const seed of [1, 2, 3, 4, 5, 6])
  test(`Nobody who left last gets mail, whatever happens next (sequence ${seed}).`, async () => {
    const { pick, below } = randomness(seed)
    const addresses = Array.from({ length: 4 }, (_, index) => `p${seed}-${index}@example.com`)
    const gone = new Set<string>()
    const log: string[] = []
    const lists = [[news], [sports], [club], [news, sports], [news, club], []]
    const acts: Record<string, (email: string) => Promise<unknown>> = {
      upsert: (email) => upsert(email, pick(lists)),
      signup: (email) =>
        world.fetch('/general/newsletter/signup', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            project_id: world.project.public_id,
            email,
            list_ids: pick(lists),
            consent_text: 'Yes',
          }),
        }),
      async import(email) {
        const created = await world.ok('imports/create', { csv: `email\n${email}\n` })
        const import_id = created.import.id
        const options = { list_ids: pick(lists), update_existing: true, consent_text: 'Yes', consent_confirmed: true }
        await world.ok('imports/dry-run', { import_id, mapping: { 0: 'email' }, options })
        await world.ok('imports/commit', { import_id })
      },
      async bulk(email) {
        const known = await find(email)
        const act = { action: 'add_to_list', list_id: pick([news, club]), consent_text: 'Yes' }
        if (known) await world.ok('contacts/bulk', { contact_ids: [known.contact.id], ...act })
      },
      async membership(email) {
        const known = await find(email)
        const body = { list_id: pick([news, sports, club]), action: 'subscribe', consent_text: 'Yes' }
        if (known) await world.call('contacts/membership', { contact_id: known.contact.id, ...body })
      },
      async leave(email) {
        const known = await find(email)
        if (!known) return
        const on = known.contact.lists.filter(({ status }: any) => status === 'subscribed')
        const ids = on.map(({ list_id }: any) => list_id)
        const path = await linkTo(pick(['unsubscribe', 'preferences']), known.contact.id, ids.length > 0 ? ids : [])
        await post(path, path.includes('preferences') ? [['unsubscribe_all', '1']] : [])
        gone.add(email)
      },
      async rejoin(email) {
        if (below(3) > 0) return
        const known = await find(email)
        if (!known || known.suppression?.reason === 'hard_bounce') return
        await upsert(email, [news], { resubscribe: true })
        gone.delete(email)
      },
      async confirm(email) {
        const known = await find(email)
        if (!known) return
        const token = { contact_id: known.contact.id, email, list_ids: [club] }
        await post(`/general/newsletter/confirm/${createConfirmationToken(world.service.runtime.keys, token)}`)
      },
      async move(email) {
        const [known, to] = [await find(email), pick(addresses)]
        const isFree = (await find(to)) === null
        if (!known || !isFree) return
        await world.ok('contacts/update', { contact_id: known.contact.id, email: to })
        if (gone.has(email)) gone.add(to)
      },
      async remove(email) {
        const known = await find(email)
        if (known) await world.ok('contacts/delete', { contact_id: known.contact.id })
      },
      bounce: (email) => world.ok('suppressions/add', { email, reason: 'hard_bounce' }),
      async reset(email) {
        const known = await find(email)
        if (known) await world.call('contacts/reset-status', { contact_id: known.contact.id })
      },
      async unblock(email) {
        if (await find(email)) await world.call('suppressions/remove', { email })
      },
      ownLink: (email) => post(`/general/newsletter/own-link/${world.project.public_id}`, [['email', email]]),
    }
    for (let step = 0; step < 40; step++) {
      const [name, email] = [pick(Object.keys(acts)), pick(addresses)]
      log.push(`${name} ${email}`)
      await acts[name]!(email)
      world.clock.advance(60 * 60_000)
      const reached = (await newMail()).map(({ to }) => to).filter((to) => gone.has(to))
      expect({ reached, log }).toEqual({ reached: [], log })
    }
    for (const include of [[{ type: 'all' }], [{ type: 'list', id: news }], [{ type: 'segment', id: segment }]])
      expect((await sendTo(include)).filter((to) => gone.has(to))).toEqual([])

    const copy = join(world.folder, `restored-${seed}.db`)
    const database = new Database(join(world.folder, 'masthead.db'), { readonly: true })
    await Bun.write(copy, database.serialize())
    database.close()
    const restored = await openStore({ url: `file:${copy}` })
    const reachable = await restored.db.all<{ email: string }>(
      sql`SELECT email FROM contacts contact WHERE ${maySend()}`,
    )
    await restored.close()
    expect(reachable.map(({ email }) => email).filter((email) => gone.has(email))).toEqual([])
  })
