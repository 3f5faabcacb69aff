import { afterAll, beforeAll, expect, test } from 'bun:test'
import { STRANGERS_AN_HOUR } from '../../../src/newsletter/consent/message-requests.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

/** How often an address can be made to receive confirmations and personal links (docs/api/consent.md#double-opt-in). */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: World
let lists: number[]
beforeAll(async () => {
  world = await createWorld()
  await readyToSend(world)
  lists = []
  for (const name of ['Tides', 'Winds', 'Gulls', 'Ebb', 'Flow', 'Fog', 'Dunes'].map((name) => `${name} weekly`))
    lists.push((await world.ok('lists/create', { name, double_opt_in: true })).list.id)
})
afterAll(() => world.close())

/** Signs up as a stranger does; answers the status. */
async function signUp(email: string, list_ids: number[]): Promise<number> {
  const response = await world.fetch('/general/newsletter/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, email, list_ids, consent_text: 'Yes.' }),
  })
  expect(await response.json()).toEqual({ success: true })
  return response.status
}

interface Mail {
  to: string
  subject: string
  text: string
}

/** What the mailbox of an address holds, the oldest first, after everything due has left. */
async function mailbox(...addresses: string[]): Promise<Mail[]> {
  await world.settle()
  const response = await world.fetch('/general/sandbox/mailbox')
  const { messages } = (await response.json()) as { messages: Mail[] }
  return messages.filter(({ to }) => addresses.includes(to))
}

/** The lists in the first line. */
const namesIn = ({ text }: Mail) => [...text.split('\n', 1)[0]!.matchAll(/(\w+) weekly/g)].map(([, name]) => name)

test('One message names all lists that wait, also those that were added before it left.', async () => {
  await signUp('ada@example.com', [lists[0]!])
  await signUp('ada@example.com', [lists[1]!, lists[2]!])
  const mail = await mailbox('ada@example.com')
  expect(mail.map(namesIn)).toEqual([['Tides', 'Winds', 'Gulls']])
})

test('A further list is asked about an hour after the last message, together with all that wait then.', async () => {
  await signUp('bo@example.com', [lists[0]!])
  expect(await mailbox('bo@example.com')).toHaveLength(1)
  world.clock.advance(10 * MINUTE)
  await signUp('bo@example.com', [lists[1]!])
  await signUp('bo+tag@example.com', [lists[4]!])
  await signUp('bo@example.com', [lists[2]!])
  world.clock.advance(50 * MINUTE - 1)
  expect(await mailbox('bo@example.com', 'bo+tag@example.com')).toHaveLength(1)
  world.clock.advance(1)
  const mail = await mailbox('bo@example.com', 'bo+tag@example.com')
  expect(mail.map(namesIn)).toEqual([['Tides'], ['Tides', 'Winds', 'Gulls']])
})

test('A mailbox gets three messages a day and five until it confirms, whatever its tags and letter case.', async () => {
  const spellings = ['cy@example.com', 'CY+a@example.com', 'cy+b@Example.com']
  const counts: number[] = []
  for (let hour = 0; hour < 30; hour++) {
    await signUp(spellings[hour % 3]!, [lists[hour % 7]!])
    counts.push((await mailbox(...spellings, 'CY+a@Example.com', 'cy+b@example.com')).length)
    world.clock.advance(HOUR)
  }
  expect([counts[2], counts[3], counts[23]]).toEqual([3, 3, 3])
  world.clock.advance(72 * HOUR)
  for (let hour = 0; hour < 10; hour++) {
    await signUp(spellings[hour % 3]!, [lists[(hour + 3) % 7]!])
    world.clock.advance(24 * HOUR)
  }
  const mail = await mailbox(...spellings, 'CY+a@Example.com', 'cy+b@example.com')
  expect(mail).toHaveLength(5)

  // A person who confirms has shown that the messages are wanted.
  const [link] = /\/general\/newsletter\/confirm\/\S+/.exec(mail[4]!.text)!
  expect((await world.fetch(link, { method: 'POST' })).status).toBe(200)
  const list = (await world.ok('lists/create', { name: 'Salt weekly', double_opt_in: true })).list
  await signUp(mail[4]!.to, [list.id])
  expect(await mailbox(...spellings, 'CY+a@Example.com', 'cy+b@example.com')).toHaveLength(6)
})

test('Strangers can cause a limited number of messages an hour; callers of the API are not limited.', async () => {
  world.clock.advance(HOUR)
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.script(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${STRANGERS_AN_HOUR - 1})
      INSERT INTO message_requests (project_id, kind, mailbox_mark, at, by_stranger)
      SELECT ${world.project.id}, 'confirmation', 'mark' || i, ${world.clock.now()}, 1 FROM n`),
  )
  await signUp('dee@example.com', [lists[0]!])
  await signUp('eve@example.com', [lists[0]!])
  expect(await mailbox('dee@example.com', 'eve@example.com')).toHaveLength(1)
  const upsert = { email: 'fay@example.com', list_ids: [lists[0]], consent_text: 'Yes.' }
  expect((await world.ok('contacts/upsert', upsert)).confirmations_queued).toBe(1)
  world.clock.advance(HOUR)
  await signUp('eve@example.com', [lists[0]!])
  expect(await mailbox('eve@example.com')).toHaveLength(1)
})

test('Dots in an address at Gmail make no other mailbox, and elsewhere they do.', async () => {
  const dotted = ['gus@gmail.com', 'g.us@gmail.com', 'G.U.S+x@gmail.com']
  const others = ['gus@example.com', 'g.us@example.com']
  for (const email of [...dotted, ...others]) await signUp(email, [lists[0]!])
  expect((await mailbox(...dotted, ...others)).map(({ to }) => to)).toEqual(['gus@gmail.com', ...others])
})
