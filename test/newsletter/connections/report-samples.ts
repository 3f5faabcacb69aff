/**
 * Reports as well-known mail servers write them, by hand after their public formats: RFC 3464, RFC 5965, QSBMF, and the
 * forms that servers of Yahoo, Microsoft, Comcast, Exchange, Postfix, Exim and qmail show in their documentation.
 */

/** What a sample says about the message that it reports. */
export interface Reported {
  email: string
  /** With angle brackets. */
  message_id: string
  list_unsubscribe: string
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

/** A part as its header lines and its content. */
type Content = readonly [header: readonly string[], content: string]

export function multipart(kind: string, header: readonly string[], ...parts: Content[]): string {
  return lines(
    ...header,
    'MIME-Version: 1.0',
    `Content-Type: multipart/${kind};`,
    '\tboundary="=_cut/1"',
    '',
    'This is a message in MIME format.',
    ...parts.flatMap(([fields, content]) => ['--=_cut/1', ...fields, '', content.replaceAll('\n', '\r\n')]),
    '--=_cut/1--',
  )
}

const from = (sender: string, subject: string) => [
  `From: ${sender}`,
  'To: bounces@harbour.example',
  `Subject: ${subject}`,
  'Message-ID: <report@mx.example>',
]

const returned = ({ email, message_id }: Reported) =>
  `Return-Path: <news@harbour.example>\nFrom: Harbour News <news@harbour.example>\nTo: ${email}\n` +
  `Subject: Tides\nMessage-ID: ${message_id}`

const status = (...fields: string[]): Content => [
  ['Content-Type: message/delivery-status'],
  ['Reporting-MTA: dns; mx.example', '', ...fields].join('\n'),
]

const feedback = (...fields: string[]): Content => [['Content-Type: message/feedback-report'], fields.join('\n')]

const REPORT = 'report; report-type=delivery-status'
const FEEDBACK = 'report; report-type=feedback-report'
const INLINE = 'Content-Disposition: inline'
const RETURNED = 'Content-Type: message/rfc822'

export type Outcome = 'hard' | 'soft' | 'complaint' | 'unsubscribe' | 'none'

/** The samples by name: what each does to its recipient, and its text. */
export const SAMPLES: Record<string, readonly [Outcome, (about: Reported) => string]> = {
  'the example of RFC 5965 (B.1), with its part inline and its recipient redacted': [
    'complaint',
    ({ message_id }) =>
      multipart(
        FEEDBACK,
        from('<abusedesk@example.com>', 'FW: Earn money'),
        [['Content-Type: text/plain; charset="US-ASCII"'], 'This is an email abuse report.'],
        feedback('Feedback-Type: abuse', 'User-Agent: SomeGenerator/1.0', 'Version: 1'),
        [
          [RETURNED, INLINE],
          'From: <somespammer@example.net>\nReceived: from mailserver.example.net (mailserver.example.net\n' +
            '\t[192.0.2.1]) by example.com with ESMTP id M63d4137594e46;\n\tThu, 08 Mar 2005 14:00:00 -0400\n\n' +
            `To: <Undisclosed Recipients>\nSubject: Earn money\nMIME-Version: 1.0\nMessage-ID: ${message_id}\n\nSpam`,
        ],
      ),
  ],
  'a complaint of Yahoo, whose recipient is redacted': [
    'complaint',
    ({ message_id }) =>
      multipart(
        FEEDBACK,
        from('Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.yahoo.com>', 'FW:Tides'),
        [['Content-Type: text/plain; charset=us-ascii', INLINE], 'This is an email abuse report.'],
        feedback(
          'Feedback-Type: abuse',
          'User-Agent: Yahoo!-Mail-Feedback/2.0',
          'Version: 0.1',
          'Original-Mail-From: <news@harbour.example>',
          'Original-Rcpt-To: redacted@yahoo.com',
        ),
        [
          [RETURNED, INLINE],
          `X-Apparently-To: redacted@yahoo.com\nMessage-ID: ${message_id}\nTo: redacted@yahoo.com\n`,
        ],
      ),
  ],
  'a complaint of Microsoft in the abuse reporting format, with all but the unsubscribe link redacted': [
    'complaint',
    ({ list_unsubscribe }) =>
      multipart(
        FEEDBACK,
        from('staff@hotmail.com', 'complaint about message from 192.0.2.1'),
        feedback(
          'Feedback-Type: abuse',
          'User-Agent: Microsoft-JMRP/1.0',
          'Version: 1',
          'Original-Rcpt-To: [redacted]',
        ),
        [
          [RETURNED, INLINE, 'Content-Transfer-Encoding: base64'],
          btoa(`To: [redacted]\r\nMessage-ID: <0@redacted>\r\nList-Unsubscribe: ${list_unsubscribe}\r\n\r\nTides`),
        ],
      ),
  ],
  'a complaint that Microsoft forwards as a message': [
    'complaint',
    ({ email }) =>
      multipart('mixed', from('<staff@hotmail.com>', 'complaint about message from 192.0.2.1'), [
        [RETURNED, INLINE],
        `X-HmXmrOriginalRecipient: <${email}>\nX-MS-Exchange-Organization-SCL: 5\nSubject: Tides\n\nHello`,
      ]),
  ],
  'a complaint of Comcast': [
    'complaint',
    (about) =>
      multipart(
        FEEDBACK,
        from('Comcast Feedback Loop <feedbackloop@comcastfbl.senderscore.net>', 'Tides'),
        [['Content-Type: text/plain'], 'This is a Comcast email abuse report.'],
        feedback(
          'Feedback-Type: abuse',
          'Version: 1',
          'User-Agent: ReturnPathFBL/1.0',
          `Original-Rcpt-To: ${about.email}`,
          'Source-IP: 192.0.2.1',
        ),
        [[RETURNED], returned({ ...about, message_id: '<1@redacted.example>' })],
      ),
  ],
  'an opt-out in the abuse reporting format': [
    'unsubscribe',
    (about) =>
      multipart(FEEDBACK, from('fbl@mx.example', 'Opt out'), feedback('Feedback-Type: opt-out', 'Version: 1'), [
        ['Content-Type: text/rfc822-headers', INLINE],
        returned(about),
      ]),
  ],
  'feedback that a message is no spam': [
    'none',
    (about) =>
      multipart(FEEDBACK, from('fbl@mx.example', 'Not spam'), feedback('Feedback-Type: not-spam', 'Version: 1'), [
        [RETURNED],
        returned(about),
      ]),
  ],
  'a bounce of Postfix': [
    'hard',
    (about) =>
      multipart(
        REPORT,
        from('MAILER-DAEMON@mx.example (Mail Delivery System)', 'Undelivered Mail Returned to Sender'),
        [['Content-Description: Notification', 'Content-Type: text/plain; charset=us-ascii'], 'I am sorry.'],
        status(
          `Final-Recipient: rfc822; ${about.email}`,
          `Original-Recipient: rfc822;${about.email}`,
          'Action: failed',
          'Status: 5.1.1',
          'Remote-MTA: dns; mx.example',
          'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
        ),
        [['Content-Description: Undelivered Message Headers', 'Content-Type: text/rfc822-headers'], returned(about)],
      ),
  ],
  'a delay of Postfix': [
    'none',
    (about) =>
      multipart(
        REPORT,
        from('MAILER-DAEMON@mx.example', 'Delayed Mail (still being retried)'),
        status(`Final-Recipient: rfc822; ${about.email}`, 'Action: delayed', 'Status: 4.4.1'),
        [['Content-Type: text/rfc822-headers'], returned(about)],
      ),
  ],
  'a bounce of Exchange about a forwarded address, with its part inline': [
    'hard',
    (about) =>
      multipart(
        REPORT,
        from('postmaster@corp.example', 'Undeliverable: Tides'),
        [
          ['Content-Type: multipart/alternative; boundary="inner"'],
          '--inner\nContent-Type: text/html\n\n<p>Your message could not be delivered.</p>\n--inner--',
        ],
        [
          ['Content-Type: message/delivery-status', INLINE, 'Content-Transfer-Encoding: quoted-printable'],
          'Reporting-MTA: dns;EX01.corp.example\n\nFinal-Recipient: rfc822;someone=\n.else@corp.example\n' +
            'Action: failed\nStatus: 5.1.10\n' +
            'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound=3B not found\n',
        ],
        [[RETURNED, INLINE], `${returned(about)}\n\nTides`],
      ),
  ],
  'a bounce about a forwarded address that quotes only the recipient of the message': [
    'hard',
    (about) =>
      multipart(
        REPORT,
        from('MAILER-DAEMON@mx.example', 'Returned mail'),
        status('Final-Recipient: rfc822; forwarded@elsewhere.example', 'Action: failed', 'Status: 5.2.1'),
        [[RETURNED], `${returned({ ...about, message_id: '<rewritten@relay.example>' })}\n\nTides`],
      ),
  ],
  'a bounce that names the message only in its own References': [
    'hard',
    ({ message_id }) =>
      multipart(
        REPORT,
        [...from('postmaster@corp.example', 'Undeliverable'), `References: <x@y.example> ${message_id}`],
        status('Final-Recipient: rfc822; gone@corp.example', 'Action: failed', 'Status: 5.1.1'),
      ),
  ],
  'a soft bounce of a full mailbox': [
    'soft',
    (about) =>
      multipart(
        REPORT,
        from('MAILER-DAEMON@mx.example', 'Returned mail'),
        status(`Final-Recipient: rfc822; ${about.email}`, 'Action: failed', 'Status: 4.2.2'),
      ),
  ],
  'a bounce of Exim': [
    'hard',
    (about) =>
      lines(
        ...from('Mail Delivery System <Mailer-Daemon@mx.example>', 'Mail delivery failed: returning message to sender'),
        `X-Failed-Recipients: ${about.email}`,
        'Auto-Submitted: auto-replied',
        '',
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        `  ${about.email}`,
        '    host mx.example [192.5.1.1]',
        `    SMTP error from remote mail server after RCPT TO:<${about.email}>:`,
        '    550 5.1.1 No such user',
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
        ...returned(about).split('\n'),
        '',
        'Tides',
      ),
  ],
  'a bounce of Exim after its last attempt': [
    'soft',
    ({ email }) =>
      lines(
        ...from('Mailer-Daemon@mx.example', 'Mail delivery failed'),
        `X-Failed-Recipients: ${email}`,
        '',
        'The following address(es) failed:',
        '',
        `  ${email}`,
        '    retry timeout exceeded',
        '',
      ),
  ],
  'a bounce of qmail': [
    'hard',
    (about) =>
      lines(
        ...from('MAILER-DAEMON@mx.example', 'failure notice'),
        '',
        'Hi. This is the qmail-send program at mx.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        '<forwarded@elsewhere.example>:',
        '192.0.2.1 does not like recipient.',
        'Remote host said: 550 5.1.1 no mailbox here',
        'Giving up on 192.0.2.1.',
        '',
        '--- Below this line is a copy of the message.',
        '',
        ...returned(about).split('\n'),
        '',
        'Tides',
      ),
  ],
  'a bounce of qmail after its last attempt': [
    'soft',
    ({ email }) =>
      lines(
        ...from('MAILER-DAEMON@mx.example', 'failure notice'),
        '',
        'Hi. This is the qmail-send program at mx.example.',
        '',
        `<${email}>:`,
        "Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)",
        "I'm not going to try again; this message has been in the queue too long.",
        '',
        '--- Below this line is a copy of the message.',
        '',
        'Subject: Tides',
        '',
      ),
  ],
  'an absence notice': [
    'none',
    ({ email, message_id }) =>
      lines(
        ...from(email, 'Out of office: Tides'),
        `In-Reply-To: ${message_id}`,
        'Auto-Submitted: auto-replied',
        '',
        'Hi',
      ),
  ],
  'an answer of a reader who quotes a bounce': [
    'none',
    ({ email }) =>
      lines(
        ...from(email, 'Re: Tides'),
        '',
        'I got this:',
        '',
        `Hi. This is the qmail-send program`,
        '',
        `<${email}>:`,
      ),
  ],
  'a forwarded letter': [
    'none',
    (about) =>
      multipart('mixed', from('bo@elsewhere.example', 'Fwd: Tides'), [[RETURNED], `${returned(about)}\n\nHello`]),
  ],
}
