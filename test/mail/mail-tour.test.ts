import { generateKeyPairSync } from 'node:crypto'
import { test } from 'bun:test'
import { checkSenderDns } from '../../src/mail/sender-dns.ts'
import { domainsUpToOrganization, isReserved, organizationalDomain, tagsOf } from '../../src/mail/dns.ts'
import { asciiDomain, composeMessage, composeSimple, prepareMessage } from '../../src/mail/mime.ts'
import { readMailReports } from '../../src/mail/reports.ts'
import { wireContent } from '../../src/mail/smtp-data.ts'
import { failure, type SmtpStage } from '../../src/mail/smtp-outcome.ts'
import { headOf, readStored } from '../../src/mail/stored-message.ts'
import { senderSetup } from '../../src/newsletter/connections/sender-dns.ts'
import { spfTerm } from '../../src/newsletter/connections/dkim-records.ts'
import type { ProjectId } from '../../src/ids.ts'
import { PROVIDERS } from '../../src/store/tables/delivery.ts'
import type { DkimKeyRow } from '../../src/newsletter/connections/dkim-keys.ts'
import { dkimRecords } from '../../src/newsletter/connections/dkim-records.ts'
import { expectRecorded } from '../support/recorded.ts'
import { closeAfterEach, poolTo, raw, relay, type Relay } from '../support/smtp-relay.ts'

closeAfterEach()

const lines: string[] = []
const write = (...more: string[]) => void lines.push(...more)
const heading = (text: string) => write('', `## ${text}`, '')
/** A text with what a reader cannot see, with each line in a line of its own. */
const visible = (text: string) =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\r\\n', '\\r\\n\n')

const inLine = (text: string) => visible(text).replaceAll('\n', '')

test('Messages, the words to a relay and what is made of answers are those that are recorded.', async () => {
  lines.splice(0)
  heads()
  bodies()
  await conversations()
  failures()
  await stored()
  expectRecorded('sending/mail.txt', lines.join('\n'))
})

const BASE = {
  from: { email: 'news@harbour.example', name: 'Harbour' },
  to: { email: 'ada@example.com' },
  subject: 'Tides',
  message_id: '1.mark@harbour.example',
  date_ms: Date.UTC(2026, 1, 3, 4, 5, 6),
  text: 'High water.',
}
const ADDED = [
  'News',
  'Näws',
  'a "b" \\c',
  'Ada (Quay), Ltd.',
  '=?x?=',
  'x'.repeat(59),
  'y z '.repeat(17),
  'ä'.repeat(60),
]

function heads(): void {
  heading('Headers')
  const headOfMessage = (more: object) => {
    const raw = composeSimple({ ...BASE, ...more }).toString()
    return visible(raw.slice(0, raw.indexOf('\r\nContent-Type'))).split('\n')
  }
  const usual = headOfMessage({})
  write(...usual)
  // Of the others, what differs.
  const head = (more: object) => write('', ...headOfMessage(more).filter((line) => !usual.includes(line)))
  for (const name of ADDED) head({ from: { email: 'news@häfen.example', name }, reply_to: null })
  head({ reply_to: { email: 'desk@Harbour.example', name: '' } })
  head({ reply_to: { email: 'zoë@häfen.example', name: null }, to: { email: ' Ada\r\n@example.com ', name: 'Ada' } })
  for (const subject of [
    '',
    'Two\r\nlines',
    'Plain words that are rather many, so that the line of the header has to be folded somewhere in it',
    'Näxt to plain words',
    'Plain words next to ünusual',
    'Plain ä and  two blanks',
    '  leading',
    'w'.repeat(120),
    `${'w'.repeat(70)} ${'w'.repeat(100)}`,
    '漢字'.repeat(30),
    'a =?utf-8?Q?b?= c',
    '🙂'.repeat(20),
  ])
    head({ subject })
  head({
    headers: {
      'X-One': 'first',
      'X-A-Header-With-A-Very-Long-Name-Indeed': 'ä'.repeat(40),
      'List-ID': 'Näme <list.id>',
    },
  })
  head({ message_id: '<with.brackets@häfen.example>' })
  for (const name of ['Bad Name', 'Bad:', ''])
    try {
      head({ headers: { [name]: 'x' } })
    } catch (error) {
      write(String(error))
    }
  for (const email of [
    'a@b.example',
    'a@ä.example',
    'ä@b.example',
    'none',
    '@ä.de',
    'a@xn--',
    'a@b@ü.de',
    'a@\u{fffd}.de',
  ])
    write(`${email} > ${asciiDomain(email)}`)
}

