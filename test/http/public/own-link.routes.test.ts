import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

/** The page that sends the personal link of a subscription, for people who were shown a shared message. */

let world: World
let list_id: number
beforeAll(async () => {
  world = await createWorld()
  list_id = (await readyToSend(world)).list_id
})
afterAll(() => world.close())

const path = () => `/general/newsletter/own-link/${world.project.public_id}`
const ask = async (email: string) => {
  const response = await world.fetch(path(), { method: 'POST', body: new URLSearchParams({ email }) })
  return { status: response.status, text: await response.text() }
}
async function mailTo(email: string): Promise<string[]> {
  await world.settle()
  const { messages } = (await (await world.fetch('/general/sandbox/mailbox')).json()) as {
    messages: { to: string; text: string }[]
  }
  return messages.filter(({ to }) => to === email).map(({ text }) => text)
}

test('A subscriber gets the link by mail, at most once an hour, and it opens the preferences.', async () => {
  await world.ok('contacts/upsert', { email: 'Ada@example.com', list_ids: [list_id], consent_text: 'Yes.' })
  const page = await (await world.fetch(path())).text()
  expect(page).toContain('<input id="email" name="email" type="email" required')
  const wake = spyOn(world.service.runtime, 'wake')
  const answer = await ask(' ada@EXAMPLE.com ')
  expect(wake.mock.calls).toEqual([['delivery']])
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('the link is on its way to it')])
  await ask('ada@example.com')
  expect(wake.mock.calls).toHaveLength(1)
  wake.mockRestore()
  const [text, ...more] = await mailTo('Ada@example.com')
  expect(more).toEqual([])
  const [link] = /\/general\/newsletter\/preferences\/\S+/.exec(text!)!
  const preferences = await world.fetch(link)
  expect([preferences.status, await preferences.text()]).toEqual([200, expect.stringContaining('Tides')])
  world.clock.advance(3_600_000)
  await ask('ada@example.com')
  expect(await mailTo('Ada@example.com')).toHaveLength(2)
})

test('Every address gets the same answer, and who is unknown or left gets no mail.', async () => {
  const { contact } = await world.ok('contacts/upsert', { email: 'bo@example.com', consent_text: 'Yes.' })
  const known = await ask('bo@example.com')
  expect(await mailTo('bo@example.com')).toHaveLength(1)
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  world.clock.advance(3_600_000)
  const answers = [await ask('bo@example.com'), await ask('unknown@example.com')]
  expect(answers).toEqual([known, known])
  expect([await mailTo('bo@example.com'), await mailTo('unknown@example.com')]).toEqual([[expect.any(String)], []])
})

test('A link that was queued does not leave for a contact who unsubscribed meanwhile.', async () => {
  const { contact } = await world.ok('contacts/upsert', { email: 'cy@example.com', consent_text: 'Yes.' })
  await ask('cy@example.com')
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(await mailTo('cy@example.com')).toEqual([])
})

test('A text that is no address shows the form again, and an unknown project has no page.', async () => {
  expect((await ask('nobody')).text).toContain('<input id="email"')
  const missing = await world.fetch('/general/newsletter/own-link/prj_unknown')
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
})

test('Too many requests of one client are refused with a page that says when to try again.', async () => {
  const limited = await createWorld({ public_requests_per_minute: 2 })
  const post = () =>
    limited.fetch(`/general/newsletter/own-link/${limited.project.public_id}`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ada@example.com' }),
    })
  expect([(await post()).status, (await post()).status]).toEqual([200, 200])
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
    429,
    '60',
    'text/html; charset=utf-8',
  ])
  expect((await limited.fetch(`/general/newsletter/own-link/${limited.project.public_id}`)).status).toBe(200)
  await limited.close()
})

test('Nothing is queued while the disk is full.', async () => {
  const full = await createWorld({ min_free_disk_megabytes: 1_000_000_000 })
  const response = await full.fetch(`/general/newsletter/own-link/${full.project.public_id}`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.com' }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([507, 'text/html; charset=utf-8'])
  await full.close()
})
