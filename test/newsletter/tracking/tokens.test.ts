import { expect, test } from 'bun:test'
import {
  createConfirmationToken,
  createRecipientToken,
  createViewToken,
  isSentTo,
  isMessageMark,
  messageId,
  readConfirmationToken,
  readMessageId,
  readRecipientToken,
  readViewToken,
} from '../../../src/newsletter/tracking/tokens.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import { altered } from '../../support/altered.ts'

const keys = new Keys(newMasterKey())
const recipient = { delivery_id: 123_456, contact_id: 98_765, campaign_id: 42 }

test('A token of one purpose is refused for the other.', () => {
  expect(readRecipientToken(keys, createRecipientToken(keys, recipient))).toEqual(recipient)
  expect(readRecipientToken(keys, createRecipientToken(keys, recipient), 'open')).toBeNull()
  expect(readRecipientToken(keys, createRecipientToken(keys, recipient, 'open'))).toBeNull()
})

test('Signed text with too few, too many or invalid numbers is no recipient.', () => {
  for (const text of ['', '1.2', '1.2.3.4', '1.2.', '-1.2.3', 'zzzzzzzzzzzz.1.1'])
    expect(readRecipientToken(keys, keys.sign('recipient-link', text))).toBeNull()
  expect(readRecipientToken(keys, keys.sign('recipient-link', '0.1.0'))).toEqual({
    delivery_id: 0,
    contact_id: 1,
    campaign_id: 0,
  })
})

test('A confirmation token names contact, lists and the address that was asked.', () => {
  const asked = { contact_id: 77, email: ' Ada@Example.com', list_ids: [5, 40] }
  const told = readConfirmationToken(keys, createConfirmationToken(keys, asked))!
  expect(told).toMatchObject({ contact_id: 77, list_ids: [5, 40] })
  expect([isSentTo(told, 'Ada@Example.com'), isSentTo(told, 'bo@example.com')]).toEqual([true, false])
  expect(readConfirmationToken(keys, createConfirmationToken(keys, { ...asked, list_ids: [] }))?.list_ids).toEqual([])
})

test('A confirmation token that is incomplete, changed or made for something else is refused.', () => {
  for (const text of ['', 'mark', 'mark.0', 'mark.1.0', 'mark.1.', '.1.1'])
    expect(readConfirmationToken(keys, keys.sign('confirmation', text))).toBeNull()
  const token = createConfirmationToken(keys, { contact_id: 1, email: 'ada@example.com', list_ids: [2] })
  expect(readConfirmationToken(keys, altered(token))).toBeNull()
  expect(readConfirmationToken(new Keys(newMasterKey()), token)).toBeNull()
  expect(readConfirmationToken(keys, createRecipientToken(keys, recipient))).toBeNull()
})

test('A Message-ID is the same at every attempt, in ASCII, and its mark opens no link.', () => {
  const id = messageId(keys, recipient, 'news@höfe.example')
  expect(messageId(keys, recipient, 'other@höfe.example')).toBe(id)
  expect(id).toMatch(/^2n9c\.[0-9a-v]{25}@xn--hfe-sna\.example$/)
  const { delivery_id, mark } = readMessageId(`<${id}>`)!
  expect([delivery_id, isMessageMark(keys, recipient, mark)]).toEqual([recipient.delivery_id, true])
  expect(isMessageMark(keys, { ...recipient, contact_id: 1 }, mark)).toBe(false)
  expect(createRecipientToken(keys, recipient)).not.toContain(mark)
  expect(messageId(keys, recipient, 'a@b@news.example')).toEndWith('@news.example')
})

test('A view token carries the values of its message, unless they are too long for a link.', () => {
  const valuesIn = (value: string) => readViewToken(keys, createViewToken(keys, { ...recipient, values: { a: value } }))
  // The key and its marks are eight more characters of JSON.
  expect(valuesIn('x'.repeat(992))).toEqual({ ...recipient, values: { a: 'x'.repeat(992) } })
  expect(valuesIn('x'.repeat(993))).toEqual({ ...recipient, values: null })
  expect(readViewToken(keys, createViewToken(keys, { ...recipient, values: null }))).toEqual({
    ...recipient,
    values: null,
  })
  for (const plain of ['1.2', '1.2.3', 'a', '1.2.3.4\nnull'])
    expect(readViewToken(keys, keys.seal('view-link', plain, ''))).toBeNull()
  expect(readViewToken(keys, createRecipientToken(keys, recipient))).toBeNull()
  expect(readViewToken(keys, 'x'.repeat(5000))).toBeNull()
})
