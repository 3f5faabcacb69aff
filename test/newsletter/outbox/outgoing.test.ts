import { expect, test } from 'bun:test'
import { outgoing, readReturnPath, returnPath } from '../../../src/newsletter/outbox/outgoing.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import type { Provider } from '../../../src/store/tables/delivery.ts'

const keys = new Keys([newMasterKey()])
const COMPOSED = {
  envelope: { from: 'news@harbour.example', to: 'ada@example.com' } as never,
  message: Buffer.from('Subject: x\r\n'),
  message_id: '<3f.abc@harbour.example>',
}
const sent = (provider: Provider, { bounce_domain = '', message_stream = '', kind = 'campaign' } = {}) =>
  outgoing(keys, { provider, bounce_domain, message_stream }, { id: 5, kind: kind as 'campaign' }, COMPOSED)

test('Each provider gets the headers that it returns in its reports, and the others get none.', () => {
  const headers = (...given: Parameters<typeof sent>) =>
    sent(...given)
      .message.toString()
      .replace('Subject: x\r\n', '')
  expect(sent('smtp').message).toBe(COMPOSED.message)
  expect(headers('postmark')).toBe('X-PM-KeepID: true\r\nX-PM-Metadata-masthead: <3f.abc\r\n')
  expect(headers('postmark', { message_stream: 'broadcast' })).toEndWith('X-PM-Message-Stream: broadcast\r\n')
  // The stream of campaigns is not that of confirmations.
  expect(headers('postmark', { message_stream: 'broadcast', kind: 'confirmation' })).not.toContain('Stream')
  expect(headers('brevo')).toBe('X-Mailin-custom: <3f.abc@harbour.example>\r\n')
  expect(headers('resend')).toBe('Resend-Idempotency-Key: <3f.abc@harbour.example>\r\n')
})

test('With a bounce domain each message has a return path of its own.', () => {
  expect(sent('smtp').envelope).toBe(COMPOSED.envelope)
  const { from, to } = sent('smtp', { bounce_domain: 'b.example' }).envelope as unknown as Record<'from' | 'to', string>
  expect([from, to]).toEqual([returnPath(keys, 5, 'b.example'), 'ada@example.com'])
})

test('A return path names its message in any case, and one of another key names none.', () => {
  for (const id of [1, 35, 36, 2 ** 40]) {
    const address = returnPath(keys, id, 'b.example')
    expect(readReturnPath(keys, `<${address.toUpperCase()}>`)).toBe(id)
    expect(address.indexOf('@')).toBeLessThanOrEqual(64)
    expect(readReturnPath(new Keys([newMasterKey()]), address)).toBeNull()
  }
  expect(readReturnPath(keys, returnPath(keys, 5, 'b.example').replace('b+5-', 'b+6-'))).toBeNull()
  expect(readReturnPath(keys, 'ada@example.com')).toBeNull()
})
