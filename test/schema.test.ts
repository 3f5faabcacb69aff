import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { AppError, MAX_FLAWS } from '../src/errors.ts'
import { emailKey, isEmail, mailboxOf } from '../src/address.ts'
import {
  atLeastOneOf,
  check,
  checker,
  enumOf,
  exactlyOneOf,
  flaws,
  Id,
  Instant,
  instantOf,
  isDay,
  isTimestamp,
  Limit,
  line,
  name,
  nullable,
  obj,
  prose,
  requiredProse,
  text,
} from '../src/schema.ts'

const refused = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details]
    throw error
  }
  return null
}

describe('exactlyOneOf', () => {
  const which = exactlyOneOf('id', 'email')

  test('exactlyOneOf states the rule as oneOf in the JSON Schema.', () => {
    expect(which.keywords).toEqual({ oneOf: [{ required: ['id'] }, { required: ['email'] }] })
  })

  test('exactlyOneOf answers the one property that is given, whatever else the input has.', () => {
    const input: { id?: number; email?: string; note: string } = { id: 0, note: 'x' }
    expect(which.of(input)).toEqual({ id: 0 })
    expect(which.of({ email: '' })).toEqual({ email: '' })
  })

  test('exactlyOneOf refuses none and several, naming the choices.', () => {
    const flaw = ['VALIDATION_FAILED', [{ path: '', message: 'Expected exactly one of: id, email.' }]]
    expect(refused(() => which.of({}))).toEqual(flaw)
    expect(refused(() => which.of({ id: 1, email: 'a@b.example' }))).toEqual(flaw)
    expect(refused(() => which.of({ id: undefined }))).toEqual(flaw)
  })
})

describe('atLeastOneOf', () => {
  const some = atLeastOneOf('add', 'remove')

  test('atLeastOneOf states the rule as anyOf, passes one or both and refuses none.', () => {
    expect(some.keywords).toEqual({ anyOf: [{ required: ['add'] }, { required: ['remove'] }] })
    expect([refused(() => some.check({ add: [] })), refused(() => some.check({ add: [], remove: [] }))]).toEqual([
      null,
      null,
    ])
    expect(refused(() => some.check({}))).toEqual([
      'VALIDATION_FAILED',
      [{ path: '', message: 'Expected at least one of: add, remove.' }],
    ])
  })
})

const accepts = (schema: Parameters<typeof checker>[0], values: readonly unknown[]) =>
  values.filter((value) => checker(schema).Check(value))

describe('An address', () => {
  const label = 'd'.repeat(63)
  test.each([
    'ada@example.com',
    ' ada@example.com ',
    'ada+shop@mail.example.co.uk',
    "o'brien_x=y@example.com",
    'jörg@bücher.example',
    'می\u200cخواهم@example.com',
    'a@b.cd',
    `${'a'.repeat(64)}@example.com`,
    `a@${label}.${label}.${label}.${'d'.repeat(60)}`,
    ` a@${label}.${label}.${label}.${'d'.repeat(60)}`,
  ])('An address that mail can be sent to is one: %s.', (given) => {
    expect(isEmail(given)).toBe(true)
  })

  test.each([
    '',
    'ada',
    'ada@example',
    '@example.com',
    'ada@',
    'a b@example.com',
    'a@b@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@example.com.',
    'ada@[127.0.0.1]',
    'ada@192.0.2.10',
    'ad\u200ba@example.com',
    '\u202Eada@example.com',
    '"ada"@example.com',
    'ada,bo@example.com',
    'ada@example.com\n',
    '\tada@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'é'.repeat(33)}@example.com`,
    `ada@${'d'.repeat(64)}.com`,
    `ada@${label}.${label}.${label}.${'d'.repeat(59)}`,
    `${' '.repeat(310)}ada@example.com`,
  ])('A text that mail cannot be sent to is no address: %j.', (given) => {
    expect(isEmail(given)).toBe(false)
  })

  test('An address is compared trimmed and in lower case, and a mailbox without its tag as well.', () => {
    expect(emailKey(' Ada+Shop@Example.COM ')).toBe('ada+shop@example.com')
    expect(mailboxOf(' Ada+Shop+x@Example.COM')).toBe('ada@example.com')
    expect(mailboxOf('+Ada+x@example.com')).toBe('+ada@example.com')
    expect(mailboxOf('ada@shop+x.example')).toBe('ada@shop+x.example')
  })
})

/** Half of a surrogate pair. */
const half = '\ud83d'

