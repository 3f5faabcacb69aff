import { expect, test } from 'bun:test'
import { OURS, read, said } from './delivered.ts'

const LINES = (...lines: string[]) => lines.join('\r\n')
const report = (type: string, part: string, quoted: string[], head: string[] = []) =>
  LINES(
    'From: MAILER-DAEMON@mx.example',
    'To: bounces@harbour.example',
    ...head,
    'Subject: Undelivered',
    'Message-ID: <report-1@mx.example>',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="=b"`,
    '',
    '--=b',
    'Content-Type: text/plain',
    '',
    'Sorry.',
    '--=b',
    part,
    '--=b',
    ...quoted,
    '--=b--',
    '',
  )
const QUOTED = [
  'Content-Type: message/rfc822',
  '',
  'From: news@harbour.example',
  'To: a@b.example',
  `Message-ID:\t${OURS}`,
  'Subject: Tides',
  '',
  'Hello',
]
const dsn = (recipient: string[], quoted = QUOTED, head: string[] = []) =>
  report(
    'delivery-status',
    LINES('Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example', '', ...recipient, ''),
    quoted,
    head,
  )
const RECIPIENT = ['Original-Recipient: rfc822;A@b.example', 'Final-Recipient: rfc822; other@elsewhere.example']

test.each([
  [['Action: failed', 'Status: 5.1.1'], 'hard_bounce'],
  [['Action: failed', 'Status: 5.7.1 (refused)'], 'hard_bounce'],
  [['Action: Failed', 'Status: 4.4.7'], 'soft_bounce'],
  [['Action: delayed', 'Status: 4.4.1'], null],
  [['Action: relayed', 'Status: 2.0.0'], null],
  [['Action: delivered', 'Status: 2.1.5'], 'delivered'],
])('A status notification with %j is %p.', async (fields, kind) => {
  expect(await said('mime', { body: dsn([...RECIPIENT, ...fields]) })).toEqual(
    kind === null ? [] : [[kind, 'A@b.example', OURS]],
  )
})

test('A status notification reports the answer of the server for each recipient.', async () => {
  const body = dsn(
    [
      'Final-Recipient: rfc822; a@b.example',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1',
      '  no such user',
      '',
      'Final-Recipient: rfc822; c@d.example',
      'Action: failed',
      'Status: 4.2.2',
    ],
    ['Content-Type: text/rfc822-headers', '', `message-id: ${OURS}`, 'Subject: Tides'],
    ['Delivered-To: b+3f-00112233445566778899@bounces.harbour.example'],
  )
  expect((await read('mime', { body }))!.reports).toMatchObject([
    {
      kind: 'hard_bounce',
      email: 'a@b.example',
      message_id: OURS,
      return_path: expect.stringContaining('b+3f-'),
      event_id: '<report-1@mx.example> a@b.example',
      response: '550 5.1.1 no such user',
    },
    {
      kind: 'soft_bounce',
      email: 'c@d.example',
      message_id: OURS,
      return_path: expect.any(String),
      event_id: '<report-1@mx.example> c@d.example',
      response: '4.2.2',
    },
  ])
})

test('International addresses come in parts of their own kind (RFC 6533).', async () => {
  const body = dsn([...RECIPIENT, 'Action: failed', 'Status: 5.1.1'])
    .replace('message/delivery-status', 'message/global-delivery-status')
    .replace('message/rfc822', 'message/global')
  expect(await said('mime', { body })).toEqual([['hard_bounce', 'A@b.example', OURS]])
})

const arf = (fields: string[], quoted = QUOTED) =>
  report(
    'feedback-report',
    LINES('Content-Type: message/feedback-report', '', 'User-Agent: Feedback/1.0', 'Version: 1', ...fields, ''),
    quoted,
  )

test.each([
  ['abuse', 'complaint'],
  ['fraud', 'complaint'],
  ['Abuse', 'complaint'],
  ['opt-out', 'unsubscribe'],
  ['not-spam', null],
  ['auth-failure', null],
])('Feedback of type %s is %p.', async (type, kind) => {
  expect(await said('mime', { body: arf([`Feedback-Type: ${type}`, 'Original-Rcpt-To: <a@b.example>']) })).toEqual(
    kind === null ? [] : [[kind, 'a@b.example', OURS]],
  )
})

test('Feedback without an address is for the recipient in the message header or return path.', async () => {
  const [found] = (await read('mime', {
    body: arf(['Feedback-Type: abuse', 'Original-Mail-From: <b+3f-00112233445566778899@bounces.harbour.example>']),
  }))!.reports
  expect(found).toMatchObject({ email: 'a@b.example', return_path: expect.stringContaining('b+3f-0011') })
})

test.each([
  [
    'an answer of somebody on holiday',
    LINES(
      'From: a@b.example',
      'Subject: Away',
      'Auto-Submitted: auto-replied',
      '',
      'Action: failed',
      'Status: 5.1.1',
      '',
    ),
  ],
  [
    'a message that quotes a report in its text',
    LINES('From: a@b.example', 'Content-Type: text/plain', '', dsn([...RECIPIENT, 'Action: failed', 'Status: 5.1.1'])),
  ],
  ['nothing', ''],
  ['noise', Buffer.from([0, 1, 2, 255, 254]).toString('latin1')],
])('The webhook of mime takes no report from %s.', async (_, body) => {
  expect((await read('mime', { body }))!.reports).toEqual([])
})
