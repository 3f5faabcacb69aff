import { expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { declaredRoutes } from '../../../src/http/routes.ts'
import { operations } from '../../../src/newsletter/operations.ts'
import { flaws } from '../../../src/schema.ts'
import { readError } from '../../../static/app/api/errors.ts'
import { flawSentence, pathWords, plainTimes } from '../../../static/app/api/flaw-words.ts'

/** Values that most schemas refuse, each for another reason. */
const WRONG = [undefined, null, '', ' ', 'x\u0000y', 'not an address', 'x'.repeat(70_000), -1, 1.5, 10 ** 16, true]
const LISTS = [[], ['', ''], Array.from({ length: 3_000 }, (_, n) => n), [{}], {}, { unknown: 1 }]

/** Everything that the service says of a wrong value in a request. */
function everyMessage(): string[] {
  const requests: TSchema[] = [
    ...operations.map(({ request }) => request),
    ...declaredRoutes().flatMap(({ body }) => (body ? [body as TSchema] : [])),
  ]
  const properties = requests.flatMap((schema) => Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
  const messages = properties.flatMap(([, schema]) => [...WRONG, ...LISTS].flatMap((value) => flaws(schema, value)))
  return [...new Set(messages.map(({ message = '' }) => message))]
}

test('No word of a schema reaches people, whatever they typed into a form.', () => {
  const messages = everyMessage()
  expect(messages.length).toBeGreaterThan(50)
  const raw = messages.filter((message) =>
    /Expected|string|format|property|object|[a-z]_[a-z]|\\|\^/.test(flawSentence(message)),
  )
  expect(raw).toEqual([])
  expect(messages.map(flawSentence).filter((words) => !/^[A-Z].*[^.]\.$/.test(words))).toEqual([])
})

test.each([
  ["Expected string to match 'idn-email' format.", 'Write an email address, such as ada@example.com.'],
  ['Expected an email address whose domain is valid.', 'After the @ stands a name such as example.com.'],
  ['Required.', 'Fill this in.'],
  ['Expected at most 25 characters (a name).', 'Use at most 25 characters.'],
  ['Expected integer or null to be less or equal to 65535.', 'Write a number of at most 65,535.'],
  ['Expected a time in the past.', 'Write a time in the past.'],
  [
    String.raw`Expected '' or string to match '^https?://[^\s/?#]+\S*$' (An http or https address).`,
    'Write a web address, such as https://example.com.',
  ],
  ['There is no such list.', 'There is no such list.'],
])('The message "%s" becomes "%s".', (message, words) => {
  expect(flawSentence(message)).toStartWith(words)
})

test('A field is called as on its page, with its place in a list.', () => {
  const named = ['/redirect_uris/0', '/postal_address', '/editor_json/blocks/3/props/href', '/displayName', '', '/0']
  expect(named.map(pathWords)).toEqual(['Redirect address 1', 'Postal address', 'Block 4, link', 'Name', '', ''])
})

test('Times are written as people write them.', () => {
  expect(plainTimes('It waits until 2026-05-03T12:30:00.000Z.')).toBe('It waits until 3 May 2026, 12:30.')
  expect(plainTimes('Version 2026-05-03 stays.')).toBe('Version 2026-05-03 stays.')
})

test('A refusal for one flaw says it, one for several says where to look, and a list tells which value.', async () => {
  const refusal = (...details: { path: string; message: string }[]) =>
    readError(new Response(null, { status: 400 }), {
      error: { code: 'X', message: 'The request is not valid.', details },
    })
  const one = await refusal({ path: '/redirect_uris/1', message: "Expected string to match 'uri' format." })
  expect(one.message).toBe('Redirect address 2: Write a web address, such as https://example.com.')
  expect(one.flawIn('/redirect_uris')).toBe(one.message)
  expect([one.flawIn('/name'), one.flawOf('/redirect_uris')]).toEqual([null, null])
  const several = await refusal({ path: '/name', message: 'Required.' }, { path: '/email', message: 'Required.' })
  expect([several.message, several.flawIn('/name')]).toEqual(['Some of what was typed is not right.', 'Fill this in.'])
  // The platform appends the first flaw to its message.
  const message = 'The request is not valid. consent.text: Required.'
  const details = [{ path: '/consent/text', message: 'Required.' }]
  const platform = await readError(new Response(null, { status: 400 }), { error: 'invalid_request', message, details })
  expect(platform.message).toBe('Text: Fill this in.')
})
