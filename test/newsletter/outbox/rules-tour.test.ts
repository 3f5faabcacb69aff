import { test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { forCampaigns, USUAL_RELAY } from '../../../src/newsletter/connections/connection.ts'
import { readDomain } from '../../../src/newsletter/connections/dkim-records.ts'
import { senderDomain, senderDomainOf, signingKeys } from '../../../src/newsletter/connections/dkim-keys.ts'
import { actionMessage } from '../../../src/newsletter/outbox/action-message.ts'
import { createBrake } from '../../../src/newsletter/outbox/brake.ts'
import { confirmationMessage, linkMessage } from '../../../src/newsletter/outbox/confirmation.ts'
import { domainOf, limitOfDomain, mailboxProviders } from '../../../src/newsletter/outbox/mailbox-providers.ts'
import { type Outcome, outcomeOf } from '../../../src/newsletter/outbox/outcome.ts'
import { outgoing, readReturnPath } from '../../../src/newsletter/outbox/outgoing.ts'
import { joinResults } from '../../../src/newsletter/outbox/pump.ts'
import { beyondLimit, dailyLimit } from '../../../src/newsletter/outbox/quota.ts'
import { REPORTED_PROVIDERS, reportedProvider } from '../../../src/newsletter/outbox/reported-providers.ts'
import { STATES, TRANSITIONS } from '../../../src/newsletter/outbox/states.ts'
import { bounceDetail } from '../../../src/newsletter/tracking/event-detail.ts'
import { isMachine } from '../../../src/newsletter/tracking/machines.ts'
import {
  addressMark,
  createClickToken,
  createConfirmationToken,
  createRecipientToken,
  createViewToken,
  isMessageMark,
  messageId,
  readClickToken,
  readConfirmationToken,
  readMessageId,
  readRecipientToken,
  readViewToken,
} from '../../../src/newsletter/tracking/tokens.ts'
import { tagsOf, targetOf, trackingValues, withPixel } from '../../../src/newsletter/tracking/tracking.ts'
import { hasUtm, withUtm } from '../../../src/newsletter/tracking/utm.ts'
import { listUnsubscribe, unsubscribeTokenIn } from '../../../src/newsletter/campaigns/unsubscribe-mail.ts'
import { PROVIDERS } from '../../../src/store/tables/delivery.ts'
import { createNamer, expectRecorded, outline } from '../../support/recorded.ts'
import { KEYS } from '../../support/shared-store.ts'

const lines: string[] = []
const write = (...more: string[]) => void lines.push(...more)
const heading = (text: string) => write('', `## ${text}`, '')
const json = JSON.stringify

test('The rules of sending decide as is recorded.', async () => {
  lines.splice(0)
  outcomes()
  brakes()
  quotas()
  await providers()
  messagesOut()
  tokens()
  links()
  machines()
  write(outline(STATES), outline(TRANSITIONS))
  await unsubscribing()
  const text = lines.join('\n').replaceAll(/[0-9a-v]{5}[0-9a-f]{20}/gi, '<mark>')
  expectRecorded('sending/rules.txt', createNamer()(text.replaceAll(/x{400,}/g, (run) => `<${run.length} x>`)))
})

function outcomes(): void {
  heading('Outcomes of attempts')
  const now = 1_000 * HOUR_MS
  const refused = (more: object) => ({ scope: 'recipient', stage: 'rcpt', message: 'No.', ...more }) as SmtpOutcome
  const say = (answer: SmtpOutcome | null, attempts: number, since: number | null = null, age = 0) => {
    const about = { attempts, created_at: now - age }
    const outcome = outcomeOf(answer, about, { down_since: since === null ? null : now - since, now })
    const due = 'due_at' in outcome ? { due_in_minutes: (outcome.due_at - now) / MINUTE_MS } : {}
    write(`${json(answer)} ${json([attempts, since, age])}`, `  ${json({ ...outcome, due_at: undefined, ...due })}`)
  }
  say(null, 0)
  say({ kind: 'sent', response: '250 ok' }, 3)
  say({ kind: 'uncertain', message: 'Cut.' }, 0)
  for (const attempts of [0, 1, 2, 3, 4])
    say(refused({ kind: 'temporary', code: 450, message: '450 4.2.1 Later.' }), attempts)
  for (const attempts of [0, 1, 2, 3, 4, 5, 6])
    say(refused({ kind: 'temporary', code: 452, enhanced: '4.5.3', message: 'Daily quota' }), attempts)
  const words =
    'quota quotas rate rates ratelimited rate-limited rate-limiting throttled limit limits exceeded ' +
    'exceeding volume allowance daily hourly'
  const too = ['many', 'much', 'fast', 'quickly', 'often', 'late'].map((word) => `too ${word}`)
  const per = ['second', 'minute', 'hour', 'day', 'week'].map((span) => `per ${span}`)
  for (const word of [...words.split(' '), ...too, ...per, 'separate', 'unlimited'])
    say(refused({ kind: 'temporary', message: `a ${word} b` }), 0)
  for (const more of [{ bad_address: true }, { bad_address: false }, { bad_address: true, scope: 'connection' }])
    say(refused({ kind: 'permanent', code: 550, message: 'Gone\r\n  for  good', ...more }), 0)
  say(refused({ kind: 'permanent', code: 550, bad_address: false, message: 'Quota exceeded.' }), 4)
  for (const stage of ['connect', 'greeting', 'tls', 'auth', 'envelope', 'mail', 'rcpt', 'data'])
    say(refused({ kind: 'temporary', scope: 'connection', stage }), 1, 0)
  for (const [since, age] of [
    [72, 100],
    [72.001, 100],
    [73, 72],
    [73, 73],
  ] as const)
    say(
      refused({ kind: 'permanent', scope: 'connection', stage: 'auth', code: 535 }),
      0,
      since * HOUR_MS,
      age * HOUR_MS,
    )
  say(refused({ kind: 'temporary', message: 'x'.repeat(600) }), 4)
}

function brakes(): void {
  heading('Brakes')
  const outcome = (status: Outcome['status'], error = status as string) => ({ status, error, due_at: 1 }) as Outcome
  const answer = (more: object) => ({ kind: 'permanent', stage: 'data', code: 554, ...more }) as SmtpOutcome
  const spam = answer({ enhanced: '5.7.1' })
  const until = (...kinds: [Outcome, SmtpOutcome | null][]) => untilShare(undefined, ...kinds)
  const untilShare = (share: number | undefined, ...kinds: [Outcome, SmtpOutcome | null][]) => {
    const brake = createBrake(share)
    let count = 0
    while (brake.tripped === null && count < 500) {
      brake.record(...kinds[count % kinds.length]!)
      count += 1
    }
    return `${count} ${brake.tripped} ${brake.next_share} ${brake.newlyDeferring()} ${brake.newlyDeferring()}`
  }
  const failed: [Outcome, SmtpOutcome] = [outcome('failed', 'words'), spam]
  const sent: [Outcome, null] = [outcome('sent'), null]
  write(`failed: ${until(failed)}`)
  for (const status of ['sent', 'bounced', 'uncertain', 'skipped', 'retry', 'unreachable', 'unsent'] as const)
    write(`${status}: ${until([outcome(status), spam])}`)
  write(`not composed: ${until([outcome('failed'), null])}`)
  for (const about of [
    { enhanced: '5.1.1' },
    { enhanced: '5.2.2' },
    { enhanced: '5.3.0' },
    { stage: 'rcpt', code: 501 },
    { stage: 'rcpt', code: 553 },
    { stage: 'rcpt', code: 550 },
    { code: 501 },
    { code: 553 },
  ])
    write(`${json(about)}: ${until([outcome('failed'), answer(about)])}`)
  for (const good of [1, 9, 18, 19, 20])
    write(`a failure and ${good} sent: ${until(failed, ...Array.from({ length: good }, () => sent))}`)
  write(`failed at a higher share: ${untilShare(0.2, failed)}`)
  write(`failed but once at a higher share: ${untilShare(0.2, ...Array.from({ length: 19 }, () => failed), sent)}`)
  const later = createBrake(0.1)
  for (let count = 0; count < 19; count += 1) later.record(...failed)
  later.record(...sent)
  later.record(...failed)
  write(`${later.tripped} ${later.next_share}`)
  const deferring = createBrake()
  for (let count = 1; count <= 41; count += 1) {
    deferring.record(outcome('retry', `words ${count}`), spam)
    const words = deferring.newlyDeferring()
    if (words !== null) write(`after ${count}: ${words}`)
    if (count === 20) deferring.record(...sent)
  }
}

function quotas(): void {
  heading('Quotas')
  const limits = (max_per_day: number | null) =>
    Array.from({ length: 45 }, (_, day) => dailyLimit({ max_per_day, warm_up_started_at: 0 }, day * DAY_MS))
  write(json(limits(null)), json(limits(5000)))
  write(json([-1, DAY_MS - 1].map((now) => dailyLimit({ max_per_day: 7000, warm_up_started_at: 0 }, now))))
  write(json([null, 9].map((max_per_day) => dailyLimit({ max_per_day, warm_up_started_at: null }, 0))))
  write(json([null, 0, 1, 9, 10, 11, 100].map(beyondLimit)))
  const result = { paced_ms: null, relay_down: null, handed_over: 1, braked: false }
  for (const [one, other] of [
    [{}, {}],
    [{ paced_ms: 7 }, { paced_ms: 5, braked: true }],
    [
      { paced_ms: 3, relay_down: 'first' },
      { handed_over: 4, relay_down: 'second' },
    ],
  ])
    write(
      json(
        joinResults([
          { ...result, ...one },
          { ...result, ...other },
        ]),
      ),
    )
}

async function providers(): Promise<void> {
  heading('Mailbox providers')
  const domains = (
    'gmail.com googlemail.com mail.gmail.com gmail.co.uk outlook.com outlook.co.uk hotmail.fr live.nl msn.com ' +
    'passport.com windowslive.com xlive.nl yahoo.com yahoo.co.jp ymail.com rocketmail.com aol.com aol.de aol.net ' +
    'aim.com ' +
    'icloud.com me.com mac.com gmx.de gmx.co.uk web.de mail.com proton.me protonmail.com pm.me example.org'
  ).split(' ')
  for (const domain of domains)
    write(`${domain} ${limitOfDomain(domain, ['gmail', 'outlook', 'yahoo'])} ${reportedProvider(domain)}`)
  write(REPORTED_PROVIDERS.join(' '))
  write(
    ...['gmail', 'gmail.com', 'com', 'example.org', 'mail.example.org'].map(
      (name) => `${name} ${limitOfDomain('a.mail.example.org', [name])} ${limitOfDomain('gmail.com', [name])}`,
    ),
  )
  write(String(limitOfDomain('a.b.example.org', ['example.org', 'b.example.org', 'gmail'])), domainOf('a@b@C.de'))
  const exchanges: Record<string, string[]> = {
    'g.example': ['aspmx.l.google.com'],
    'h.example': ['mx.googlemail.com'],
    'o.example': ['o-example.mail.protection.outlook.com'],
    'p.example': ['MX1.hotmail.com'],
    'q.example': ['eur.olc.outlook.com'],
    'y.example': ['mta5.am0.yahoodns.net'],
    'n.example': ['mx.google.com.evil.example', 'mx.example.net', 'outlook.com'],
    'two.example': ['mx.example.net', 'mx.google.com'],
    'late.example': [...Array.from({ length: 10 }, (_, n) => `mx${n}.example.net`), 'mx.google.com'],
    'none.example': [],
  }
  const asked: string[] = []
  const known = mailboxProviders(async (domain) => {
    asked.push(domain)
    if (!exchanges[domain]) throw new Error('No such domain.')
    return exchanges[domain].map((exchange) => ({ exchange }))
  })
  const look = async (names: string[], now: number) => {
    asked.splice(0)
    const found = await known.of(new Set([...Object.keys(exchanges), 'gone.example', 'gmail.com']), names, now)
    write(
      `${names.join(' ')} at ${now / MINUTE_MS}: ${json([...found])}`,
      `  asked ${asked.length} ${asked.length < 3 ? asked.join(' ') : ''}`,
    )
  }
  await look(['gmail', 'outlook', 'yahoo'], 0)
  await look(['gmail', 'example.net'], 10 * MINUTE_MS - 1)
  await look(['mx.example.net', 'example.net', 'yahoo'], 10 * MINUTE_MS)
  await look(['outlook'], DAY_MS)
}

const MARKED = { delivery_id: 35, contact_id: 36, campaign_id: 37 }

function messagesOut(): void {
  heading('What a message carries for its relay')
  const composed = {
    envelope: { from: 'news@harbour.example', to: 'ada@example.org' },
    message: Buffer.from('Subject: x\r\n\r\n'),
    message_id: 'z.mark@harbour.example',
  }
  for (const provider of PROVIDERS)
    for (const [kind, message_stream, bounce_domain] of [
      ['campaign', '', 'bounces.harbour.example'],
      ['campaign', 'broadcast', ''],
      ['test', 'broadcast', ''],
    ] as const) {
      const { envelope, message } = outgoing(
        KEYS,
        { provider, bounce_domain, message_stream },
        { id: 35, kind },
        composed,
      )
      write(`${provider} ${kind} ${envelope.from} ${json(message.toString())}`)
      const { host } = forCampaigns({ provider, message_stream, host: USUAL_RELAY[provider].host } as never)
      if (kind === 'campaign') write(`  ${host} ${USUAL_RELAY[provider].username}`)
    }
  write(forCampaigns({ provider: 'postmark', message_stream: 'x', host: 'own.example' } as never).host)
  const { envelope } = outgoing(
    KEYS,
    { provider: 'smtp', bounce_domain: 'b.example', message_stream: '' },
    { id: 36, kind: 'test' },
    composed,
  )
  for (const address of [
    envelope.from,
    envelope.from.toUpperCase(),
    `<${envelope.from}>`,
    envelope.from.replace('b+10', 'b+11'),
    `x${envelope.from}`,
    'b+10-@b.example',
  ])
    write(`${address} ${readReturnPath(KEYS, address)}`)

  heading('Messages to one person')
  const parts = {
    project: { name: 'Harbour <News>' },
    settings: {
      company_name: '',
      postal_address: 'Quay 1\nHamburg',
      brand_color: '',
      confirmation_subject: '',
      confirmation_text: '',
      locale: 'en',
    },
    keys: KEYS,
    base_url: 'https://news.example',
  }
  const person = { contact_id: 36, email: 'ada@example.org' }
  const named = (...names: string[]) => names.map((name, at) => ({ id: at + 5, name }))
  const without = (text: string) => text.replaceAll(/(confirm|preferences)\/[\w.-]+/g, '$1/<token>')
  const show = (message: { subject: string; text: string; html: string }) =>
    write(message.subject, without(message.text), without(message.html).replaceAll(/ style="[^"]*"|style="/g, ''))
  show(confirmationMessage(parts, { ...person, lists: named('Weekly') }))
  show(linkMessage({ ...parts, settings: { ...parts.settings, locale: 'ar', company_name: 'Harbour Ltd' } }, MARKED))
  for (const lists of [
    named(),
    named('A', 'B'),
    named('A', 'B', 'C'),
    named('A', 'B', 'C', 'D'),
    named(' harbour <NEWS> '),
    named('x'.repeat(60), 'y'.repeat(61)),
  ]) {
    const { subject, text } = confirmationMessage(
      { ...parts, settings: { ...parts.settings, locale: 'de-AT' } },
      { ...person, lists },
    )
    write(subject, `  ${json(without(text))}`)
  }
  const own = { ...parts.settings, confirmation_subject: 'Own', confirmation_text: 'Two\n\nparagraphs' }
  const texts = {
    lang: 'en',
    subject: 's',
    request: 'r',
    names: [],
    url: 'https://x.example/?a=1&b=2',
    button: 'b',
    closing: 'c',
  }
  write(json(without(confirmationMessage({ ...parts, settings: own }, { ...person, lists: named('A') }).text)))
  for (const brand_color of ['', '#fff', '#ffff00', '#777777', '#123', 'none']) {
    const { html } = actionMessage({ project: parts.project, settings: { ...parts.settings, brand_color } }, texts)
    const [frame] = /background:#\w+;border:2px solid #\w+/.exec(html)!
    write(`${brand_color}: ${frame} ${/padding:10px 26px;color:(#\w+)/.exec(html)?.[1]}`)
  }
  for (const more of [
    { heading: 'h <1>' },
    { names: ['<a>', 'b'] },
    { request: 'one\r\ntwo\n \nthree' },
    { lang: 'ar' },
  ])
    write(
      actionMessage(parts, { ...texts, ...more })
        .html.replaceAll(/<(?:!doctype|meta|html|title|body|table)[^>]*>/g, '')
        .replaceAll(/\n+/g, '\n'),
    )
}

