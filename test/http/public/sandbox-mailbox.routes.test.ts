import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import type { ProjectId } from '../../../src/ids.ts'

const MAILBOX = '/general/sandbox/mailbox'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await world.fetch(MAILBOX, { method: 'DELETE' })
})

async function keep(recipient: string, raw: string, project_id: ProjectId | null = world.project.id): Promise<void> {
  await world.service.runtime.store.write((tx) =>
    tx.insert(sandbox_messages).values({
      project_id,
      sender: 'bounces@harbour.example',
      recipient,
      recipient_key: recipient.toLowerCase(),
      raw,
      received_at: START,
    }),
  )
}
const read = async (query = ''): Promise<any[]> => ((await (await world.fetch(MAILBOX + query)).json()) as any).messages

const MESSAGE = [
  'From: "Harbour, News" <news@harbour.example>',
  'To: Anna <Anna@Example.com>',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'List-Unsubscribe: <https://m.example/u/1>,',
  '\t<mailto:u@harbour.example>',
  'List-ID: Weekly <1.harbour.example>',
  'Received: by one',
  'Received: by two',
  'Received: by three',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hello',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <img src="cid:x"></p>',
  '--b--',
  '',
].join('\r\n')

test('A message is parsed, with its headers as written.', async () => {
  await keep('Anna@Example.com', MESSAGE)
  const [message] = await read()
  expect(message).toMatchObject({
    id: expect.any(Number),
    project_id: world.project.public_id,
    from: 'news@harbour.example',
    to: 'Anna@Example.com',
    subject: 'Grüße',
    text: expect.stringContaining('Hello'),
    html: expect.stringContaining('<img src="cid:x">'),
    raw: MESSAGE,
    received_at: '2026-01-15T09:00:00.000Z',
  })
  expect(message.headers).toMatchObject({
    subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    'list-unsubscribe': '<https://m.example/u/1>,\t<mailto:u@harbour.example>',
    'list-id': 'Weekly <1.harbour.example>',
    from: '"Harbour, News" <news@harbour.example>',
  })
  expect(message.headers.received.toSorted()).toEqual(['by one', 'by three', 'by two'])
})

test('A missing text or HTML part is null.', async () => {
  await keep('a@b.cc', 'From: a@b.cc\r\nContent-Type: text/html\r\n\r\n<p>Only</p>', null)
  await keep('a@b.cc', 'Subject: plain\r\n\r\nOnly text')
  const [html, text] = await read()
  expect(html).toMatchObject({ project_id: null, text: null, html: '<p>Only</p>', subject: '' })
  expect(text).toMatchObject({ html: null, text: 'Only text', from: 'bounces@harbour.example' })
})

test('Messages are listed in order, filtered by recipient, id and limit.', async () => {
  for (const recipient of ['a@b.cc', 'c@d.ee', 'A@b.cc', 'a@B.cc']) await keep(recipient, `Subject: x\r\n\r\n`)
  const ids = (await read()).map(({ id }) => id as number)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  const own = await read('?to=a@b.CC')
  expect(own.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3]])
  expect((await read(`?to=a@b.cc&after_id=${ids[0]}&limit=1`)).map(({ id }) => id)).toEqual([ids[2]])
})

test('Invalid limits and unknown parameters are refused.', async () => {
  for (const query of ['?limit=0', '?limit=1001', '?limit=1.5', '?after_id=-1', '?after_id=x', '?recipient=a@b.cc'])
    expect((await world.fetch(MAILBOX + query)).status).toBe(400)
})

test('DELETE empties the mailbox, and ids continue.', async () => {
  await keep('a@b.cc', 'Subject: x\r\n\r\n')
  const [{ id }] = await read()
  expect(await (await world.fetch(MAILBOX, { method: 'DELETE' })).json()).toEqual({ success: true })
  expect(await read()).toEqual([])
  await keep('a@b.cc', 'Subject: x\r\n\r\n')
  expect((await read())[0].id).toBe(id + 1)
})

test('The mailbox exists only in a sandbox.', async () => {
  const real = await createWorld({ sandbox: false })
  for (const method of ['GET', 'DELETE']) expect((await real.fetch(MAILBOX, { method })).status).toBe(404)
  await real.close()
})
