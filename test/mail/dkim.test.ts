import { expect, test } from 'bun:test'
import { signMessage } from '../../src/mail/dkim.ts'
import { composeMessage, composeSimple, prepareMessage } from '../../src/mail/mime.ts'
import { ED25519_KEY, RSA_KEY, signaturesOf, verdictsOn, ZONE } from './dkim-verifier.ts'

const NOW = Date.UTC(2026, 0, 15, 9, 0, 0)
const lines = (...text: string[]) => Buffer.from(text.join('\r\n'), 'latin1')
const tag = (message: Buffer, name: string) =>
  new RegExp(`[;:]\\s*${name}=([^;]*);`)
    .exec(message.toString('latin1').replace(/\r\n[ \t]/g, ''))?.[1]
    ?.replace(/\s/g, '')
const pass = async (message: Buffer) => expect(await verdictsOn(message, ZONE, NOW)).toEqual(['pass'])

const NEWSLETTER = composeMessage(
  prepareMessage({
    from: { email: 'news@harbour.example', name: 'Harbour News – die Gezeiten' },
    reply_to: { email: 'editor@harbour.example' },
    headers: {
      'List-ID': 'Harbour News <list-1.harbour-news.example>',
      'Feedback-ID': 'c1:prj_1:campaign:masthead',
      Precedence: 'bulk',
    },
    text: ['Hello  ', { slot: 0 }, ',\n\n  the tide   table.  \n\n\n'],
    html: ['<p>Hello  ', { slot: 0 }, '</p>\n\t<p>A long line: ', 'tide '.repeat(300), '</p>  \n'],
  }),
  {
    to: { email: 'ada@example.com', name: 'Ada' },
    subject: `Tides ${'of the week and the coming month '.repeat(5)}für Ada`,
    message_id: '1.abc@harbour.example',
    date_ms: NOW,
    headers: {
      'List-Unsubscribe': `<https://harbour.example/general/newsletter/unsubscribe/${'x'.repeat(90)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text_slots: ['Ada'],
    html_slots: ['Ada'],
  },
)

test('A signed message passes, whether RSA or Ed25519 or both sign it.', async () => {
  await pass(await signMessage(NEWSLETTER, [RSA_KEY], NOW))
  await pass(await signMessage(NEWSLETTER, [ED25519_KEY], NOW))
  const both = await signaturesOf(await signMessage(NEWSLETTER, [RSA_KEY, ED25519_KEY], NOW), ZONE, NOW)
  expect(
    both.map(({ algo, selector, signingDomain, status }) => [algo, selector, signingDomain, status.result]),
  ).toEqual([
    ['rsa-sha256', 'mh1', 'harbour.example', 'pass'],
    ['ed25519-sha256', 'mh2', 'harbour.example', 'pass'],
  ])
})

test('A signed message consists of its signatures, in short lines, and the unchanged message.', async () => {
  const signed = await signMessage(NEWSLETTER, [RSA_KEY, ED25519_KEY], NOW)
  expect(signed.subarray(-NEWSLETTER.length).equals(NEWSLETTER)).toBe(true)
  const added = signed.subarray(0, -NEWSLETTER.length).toString()
  expect(added).toMatch(
    /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=harbour\.example;\r\n s=mh1; t=1768467600; h=from:from:/,
  )
  expect(added.match(/^DKIM-Signature:/gm)).toHaveLength(2)
  expect(Math.max(...added.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78)
  expect(await signMessage(NEWSLETTER, [], NOW)).toEqual(NEWSLETTER)
})

test('A signed message has every relevant header signed, and From listed once more than it occurs.', async () => {
  const signed = await signMessage(NEWSLETTER, [ED25519_KEY], NOW)
  expect(tag(signed, 'h')).toBe(
    'from:from:reply-to:to:subject:date:message-id:mime-version:content-type:' +
      'list-unsubscribe:list-unsubscribe-post:list-id:feedback-id',
  )
  const plain = composeSimple({
    from: { email: 'news@harbour.example' },
    to: { email: 'ada@example.com' },
    subject: '',
    message_id: 'x@harbour.example',
    date_ms: NOW,
    text: 'Hello',
  })
  const short = await signMessage(plain, [ED25519_KEY], NOW)
  expect(tag(short, 'h')).toBe('from:from:to:subject:date:message-id:mime-version:content-type')
  await pass(short)
})

test('A signed message of an empty body has the hash of nothing (RFC 6376, section 3.4.4).', async () => {
  for (const body of ['', '\r\n', '\r\n\r\n\r\n', ' \r\n\t \r\n', ' ']) {
    const signed = await signMessage(lines('From: news@harbour.example', '', body), [ED25519_KEY], NOW)
    expect(tag(signed, 'bh')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  }
  await pass(await signMessage(lines('From: news@harbour.example', 'Subject: no body at all', ''), [ED25519_KEY], NOW))
})

test('A signed message survives what relays do to blanks, folds and fields that are not signed.', async () => {
  const signed = (await signMessage(NEWSLETTER, [RSA_KEY], NOW)).toString('latin1')
  for (const changed of [
    `Received: from a by b\r\n${signed}`,
    signed.replace('Precedence: bulk\r\n', ''),
    signed.replace('\r\nTo: Ada', '\r\nTO :\t Ada\r\n  '),
    signed.replace(/;\r\n /g, '; '),
    `${signed}\r\n\r\n`,
  ]) {
    expect(changed).not.toBe(signed)
    await pass(Buffer.from(changed, 'latin1'))
  }
})

test('A signed message does not survive a change of anything that is signed.', async () => {
  const signed = (await signMessage(NEWSLETTER, [RSA_KEY], NOW)).toString('latin1')
  for (const changed of [
    signed.replace('Hello', 'Hallo'),
    signed.replace('<p>', '<p >'),
    `${signed}more\r\n`,
    `From: evil@example.com\r\n${signed}`,
    signed.replace('\r\nTo: ', '\r\nFrom: evil@example.com\r\nTo: '),
    signed.replace(/\r\nSubject: \S+/, '\r\nSubject: Other'),
    signed.replace('One-Click', 'Two-Click'),
    signed.replace('/unsubscribe/', '/other/'),
    signed.replace('09:00:00', '09:00:01'),
    signed.replace('ada@example.com', 'bo@example.com'),
    signed.replace('t=1768467600', 't=1768467601'),
  ]) {
    expect(changed).not.toBe(signed)
    expect(await verdictsOn(Buffer.from(changed, 'latin1'), ZONE, NOW)).not.toContain('pass')
  }
})

test('A signed message does not pass with another key in the DNS, or without one.', async () => {
  const signed = await signMessage(NEWSLETTER, [{ ...ED25519_KEY, selector: 'mh1' }], NOW)
  expect(await verdictsOn(signed, ZONE, NOW)).not.toContain('pass')
  expect(await verdictsOn(signed, {}, NOW)).not.toContain('pass')
})

test('Signatures of 300 messages with random headers, folds and spaces pass.', async () => {
  const random = generator(20260115)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!
  const some = (most: number, make: () => string) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make).join('')
  const word = () =>
    pick(['tide', 'a', '.', '..', ':', '=3D', 'x'.repeat(90), 'f\xc3\xbcr', '\xa0', '\x85', 'b=', '"; h=', '<p>', '='])
  const blank = () => pick([' ', '  ', '\t', ' \t ', ''])
  const fold = () => pick(['', '', '\r\n ', '\r\n\t', ' \r\n  '])
  const field = (name: string) =>
    `${pick([name, name.toLowerCase(), name.toUpperCase()])}${pick(['', '', ' ', '\t'])}:${blank()}${word()}` +
    `${some(6, () => blank() + fold() + word())}${blank()}`
  const line = () => some(5, () => word() + blank()) + pick(['', ' ', '\t\t', '  \t'])
  const NAMES = [
    'To',
    'To',
    'Subject',
    'Reply-To',
    'Date',
    'Message-ID',
    'X-Other',
    'List-Unsubscribe',
    'Content-Type',
    'MIME-Version',
    'Received',
  ]

  for (let count = 0; count < 300; count += 1) {
    const fields = [
      'From: news@harbour.example',
      ...Array.from({ length: Math.floor(random() * 9) }, () => field(pick(NAMES))),
    ]
    const place = Math.floor(random() * fields.length)
    fields.push(...fields.splice(0, place))
    const body =
      Array.from({ length: Math.floor(random() * 8) }, line).join('\r\n') +
      pick(['', '\r\n', '\r\n\r\n', ' ', ' \r\n \r\n', '\r\n\t'])
    const message = lines(...fields, '', body)
    const signed = await signMessage(message, [count % 10 === 0 ? RSA_KEY : ED25519_KEY], NOW)
    const found = await verdictsOn(signed, ZONE, NOW)
    if (found.length !== 1 || found[0] !== 'pass')
      throw new Error(`Message ${count}: ${found.join()}\n${JSON.stringify(message.toString('latin1'))}`)
  }
})

/** mulberry32: the same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