function tokens(): void {
  heading('Tokens')
  const recipient = createRecipientToken(KEYS, MARKED)
  const open = createRecipientToken(KEYS, MARKED, 'open')
  const read = (token: string) =>
    json([
      readRecipientToken(KEYS, token),
      readRecipientToken(KEYS, token, 'open'),
      readClickToken(KEYS, token),
      readConfirmationToken(KEYS, token),
      readViewToken(KEYS, token),
    ])
  const click = (values: string[]) => createClickToken(KEYS, { ...MARKED, position: 38, values })
  const view = (values: Record<string, string>) => createViewToken(KEYS, { ...MARKED, values })
  const confirmation = createConfirmationToken(KEYS, { contact_id: 36, email: ' Ada@Example.org', list_ids: [37, 38] })
  for (const token of [
    recipient,
    open,
    click([]),
    click(['a', 'b\nc', 'ä']),
    confirmation,
    view({}),
    view({ a: 'ä\n' }),
    view({ a: 'x'.repeat(992) }),
    view({ a: 'x'.repeat(993) }),
    '',
    'x',
    recipient + 'x',
  ])
    write(read(token))
  write(read(createConfirmationToken(KEYS, { contact_id: 0, email: 'a', list_ids: [] })))
  write(read(createConfirmationToken(KEYS, { contact_id: 1, email: 'a', list_ids: [0] })))
  write(read(createConfirmationToken(KEYS, { contact_id: 1, email: 'a', list_ids: [] })))
  write(`${addressMark('Ada@example.org ')} ${addressMark('ada@example.org')} ${addressMark('bob@example.org')}`)
  const id = messageId(KEYS, MARKED, 'news@häfen.example')
  write(id)
  const mark = id.slice(2, id.indexOf('@'))
  for (const text of [
    id,
    `<${id}>`,
    ` <${id} `,
    `<z.${mark}>`,
    `z.${mark}`,
    `z.${mark}x`,
    `A.${mark}@x`,
    `x ${id}`,
    '',
    null,
  ])
    write(`${text} ${json(readMessageId(text))?.replace(mark, 'mark')}`)
  write(json([MARKED, { ...MARKED, contact_id: 0 }].map((one) => isMessageMark(KEYS, one, mark))))
}

