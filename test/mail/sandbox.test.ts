import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sandboxRetention, sandboxTransport } from '../../src/mail/sandbox.ts'
import { WITHHELD } from '../../src/mail/smtp-session.ts'
import { sandbox_messages } from '../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const runtime = () => world.service.runtime
const stored = () => runtime().store.db.select().from(sandbox_messages).orderBy(sandbox_messages.id)
const to = (recipient: string) => ({ from: 'news@harbour.example', to: recipient })

test('A message is stored for its project and found by its address in any case.', async () => {
  const transport = sandboxTransport(runtime(), world.project.id)
  expect(await transport.send(to('Ada@Example.com'), Buffer.from('Subject: Tides'))).toEqual({
    kind: 'sent',
    response: 'Stored in the sandbox mailbox.',
  })
  expect(await stored()).toMatchObject([
    {
      project_id: world.project.id,
      sender: 'news@harbour.example',
      recipient: 'Ada@Example.com',
      recipient_key: 'ada@example.com',
      raw: 'Subject: Tides',
      received_at: world.clock.now(),
    },
  ])
})

test('A failed write is told to the messages in it, and those after it are stored.', async () => {
  const { store } = runtime()
  let is_full = true
  const write: typeof store.write = (...work) =>
    is_full ? Promise.reject(new Error('The disk is full.')) : store.write(...work)
  const transport = sandboxTransport({ ...runtime(), store: { ...store, write } }, null)
  const sent = (recipient: string) =>
    transport.send(to(recipient), Buffer.from('x')).then(
      ({ kind }) => kind,
      (error: Error) => error.message,
    )
  expect(await Promise.all([sent('bo@example.com'), sent('cy@example.com')])).toEqual([
    'The disk is full.',
    'The disk is full.',
  ])
  is_full = false
  expect(await sent('di@example.com')).toBe('sent')
  expect((await stored()).map(({ recipient, project_id }) => [recipient, project_id])).toEqual([
    ['di@example.com', null],
  ])
  await transport.close()
})

test('A message that may not go any more is not stored.', async () => {
  const transport = sandboxTransport(runtime(), null)
  const gate = (may: boolean) => ({ mayGo: async () => may, begin: () => true })
  expect(await transport.send(to('ina@example.com'), Buffer.from('x'), gate(false))).toBe(WITHHELD)
  expect((await transport.send(to('jo@example.com'), Buffer.from('x'), gate(true))).kind).toBe('sent')
  expect((await stored()).map(({ recipient }) => recipient)).toEqual(['jo@example.com'])
})

test('Messages that arrive during a write are stored together by the next one.', async () => {
  const { store } = runtime()
  let writes = 0
  const write: typeof store.write = (...work) => {
    writes += 1
    return store.write(...work)
  }
  const transport = sandboxTransport({ ...runtime(), store: { ...store, write } }, null)
  const first = transport.send(to('ed@example.com'), Buffer.from('x'))
  await Promise.resolve().then(() => undefined)
  await Promise.all([
    first,
    ...['fay', 'gus', 'hal'].map((name) => transport.send(to(`${name}@example.com`), Buffer.from('x'))),
  ])
  expect([(await stored()).length, writes <= 2]).toEqual([4, true])
})

test('A message older than 30 days leaves the sandbox.', async () => {
  const { store, clock } = runtime()
  await sandboxTransport(runtime(), null).send(to('kim@example.com'), Buffer.from('x'))
  const rest = async (age_ms: number) => {
    await store.write((tx) => tx.run(sandboxRetention.statement(clock.now() + age_ms, 1000)))
    return (await stored()).length
  }
  expect(await rest(30 * 86_400_000 - 1)).toBeGreaterThan(0)
  expect(await rest(30 * 86_400_000)).toBe(0)
})
