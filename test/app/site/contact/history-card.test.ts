import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import { deviceName } from '../../../../static/app/site/contact/device.ts'
import { EVENTS } from '../../../../static/app/site/contact/event-labels.ts'
import { evidenceText, sourceWords } from '../../../../static/app/site/contact/evidence.ts'
import type { Activity, Consent, ConsentDocument } from '../../../../static/app/site/contact/history.ts'
import { contact, list, page } from '../../../support/answers.ts'
import { asked, visit } from '../../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const event = (id: number, type: Activity['type'], more: Partial<Activity> = {}): Activity => ({
  ...{ id, type, at: AT, list_id: null, campaign_id: null },
  ...more,
})
const consent = (id: number, more: Partial<Consent> = {}): Consent => ({
  ...{ id, at: AT, list_id: 1, action: 'given', text: 'Yes.', source: 'signup', ip: null, user_agent: null },
  ...{ campaign_id: null, ...more },
})
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

async function open(activity: Activity[], consents: Consent[] = [], at = '') {
  await visit(tab, `/contacts/7${at}`, {
    'contacts/get': ({ activity_after_id }) => ({
      contact: contact(),
      suppression: null,
      activity: activity_after_id ? [event(3, 'open', { campaign_id: 5 })] : activity,
      consents: activity_after_id ? [] : consents,
    }),
    'lists/list': page(list(1, 'Weekly')),
    'tags/list': page(),
    'custom-fields/list': page(),
    'campaigns/list': { items: [{ id: 5, name: 'May' }], next_cursor: null },
  })
}
const titles = () => tab.texts('.timeline-title')

test('An event is told with the campaign and the list that it was of.', async () => {
  await open([
    event(9, 'open', { campaign_id: 5, user_agent: LINUX }),
    event(8, 'open', { campaign_id: 5, machine: true }),
    event(7, 'click', { campaign_id: 6, url: 'https://a.example' }),
    event(6, 'confirmation_sent', { list_id: 1 }),
    event(5, 'address_changed', { detail: 'old@example.com' }),
    event(4, 'suppressed', { detail: 'complaint' }),
    event(3, 'failed', { detail: '550 no' }),
    event(2, 'left_list', { list_id: 9 }),
  ])
  expect(titles()).toEqual([
    'Opened “May”',
    'Opened “May” machine',
    'Clicked in “campaign 6”',
    'A message to confirm was queued for “Weekly”',
    'The address was changed',
    'The address was suppressed',
    'Could not be sent',
    'Left “a list that was deleted”',
  ])
  expect(tab.texts('.history-notes')).toEqual([
    'Firefox on Linux',
    'Opened by a program on the way, such as a privacy proxy.',
    'https://a.example',
    'It was old@example.com.',
    'Reason: complaint.',
    '550 no',
  ])
  expect(tab.button('Opened “May”').getAttribute('href')).toEndWith('/campaigns/5')
  expect(tab.text('main')).toContain('That is all that is kept.')
  expect(asked(tab, 'campaigns/list')).toEqual([{ order: 'newest', limit: 200 }])
})

test('Names of campaigns are asked for only where there are some.', async () => {
  await open([event(1, 'suppressed')])
  expect(tab.sent('campaigns/list')).toEqual([])
})

test('The address chooses which events are shown.', async () => {
  await open([event(2, 'open', { campaign_id: 5 })], [consent(1)], '?show=engagement')
  expect(titles()).toEqual(['Opened “May”'])
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Opens and clicks'])
  await tab.press('Consent')
  expect([tab.address, titles()]).toEqual(['/contacts/7?show=consent', ['Consent']])
  expect(tab.text('main')).not.toContain('That is all that is kept.')
  await tab.press('All')
  expect([tab.address, titles().length]).toEqual(['/contacts/7', 2])
  await tab.press('Messages')
  expect(tab.text('main')).toContain('Nothing of this kind happened yet.')
  await open([], [], '?show=nonsense')
  expect(tab.text('main')).toContain('Nothing happened yet.')
})

