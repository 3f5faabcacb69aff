import { afterEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { closeCampaign } from '../../../src/newsletter/campaigns/close.ts'
import { prepareCampaign } from '../../../src/newsletter/campaigns/expand.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type SinkAnswer, startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, loopContext } from '../../support/world.ts'

/** How a campaign to few people ends, too few for the brake. */

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

/** Sends a campaign to some people through a relay that answers each recipient so. */
async function sendTo(people: number, answer: (email: string) => SinkAnswer) {
  const sink = await startSmtpSink({ onRcpt: answer })
  const world = await createWorld()
  open.push(world, sink)
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { list_id } = await readyToSend(world, relay)
  await manyContacts(world.service.runtime.store, world.project.id, list_id, people, world.clock.now())
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const campaign_id: number = campaign.id
  await world.ok('campaigns/send', { campaign_id })
  await world.settle()
  const get = async () => (await world.ok('campaigns/get', { campaign_id })).campaign
  const suppressed = async () => (await world.ok('suppressions/list', {})).items.length
  return { world, campaign_id, get, suppressed, stats: () => world.ok('campaigns/stats', { campaign_id }) }
}

test.each([
  '550 5.1.8 Sender address rejected: domain not found',
  "553 sorry, that domain isn't in my list of allowed rcpthosts",
  '550 5.1.1 <reader@example.com>: Relay access denied',
])('A campaign to three people whose relay says "%s" pauses, and is sent once they are requeued.', async (refusal) => {
  let refuses = true
  const { world, campaign_id, get, suppressed, stats } = await sendTo(3, () =>
    refuses ? { code: Number(refusal.slice(0, 3)), text: refusal.slice(4) } : undefined,
  )
  expect(await get()).toMatchObject({
    status: 'paused',
    finished_at: null,
    failure: { reason: expect.stringContaining(refusal) },
  })
  expect([(await stats()).failed, await suppressed()]).toEqual([3, 0])
  // Resumed as it is, it has still nothing that was accepted.
  await world.ok('campaigns/resume', { campaign_id })
  await world.settle()
  expect((await get()).status).toBe('paused')
  refuses = false
  expect((await world.ok('campaigns/requeue-failed', { campaign_id })).requeued).toBe(3)
  await world.ok('campaigns/resume', { campaign_id })
  await world.settle()
  expect(await get()).toMatchObject({ status: 'sent', failure: null })
  expect((await stats()).sent).toBe(3)
})

test('A campaign to one person without a mailbox pauses, and says that the recipient is the reason.', async () => {
  const { world, get, suppressed } = await sendTo(1, () => ({ code: 550, text: '5.1.1 No such user' }))
  expect(await get()).toMatchObject({
    status: 'paused',
    failure: {
      reason: expect.stringMatching(/none of its recipients has a mailbox that exists\. .*: 550 5\.1\.1 No such user$/),
    },
  })
  expect(await suppressed()).toBe(1)
  expect((await world.ok('connections/list')).items[0].last_error).toBeNull()
})

test('A campaign of which one message was accepted is sent, whatever became of the others.', async () => {
  const { get } = await sendTo(3, (email) => (email.startsWith('reader1@') ? undefined : { code: 550, text: 'no' }))
  expect(await get()).toMatchObject({ status: 'sent', failure: null })
})

test('The log tells of a campaign that begins, pauses and ends, and the metrics count its messages.', async () => {
  const { world, campaign_id } = await sendTo(2, () => undefined)
  const { runtime } = world.service
  expect(await (await world.fetch('/metrics')).text()).toMatch(/^masthead_messages_total\{outcome="sent"\} [2-9]/m)
  const lines = spyOn(runtime.log, 'info')
  prepareCampaign.afterStep!({ state: 'completed', processed: 2 }, runtime, {
    ...{ total: null, processed: 0, payload: { campaign_id } },
  })
  const sending = () => runtime.store.write((tx) => tx.run(sql`UPDATE campaigns SET status = 'sending'`))
  await sending()
  await world.ok('campaigns/pause', { campaign_id })
  await sending()
  expect(await closeCampaign(loopContext(runtime), world.project.id, campaign_id)).toBe(true)
  expect(lines.mock.calls.filter(([message]) => message.startsWith('a campaign'))).toEqual([
    ['a campaign begins', { campaign_id, recipients: 2 }],
    ['a campaign was paused', { campaign_id, cause: 'person', request_id: expect.any(String) }],
    ['a campaign ended', expect.objectContaining({ campaign_id, recipients: 2, sent: 2, failed: 0, uncertain: 0 })],
  ])
})
