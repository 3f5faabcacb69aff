import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { relayOf } from '../../src/accounts/mail-transport.ts'
import { sendTestMessage } from '../../src/accounts/mail-test.ts'
import { mailLoop } from '../../src/accounts/mail.ts'
import { queueMessage } from '../../src/accounts/messages.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { account_messages } from '../../src/store/tables/accounts.ts'
import { messagesTo } from '../support/mailbox.ts'
import { type SinkAnswer, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { createWorld, loopContext, START, type World } from '../support/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const letter = { subject: 'Grüße', text: 'The secret is svc_pr_x.\n', html: '<p>The secret is svc_pr_x.</p>' }

async function queue(world: World, recipient = 'olive@harbour.example', useful_ms = 24 * HOUR_MS): Promise<void> {
  const { store, keys, clock } = world.service.runtime
  await store.write((tx) =>
    queueMessage(tx, keys, { kind: 'password_changed', recipient, useful_ms, content: letter }, clock.now()),
  )
}

const rows = (world: World) => world.service.runtime.store.db.select().from(account_messages)
const drain = (world: World) => world.service.drain('mail')

describe('through a relay', () => {
  let world: World
  let sink: SmtpSink
  let answer: (number: number) => SinkAnswer
  let asked = 0
  beforeAll(async () => {
    sink = await startSmtpSink({ auth: { user: 'post office', password: 'p@ss/word' }, onRcpt: () => answer(++asked) })
    world = await createWorld({
      mail_url: `smtp://post%20office:p%40ss%2Fword@127.0.0.1:${sink.port}`,
      mail_from: 'hello@masthead.example',
    })
  })
  beforeEach(async () => {
    await world.service.runtime.store.write((tx) => tx.delete(account_messages))
    sink.messages.length = 0
    asked = 0
    answer = () => undefined
  })
  afterAll(async () => {
    await world.close()
    await sink.close()
  })

  test('A message is sent once, from the configured sender, even while the sandbox is on.', async () => {
    await queue(world)
    await drain(world)
    await drain(world)
    expect(sink.messages).toHaveLength(1)
    const { from, to, raw } = sink.messages[0]!
    expect([from, to]).toEqual(['hello@masthead.example', ['olive@harbour.example']])
    for (const header of [
      'From: Masthead <hello@masthead.example>',
      'To: olive@harbour.example',
      'Auto-Submitted: auto-generated',
      'Message-ID: <account.',
    ])
      expect(raw.toString()).toContain(header)
    expect(await rows(world)).toMatchObject([{ state: 'sent', content_sealed: null, attempts: 1 }])
  })

  test('A message that is refused for now is retried after growing pauses.', async () => {
    answer = (number) => (number > 2 ? undefined : { code: 451, text: '4.3.0 Not now' })
    await queue(world)
    await drain(world)
    expect(await rows(world)).toMatchObject([
      { state: 'queued', attempts: 1, last_error: expect.stringContaining('Not now') },
    ])
    world.clock.advance(MINUTE_MS - 1)
    await drain(world)
    expect(await rows(world)).toMatchObject([{ attempts: 1 }])
    world.clock.advance(1)
    await drain(world)
    world.clock.advance(5 * MINUTE_MS)
    await drain(world)
    expect(sink.messages).toHaveLength(1)
    const [, date] = /^Date: (.*)$/m.exec(sink.messages[0]!.raw.toString())!
    expect(Date.parse(date!)).toBe(world.clock.now())
    expect(await rows(world)).toMatchObject([{ state: 'sent', attempts: 3, last_error: null }])
  })

  test('A test of the mail tells what the relay said, or that it is not there.', async () => {
    const { runtime } = world.service
    const said = (from = runtime) => sendTestMessage(from, { id: 'req_1', recipient: 'olive@harbour.example' })
    expect(await said()).toBeNull()
    answer = () => ({ code: 451, text: '4.3.0 Not now' })
    expect(await said()).toContain('Not now')
    answer = () => ({ code: 550, text: '5.1.1 Nobody' })
    expect(await said()).toContain('Nobody')
    const nowhere = { ...runtime, config: { ...runtime.config, mail_url: 'smtp://127.0.0.1:1' } }
    expect(await said(nowhere)).toContain('127.0.0.1')
  })

  test('A message fails after its last attempt.', async () => {
    answer = () => ({ code: 451, text: 'Not now' })
    await queue(world)
    await world.service.runtime.store.write((tx) => tx.update(account_messages).set({ attempts: 4 }))
    await drain(world)
    expect(await rows(world)).toMatchObject([{ state: 'queued', attempts: 5 }])
    world.clock.advance(HOUR_MS)
    await drain(world)
    expect(await rows(world)).toMatchObject([{ state: 'failed', attempts: 6, content_sealed: null }])
  })

  test('A message fails at once when it is refused for good or has expired.', async () => {
    answer = (number) => (number === 1 ? { code: 550, text: '5.1.1 Nobody' } : undefined)
    await queue(world)
    await drain(world)
    expect(await rows(world)).toMatchObject([
      { state: 'failed', attempts: 1, last_error: expect.stringContaining('Nobody') },
    ])
    await queue(world, 'late@harbour.example', 1000)
    world.clock.advance(1000)
    await drain(world)
    expect((await rows(world))[1]).toMatchObject({ state: 'failed', last_error: 'The message has expired.' })
    expect(sink.messages).toEqual([])
  })

  test('A message whose next attempt would come after its end fails, and its content is deleted.', async () => {
    answer = () => ({ code: 451, text: 'Not now' })
    await queue(world, 'soon@harbour.example', MINUTE_MS)
    await queue(world, 'later@harbour.example', MINUTE_MS + 1)
    await drain(world)
    expect(await rows(world)).toMatchObject([
      { recipient: 'soon@harbour.example', state: 'failed', content_sealed: null },
      { recipient: 'later@harbour.example', state: 'queued', content_sealed: expect.any(String) },
    ])
  })

  test('A message whose worker died is sent by another.', async () => {
    await queue(world)
    const { store, clock } = world.service.runtime
    await store.write((tx) =>
      tx.update(account_messages).set({ attempts: 1, next_attempt_at: clock.now() + 2 * MINUTE_MS }),
    )
    await drain(world)
    expect(sink.messages).toEqual([])
    world.clock.advance(2 * MINUTE_MS)
    await drain(world)
    expect(sink.messages).toHaveLength(1)
  })

  test('All of many messages are sent.', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => queue(world, `reader-${index}@harbour.example`)))
    await drain(world)
    expect(new Set(sink.messages.map(({ to }) => to[0])).size).toBe(12)
  })

  test('A relay without the required encryption gets neither message nor password.', async () => {
    const strict = await createWorld({ mail_url: `smtp://u:p@127.0.0.1:${sink.port}?secure=starttls` })
    await queue(strict)
    await drain(strict)
    expect([sink.messages, await rows(strict)]).toMatchObject([[], [{ state: 'queued', attempts: 1 }]])
    await strict.close()
  })
})

