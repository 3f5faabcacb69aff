import { expect, test } from 'bun:test'
import {
  type Activity,
  type Consent,
  type ConsentDocument,
  historyOf,
} from '../../../../static/app/site/contact/history.ts'

const AT = '2026-05-03T14:00:00.000Z'
const LATER = '2026-05-03T15:00:00.000Z'
const consent = (id: number, more: Partial<Consent> = {}): Consent => ({
  id,
  at: AT,
  list_id: 1,
  action: 'given',
  text: 'Yes.',
  source: 'signup',
  ip: null,
  user_agent: null,
  campaign_id: null,
  ...more,
})
const event = (id: number, type: Activity['type'], at = AT): Activity => ({
  id,
  type,
  at,
  list_id: 1,
  campaign_id: null,
})
const documents = (...consents: Consent[]) => historyOf(consents, [], 'consent') as ConsentDocument[]
const lists = (...consents: Consent[]) => documents(...consents).map(({ list_ids }) => list_ids)

test.each<[string, Partial<Consent>]>([
  ['another moment', { at: LATER }],
  ['another act', { action: 'withdrawn' }],
  ['another wording', { text: 'Sure.' }],
  ['another source', { source: 'api' }],
])('A consent of %s is a document of its own.', (_, more) => {
  expect(lists(consent(2, { list_id: 2 }), consent(1))).toEqual([[2, 1]])
  expect(lists(consent(2, { list_id: 2, ...more }), consent(1))).toHaveLength(2)
})

test('A consent that was confirmed at another moment, or not, is a document of its own.', () => {
  const confirmed = (id: number, list_id: number, at = LATER) => consent(id, { action: 'confirmed', list_id, at })
  const given = [consent(2, { list_id: 2 }), consent(1)]
  expect(lists(confirmed(4, 2), confirmed(3, 1), ...given)).toEqual([[2, 1]])
  expect(lists(confirmed(4, 2), confirmed(3, 1, '2026-05-04T00:00:00.000Z'), ...given)).toEqual([[2], [1]])
  expect(lists(confirmed(3, 1), ...given)).toEqual([[2], [1]])
})

test('A confirmation belongs to the last consent before it, of its own list, and to no other.', () => {
  const confirmation = consent(3, { action: 'confirmed', at: LATER })
  const withEach = (...consents: Consent[]) =>
    documents(...consents).map(({ given, confirmed }) => [given.id, confirmed?.id])
  expect(withEach(confirmation, consent(2, { text: 'Newer.' }), consent(1))).toEqual([
    [2, 3],
    [1, undefined],
  ])
  expect(withEach(confirmation, consent(2, { list_id: 2 }))).toEqual([
    [3, undefined],
    [2, undefined],
  ])
  expect(withEach(consent(4, { at: '2026-05-03T16:00:00.000Z' }), confirmation)).toEqual([
    [4, undefined],
    [3, undefined],
  ])
  expect(withEach(confirmation, consent(2, { action: 'withdrawn' }))).toEqual([
    [3, undefined],
    [2, undefined],
  ])
})

test('An event stands beside the consent of its moment when it says something else.', () => {
  const all = (type: Activity['type'], at = AT) =>
    historyOf([consent(1)], [event(9, type, at)], 'all').map(({ id }) => id)
  expect(all('subscribed')).toEqual(['c1'])
  expect(all('open')).toEqual(['c1', 'a9'])
  expect(all('subscribed', LATER)).toEqual(['a9', 'c1'])
})

test('Each choice has the events of its kind, newest first.', () => {
  const activity = [event(1, 'sent'), event(2, 'open', LATER), event(3, 'suppressed'), event(4, 'bounce', LATER)]
  const shown = (show: Parameters<typeof historyOf>[2]) => historyOf([consent(1)], activity, show).map(({ id }) => id)
  expect(shown('messages')).toEqual(['a4', 'a1'])
  expect(shown('engagement')).toEqual(['a2'])
  expect(shown('lists')).toEqual(['a3'])
  expect(shown('consent')).toEqual(['c1'])
  expect(shown('all')).toEqual(['a2', 'a4', 'c1', 'a1', 'a3'])
})