describe('A time', () => {
  test('A time has a day of the calendar and an offset, and its seconds may be left out.', () => {
    const good = [
      '2026-02-28T23:59:59Z',
      '2028-02-29T00:00Z',
      '2026-05-01T09:30+02:00',
      '2026-05-01T09:30:00.1-11:30',
      '2026-05-01T09:30:00.123456789Z',
    ]
    const wrong = [
      '2026-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-05-01T24:30:00Z',
      '2026-05-01T09:60:00Z',
      '2026-05-01T09:30:00',
      '2026-05-01 09:30:00Z',
      '2026-05-01T09:30:00.Z',
      '2026-05-01T09:30:00.1234567890Z',
      ' 2026-05-01T09:30:00Z',
      '2026-05-01T09:30:00Z ',
      '2026-05-01',
    ]
    expect([...good, ...wrong].filter(isTimestamp)).toEqual(good)
    // The pattern cannot know the length of the months.
    const days = wrong.slice(0, 2)
    expect(accepts(Instant, [...good, ...wrong])).toEqual([...good, ...days])
    expect(days.map(instantOf)).toEqual([null, null])
    expect(instantOf('2026-05-01T00:30+02:00')).toBe(Date.UTC(2026, 3, 30, 22, 30))
    expect(instantOf('2026-12-31T23:30-02:00')).toBe(Date.UTC(2027, 0, 1, 1, 30))
  })

  test('A day is one of the calendar, and nothing else.', () => {
    const good = ['2026-01-31', '2028-02-29']
    expect([...good, '2026-02-29', '2026-1-31', '2026-01-31T00:00:00Z', ''].filter(isDay)).toEqual(good)
  })
})