test('The sandbox mailbox stores messages without a project, and their sealed content is deleted.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  await queue(world)
  expect(JSON.stringify(await rows(world))).not.toContain('svc_pr_')
  const [{ text, html, headers, ...message }] = (await messagesTo(world, 'olive@harbour.example')) as [
    Awaited<ReturnType<typeof messagesTo>>[0],
  ]
  expect(message).toMatchObject({ project_id: null, from: 'masthead@127.0.0.1', subject: 'Grüße' })
  expect([text.trim(), html]).toEqual([letter.text.trim(), letter.html])
  expect(headers['message-id']).toMatch(/^<account\.\d+\.\w+@127\.0\.0\.1>$/)

  await queue(world)
  await store.write((tx) => tx.update(account_messages).set({ recipient: 'mallory@evil.example' }))
  expect(await messagesTo(world, 'mallory@evil.example')).toEqual([])
  expect(await rows(world)).toMatchObject([{ state: 'sent' }, { state: 'failed' }])

  world.clock.advance(31 * 24 * HOUR_MS)
  await world.service.drain('maintenance')
  expect(await rows(world)).toEqual([])
  await world.close()
})

test('A message without relay and sandbox fails, and the log names the missing setting.', async () => {
  const world = await createWorld({ sandbox: false })
  await queue(world)
  const lines: string[] = []
  const log = createLog(
    'warn',
    'pretty',
    () => START,
    (line) => lines.push(line),
  )
  await mailLoop.tick({ ...loopContext(world.service.runtime), log })
  expect(lines).toEqual([
    expect.stringMatching(
      / warn {2}.*No mail can be sent: mail_url is not set\. message=1 kind=password_changed attempts=1$/,
    ),
  ])
  expect(await rows(world)).toMatchObject([
    { state: 'failed', content_sealed: null, last_error: 'No mail can be sent: mail_url is not set.' },
  ])
  await world.close()
})

test('mail_url names host, encryption and login.', () => {
  expect(relayOf('smtps://user:pass@mail.example')).toEqual({
    host: 'mail.example',
    port: 465,
    secure: 'tls',
    username: 'user',
    password: 'pass',
  })
  expect(relayOf('smtp://u%40x:p%3A@mail.example:2525')).toEqual({
    host: 'mail.example',
    port: 2525,
    secure: 'starttls',
    username: 'u@x',
    password: 'p:',
  })
  expect(relayOf('smtp://mail.example')).toMatchObject({ port: 587, secure: 'starttls', username: null })
  expect(relayOf('smtp://localhost')).toMatchObject({ port: 25, secure: 'none' })
  expect(relayOf('smtp://[::1]:1025')).toMatchObject({ host: '::1', port: 1025, secure: 'none' })
  expect(relayOf('smtp://mailpit:1025?secure=none')).toMatchObject({ secure: 'none' })
  expect(relayOf('smtp://127.0.0.1?secure=starttls')).toMatchObject({ port: 587, secure: 'starttls' })
})

test('mail_url is checked at the start of the service and never printed.', () => {
  for (const value of ['mail.example', 'http://mail.example', 'smtp://', 'smtp://u:hidden@mail.example?secure=maybe']) {
    const read = () => readConfig({ environment: { MASTHEAD_MAIL_URL: value } })
    expect(read).toThrow(ConfigError)
    expect(read).not.toThrow('hidden')
  }
  expect(() => readConfig({ environment: { MASTHEAD_MAIL_FROM: 'Masthead <hello>' } })).toThrow(
    'expects an email address',
  )
  expect(() => readConfig({ environment: { MASTHEAD_MAIL_FROM: 'hëllo@masthead.example' } })).toThrow(
    'only ASCII before the @',
  )
  expect(readConfig({ environment: { MASTHEAD_MAIL_FROM: 'he.l+lo@mästhead.example' } }).mail_from).toBe(
    'he.l+lo@mästhead.example',
  )
})
