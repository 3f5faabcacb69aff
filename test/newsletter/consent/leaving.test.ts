import { afterAll, expect, test } from 'bun:test'
import { createConfirmationToken } from '../../../src/newsletter/tracking/tokens.ts'
import { createLeavers } from './leavers.ts'

/** Who leaves by their own act gets nothing more until they come back (docs/api/consent.md#leaving). */

const { world, news, sports, club, segment, newMail, upsert, find, post, sendTo, linkTo } = await createLeavers()
afterAll(() => world.close())

test('One click on the only list leaves everything: no campaign reaches the person any more.', async () => {
  await upsert('stays@example.com', [news])
  const ada = await upsert('ada@example.com', [news])
  const page = await (await post(await linkTo('unsubscribe', ada.id, [news]))).text()
  expect(page).toContain('No further messages will be sent to a…@example.com.')
  expect(await find('ada@example.com')).toMatchObject({
    contact: { global_status: 'unsubscribed', lists: [{ status: 'unsubscribed' }] },
    suppression: { reason: 'unsubscribe' },
  })
  for (const include of [[{ type: 'all' }], [{ type: 'list', id: news }], [{ type: 'segment', id: segment }]])
    expect(await sendTo(include)).not.toContain('ada@example.com')
})

test('One click with another list left leaves that list alone.', async () => {
  const cy = await upsert('cy@example.com', [news, sports])
  const path = await linkTo('unsubscribe', cy.id, [news])
  await post(path)
  expect(await find('cy@example.com')).toMatchObject({ contact: { global_status: 'subscribed' }, suppression: null })
  await post(await linkTo('unsubscribe', cy.id, [sports]))
  expect((await find('cy@example.com')).contact.global_status).toBe('unsubscribed')
})

test('A contact who leaves after a change of address leaves with the earlier address too.', async () => {
  const importOf = async (csv: string) => {
    const { import: made } = await world.ok('imports/create', { csv })
    const mapping = { 0: 'email', ...(csv.includes(',') && { 1: 'status' }) }
    const options = { list_ids: [news], consent_text: 'Yes', consent_confirmed: true }
    await world.ok('imports/dry-run', { import_id: made.id, mapping, options })
    await world.ok('imports/commit', { import_id: made.id })
    await newMail()
  }
  const ways: Record<string, (id: number, email: string) => Promise<unknown>> = {
    unsubscribed: async (id) => post(await linkTo('unsubscribe', id, [news])),
    complained: (_, email) => world.ok('suppressions/add', { email, reason: 'complaint' }),
    imported: (_, email) => importOf(`email,status\n${email},unsubscribed\n`),
  }
  for (const [name, leave] of Object.entries(ways)) {
    const [before, now] = [`${name}@old.example`, `${name}@new.example`]
    const { id } = await upsert(before, [news])
    await world.ok('contacts/update', { contact_id: id, email: now })
    await leave(id, now)
    await importOf(`email\n${before}\n`)
    const { contact } = await find(before)
    expect([contact.global_status, contact.lists]).toEqual([name === 'complained' ? name : 'unsubscribed', []])
  }
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