function bodies(): void {
  heading('Bodies')
  for (const text of [
    '',
    'a',
    'a\n',
    'a\r\nb\rc\n\nd',
    'trailing blank \ntab\t\nend ',
    '= and ~ and \u007f',
    '.dot\n..two',
    'x'.repeat(75),
    'x'.repeat(76),
    'x'.repeat(77),
    `${'x'.repeat(74)} y`,
    `${'x'.repeat(75)} y`,
    `${'x'.repeat(73)}äö`,
    `${'ä'.repeat(13)}`,
    'From here\n--\n=_x',
    '\u0000\u001b',
  ]) {
    const raw = composeSimple({ ...BASE, text }).toString()
    write(`${inLine(text)} >`, visible(raw.slice(raw.indexOf('\r\n\r\n') + 4)))
  }
  const prepared = prepareMessage({
    from: { email: 'news@harbour.example' },
    text: ['Dear ', { slot: 1 }, '', ', hello ', { slot: 0 }],
    html: [{ slot: 0 }, '<p>', 'two parts', { slot: 1 }, '</p>\n', { slot: 2 }],
  })
  const slots = { text_slots: ['zero', 'öne'], html_slots: ['<0>', '', '2\n'] }
  const personal = { to: { email: 'a@b.example' }, subject: 's', message_id: 'id', date_ms: 0 }
  write(visible(composeMessage(prepared, { ...personal, ...slots }).toString()))
  for (const html_slots of [undefined, ['a', 'b']])
    try {
      composeMessage(prepared, { ...personal, text_slots: ['a', 'b'], html_slots })
    } catch (error) {
      write(String(error))
    }
}

async function conversations(): Promise<void> {
  heading('What a relay hears, and what is made of its answers')
  const attempt = async (
    replies: Relay['replies'],
    more: Omit<Relay, 'replies'> & { to?: string; from?: string; auth?: boolean } = {},
  ) => {
    const heard: string[] = []
    const { to = 'ada@example.com', from = 'news@harbour.example', auth, ...options } = more
    const sign_in = auth ? { username: 'ada', password: 'anchor' } : {}
    const pool = poolTo(await raw(relay({ ...options, replies, heard })), { name: 'mail.harbour.example', ...sign_in })
    const outcomes = [
      await pool.send({ from, to }, Buffer.from('Subject: x\r\n\r\n.dot\r\nend')),
      await pool.send({ from, to: 'bob@example.com' }, Buffer.from('Again')),
    ]
    write(
      `${JSON.stringify({ ...replies, ...more })}`,
      `  ${heard.filter((command) => command !== 'QUIT').join(' | ')}`,
    )
    write(...outcomes.map((outcome) => `  ${JSON.stringify(outcome)}`))
  }
  await attempt({})
  await attempt({}, { pipelining: false, auth: true })
  await attempt({}, { utf8: true, to: 'zoë@häfen.example' })
  await attempt({}, { to: 'zoë@häfen.example' })
  await attempt({}, { from: 'zoë@häfen.example' })
  await attempt({}, { to: 'no address' })
  await attempt({}, { from: '<x@y>' })
  for (const stage of ['greeting', 'mail', 'rcpt', 'data', 'content'] as const)
    for (const answer of ['450 4.2.1 later', '550 5.1.1 never', '421 4.4.2 bye', 'drop'])
      await attempt({ [stage]: answer })
  await attempt({ auth: '535 5.7.8 wrong' }, { auth: true })
  await attempt({ auth: '454 4.7.0 later' }, { auth: true })
  await attempt({ rcpt: '550-5.2.1 first\n550 5.2.1 second' })
  await attempt({ rcpt: '550 5.1.1 later', reset: '421 closing' })
  for (const text of ['', 'a', '.', '.\r\n', 'a\nb', 'a\rb', 'a\r\n.b\r\n..c\r\n', '\r\n.', 'a\n.\nb'])
    write(`${inLine(text)} > ${inLine(wireContent(Buffer.from(text)).toString())}`)
}