function links(): void {
  heading('Links')
  const all = { utm_source: 's s', utm_medium: 'ä&', utm_campaign: 'c' }
  const some = { utm_source: '', utm_medium: 'm', utm_campaign: '' }
  for (const url of [
    'https://a.b',
    'https://a.b?x=1',
    'https://a.b?',
    'https://a.b?x&',
    'https://a.b#f',
    'https://a.b?utm_source=1#f?',
    'https://a.b?utm_medium&utm_campaign=',
    'https://a.b/{{ contact.email | default: #?& }}?q',
    'https://a.b/utm_source=1',
  ])
    write(`${url} > ${withUtm(url, all)} > ${withUtm(url, some)}`)
  write(json([all, some, { ...some, utm_medium: '' }].map(hasUtm)))
  for (const url of [
    'https://a.b',
    'https://a.b/{{ contact.email }}?{{contact.first_name|default:x}}&{{ contact.email }}',
    '{{ odd }}{{ contact.custom.boat }}',
  ])
    write(`${url} ${json(tagsOf(url))} ${targetOf(url, ['ä b', 'c'])} ${targetOf(url, [])}`)
  const values = trackingValues(KEYS, 'https://n.example', {
    opens: true,
    links: [
      { url: 'https://a.b', position: 4 },
      { url: 'https://a.b/{{ contact.email }}', position: 9 },
    ],
  })
  const read = (url: string) => readClickToken(KEYS, url.split('/').at(-1)!)
  for (const email of ['a@b.example', 'x'.repeat(996), 'x'.repeat(997)])
    for (const [tag, value] of Object.entries(values(MARKED, { 'contact.email': email })))
      write(`${tag} ${String(value).slice(0, 40).replace(/x+$/, '')} ${json(read(String(value)))}`)
  write(json(Object.keys(trackingValues(KEYS, '', { opens: false, links: [] })(MARKED, {}))))
  const tag = { tag: 't', context: 'html', fallback: '' } as never
  for (const template of [
    ['a</body>b</body>c', tag, 'd'],
    ['</body>', tag, '</body>'],
    ['x', tag],
  ])
    write(json(withPixel(template)))
}

