import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Deliverability } from '../../../../static/app/api/operations.d.ts'
import { judged, toneOf } from '../../../../static/app/site/sending/deliverability.ts'
import { asked, visit } from '../../../support/visit.ts'

const tab = useTab()

const numbers = (more: object = {}) => ({
  ...{ sent: 10_000, bounced: 300, soft_bounced: 0, complained: 2, unsubscribed: 20, opened: 4_000 },
  ...more,
})
const day = (date: string, more: object) => ({ date, ...numbers({ sent: 100, bounced: 0, complained: 0, ...more }) })
const REPORT: Deliverability = {
  days: 30,
  thresholds: { bounced: { watch: 0.02, act: 0.05 }, complained: { watch: 0.001, act: 0.003 } },
  total: numbers(),
  providers: [
    {
      provider: 'gmail',
      ...numbers(),
      by_day: [day('2026-05-02', { bounced: 3 }), day('2026-05-01', { complained: 1 })],
    },
    {
      provider: 'other',
      ...numbers({ sent: 0, bounced: 0, complained: 0, unsubscribed: 0, opened: 0 }),
      by_day: [day('2026-05-01', { bounced: 1 })],
    },
  ],
  held_back: [],
  suppressions: [],
  campaigns: [],
}

const open = (at = '', more: Partial<Deliverability> = {}) =>
  visit(tab, `/sending/health${at}`, { 'POST /project/deliverability/get': { deliverability: { ...REPORT, ...more } } })

test('How mail was taken is told beside the shares at which to act.', async () => {
  await open()
  expect(asked(tab, 'POST /project/deliverability/get')).toEqual([{ days: 30 }])
  expect(tab.texts('.tile')).toEqual([
    'Sent10,000',
    'Bounced3%300 addresses. Act from 5%.',
    'Complained0.02%2 people. Act from 0.3%.',
    'Left0.2%20',
    'Opened40%4,000',
  ])
  const tones = tab.all('.tile').map((tile) => /tone-\w+/.exec(tile.getAttribute('class')!)?.[0])
  expect(tones).toEqual([undefined, 'tone-wait', undefined, undefined, undefined])
  expect(rowsOf(tab, 'By mailbox provider')).toEqual([
    ['Gmail', '10,000', '3%', '0.02%', '0.2%', '40%'],
    ['All others', '0', '–', '–', '–', '–'],
  ])
  expect(tab.texts('.badge')).toEqual(['3%'])
})

test('The time is chosen by the address.', async () => {
  await open('?days=7')
  await tab.type('Time', '90')
  expect(tab.address).toBe('/sending/health?days=90')
  await tab.type('Time', '30')
  expect(tab.address).toBe('/sending/health')
  await open('?days=8')
  expect(asked(tab, 'POST /project/deliverability/get').map(({ days }) => days)).toEqual([7, 90, 30, 30])
})

test('Days of all providers are added up, in their order.', async () => {
  await open()
  expect(tab.texts('.card h2')).toEqual([
    'By mailbox provider',
    'By day',
    'Bounces by day, and when to act',
    'Complaints by day, and when to act',
  ])
  for (let chart = 0; chart < 3; chart++) await tab.press('Show as table')
  expect(tab.texts('.chart-table').map((text) => text.length > 0)).toEqual([true, true, true])
  const cells = tab
    .all('.chart-table')
    .map((table) => [...table.querySelectorAll('td')].map((cell) => cell.textContent))
  expect(cells).toEqual([
    ['200', '2', '100', '3'],
    ['0.5%', '2%', '5%', '3%', '2%', '5%'],
    ['0.5%', '0.1%', '0.3%', '0%', '0.1%', '0.3%'],
  ])
})

test('One day is drawn by no line.', async () => {
  await open('', { providers: [{ ...REPORT.providers[0]!, by_day: [day('2026-05-01', {})] }] })
  expect(tab.texts('.card h2')).toEqual(['By mailbox provider'])
})

test('Held-back mail is told with its reason.', async () => {
  const again = 'They are tried again at 3 May 2026, 12:00.'
  const held = { provider: 'outlook' as const, messages: 1_200, until: '2026-05-03T12:00:00.000Z' }
  await open('', {
    held_back: [
      { ...held, reason: 'limit', error: null },
      { ...held, provider: 'gmx', messages: 1, reason: 'refused_for_now', error: '421 slow' },
      { ...held, provider: 'yahoo', reason: 'refused_for_now', error: null },
    ],
  })
  expect(tab.texts('.callout').map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    `Outlook holds back 1,200 messages.The limit of the connection is reached. ${again}`,
    `GMX holds back 1 message.421 slow ${again}`,
    `Yahoo holds back 1,200 messages.It refuses for now. ${again}`,
  ])
})

test('Campaigns above a threshold and those who are never written to stand below.', async () => {
  const campaign = { id: 5, name: 'May', started_at: null, sent: 1_000, bounced: 60, complained: 2 }
  await open('', {
    campaigns: [
      { ...campaign, level: 'act' },
      { ...campaign, id: 6, name: 'June', level: 'watch' },
    ],
    suppressions: [
      { reason: 'hard_bounce', addresses: 1_200 },
      { reason: 'complaint', addresses: 3 },
    ],
  })
  expect(rowsOf(tab, 'Campaigns above a threshold')).toEqual([
    ['May', '1,000', '6%', '0.2%', 'Act'],
    ['June', '1,000', '6%', '0.2%', 'Watch'],
  ])
  expect(tab.button('May').getAttribute('href')).toEndWith('/campaigns/5')
  expect(tab.texts('.card li')).toEqual(['1,200 do not exist', '3 complained'])
})

test('Nothing sent is no number.', async () => {
  await open('?days=7', { total: numbers({ sent: 0 }) })
  expect(tab.text('main')).toContain('Nothing was sent in 7 days.')
  expect(tab.texts('.tile')).toEqual([])
})

test('Numbers that could not be loaded say so.', async () => {
  await visit(tab, '/sending/health', { 'POST /project/deliverability/get': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The numbers could not be loaded.')
})

test('A share is worth a look from one number on, and an act from another.', () => {
  const limits = { watch: 0.02, act: 0.05 }
  expect([0.0199, 0.02, 0.0499, 0.05].map((share) => toneOf(share, limits))).toEqual([undefined, 'wait', 'wait', 'bad'])
  const word = (more: object) => judged({ ...REPORT, total: numbers(more) }).word
  expect([word({ sent: 0 }), word({ bounced: 0 }), word({}), word({ complained: 30 }), word({ bounced: 500 })]).toEqual(
    [...[null, 'Fine', 'Watch', 'Act', 'Act']],
  )
})