test('A hundred events may have older ones, which are asked for until fewer come.', async () => {
  await open(Array.from({ length: 100 }, (_, at) => event(200 - at, 'open', { campaign_id: 5 })))
  await tab.press('Show older')
  expect(asked(tab, 'contacts/get').at(-1)).toEqual({ contact_id: 7, activity_after_id: 101, consents_after_id: 1 })
  expect([titles().length, tab.has('Show older')]).toEqual([101, false])
  await open(Array.from({ length: 100 }, (_, at) => event(300 - at, 'open', { campaign_id: 5 })))
  const older = Array.from({ length: 100 }, (_, at) => event(200 - at, 'open', { campaign_id: 5 }))
  tab.answers['contacts/get'] = { contact: contact(), suppression: null, activity: older, consents: [] }
  await tab.press('Show older')
  await tab.press('Show older')
  const cursors = asked(tab, 'contacts/get').map(({ activity_after_id }) => activity_after_id)
  expect(cursors.slice(-2)).toEqual([201, 101])
  await open(Array.from({ length: 100 }, (_, at) => event(200 - at, 'open', { campaign_id: 5 })))
  tab.answers['contacts/get'] = new Refusal(403, 'FORBIDDEN')
  await tab.press('Show older')
  expect(tab.text('main')).toContain('Older entries could not be loaded.')
})

test('A consent is shown as the document that it is, and copied as evidence.', async () => {
  const copied: string[] = []
  const writeText = async (text: string) => void copied.push(text)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  try {
    await open(
      [],
      [
        consent(4, { action: 'withdrawn', text: '', at: '2026-05-05T12:00:00.000Z', list_id: null }),
        consent(3, { action: 'confirmed', at: '2026-05-04T12:00:00.000Z', ip: '203.0.113.7', source: 'confirmation' }),
        consent(2, { user_agent: LINUX, caller: { ip: '203.0.113.9', user_agent: 'curl' } }),
        consent(1, { text: '', list_id: 1, at: '2026-05-01T12:00:00.000Z' }),
      ],
    )
    const papers = tab.texts('.consent').map((text) => text.replace('Copy as evidence', '').trim())
    expect(papers).toEqual([
      'List: messages in generalGiven by the sign-up form',
      [
        '“Yes.”List: WeeklyGiven by the sign-up form, from Firefox on Linux, told by 203.0.113.9',
        'Confirmed 4 May 2026, 12:00, from 203.0.113.7',
      ].join(''),
      'No wording was kept.List: WeeklyGiven by the sign-up form',
    ])
    expect(titles()).toEqual(['Consent withdrawn', 'Consent', 'Consent'])
    await tab.press('Copy as evidence')
    expect(copied[0]).toContain('Consent to receive messages from Harbour\n\nAddress: grace@example.com\n')
    expect(tab.text('.toasts')).toContain('The evidence is copied.')
  } finally {
    Reflect.deleteProperty(navigator, 'clipboard')
  }
})

test('A consent for several lists at once is one document.', async () => {
  await open([], [consent(2, { list_id: null }), consent(1)])
  expect(tab.texts('.consent p')[0]).toBe('Lists: messages in general, Weekly')
  await open([], [consent(1)])
  expect(tab.texts('.consent p')[0]).toBe('List: Weekly')
})

test('Evidence tells who, when, where from and in which words.', () => {
  const given = consent(1, {
    ip: '203.0.113.7',
    user_agent: 'Agent',
    caller: { ip: '203.0.113.9', user_agent: 'curl' },
  })
  const confirmed = consent(2, { action: 'confirmed', at: '2026-05-04T13:14:15.000Z' })
  const document: ConsentDocument = { kind: 'consent', id: 'c1', at: AT, given, list_ids: [1, null], confirmed }
  const about = {
    project: 'Harbour',
    email: 'g@example.com',
    list: (id: number | null) => (id === null ? 'all' : 'Weekly'),
  }
  expect(evidenceText(document, about)).toBe(
    [
      'Consent to receive messages from Harbour',
      '',
      'Address: g@example.com',
      'For: Weekly, all',
      'Given: 2026-05-03 12:00:00 UTC, by the sign-up form',
      'From the network address: 203.0.113.7',
      'With: Agent',
      'Told by a program at 203.0.113.9 (curl)',
      'Wording: “Yes.”',
      '',
      'Confirmed: 2026-05-04 13:14:15 UTC',
      'The address was sent one message with a link. Whoever reads its mail followed the link and pressed the button.',
      '',
    ].join('\n'),
  )
  const bare = evidenceText({ ...document, given: consent(1, { text: '' }), confirmed: null }, about)
  expect(bare).toEndWith('by the sign-up form\nNo wording was kept.\n')
  expect(sourceWords('my shop')).toBe('from my shop')
})

