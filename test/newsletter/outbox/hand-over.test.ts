import { expect, test } from 'bun:test'
import type { SmtpEnvelope } from '../../../src/mail/smtp-pool.ts'
import { type Compose, handOver } from '../../../src/newsletter/outbox/hand-over.ts'
import type { Leased } from '../../../src/newsletter/outbox/outbox.ts'
import { readReturnPath } from '../../../src/newsletter/outbox/outgoing.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import { ACCEPTED, fakeTransport } from './support.ts'

const keys = new Keys(newMasterKey())
const row = { id: 7, email: 'ada@example.com' } as Leased
const composed = {
  envelope: { from: 'news@harbour.example', to: row.email },
  message: Buffer.from('Subject: Tides\r\n\r\nHigh water.\r\n'),
  message_id: '7.mark@harbour.example',
}

/** Hands the row over; answers the outcome, what reached the relay and what was logged. */
async function handedOver({
  compose = () => composed,
  sign = null,
  connection = { provider: 'smtp', bounce_domain: '' },
  send = async () => ACCEPTED,
}: {
  compose?: Compose
  sign?: ((message: Buffer) => Promise<Buffer | null>) | null
  connection?: object
  send?: () => Promise<typeof ACCEPTED>
} = {}) {
  const sent: { envelope: SmtpEnvelope; message: string }[] = []
  const logged: object[] = []
  const transport = {
    ...fakeTransport(),
    send: async (envelope: SmtpEnvelope, message: Buffer) => {
      sent.push({ envelope, message: message.toString() })
      return send()
    },
  }
  const context = { keys, log: { error: (_: string, fields: object) => logged.push(fields) } } as unknown as LoopContext
  const stream = { connection, compose: async () => compose, sign } as Parameters<typeof handOver>[0]['stream']
  const outcome = await handOver({ context, stream, transport, compose, message: row, dueNow: async () => undefined })
  return { outcome, sent, logged }
}

test('A message is handed over as it was composed, and the answer of the relay is the outcome.', async () => {
  const { outcome, sent } = await handedOver()
  expect(outcome).toBe(ACCEPTED)
  expect(sent).toEqual([{ envelope: composed.envelope, message: composed.message.toString() }])
})

test('A message leaves only when its time has come.', async () => {
  let isDue = false
  const context = { keys } as unknown as LoopContext
  const stream = { connection: { provider: 'smtp', bounce_domain: '' }, sign: null } as never
  const transport = fakeTransport(() => {
    expect(isDue).toBe(true)
    return ACCEPTED
  })
  const outcome = await handOver({
    context,
    stream,
    transport,
    compose: () => composed,
    message: row,
    async dueNow() {
      isDue = true
    },
  })
  expect([outcome, transport.sent_to]).toEqual([ACCEPTED, [row.email]])
})

test('A connection with a bounce domain gets a return path that names the delivery.', async () => {
  const { sent } = await handedOver({ connection: { provider: 'smtp', bounce_domain: 'bounce.harbour.example' } })
  expect(sent[0]!.envelope.to).toBe(row.email)
  expect(sent[0]!.envelope.from).toEndWith('@bounce.harbour.example')
  expect(readReturnPath(keys, sent[0]!.envelope.from)).toBe(row.id)
})

test('The headers of a provider are added before the message is signed, so the signature covers them.', async () => {
  const sign = async (message: Buffer) => Buffer.from(`DKIM-Signature: of ${message.toString().slice(0, 17)}\r\n`)
  const { sent } = await handedOver({ connection: { provider: 'postmark', bounce_domain: '' }, sign })
  expect(sent[0]!.message).toBe('DKIM-Signature: of X-PM-KeepID: true\r\n')
})

test('A message that cannot be composed or signed reaches no relay.', async () => {
  for (const parts of [{ compose: () => null }, { sign: async () => null }]) {
    const { outcome, sent, logged } = await handedOver(parts)
    expect([outcome, sent, logged]).toEqual([null, [], []])
  }
})

test('An error while composing is logged with the delivery, and answers null.', async () => {
  const compose = () => {
    throw new Error('No such merge tag.')
  }
  const { outcome, sent, logged } = await handedOver({ compose })
  expect([outcome, sent]).toEqual([null, []])
  expect(logged).toMatchObject([{ delivery_id: row.id }])
})

test('A transport that throws leaves the message in doubt.', async () => {
  const send = () => Promise.reject(new Error('The pipe broke.'))
  expect((await handedOver({ send })).outcome).toEqual({ kind: 'uncertain', message: 'Error: The pipe broke.' })
})
