import { afterEach, describe, expect, test } from 'bun:test'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { createBrake } from '../../../src/newsletter/outbox/brake.ts'
import { outcomeOf } from '../../../src/newsletter/outbox/outcome.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type SinkAnswer, startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

const row = { attempts: 0, created_at: 0 }
const refused = (message: string, enhanced?: string, bad_address = false): SmtpOutcome => ({
  kind: 'permanent',
  scope: 'recipient',
  stage: 'rcpt',
  code: 550,
  enhanced,
  message,
  bad_address,
})
const SENT: SmtpOutcome = { kind: 'sent', response: '250' }
const SUSPENDED = refused('account suspended')
const CUT: SmtpOutcome = { kind: 'uncertain', message: 'Connection closed' }
const LATER: SmtpOutcome = { kind: 'temporary', scope: 'recipient', stage: 'rcpt', code: 451, message: 'later' }

/** Whether a brake trips after these answers. */
function tripsAfter(answers: (SmtpOutcome | null)[], brake = createBrake()): boolean {
  for (const answer of answers) brake.record(outcomeOf(answer, row, { down_since: null, now: 0 }), answer)
  return brake.tripped !== null
}
const times = (count: number, answer: SmtpOutcome | null) => Array.from({ length: count }, () => answer)

test.each([
  ['refused', SUSPENDED],
  ['in doubt', CUT],
])('The brake trips at the tenth message that ends %s among the last 200.', (_, answer) => {
  const one_in_twenty = (count: number) => Array.from({ length: count }, (_, n) => (n % 20 === 19 ? answer : SENT))
  expect(tripsAfter(one_in_twenty(199))).toBe(false)
  expect(tripsAfter(one_in_twenty(200))).toBe(true)
  const one_in_25 = Array.from({ length: 2_000 }, (_, n) => (n % 25 === 24 ? answer : SENT))
  expect(tripsAfter(one_in_25)).toBe(false)
})

test('Of the messages before the last 200 none counts.', () => {
  // A first failure, eight more, and a last one.
  const over = (count: number) =>
    Array.from({ length: count }, (_, n) => (n === 0 || n === count - 1 || (n > 100 && n < 109) ? SUSPENDED : SENT))
  expect(tripsAfter(over(200))).toBe(true)
  expect(tripsAfter(over(201))).toBe(false)
})

test('The brake trips at 20 in a row whatever share was tolerated before.', () => {
  expect(tripsAfter(times(19, CUT), createBrake({ max_share: 0.5 }))).toBe(false)
  expect(tripsAfter(times(20, CUT), createBrake({ max_share: 0.5 }))).toBe(true)
  for (const between of [SENT, refused('5.1.1 who?', '5.1.1', true)])
    expect(tripsAfter([...times(19, CUT), between, ...times(19, CUT)], createBrake({ max_share: 0.5 }))).toBe(false)
})

test('The brake tells once of each 20 in a row that were refused for now.', () => {
  const brake = createBrake()
  const wordsAfter = (answers: (SmtpOutcome | null)[]) => {
    expect(tripsAfter(answers, brake)).toBe(false)
    return brake.newlyDeferring()
  }
  expect(wordsAfter(times(19, LATER))).toBeNull()
  expect(wordsAfter([LATER])).toContain('later')
  expect(wordsAfter(times(100, LATER))).toBeNull()
  expect(wordsAfter([SENT, ...times(20, LATER)])).toContain('later')
})

test.each<[string, SmtpOutcome | null]>([
  ['an address that does not exist', refused('5.1.1 who?', '5.1.1', true)],
  ['a mailbox that is full', refused('5.2.2 full', '5.2.2')],
  ['an address that the relay cannot write', { ...refused('no'), code: 553 } as SmtpOutcome],
  ['a message that is tried again', LATER],
  ['a message that could not be composed', null],
])('The brake does not count %s.', (_, answer) => {
  expect(tripsAfter([SENT, ...times(300, answer)])).toBe(false)
})

test.each<[string, SmtpOutcome]>([
  ['5.1.8', refused('5.1.8 sender domain unknown', '5.1.8')],
  ['5.1.7', refused('5.1.7 bad sender syntax', '5.1.7')],
  ['553', { ...refused("sorry, that domain isn't in my list of allowed rcpthosts"), code: 553 } as SmtpOutcome],
])('The brake counts a refusal of the sender with %s, also after messages were accepted.', (_, answer) => {
  expect(tripsAfter([SENT, ...times(9, answer)])).toBe(false)
  expect(tripsAfter([SENT, ...times(10, answer)])).toBe(true)
})

test('Of a campaign without an accepted message 20 equal refusals in a row, or 300 failures, trip the brake.', () => {
  const unknown = refused('5.1.1 who?', '5.1.1', true)
  const full = refused('5.2.2 full', '5.2.2')
  const mixed = Array.from({ length: 300 }, (_, n) => (n % 19 === 18 ? full : unknown))
  for (const answer of [unknown, full]) {
    expect(tripsAfter(times(19, answer))).toBe(false)
    expect(tripsAfter(times(20, answer))).toBe(true)
  }
  expect(tripsAfter(mixed.slice(1))).toBe(false)
  expect(tripsAfter(mixed)).toBe(true)
  expect(tripsAfter(mixed, createBrake({ accepted: true }))).toBe(false)
  expect(tripsAfter([...times(19, unknown), SENT, ...times(400, unknown)])).toBe(false)
})