function machines(): void {
  heading('Machines')
  const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const visit = { method: 'GET', user_agent: BROWSER, address: '203.0.113.7', headers: {} as Record<string, string> }
  const say = (more: Partial<typeof visit>) => {
    const { headers, ...rest } = { ...visit, ...more }
    write(`${json(more)} ${isMachine({ ...rest, headers: new Headers(headers) })}`)
  }
  say({})
  say({ method: 'HEAD' })
  for (const name of ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz', 'X-Other'])
    for (const value of ['prefetch', 'Preview', 'x;prerender', 'navigate']) say({ headers: { [name]: value } })
  for (const user_agent of [
    '',
    ' - ',
    'Mozilla/5.0',
    'Mozilla',
    'Mozilla/5.0 (compatible)',
    'Mozilla/4.0 (compatible;)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
    `${BROWSER} GoogleImageProxy`,
    'YahooMailProxy',
    'CUBOT_X18',
    'a bot',
    'Robots',
    'botany',
    'curl/8',
    'x curl/8',
    'my-wget',
    'Java/1',
    'JavaScript',
    'got (x)',
    'gotham',
    'link-check',
    'linkcheck',
    'scan',
    'scandal',
    'Monitor',
    'monitoring',
    'monitors',
  ])
    say({ user_agent })
  for (const address of [
    '40.94.1.1',
    '40.95.0.1',
    '52.103.255.255',
    '52.104.0.0',
    '64.235.143.255',
    '64.235.144.0',
    '::ffff:64.235.144.0',
    '2a01:111:f400::1',
    '2a01:111:f401::1',
    '185.140.204.9',
    '150.70.9.9',
    'unknown',
  ])
    say({ address })
}

async function unsubscribing(): Promise<void> {
  heading('Unsubscribing and domains')
  for (const mailto of ['', 'leave@harbour.example', 'le+ave@häfen.example', '"a b"@c.example'])
    write(listUnsubscribe('https://u.example/x', 'TOKEN', mailto))
  const token = 'abcdefghij.ABCDEFGHIJ'
  const short = (text: string) => text.replace(/(a\.?){20,}/, (run) => `<${run.length}>`)
  const head = 'From: a@b.c\r\nSubject: '
  for (const subject of [
    `unsubscribe ${token}`,
    `Re: UNSUBSCRIBE   ${token}  `,
    `unsubscribe ${token} x`,
    `xunsubscribe ${token}`,
    'unsubscribe short',
    `=?utf-8?Q?unsubscribe_${token}?=`,
  ]) {
    const message = `${head}${subject}\r\n\r\n${head}unsubscribe ${'x'.repeat(25)}`
    write(`${subject} ${await unsubscribeTokenIn(Buffer.from(message))}`)
  }
  write(String(await unsubscribeTokenIn(Buffer.from(`Subject: unsubscribe ${token}\n\nx`))))
  for (const domain of [
    'Harbour.example.',
    ' häfen.example ',
    'localhost',
    '127.0.0.1',
    'a..b',
    '-a.b',
    'a-.b',
    `${'a'.repeat(63)}.b`,
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(109)}bc`,
    `${'a.'.repeat(110)}b`,
  ])
    write(`${short(domain)} ${short(String(readDomain(domain)))}`)
  for (const email of ['News@Häfen.Example', 'none', 'a@b@c.example']) write(senderDomain(email))
  for (const [from_domain, email] of [
    ['', ''],
    ['Own.example', 'a@b.example'],
    ['', 'a@B.example'],
  ] as const)
    write(String(senderDomainOf({ from_domain }, email)))
  const key = (id: number, algorithm: string, verified_at: number | null) => ({ id, algorithm, verified_at }) as never
  write(
    json(
      signingKeys([
        key(1, 'rsa-sha256', null),
        key(2, 'rsa-sha256', 5),
        key(3, 'ed25519-sha256', 6),
        key(4, 'rsa-sha256', 7),
      ]),
    ),
  )
  for (const [kind, response] of [
    ['hard', ''],
    ['soft', '452 "full"'],
  ] as const)
    write(bounceDetail(kind, response))
}