function failures(): void {
  heading('Failed steps')
  const cases: [during: SmtpStage, error: object][] = [
    ['connect', { message: 'no route', code: 'ECONNECTION' }],
    ['connect', { message: 'bad certificate', code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }],
    ['connect', { message: 'reset', code: 'ESOCKET', originalCode: 'ECONNRESET' }],
    ['connect', { message: 'tls', code: 'ETLS', command: 'STARTTLS' }],
    ['connect', { message: 'slow', timeoutType: 'GREETING_TIMEOUT' }],
    ['connect', { message: 'slow', timeoutType: 'UPGRADE_TIMEOUT' }],
    ['connect', { message: 'x', command: 'CONN', responseCode: 554, response: '554 no' }],
    ['connect', { message: 'Invalid greeting', code: 'EPROTOCOL', command: 'CONN', response: 'SSH-2.0' }],
    ['connect', { message: 'Invalid greeting', code: 'EPROTOCOL', command: 'CONN', response: '220x' }],
    ['connect', { message: 'x', code: 'EPROTOCOL', command: 'CONN', response: '554-no' }],
    ['connect', { message: 'x', command: 'EHLO', responseCode: 502, response: '502 what' }],
    ['connect', { message: 'x', command: 'HELO', responseCode: 399, response: '399 odd' }],
    ['auth', { message: 'x', command: 'AUTH PLAIN', responseCode: 535, response: '535 5.7.8 wrong' }],
    ['auth', { message: 'x', responseCode: 432, response: '432 4.7.12 change your password' }],
    ['envelope', { message: 'x', command: 'MAIL FROM', responseCode: 530, response: '530 5.7.0 sign in' }],
    ['envelope', { message: 'x', command: 'RCPT TO', responseCode: 530, response: '530 5.7.0 sign in' }],
    ['envelope', { message: 'x', command: 'MAIL FROM', responseCode: 503, response: '503 order' }],
    ['envelope', { message: 'x', command: 'MAIL FROM', responseCode: 552, response: '552 5.3.4 too big' }],
    ['envelope', { message: 'x', command: 'MAIL FROM', responseCode: 550, response: '550 5.1.8 bad sender' }],
    ['envelope', { message: 'x', command: 'MAIL FROM', responseCode: 550, response: '550 5.1.1 none' }],
    ['envelope', { message: 'x', command: 'DATA', responseCode: 454, response: '454 4.7.0 later' }],
    ['envelope', { message: 'x', command: 'DATA', responseCode: 600, response: '600 odd' }],
    ['envelope', { message: 'x', command: 'NOOP', responseCode: 499, response: '499 odd' }],
    ...[
      '550 5.1.1 none',
      '550 5.1.2 none',
      '550 5.1.3 none',
      '550 5.1.6 none',
      '550 5.1.7 sender',
      '550 5.1.8 sender',
      '550 5.1.10 none',
      '550 5.2.0 mailbox',
      '550 5.2.1 disabled',
      '550 5.2.2 full',
      '550 5.7.1 spam',
      '550 No such user',
      '550 4.1.1 odd',
      '550 1.5.1.1 odd',
      '550 10.5.1.1.2 an address',
      '550 5.1.1.9 an address',
      '550 5.1.1 The sender address is bad',
      '450 4.1.1 none',
      '450 5.1.1 odd',
      `550 5.1.1 ${'x'.repeat(600)}`,
      '550-5.1.1 one\r\n550 5.1.1 two',
    ].map((response): [SmtpStage, object] => [
      'envelope',
      { message: 'm', command: 'RCPT TO', responseCode: Number(response.slice(0, 3)), response },
    ]),
  ]
  for (const [during, error] of cases) {
    const found = JSON.stringify(failure(error as never, during)).replace(/x{100,}/, (run) => `<${run.length} x>`)
    write(`${during} ${JSON.stringify(error).replace(/x{100,}/, '<600 x>')}`, `  ${found}`)
  }
}

async function stored(): Promise<void> {
  heading('Stored messages')
  for (const source of [
    'From: A <a@b.example>\r\nSubject: =?utf-8?Q?=C3=A4?=\r\nX-One: 1\r\n  and 2\r\nX-Two: a\r\n' +
      'X-Two: b\r\nX-Two: c\r\n\r\nText\r\n',
    'Subject:\r\n\r\n',
    'Content-Type: text/html\r\n\r\n<p>Hello</p>\r\n',
    'no message',
    'From: only a name\r\n\r\nText',
  ])
    write(inLine(source), `  ${JSON.stringify(await readStored(source))}`, `  ${inLine(headOf(source))}`)
}