describe('A text', () => {
  test('A text is counted in characters as people see them, and is well-formed Unicode.', () => {
    const short = text({ minLength: 1, maxLength: 2 })
    expect(accepts(short, ['', 'a', 'ab', 'abc', '😀😀', '😀😀a', '😀😀😀', half, 5, null])).toEqual([
      'a',
      'ab',
      '😀😀',
    ])
    expect(accepts(text({}), ['', 'x'.repeat(10_000)])).toHaveLength(2)
    expect(accepts(text({ pattern: '^a' }), ['ab', 'ba'])).toEqual(['ab'])
  })

  test('A text of one line has no control characters, and a name is neither blank nor turns the line around.', () => {
    const odd = ['a\nb', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u007fb']
    expect(accepts(line(5), ['', ' ', 'añ‮', ...odd, '123456'])).toEqual(['', ' ', 'añ‮'])
    expect(accepts(line(5, { min: 2 }), ['a', 'ab', ' a'])).toEqual(['ab', ' a'])
    expect(accepts(name(5), ['', ' ', ' a ', 'a\u202eb', 'a\u2066b', 'a\u2069b', ...odd, '123456'])).toEqual([' a '])
    const turning = ['\u2027', '\u2028', '\u2029', ...'\u202A\u202B\u202C\u202D\u202E', '\u202F']
    turning.push('\u2065', ...'\u2066\u2067\u2068\u2069', '\u206A')
    expect(
      accepts(
        name(5),
        turning.map((one) => `a${one}b`),
      ),
    ).toEqual(['\u2027', '\u202F', '\u2065', '\u206A'].map((one) => `a${one}b`))
  })

  test('A text of several lines has no NUL, and a required one is not blank.', () => {
    expect(accepts(prose(5), ['', 'a\n\tb', 'a\u0000', '123456'])).toEqual(['', 'a\n\tb'])
    expect(accepts(prose(5, { min: 1 }), ['', 'a'])).toEqual(['a'])
    expect(accepts(requiredProse(5), ['', ' \n ', '\na', 'a\u0000', '123456'])).toEqual(['\na'])
  })
})

test('A choice is one of its words, an id a positive integer, and a list has 1 to 200 items.', () => {
  const choice = enumOf(['one', 'two'], { default: 'two', description: 'Which.' })
  expect(choice).toMatchObject({ type: 'string', enum: ['one', 'two'], default: 'two', description: 'Which.' })
  expect(accepts(choice, ['one', 'two', 'three', '', 1, null])).toEqual(['one', 'two'])
  expect(accepts(nullable(choice), ['one', null, 'three'])).toEqual(['one', null])
  expect(accepts(Id, [0, 1, -1, 1.5, '1', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1])).toEqual([
    1,
    Number.MAX_SAFE_INTEGER,
  ])
  expect(accepts(Limit, [0, 1, 200, 201])).toEqual([1, 200])
  expect(Limit.default).toBe(50)
})

test('A web address is absolute and of http or https.', () => {
  const good = ['https://example.com/a?b#c', 'http://localhost:1']
  const wrong = ['example.com', '/path', 'javascript:alert(1)', 'ftp://example.com', 'https://']
  expect(accepts(Type.String({ format: 'uri' }), [...good, ...wrong])).toEqual(good)
})

describe('Flaws', () => {
  const Thing = obj({
    name: name(3),
    kind: Type.Optional(enumOf(['a', 'b'])),
    size: Type.Optional(Type.Integer({ minimum: 1, description: 'In bytes' })),
  })
  const found = (value: unknown) => flaws(Thing, value).map(({ path, message }) => `${path} ${message}`)

  test('Flaws name the path and what is expected, and do not echo the value.', () => {
    expect(found({})).toEqual(['/name Required.'])
    expect(found({ name: 'ab', more: 1 })).toEqual(['/more Unknown property.'])
    expect(found({ name: 'ab', kind: 'secret' })).toEqual(['/kind Expected one of: a, b.'])
    expect(found({ name: 'ab', size: 0 })).toEqual(['/size Expected integer to be greater or equal to 1 (In bytes).'])
    expect(found({ name: 5 })).toEqual(['/name Expected string.'])
    expect(found({ name: '' })).toEqual(['/name Expected non-empty text.'])
    expect(found({ name: ' ' })).toEqual(['/name Expected non-empty text.'])
    expect(found({ name: 'abcd' })).toEqual(['/name Expected at most 3 characters.'])
    expect(found({ name: 'a\n' })).toEqual(['/name Expected well-formed Unicode without control characters.'])
    expect(found({ name: half })).toEqual(['/name Expected well-formed Unicode without control characters.'])
    expect(found({ name: 'a' })).toEqual([])
  })

  test('Flaws are at most twenty, one for each path.', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_FLAWS + 5 }, (_, n) => [`p${n}`, 1]))
    expect(found({ name: 'ab', ...many })).toHaveLength(20)
    const both = obj({ id: Type.String({ minLength: 3, pattern: '^a' }) })
    expect(flaws(both, { id: 'b' })).toHaveLength(1)
  })

  test('Flaws of a union are those of the variant that is meant, by its type or its `type` property.', () => {
    const union = Type.Union([
      obj({ type: Type.Literal('all') }),
      obj({ type: Type.Literal('list'), id: Id }),
      Type.String(),
    ])
    const of = (value: unknown) => flaws(obj({ at: union }), { at: value }).map(({ path }) => path)
    expect(of({ type: 'list', id: 0 })).toEqual(['/at/id'])
    expect(of({ type: 'all', id: 1 })).toEqual(['/at/id'])
    expect(of({ type: 'none' })).toEqual(['/at'])
    expect(of(5)).toEqual(['/at'])
  })

  test('A value that is no variant of a union gets all that is expected, and the description of the union.', () => {
    const messageOf = (schema: TSchema, value: unknown) => flaws(obj({ at: schema }), { at: value })[0]?.message
    const empty = Type.Literal('', { description: 'None' })
    expect(messageOf(nullable(Type.String()), 5)).toBe('Expected string or null.')
    expect(messageOf(nullable(enumOf(['a', 'b'])), 'c')).toBe('Expected a, b or null.')
    expect(messageOf(Type.Union([empty, Type.Integer()], { description: 'A size' }), 'x')).toBe(
      "Expected '' or integer (A size).",
    )
    expect(messageOf(nullable(Type.Union([Type.Literal(1), Type.Literal(2)])), 3)).toBe('Expected 1 or 2 or null.')
    expect(messageOf(nullable(obj({ at: Id })), [])).toBe('Expected object or null.')
    const typed = Type.Union([obj({ type: Type.Literal('all') }), obj({ type: Type.Literal('none') })])
    expect(messageOf(typed, { type: 'some' })).toBe('Expected one of the documented forms.')
    // Which of several variants is meant cannot be told.
    const twins = Type.Union([obj({ a: Id }), obj({ b: Id })])
    expect(flaws(obj({ at: twins }), { at: { c: 1 } })).toEqual([
      { path: '/at', message: 'Expected one of the documented forms.' },
    ])
  })

  test('A value that is checked is answered, or refused with its flaws.', () => {
    const value = { name: 'ab' }
    expect(check(Thing, value)).toBe(value)
    expect(refused(() => check(Thing, { name: '' }))).toEqual([
      'VALIDATION_FAILED',
      [{ path: '/name', message: 'Expected non-empty text.' }],
    ])
  })
})