test("The brake says the relay's words, and tolerates half as much again after people resumed the campaign.", () => {
  const brake = createBrake()
  for (const answer of [...times(150, SENT), ...times(10, SUSPENDED)])
    brake.record(outcomeOf(answer, row, { down_since: null, now: 0 }), answer)
  expect(brake.tripped).toEqual({ words: '550 account suspended', accepts_none: false })
  expect(brake.next).toEqual({ max_share: expect.closeTo(0.075), accepted: true })
  expect(tripsAfter([...times(100, SENT), ...times(14, SUSPENDED)], createBrake({ max_share: 0.075 }))).toBe(false)
  expect(tripsAfter([...times(100, SENT), ...times(15, SUSPENDED)], createBrake({ max_share: 0.075 }))).toBe(true)
})

describe('a campaign', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close()
  })

  /** Sends a campaign through a relay that answers each message so. */
  async function sendThrough(answer: (number: number) => SinkAnswer, at: 'rcpt' | 'data') {
    let number = 0
    const next = (): SinkAnswer => answer((number += 1))
    const sink = await startSmtpSink(at === 'rcpt' ? { onRcpt: next } : { onData: next })
    const world: World = await createWorld()
    open.push(world, sink)
    const { connection_id, list_id } = await readyToSend(world, {
      name: 'Relay',
      provider: 'smtp',
      host: sink.host,
      port: sink.port,
      secure: 'none',
    })
    await manyContacts(world.service.runtime.store, world.project.id, list_id, 400, world.clock.now())
    const { campaign } = await world.ok('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
    await world.ok('campaigns/send', { campaign_id: campaign.id })
    await world.settle()
    const get = async () => (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign
    const stats = () => world.ok('campaigns/stats', { campaign_id: campaign.id })
    const connection = async () =>
      (await world.ok('connections/list', {})).items.find(({ id }: { id: number }) => id === connection_id)
    const paused = async () =>
      Number(/paused_total\{cause="relay"\} (\d+)/.exec(await (await world.fetch('/metrics')).text())![1])
    return { world, campaign_id: campaign.id, get, stats, connection, paused }
  }

  test('A campaign whose relay closes after the content pauses within 40 messages, with the reason.', async () => {
    const { get, stats, connection, paused } = await sendThrough(() => 'drop', 'data')
    expect(await get()).toMatchObject({
      status: 'paused',
      failure: { reason: expect.stringMatching(/^Paused automatically: the relay fails\. It said: /) },
    })
    const { uncertain, failed } = await stats()
    expect(uncertain).toBeLessThanOrEqual(40)
    expect(failed).toBe(0)
    expect((await connection()).last_error).toStartWith('The relay fails: ')
    expect(await paused()).toBeGreaterThan(0)
  })

  test("A campaign whose account was suspended pauses with the relay's words; resumed, it goes on.", async () => {
    let suspended = true
    const { world, campaign_id, get, stats, connection } = await sendThrough(
      () => (suspended ? { code: 550, text: 'account suspended' } : undefined),
      'rcpt',
    )
    expect(await get()).toMatchObject({
      status: 'paused',
      failure: { reason: expect.stringContaining('account suspended') },
    })
    const { failed } = await stats()
    expect(failed).toBeLessThanOrEqual(40)
    expect((await connection()).last_error).toContain('account suspended')
    suspended = false
    await world.ok('campaigns/resume', { campaign_id })
    await world.settle()
    expect(await get()).toMatchObject({ status: 'sent' })
    expect(await stats()).toMatchObject({ failed, sent: 400 - failed })
    expect((await connection()).last_error).toBeNull()
  })

  test('A campaign whose relay knows no address pauses after 20 refusals in a row.', async () => {
    const { get, stats } = await sendThrough(() => ({ code: 550, text: '5.1.1 no such user' }), 'rcpt')
    expect(await get()).toMatchObject({
      status: 'paused',
      failure: { reason: 'Paused automatically: the relay has accepted no message. It said: 550 5.1.1 no such user' },
    })
    const { bounces } = await stats()
    expect(bounces.hard).toBeWithin(20, 41)
  })

  test('A campaign is not stopped by what a kill left in doubt.', async () => {
    const { world, campaign_id, get, stats } = await sendThrough(() => undefined, 'data')
    await world.service.runtime.store.write(async (tx) => {
      await tx.run(`UPDATE deliveries SET status = 'uncertain' WHERE id % 2 = 0`)
      await tx.run(`UPDATE deliveries SET status = 'failed' WHERE id % 2 = 1`)
    })
    await world.ok('campaigns/requeue-failed', { campaign_id })
    await world.settle()
    expect(await get()).toMatchObject({ status: 'sent' })
    expect(await stats()).toMatchObject({ sent: 200, uncertain: 200 })
  })
})
