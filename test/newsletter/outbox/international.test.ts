import { afterEach, expect, test } from 'bun:test'
import { SAMPLE_DOCUMENT, readyToSend } from '../../support/campaigns.ts'
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** Addresses in other scripts, from `campaigns/send` to the relay (RFC 6531, RFC 6532). */

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function harbour(
  options: SmtpSinkOptions,
): Promise<{ world: World; sink: SmtpSink; connection_id: number; list_id: number }> {
  const sink = await startSmtpSink(options)
  open.push(() => sink.close())
  const world = await createWorld()
  open.push(() => world.close())
  const ready = await readyToSend(world, {
    name: 'Relay',
    provider: 'smtp',
    host: sink.host,
    port: sink.port,
    secure: 'none',
  })
  await world.ok('settings/update', { from_email: 'news@häfen.example', reply_to: 'desk@häfen.example' })
  return { world, sink, ...ready }
}

async function sendTo(
  people: readonly string[],
  options: SmtpSinkOptions,
): Promise<{ world: World; sink: SmtpSink; campaign_id: number }> {
  const { world, sink, list_id } = await harbour(options)
  for (const email of people) await world.ok('contacts/upsert', { email, list_ids: [list_id], consent_text: 'Yes' })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Gezeiten für alle',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  return { world, sink, campaign_id: campaign.id }
}

const PEOPLE = ['ada@example.com', 'jörg@example.com', 'bo@exämple.com']
const headOf = ({ raw }: { raw: Buffer }) => raw.toString('utf8').split('\r\n\r\n')[0]!
const isAscii = (text: string) => !/[^\p{ASCII}]/u.test(text)

test('With SMTPUTF8 everybody is written to, and only their own letter is not ASCII.', async () => {
  const { world, sink, campaign_id } = await sendTo(PEOPLE, {})
  expect(sink.messages.map(({ to }) => to[0]!.normalize()).sort()).toEqual([
    'ada@example.com',
    'bo@exämple.com',
    'jörg@example.com',
  ])
  for (const message of sink.messages) {
    const head = headOf(message)
    expect(isAscii(head)).toBe(!head.includes('\r\nTo: jörg@example.com\r\n'))
    expect(head).toContain('Reply-To: desk@xn--hfen-loa.example\r\n')
    expect(head).toMatch(/^Message-ID: <[\w.-]+@xn--hfen-loa\.example>$/m)
  }
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({ recipients: 3, sent: 3 })
})

test('Without SMTPUTF8 that one recipient fails at once and is not suppressed; everybody else goes on.', async () => {
  const asked: string[] = []
  const { world, sink, campaign_id } = await sendTo(PEOPLE, { utf8: false, onRcpt: (email) => void asked.push(email) })
  expect(asked).toHaveLength(2)
  expect(sink.messages.every((message) => isAscii(headOf(message)))).toBe(true)
  expect((await world.ok('campaigns/get', { campaign_id })).campaign.status).toBe('sent')
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({
    recipients: 3,
    sent: 2,
    failed: 1,
    bounces: { hard: 0, soft: 0 },
    queued: 0,
  })
  const { items } = await world.ok('campaigns/recipients', { campaign_id })
  expect(items.find(({ email }: { email: string }) => email === 'jörg@example.com')).toMatchObject({
    status: 'failed',
    last_error: expect.stringContaining('does not offer SMTPUTF8'),
  })
  expect((await world.ok('suppressions/list')).items).toEqual([])
})

test('The trial of a connection is ASCII, too.', async () => {
  const { world, sink, connection_id } = await harbour({})
  await world.ok('connections/test', { connection_id, email: 'ada@example.com' })
  expect(sink.messages.map((message) => isAscii(headOf(message)))).toEqual([true])
})
