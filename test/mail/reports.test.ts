import { expect, test } from 'bun:test'
import { readMail } from '../../src/mail/reports.ts'

const readMailReports = (message: Buffer) => readMail(message).reports

/** A message of several parts, as mail servers send reports; `parts` are type and content. */
const report = (kind: string, parts: [type: string, content: string][], to = 'To: b+1@bounce.harbour.example') =>
  Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example',
      to,
      'Message-ID: <report-1@mx.example>',
      `Content-Type: multipart/report; report-type=${kind}; boundary=cut`,
      '',
      ...parts.flatMap(([type, content]) => ['--cut', `Content-Type: ${type}`, '', content]),
      '--cut--',
      '',
    ]
      .join('\n')
      .replaceAll('\n', '\r\n'),
  )
const bounce = (fields: string) =>
  report('delivery-status', [
    ['text/plain', 'Sorry.'],
    ['message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${fields}`],
    ['text/rfc822-headers', 'Subject: Tides\nMessage-ID: <7.mark@harbour.example>'],
  ])
const complaint = (fields: string) =>
  report('feedback-report', [
    ['message/feedback-report', `Version: 1\n${fields}`],
    ['message/rfc822', 'To: Ada <ada@example.com>\nMessage-ID: <7.mark@harbour.example>\n\nHigh water.'],
  ])

test('A failed delivery is a hard bounce with status 5 and a soft bounce with any other.', async () => {
  const fields = 'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: '
  expect(readMailReports(bounce(`${fields}5.1.1\nDiagnostic-Code: smtp; 550 5.1.1\n\tno such\n user`))).toEqual([
    {
      kind: 'hard_bounce',
      email: 'ada@example.com',
      message_id: '<7.mark@harbour.example>',
      by_mail: true,
      return_path: 'b+1@bounce.harbour.example',
      traces: [],
      quoted_to: '',
      event_id: '<report-1@mx.example> ada@example.com',
      response: '550 5.1.1 no such user',
    },
  ])
  expect(readMailReports(bounce(`${fields}4.4.7`))).toMatchObject([{ kind: 'soft_bounce', response: '4.4.7' }])
  expect(readMailReports(bounce('Final-Recipient: rfc822; a@b.example\nAction: failed'))).toMatchObject([
    { kind: 'soft_bounce', response: '' },
  ])
})

test('A bounce is read in every media type that servers give its parts.', async () => {
  const fields = 'Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed'
  for (const status of ['message/delivery-status', 'message/global-delivery-status'])
    for (const quoted of ['message/rfc822', 'message/global', 'message/global-headers', 'text/rfc822-headers']) {
      const parts: [string, string][] = [
        [status, fields],
        [quoted, 'Message-ID: <7.mark@harbour.example>\n\nHigh water.'],
      ]
      const [found] = readMailReports(report('delivery-status', parts))
      expect([status, quoted, found?.message_id]).toEqual([status, quoted, '<7.mark@harbour.example>'])
    }
})

test('A delivery is reported as such; a delay and the block about the message report nothing.', async () => {
  const fields = 'Final-Recipient: rfc822; ada@example.com\nStatus: 2.0.0\nAction: '
  expect(readMailReports(bounce(`${fields}Delivered`))).toMatchObject([{ kind: 'delivered' }])
  expect(readMailReports(bounce(`${fields}delayed`))).toEqual([])
})

test('Each recipient has a report of its own, under the address that the message was sent to.', async () => {
  const reports = readMailReports(
    bounce(
      'Original-Recipient: rfc822; ada@example.com\nFinal-Recipient: rfc822; ada@elsewhere.example\nAction: failed\n' +
        'Status: 5.1.1\n\nFinal-Recipient: rfc822;<bo@example.com>\nAction: failed\nStatus: 5.2.1',
    ),
  )
  expect(reports.map(({ email }) => email)).toEqual(['ada@example.com', 'bo@example.com'])
  expect(new Set(reports.map(({ event_id }) => event_id)).size).toBe(2)
})

test.each([
  ['abuse', 'complaint'],
  ['Fraud', 'complaint'],
  ['virus', 'complaint'],
  ['other', 'complaint'],
  ['opt-out', 'unsubscribe'],
  ['opt-out-list', 'unsubscribe'],
] as const)('Feedback of type %s is a report of kind %s.', async (type, kind) => {
  expect(readMailReports(complaint(`Feedback-Type: ${type}\nOriginal-Mail-From: <b+7@bounce.example>`))).toEqual([
    {
      kind,
      email: 'ada@example.com',
      message_id: '<7.mark@harbour.example>',
      by_mail: true,
      return_path: 'b+1@bounce.harbour.example <b+7@bounce.example>',
      traces: [],
      quoted_to: 'ada@example.com',
      event_id: '<report-1@mx.example> ada@example.com',
      response: type.toLowerCase(),
    },
  ])
})

test('Feedback that a message is not spam, or of an unknown type, reports nothing.', async () => {
  for (const type of ['not-spam', 'auth-failure', '']) {
    expect(readMailReports(complaint(`Feedback-Type: ${type}`))).toEqual([])
  }
})

test('The recipient that feedback names itself comes before the one of the message.', async () => {
  const reports = readMailReports(complaint('Feedback-Type: abuse\nOriginal-Rcpt-To: <bo@example.com>'))
  expect(reports).toMatchObject([{ email: 'bo@example.com' }])
})

test('An automatic reply, an empty message and arbitrary bytes report nothing.', async () => {
  for (const message of ['Subject: Away\r\n\r\nI am away until Monday.', '', '\u0000\u0001\u00ff\r\n\r\n'])
    expect(readMailReports(Buffer.from(message))).toEqual([])
})

test('A report without a Message-ID has an id that comes from its text.', async () => {
  const text = bounce('Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1').toString()
  const without = Buffer.from(text.replace(/Message-ID: <report-1[^\n]*\n/, ''))
  const [first] = readMailReports(without)
  const [again] = readMailReports(without)
  expect(first!.event_id).toMatch(/^[\w-]{20,} ada@example\.com$/)
  expect(again!.event_id).toBe(first!.event_id)
})

test('A report that was delivered under another address says so in any header that servers use.', async () => {
  for (const name of ['To', 'Delivered-To', 'X-Original-To', 'Envelope-To', 'X-Envelope-To', 'X-Rcpt-To']) {
    const header = `${name}: b+7@bounce.harbour.example`
    const fields = 'Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed'
    const [found] = readMailReports(report('delivery-status', [['message/delivery-status', fields]], header))
    expect(found?.return_path).toBe('b+7@bounce.harbour.example')
    const both = readMailReports(
      report('delivery-status', [['message/delivery-status', fields]], `To: Bounces <all@harbour.example>\n${header}`),
    )
    expect(both[0]?.return_path?.split(' ').toSorted()).toEqual([
      '<all@harbour.example>',
      'Bounces',
      'b+7@bounce.harbour.example',
    ])
  }
})

test('A report names nobody where there is no address, and the first address of several.', async () => {
  const emailOf = async (recipient: string) =>
    readMailReports(bounce(`Final-Recipient: ${recipient}\nAction: failed`)).map(({ email }) => email)
  expect(await emailOf('rfc822; unknown')).toEqual([''])
  expect(await emailOf('rfc822; @example.com bo@')).toEqual([''])
  expect(await emailOf('"Bo" <bo@example.com>, ada@example.com')).toEqual(['bo@example.com'])
  expect(await emailOf('rfc822;b@c')).toEqual(['b@c'])
})

test('A line of a report that names no field is passed over, also right below the ones that count.', async () => {
  const fields = 'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\nStatusx\n:Status'
  expect(readMailReports(bounce(fields))).toMatchObject([{ kind: 'hard_bounce', response: '5.1.1' }])
})
