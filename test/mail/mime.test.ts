import { describe, expect, test } from 'bun:test'
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser'
import { asciiAddress } from '../../src/address.ts'
import {
  type BodyPart,
  composeMessage,
  composeSimple,
  prepareMessage,
  type SimpleMessage,
} from '../../src/mail/mime.ts'

const NOW = Date.UTC(2026, 0, 15, 9, 30, 5)

const letter: SimpleMessage = {
  from: { email: 'news@acme.example', name: 'Acme News' },
  to: { email: 'ada@example.com', name: 'Ada Lovelace' },
  subject: 'Hello',
  message_id: 'd1.7@acme.example',
  date_ms: NOW,
  text: 'Hi Ada',
  html: '<p>Hi Ada</p>',
}

const compose = (change: Partial<SimpleMessage>) => composeSimple({ ...letter, ...change })
const parse = (raw: Buffer) => simpleParser(raw, { skipTextToHtml: true, skipHtmlToText: true, skipImageLinks: true })
const only = (addresses: ParsedMail['to']) => (addresses as AddressObject).value[0]!
const headOf = (raw: Buffer) => raw.toString().split('\r\n\r\n')[0]!
const headerNames = (raw: Buffer) =>
  headOf(raw)
    .split('\r\n')
    .filter((line) => !line.startsWith(' '))
    .map((line) => line.split(':')[0])
const headerOf = (raw: Buffer, name: string) => headOf(raw).match(new RegExp(`^${name}:.*(?:\r\n .*)*`, 'm'))![0]

test('A message has text first, then html, and every header once.', async () => {
  const raw = compose({
    reply_to: { email: 'help@acme.example' },
    headers: { 'List-ID': 'Weekly <weekly.acme.example>', Precedence: 'bulk' },
  })
  expect(raw.toString()).toBe(
    [
      'From: Acme News <news@acme.example>',
      'Reply-To: help@acme.example',
      'MIME-Version: 1.0',
      'List-ID: Weekly <weekly.acme.example>',
      'Precedence: bulk',
      'To: Ada Lovelace <ada@example.com>',
      'Subject: Hello',
      'Date: Thu, 15 Jan 2026 09:30:05 +0000',
      'Message-ID: <d1.7@acme.example>',
      'Content-Type: multipart/alternative;',
      ' boundary="=_K"',
      '',
      '--=_K',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Hi Ada',
      '--=_K',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>Hi Ada</p>',
      '--=_K--',
      '',
    ]
      .join('\r\n')
      .replaceAll('=_K', raw.toString().match(/boundary="(=_[\w-]{24})"/)![1]!),
  )
})

test('A message without html is plain text alone.', async () => {
  const raw = compose({ html: null, text: 'Grüße\n' })
  expect(headOf(raw)).toContain(
    'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable',
  )
  expect((await parse(raw)).text).toBe('Grüße\n')
})

test('A message is the same for the same input, and has another boundary for another id.', () => {
  expect(compose({}).equals(compose({}))).toBe(true)
  expect(compose({ message_id: 'other@x.example' }).toString()).not.toContain(
    compose({})
      .toString()
      .match(/boundary="([^"]+)"/)![1]!,
  )
})

test('A message cannot contain its own boundary.', async () => {
  const boundary = compose({})
    .toString()
    .match(/boundary="([^"]+)"/)![1]!
  const text = `a\n--${boundary}\nb\n--${boundary}--\n`
  expect((await parse(compose({ text }))).text).toBe(text)
})

test.each([
  ['x'.repeat(75), 'x'.repeat(75)],
  ['x'.repeat(76), `${'x'.repeat(75)}=\r\nx`],
  ['x'.repeat(151), `${`${'x'.repeat(75)}=\r\n`.repeat(2)}x`],
  [`${'x'.repeat(74)} `, `${'x'.repeat(74)}=\r\n=20`],
  [`${'x'.repeat(72)}é`, `${'x'.repeat(72)}=C3=\r\n=A9`],
  [`${'x'.repeat(73)}é`, `${'x'.repeat(73)}=\r\n=C3=A9`],
  ['a b\tc', 'a b\tc'],
  ['a\t', 'a=09'],
  ['a\t\nb \r\nc', 'a=09\r\nb=20\r\nc'],
  ['\ra\n\nb\r\r\n', '\r\na\r\n\r\nb\r\n\r\n'],
  ['1=2~\x7f', '1=3D2~=7F'],
])('The body %j is written as %j.', (text, written) => {
  const raw = compose({ text, html: null }).toString()
  expect(raw.slice(raw.indexOf('\r\n\r\n') + 4)).toBe(written)
})

