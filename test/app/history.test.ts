import { describe, expect, test } from 'bun:test'
import { deviceName } from '../../static/app/site/contact/device.ts'
import { evidenceText } from '../../static/app/site/contact/evidence.ts'
import { type Activity, type Consent, type ConsentDocument, historyOf } from '../../static/app/site/contact/history.ts'

const consent = (id: number, at: string, more: Partial<Consent> = {}): Consent => ({
  id,
  at,
  list_id: 1,
  action: 'given',
  text: 'Yes, send me the weekly letter.',
  source: 'signup',
  ip: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  campaign_id: null,
  ...more,
})
const event = (id: number, type: Activity['type'], at: string): Activity => ({
  id,
  type,
  at,
  list_id: 1,
  campaign_id: null,
})

const MAY = '2026-05-03T14:02:11.000Z'
const CONFIRMED = '2026-05-03T14:05:00.000Z'
const LEFT = '2026-06-01T08:00:00.000Z'

describe('the history of a contact', () => {
  const consents = [
    consent(5, LEFT, { action: 'withdrawn', text: '', source: 'unsubscribe_link', list_id: 2 }),
    consent(4, CONFIRMED, { action: 'confirmed', list_id: 2 }),
    consent(3, CONFIRMED, { action: 'confirmed' }),
    consent(2, MAY, { list_id: 2 }),
    consent(1, MAY),
  ]
  const activity = [
    event(13, 'left_list', LEFT),
    event(12, 'open', '2026-05-20T00:00:00.000Z'),
    event(11, 'subscribed', MAY),
  ]

  test('One act for two lists is one document, with its confirmation.', () => {
    const documents = historyOf(consents, [], 'consent') as ConsentDocument[]
    expect(documents.map(({ given, list_ids, confirmed }) => [given.action, list_ids, confirmed?.at])).toEqual([
      ['withdrawn', [2], undefined],
      ['given', [2, 1], CONFIRMED],
    ])
  })

  test('Events that a consent tells are left out beside it, and stand where only lists are asked for.', () => {
    expect(historyOf(consents, activity, 'all').map(({ id }) => id)).toEqual(['c5', 'a12', 'c2'])
    expect(historyOf(consents, activity, 'lists').map(({ id }) => id)).toEqual(['a13', 'a11'])
    expect(historyOf(consents, activity, 'engagement').map(({ id }) => id)).toEqual(['a12'])
  })

  test('A confirmation whose consent is not known is a document of its own.', () => {
    const [document] = historyOf([consent(9, CONFIRMED, { action: 'confirmed' })], [], 'consent') as ConsentDocument[]
    expect(document).toMatchObject({ confirmed: null, given: { action: 'confirmed' } })
  })

  test('Evidence names the project, the address, the lists, the words, and both moments in UTC.', () => {
    const [, document] = historyOf(consents, [], 'consent') as ConsentDocument[]
    const about = { project: 'Harbour', email: 'ada@example.com', list: (id: number | null) => `List ${id}` }
    expect(evidenceText(document!, about)).toBe(`Consent to receive messages from Harbour

Address: ada@example.com
For: List 2, List 1
Given: 2026-05-03 14:02:11 UTC, by the sign-up form
From the network address: 203.0.113.7
With: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
Wording: “Yes, send me the weekly letter.”

Confirmed: 2026-05-03 14:05:00 UTC
From the network address: 203.0.113.7
With: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
The address was sent one message with a link. Whoever reads its mail followed the link and pressed the button.
`)
    const [bare] = historyOf([consent(1, MAY, { text: '' })], [], 'consent') as ConsentDocument[]
    expect(evidenceText(bare!, about)).toContain('No wording was kept.')
  })

  test('A user agent is told as a browser on a system.', () => {
    expect(deviceName(consent(1, MAY).user_agent)).toBe('Firefox on Linux')
    expect(deviceName('Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/140.0 Safari/537 Edg/140')).toBe(
      'Edge on Windows',
    )
    expect(deviceName(null)).toBe('')
  })
})