const part = (type: string, content: string) =>
  `--cut\r\nContent-Type: ${type}\r\n\r\n${content.replaceAll('\n', '\r\n')}\r\n`
const report = (parts: string[], head = 'To: b+1@x.example\r\nMessage-ID: <r@x.example>\r\n') =>
  Buffer.from(`${head}Content-Type: multipart/report; boundary=cut\r\n\r\n${parts.join('')}--cut--\r\n`)

test('What is read from reports is what is recorded.', async () => {
  lines.splice(0)
  heading('Reports of deliveries')
  const say = async (sentence: string, message: Buffer) => {
    write(`- ${sentence}`)
    for (const found of await readMailReports(message)) write(`  ${JSON.stringify(found)}`)
  }
  const quoted = part('text/rfc822-headers', 'Subject: Tides\nMessage-ID: <7.mark@x.example>\nTo: Quoted <q@x.example>')
  const status = (fields: string, type = 'message/delivery-status') => part(type, `Reporting-MTA: dns; mx\n\n${fields}`)
  const to = 'Final-Recipient: rfc822; ada@x.example\n'
  for (const action of ['failed', 'Failed', 'delayed', 'delivered', 'relayed', 'expanded', ''])
    for (const code of ['5.1.1', '4.2.2'])
      await say(`${action} ${code}`, report([status(`${to}Action: ${action}\nStatus: ${code}\n`), quoted]))
  for (const code of ['5', '5.1', '5.1.1234', '5.999.999', '2.0.0', '5.1.1 (bad)', 'x5.1.1'])
    await say(`Status ${code}`, report([status(`${to}Action: failed\nStatus: ${code}\n`), quoted]))
  await say(
    'Other recipients',
    report([
      status(
        'Original-Recipient: rfc822;one@x.example\nFinal-Recipient: rfc822; two@x.example\nAction: failed\n' +
          'Status: 5.1.1\n' +
          'Diagnostic-Code: smtp; 550 5.1.1 gone;\n  really\n\nFinal-Recipient: rfc822;<three@x.example>\n' +
          'Action: failed\n\n' +
          'Original-Recipient:\nFinal-Recipient: x; four\nAction: failed\nStatus: 4.0.0\nDiagnostic-Code: smtp;\n',
      ),
      quoted,
    ]),
  )
  await say('A global report', report([status(`${to}Action: failed\nStatus: 5.1.1`, 'message/global-delivery-status')]))
  await say(
    'The whole message',
    report([status(`${to}Action: failed`), part('message/rfc822', 'Message-ID: <8@x>\n\nHello')]),
  )
  await say(
    'A global message',
    report([status(`${to}Action: failed`), part('message/global', 'message-id: <9@x>\n\nHello')]),
  )
  await say(
    'Global headers',
    report([status(`${to}Action: failed`), part('message/global-headers', 'MESSAGE-ID : <10@x>')]),
  )
  await say('No quotation', report([status(`${to}Action: failed`)]))
  const heads = ['Delivered-To', 'X-Original-To', 'Envelope-To', 'X-Envelope-To', 'X-Rcpt-To', 'Cc', 'Reply-To']
  await say(
    'Other headers',
    report([status(`${to}Action: failed`)], heads.map((name, at) => `${name}: b+${at}@x.example\r\n`).join('')),
  )
  heading('Complaints')
  for (const type of ['abuse', 'Fraud', 'virus', 'other', 'not-spam', 'opt-out', 'opt-out-list', 'auth-failure', ''])
    await say(
      type,
      report([
        part(
          'message/feedback-report',
          `Feedback-Type: ${type}\nOriginal-Rcpt-To: <ada@x.example>\nOriginal-Mail-From: <b+9@x>\n`,
        ),
        quoted,
      ]),
    )
  await say('Without a recipient', report([part('message/feedback-report', 'Feedback-Type: abuse\n'), quoted]))
  await say('Without both', report([part('message/feedback-report', 'Feedback-Type: abuse\n')]))
  await say(
    'Both reports',
    report([status(`${to}Action: failed`), part('message/feedback-report', 'Feedback-Type: abuse\n')]),
  )
  await say('No report', Buffer.from('Subject: Hello\r\n\r\nHello'))
  expectRecorded('sending/mail-reports.txt', lines.join('\n').replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>'))
})

const pem = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')

test('What is found in the DNS of senders is what is recorded.', async () => {
  lines.splice(0)
  const [good, weak] = [pem(1024), pem(1016)]
  const key = (p: string) => `v=DKIM1; k=rsa; p=${p}`
  const own = {
    id: 1,
    project_id: 1 as ProjectId,
    domain: 'news.harbour.net',
    selector: 'mh1',
    algorithm: 'rsa-sha256',
    public_key: good,
    created_at: 0,
    verified_at: null,
  } as DkimKeyRow
  heading('Needed records')
  /** The findings where all is well, which are not repeated. */
  let usual: string[] = []
  const setup = (provider: (typeof PROVIDERS)[number], more: object = {}, bounce_domain = '', selector?: string) =>
    senderSetup({
      domain: 'news.harbour.net',
      connection: { provider, host: 'mx.relay.net', bounce_domain, dkim_selector: '' },
      own_keys: [],
      ...(selector !== undefined && { selector }),
      ...more,
    })
  type Answers = Record<string, string | string[] | 'silence'>
  const check = async (sentence: string, found: ReturnType<typeof setup>, zone: Answers) => {
    const asked = async (name: string): Promise<string[]> => {
      const answer = zone[name]
      if (answer === 'silence') throw Object.assign(new Error(name), { code: 'ETIMEOUT' })
      if (answer === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
      return [answer].flat()
    }
    const findings = await checkSenderDns(found, {
      resolveTxt: async (name) => (await asked(name)).map((text) => [text.slice(0, 9), text.slice(9)]),
      resolveCname: asked,
      timeout_ms: 1000,
    })
    const said = findings.map(({ name, ok, found: text, expected, record, hint }) => {
      const needed = record && Object.values(record).join(' ')
      return `  ${name} ${ok ? 'ok' : 'NO'} | ${text} | ${expected} | ${needed} | ${hint}`
    })
    write(`- ${sentence}`, ...said.filter((line) => !usual.includes(line)))
    return said
  }
  for (const provider of PROVIDERS) {
    write(`${provider} ${spfTerm({ provider, host: '192.0.2.1' })} ${spfTerm({ provider, host: '2001:db8::1' })}`)
    await check(provider, setup(provider), {})
    await check(`${provider} with a bounce domain`, setup(provider, {}, 'b.harbour.net', 'sel'), {})
  }
  const spf = 'v=spf1 include:sendgrid.net ~all'
  const base: Answers = {
    'news.harbour.net': ['other', spf],
    'sendgrid.net': 'v=spf1 ip4:167.89.0.0/17 -all',
    's1._domainkey.news.harbour.net': key(good),
    '_dmarc.news.harbour.net': 'v=DMARC1; p=reject; rua=mailto:d@harbour.net',
  }
  const at = (more: Answers) => ({ ...base, ...more })
  const lacking = (name: string) => Object.fromEntries(Object.entries(base).filter(([known]) => known !== name))
  const sendgrid = setup('sendgrid')
  heading('SPF')
  usual = await check('All is well.', sendgrid, base)
  const many = (count: number) =>
    `v=spf1 ${Array.from({ length: count }, (_, n) => `a:h${n}.net`).join(' ')} include:sendgrid.net ~all`
  for (const record of [
    'v=spf10 x',
    'V=SPF1 INCLUDE:sendgrid.net ~all',
    'v=spf1 +include:sendgrid.net -all',
    'v=spf1 ?include:sendgrid.net ~all',
    'v=spf1 redirect=other.net',
    'v=spf1 all',
    'v=spf1 +all',
    'v=spf1 ~all',
    'v=spf1 mx -all',
    many(9),
    many(10),
  ])
    await check(
      record.replace(/(a:h\d+\.net ?){3,}/, 'many '),
      sendgrid,
      at({ 'news.harbour.net': record, 'other.net': spf }),
    )
  await check('Two records', sendgrid, at({ 'news.harbour.net': [spf, spf] }))
  await check('Silence', sendgrid, at({ 'news.harbour.net': 'silence' }))
  const smtp = setup('smtp')
  for (const record of ['v=spf1 a:mx.relay.net -all', 'v=spf1 mx -all', 'v=spf1 mx ~all', 'v=spf1 redirect=r.net'])
    await check(`smtp ${record}`, smtp, at({ 'news.harbour.net': record, 'r.net': 'v=spf1 mx -all' }))
  const bounces = setup('smtp', {}, 'b.harbour.net')
  await check('A bounce domain', bounces, at({ 'b.harbour.net': 'v=spf1 a:mx.relay.net ~all' }))
  const strict = { '_dmarc.news.harbour.net': 'v=DMARC1; p=none; aspf=s; adkim=s' }
  await check('A strict policy', bounces, at({ ...strict, 'b.harbour.net': 'v=spf1 a:mx.relay.net ~all' }))
  await check(
    'A foreign bounce domain',
    setup('smtp', {}, 'b.else.net'),
    at({ 'b.else.net': 'v=spf1 a:mx.relay.net ~all' }),
  )
  await check('A return path', setup('postmark'), at({ 'pm-bounces.news.harbour.net': 'PM.mtasv.net.' }))
  await check('Another return path', setup('postmark'), at({ 'pm-bounces.news.harbour.net': 'elsewhere.net' }))
  await check('Silence there', setup('postmark'), at({ 'pm-bounces.news.harbour.net': 'silence' }))
  heading('DKIM')
  const dkim = (record: string) => at({ 's1._domainkey.news.harbour.net': record })
  for (const record of [key(weak), key('AAAA'), 'v=DKIM1; p=', 'k=ed25519; p=AAAA', 'x=1', ' V = DKIM1 ;P = x y '])
    await check(record.replace(good, '<good>').replace(weak, '<weak>'), sendgrid, dkim(record))
  const parent = { '_dmarc.news.harbour.net': 'v=DMARC1; p=none', 's1._domainkey.harbour.net': key(good) }
  const without = lacking('s1._domainkey.news.harbour.net')
  await check('A key of the parent', sendgrid, { ...without, ...parent })
  await check('A key of the parent and a strict policy', sendgrid, { ...without, ...parent, ...strict })
  const ours = setup('smtp', { own_keys: dkimRecords([own]) })
  await check('Own keys without a record', ours, base)
  await check('Own keys', ours, at({ 'mh1._domainkey.news.harbour.net': key(good) }))
  await check('Own keys with another record', ours, at({ 'mh1._domainkey.news.harbour.net': key(pem(1024)) }))
  const quiet = Object.fromEntries(
    ['s1', 's2'].map((name) => [`${name}._domainkey.news.harbour.net`, 'silence' as const]),
  )
  await check('Silence', setup('sendgrid', {}, '', 's1'), at(quiet))
  heading('DMARC')
  for (const record of [
    'v=DMARC1',
    'v=DMARC1; p=',
    'v=DMARC1;p=NONE',
    'v=DMARC1; p=quarantine; sp=none',
    'v=DMARC12; p=none',
    'x',
  ])
    await check(record, sendgrid, at({ '_dmarc.news.harbour.net': record }))
  await check('Two records', sendgrid, at({ '_dmarc.news.harbour.net': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }))
  await check('Silence', sendgrid, at({ '_dmarc.news.harbour.net': 'silence' }))
  const bare = lacking('_dmarc.news.harbour.net')
  for (const record of ['v=DMARC1; p=reject; sp=none', 'v=DMARC1; p=reject; sp=odd', 'v=DMARC1; p=reject'])
    await check(`Of the parent: ${record}`, sendgrid, { ...bare, '_dmarc.harbour.net': record })
  for (const policy of ['none', 'quarantine', 'reject'])
    await check(`Nothing aligned: ${policy}`, sendgrid, { '_dmarc.news.harbour.net': `v=DMARC1; p=${policy}` })
  heading('Domains')
  for (const domain of ['a.b.harbour.co.uk', 'harbour.net', 'co.uk', 'x.github.io', 'a.x.github.io', 'localhost'])
    write(`${domain} ${organizationalDomain(domain)} ${domainsUpToOrganization(domain).join(' ')}`)
  for (const domain of [
    'a.test',
    'test',
    'TEST',
    'mytest',
    'example.com',
    'a.example.org',
    'example.de',
    'x.invalid',
    'localhost',
    'xexample.com',
  ])
    write(`${domain} ${isReserved(domain)}`)
  for (const record of ['v=1; a = b c ;B=2=3;x;;=y', '']) write(JSON.stringify([...tagsOf(record)]))
  expectRecorded(
    'sending/dns.txt',
    lines.join('\n').replaceAll(/\bMI[\w+/]{40,}=*/g, (found) => (found === good ? '<good>' : '<key>')),
  )
})