describe('a template', () => {
  const parts: BodyPart[] = ['Dear ', { slot: 0 }, ',\n', '\n', { slot: 1 }, ' \n.dot ', { slot: 0 }, { slot: 2 }, '']

  test('A template reads as its literals with the slots filled in.', async () => {
    const prepared = prepareMessage({ from: letter.from, text: parts, html: parts })
    const slots = ['Zoë 👩‍🚀', 'one\ntwo ', '']
    const mail = await parse(
      composeMessage(prepared, { ...letter, text_slots: slots, html_slots: ['<b>', 'x'.repeat(200), '='] }),
    )
    expect(mail.text).toBe('Dear Zoë 👩‍🚀,\n\none\ntwo  \n.dot Zoë 👩‍🚀')
    expect(mail.html).toBe(`Dear <b>,\n\n${'x'.repeat(200)} \n.dot <b>=`)
  })

  test('The parts of a template are joined by a soft break, unless one is empty or ends its line.', () => {
    const written = (text: BodyPart[], ...text_slots: string[]) => {
      const prepared = prepareMessage({ from: letter.from, text })
      const raw = composeMessage(prepared, { ...letter, text_slots }).toString()
      return raw.slice(raw.indexOf('\r\n\r\n') + 4)
    }
    expect(written(['Dear ', 'you, ', { slot: 0 }, '.'], 'Zoë')).toBe('Dear you,=20=\r\nZo=C3=AB=\r\n.')
    expect(written(['Dear', { slot: 0 }, '.'], '')).toBe('Dear=\r\n.')
    expect(written(['Dear\n', { slot: 0 }, '.'], 'Zoe\n')).toBe('Dear\r\nZoe\r\n.')
    expect(written([{ slot: 0 }, '', { slot: 1 }], 'a', 'b ')).toBe('a=\r\nb=20')
    expect(written([{ slot: 1 }, { slot: 0 }], '', 'a')).toBe('a=\r\n')
  })

  test('A template with an unfilled slot is an error.', () => {
    const prepared = prepareMessage({ from: letter.from, text: parts })
    expect(() => composeMessage(prepared, { ...letter, text_slots: ['a'] })).toThrow('Slot 1')
  })

  test('A template may be empty.', async () => {
    expect((await parse(composeMessage(prepareMessage({ from: letter.from, text: [] }), letter))).text ?? '').toBe('')
  })
})

test('Headers cannot be added by a line break in a value.', async () => {
  const evil = 'x\r\nBcc: eve@evil.example\r\n\r\n<script>\0\u0085\u2028'
  const raw = compose({
    subject: evil,
    from: { email: `a@b.example\r\nBcc: eve@evil.example`, name: evil },
    to: { email: 'ada@example.com>, <eve@evil.example', name: evil },
    message_id: `a@b>\r\nBcc: eve@evil.example`,
    headers: { 'X-Note': evil },
  })
  const mail = await parse(raw)
  expect([...mail.headers.keys()].sort()).toEqual([
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
    'x-note',
  ])
  expect(mail.subject).toBe('x Bcc: eve@evil.example <script>')
  expect(headOf(raw)).not.toMatch(/^Bcc/im)
  expect((mail.to as AddressObject).value).toHaveLength(1)
  expect(() => compose({ headers: { 'X: y\r\nBcc': 'eve@evil.example' } })).toThrow('name of a header')
})

test('An address and a Message-ID have no character that could end them.', () => {
  const controls = String.fromCharCode(...Array(33).keys(), ...Array.from({ length: 34 }, (_, index) => 127 + index))
  const unfit = `${controls}\u2028\u2029<>()[]\\,;:"`
  const spoiled = (text: string): string => `${unfit}${text.replace('@', `${unfit}@${unfit}`)}${unfit}`
  const raw = compose({
    from: { email: spoiled('news@acme.example') },
    to: { email: spoiled('ada@example.com') },
    message_id: spoiled('d1.7@acme.example'),
  })
  expect(['From', 'To', 'Message-ID'].map((name) => headerOf(raw, name))).toEqual([
    'From: news@acme.example',
    'To: ada@example.com',
    'Message-ID: <d1.7@acme.example>',
  ])
})