test.each([
  ['api', 'by a program or a colleague'],
  ['bulk', 'by a change of many contacts'],
  ['import', 'by an import'],
  ['signup', 'by the sign-up form'],
  ['signup (unverified text)', 'by the sign-up form of a site, which sent the words'],
  ['form', 'by a form of the site'],
  ['preferences', 'on the preference page'],
  ['confirmation', 'by the link in the confirmation message'],
  ['unsubscribe_link', 'by the link in a message'],
  ['unsubscribe_mail', 'by the unsubscribe button of a mail program'],
  ['hard_bounce', 'after a hard bounce'],
  ['complaint', 'after a complaint'],
  ['unsubscribe', 'by opting out'],
  ['manual', 'by hand'],
])('A consent of the source %s came about %s.', (source, words) => {
  expect(sourceWords(source)).toBe(words)
})

test('Evidence names the action, and nothing of a person that was not kept.', () => {
  const about = { project: 'Harbour', email: 'g@example.com', list: () => 'Weekly' }
  const text = (action: Consent['action'], more: Partial<Consent> = {}) =>
    evidenceText(
      { kind: 'consent', id: 'c1', at: AT, given: consent(1, { action, ...more }), list_ids: [1], confirmed: null },
      about,
    ).split('\n')[4]
  expect([text('given'), text('confirmed'), text('withdrawn', { source: 'manual' })]).toEqual([
    'Given: 2026-05-03 12:00:00 UTC, by the sign-up form',
    'Confirmed: 2026-05-03 12:00:00 UTC, by the sign-up form',
    'Withdrawn: 2026-05-03 12:00:00 UTC, by hand',
  ])
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537 Edg/140', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU like Mac OS X) Safari/604', 'Safari on an iPhone'],
  ['Mozilla/5.0 (Linux; Android 14) Chrome/140 Safari/537', 'Chrome on Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X) OPR/100 Chrome/140', 'Opera on a Mac'],
  ['Firefox/140', 'Firefox'],
  ['Linux', 'Linux'],
  [`${'x'.repeat(50)}`, 'x'.repeat(40)],
  ['', ''],
  [null, ''],
])('The device %s is called %s.', (agent, name) => {
  expect(deviceName(agent)).toBe(name)
})

test('Each event is told in words of its own.', () => {
  const said = Object.entries(EVENTS).map(([type, { title }]) => [type, title({ campaign: 'May', list: 'Weekly' })])
  expect(Object.fromEntries(said)).toEqual({
    ...{ sent: 'Was sent “May”', failed: 'Could not be sent “May”', skipped: 'Was left out of “May”' },
    ...{ uncertain: 'Not certain whether it was sent: “May”', bounce: 'Bounced: “May”' },
    ...{ complaint: 'Reported as spam: “May”', open: 'Opened “May”', click: 'Clicked in “May”' },
    confirmation_sent: 'A message to confirm was queued for “Weekly”',
    ...{ subscribed: 'Joined “Weekly”', resubscribed: 'Came back to “Weekly”', confirmed: 'Confirmed “Weekly”' },
    ...{ left_list: 'Left “Weekly”', unsubscribe: 'Left “Weekly”', suppressed: 'The address was suppressed' },
    ...{ unsuppressed: 'The suppression was lifted', address_changed: 'The address was changed' },
  })
  const bad = Object.entries(EVENTS).filter(([, { tone }]) => tone === 'bad')
  expect(bad.map(([type]) => type)).toEqual(['failed', 'bounce', 'complaint', 'suppressed'])
})

test('An event of no campaign or list is told without one.', () => {
  const said = (type: Activity['type']) => EVENTS[type].title({ campaign: '', list: '' })
  expect(
    (['sent', 'failed', 'open', 'subscribed', 'confirmed', 'left_list', 'unsubscribe'] as const).map(said),
  ).toEqual([
    ...['Was sent a message', 'Could not be sent', 'Opened a message', 'Joined messages in general'],
    ...['Confirmed the address', 'Left a list', 'Opted out of everything'],
  ])
  expect(EVENTS.unsubscribe.title({ campaign: '', list: 'Weekly' })).toBe('Left “Weekly”')
})