test('Headers are folded at blanks to at most 78 characters.', async () => {
  const subject =
    'The quick brown fox jumps over the lazy dog again and again until the line is far too long to stand on one line'
  const raw = compose({ subject })
  for (const line of headOf(raw).split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  expect((await parse(raw)).subject).toBe(subject)
})

test('Headers keep long URLs whole.', () => {
  const url = `https://news.acme.example/u/${'a1B2'.repeat(60)}`
  const raw = compose({
    headers: {
      'List-Unsubscribe': `<${url}>, <mailto:leave@acme.example>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
  expect(headerOf(raw, 'List-Unsubscribe')).toBe(`List-Unsubscribe: <${url}>,\r\n <mailto:leave@acme.example>`)
  expect(headerOf(raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})

test('Headers never get a line of more than 998 characters.', async () => {
  const subject = `${'long'.repeat(600)} end`
  const raw = compose({ subject, from: { email: 'a@b.example', name: 'n'.repeat(2000) } })
  for (const line of headOf(raw).split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  expect((await parse(raw)).subject).toBe(subject)
})

test('Headers carry other scripts in encoded words that can each be decoded alone.', () => {
  const raw = compose({
    subject: 'שלום עולם 👩‍👩‍👧‍👦 '.repeat(12),
    from: { email: 'a@b.example', name: 'Zoë Müller-Łukasiewicz née Ångström of the Long Name' },
  })
  const words = headOf(raw).match(/=\?[^\s]+\?=/g)!
  expect(words.length).toBeGreaterThan(5)
  for (const word of words) {
    expect(word.length).toBeLessThanOrEqual(75)
    const [, encoding, text] = word.match(/^=\?utf-8\?([QB])\?([^?]*)\?=$/)!
    const bytes =
      encoding === 'B'
        ? Buffer.from(text!, 'base64')
        : Buffer.from(
            text!.replaceAll('_', ' ').replace(/=(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
            'latin1',
          )
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
  }
  for (const line of headOf(raw).split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
})

test('Encoded words are as long as they may be, also after the first line.', () => {
  for (const subject of ['😀'.repeat(60), 'Tide é turn '.repeat(20)]) {
    const [header = ''] = /^Subject: (?:.*\r\n[ \t])*.*/m.exec(compose({ subject }).toString())!
    const words = header.match(/=\?utf-8\?[BQ]\?[^?]*\?=/g)!
    expect(words.length).toBeGreaterThan(3)
    for (const word of words.slice(0, -1)) expect(word.length).toBeWithin(56, 76)
  }
})

test('Headers keep text in brackets readable beside other scripts.', () => {
  expect(headerOf(compose({ headers: { 'List-ID': 'Wöchentliche Größe <weekly.acme.example>' } }), 'List-ID')).toMatch(
    /^List-ID: =\?utf-8\?[QB]\?[^ ]+\?= <weekly\.acme\.example>$/,
  )
})

test.each([
  [`${'n'.repeat(29)} ${'n'.repeat(30)}`, `${'n'.repeat(29)} ${'n'.repeat(30)}`],
  [`${'n'.repeat(30)} ${'n'.repeat(30)}`, expect.stringContaining('=?utf-8?Q?nnn')],
  ['A =?utf-8?Q?x?=', expect.stringContaining('=?utf-8?')],
  ['two  spaces', '=?utf-8?Q?two__spaces?='],
])('The name %p stands before its address as %p.', async (name, written) => {
  const raw = compose({ to: { email: 'ada@example.com', name } })
  expect(headerOf(raw, 'To').replaceAll('\r\n ', ' ')).toEqual(
    typeof written === 'string' ? `To: ${written} <ada@example.com>` : written,
  )
  expect(only((await parse(raw)).to).name).toBe(name)
})

test('Several spaces in a row are encoded together with the words around them.', () => {
  const subject = (text: string) => headerOf(compose({ subject: text }), 'Subject')
  expect(subject('two  spaces')).toBe('Subject: =?utf-8?Q?two__spaces?=')
  expect(subject('one two  three four')).toBe('Subject: one =?utf-8?Q?two__three?= four')
})

test('A header is folded only where its line would have more than 78 characters.', () => {
  const subject = (words: string[]) => headerOf(compose({ subject: words.join(' ') }), 'Subject')
  expect(subject(['a'.repeat(34), 'b'.repeat(34)])).toBe(`Subject: ${'a'.repeat(34)} ${'b'.repeat(34)}`)
  expect(subject(['a'.repeat(34), 'b'.repeat(35)])).toBe(`Subject: ${'a'.repeat(34)}\r\n ${'b'.repeat(35)}`)
  // A word that no line can hold stays beside the name; one that the next line can hold goes there.
  expect(subject(['a'.repeat(77)])).toBe(`Subject:\r\n ${'a'.repeat(77)}`)
  expect(subject(['a'.repeat(78)])).toBe(`Subject: ${'a'.repeat(78)}`)
  expect(subject([])).toBe('Subject:')
})

test.each([
  ['Ada Lovelace', 'Ada Lovelace <ada@example.com>'],
  ['Lovelace, Ada', '"Lovelace, Ada" <ada@example.com>'],
  ['Ada "the \\ first"', '"Ada \\"the \\\\ first\\"" <ada@example.com>'],
  ['ada@work.example', '"ada@work.example" <ada@example.com>'],
  ['St. Ives', '"St. Ives" <ada@example.com>'],
  ['', 'ada@example.com'],
  ['  ', 'ada@example.com'],
])('The header To gives the name %p.', async (name, expected) => {
  const raw = compose({ to: { email: 'ada@example.com', name } })
  expect(headerOf(raw, 'To')).toBe(`To: ${expected}`)
  expect(only((await parse(raw)).to).name).toBe(name.trim())
})

test('Headers spell international domains in ASCII.', () => {
  expect(headerOf(compose({ to: { email: 'ada@bücher.example' } }), 'To')).toBe('To: ada@xn--bcher-kva.example')
  expect(asciiAddress('jörg@bücher.example')).toBe('jörg@xn--bcher-kva.example')
  expect(asciiAddress('Ada@Example.com')).toBe('Ada@Example.com')
  expect(asciiAddress('nobody')).toBe('nobody')
})

describe('a random message', () => {
  const SCRAPS = [
    'a',
    'word',
    'two words',
    '.',
    '..',
    '\n.',
    '\r\n.\r\n',
    '\r',
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    '  ',
    ' \n',
    '\t',
    '\t\r\n',
    '=',
    '=3D',
    '=\r\n',
    '=20',
    'é',
    'ß',
    'Ω',
    '中文字',
    'ｆｕｌｌ',
    'שלום',
    'مرحبا',
    '\u202eabc\u202c',
    '😀',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    'e\u0301',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\ud800',
    '\udfff',
    '"',
    '\\',
    "'",
    '<',
    '>',
    '(',
    ')',
    ',',
    ';',
    ':',
    '@',
    '?',
    '=?utf-8?Q?x?=',
    '=?',
    '?=',
    '_',
    '--',
    '--=_',
    'From ',
    '\0',
    '\x07',
    '\x1b',
    '\x7f',
    '\u0085',
    '\u2028',
    '&amp;',
    '<a href="https://e.example/?a=1&b=2">',
    '%0d%0a',
  ]

  /** Mulberry32: the same texts in every run. */
  function dice(seed: number): (sides: number) => number {
    let state = seed
    return (sides) => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
    }
  }

  function writing(roll: (sides: number) => number, scraps: number): string {
    return Array.from({ length: roll(scraps) }, () => {
      const scrap = SCRAPS[roll(SCRAPS.length)]!
      return roll(12) === 0 ? scrap.repeat(roll(300)) : scrap
    }).join('')
  }

  const unixLines = (text: string) => text.toWellFormed().replace(/\r\n|\r|\n/g, '\n')
  const onOneLine = (text: string) =>
    text
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      .trim()
      .toWellFormed()

  test.each([1, 2, 3, 4])('A random message parses back as it was (seed %d).', async (seed) => {
    const roll = dice(seed)
    for (let round = 0; round < 60; round += 1) {
      const slots = Array.from({ length: 4 }, () => writing(roll, 8))
      const parts = Array.from({ length: roll(9) }, (): BodyPart => (roll(2) ? { slot: roll(4) } : writing(roll, 25)))
      const filled = parts.map((part) => (typeof part === 'string' ? part : slots[part.slot]!))
      // mailparser takes a body of one empty line for an empty body.
      const text = `:${writing(roll, 60)}`
      const subject = writing(roll, 25)
      const name = writing(roll, 10)
      const note = writing(roll, 12)

      const prepared = prepareMessage({
        from: { email: 'a@b.example', name },
        headers: { 'X-Note': note },
        text: [text],
        html: ['<p>', ...parts],
      })
      const raw = composeMessage(prepared, {
        ...letter,
        subject,
        to: { email: 'ada@example.com', name: note },
        html_slots: slots,
      })

      const mail = await parse(raw)
      expect(mail.text ?? '').toBe(unixLines(text))
      expect(mail.html).toBe(joined(['<p>', ...parts], ['<p>', ...filled]))
      expect(mail.subject ?? '').toBe(onOneLine(subject))
      expect(only(mail.from).name).toBe(onOneLine(name))
      expect(only(mail.to)).toEqual({ address: 'ada@example.com', name: onOneLine(note) })
      expect(headerNames(raw)).toEqual([
        'From',
        'MIME-Version',
        'X-Note',
        'To',
        'Subject',
        'Date',
        'Message-ID',
        'Content-Type',
      ])
      for (const line of raw.toString('latin1').split('\r\n')) expect(line).toMatch(/^[\t -~]{0,998}$/)
      for (const line of raw.toString().slice(headOf(raw).length).split('\r\n'))
        expect(line.length).toBeLessThanOrEqual(76)
    }
  })

  /** Slots and the literals around them are encoded separately, with their line ends. */
  function joined(parts: BodyPart[], filled: string[]): string {
    const apart: string[] = []
    filled.forEach((text, index) => {
      if (typeof parts[index] === 'string' && typeof parts[index - 1] === 'string') apart.push(apart.pop()! + text)
      else apart.push(text)
    })
    return apart.map(unixLines).join('')
  }
})
