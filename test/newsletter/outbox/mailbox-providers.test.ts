import { expect, test } from 'bun:test'
import { domainOf } from '../../../src/address.ts'
import { limitOfDomain, mailboxProviders } from '../../../src/newsletter/outbox/mailbox-providers.ts'

const NAMES = ['gmail', 'outlook', 'yahoo', 'school.example', 'a.school.example']
const HOUR = 3_600_000

/** Mail exchangers by domain; a domain without an entry gives no answer. Counts the look-ups. */
function resolver(records: Record<string, string[]>) {
  const asked: string[] = []
  return {
    asked,
    resolve: async (domain: string) => {
      asked.push(domain)
      if (!records[domain]) throw new Error('no answer')
      return records[domain].map((exchange) => ({ exchange }))
    },
  }
}

test('A domain belongs to a provider by its own name.', () => {
  const providers = [
    'googlemail.com',
    'live.co.uk',
    'msn.com',
    'ymail.com',
    'aol.de',
    'yahoo.co.jp',
    'gmail.com.example',
  ]
  expect(providers.map((domain) => limitOfDomain(domain, NAMES))).toEqual([
    'gmail',
    'outlook',
    'outlook',
    'yahoo',
    'yahoo',
    'yahoo',
    null,
  ])
  expect(limitOfDomain('gmail.com', ['yahoo'])).toBeNull()
})

test('The longest name that a domain is in holds.', () => {
  expect(limitOfDomain('school.example', NAMES)).toBe('school.example')
  expect(limitOfDomain('b.a.school.example', NAMES)).toBe('a.school.example')
  expect(limitOfDomain('preschool.example', NAMES)).toBeNull()
})

test('The mail exchangers decide for other domains, whatever their case.', async () => {
  const { resolve } = resolver({
    'one.example': ['ASPMX.L.Google.com'],
    'two.example': ['two-example.mail.protection.outlook.com'],
    'three.example': ['mta.am0.yahoodns.net'],
    'four.example': ['mx.school.example'],
    'both.example': ['mx.other.example', 'aspmx.l.google.com'],
    'five.example': [...Array(10).fill('mx.other.example'), 'aspmx.l.google.com'],
  })
  const found = await mailboxProviders(resolve).of(
    new Set([
      'one.example',
      'two.example',
      'three.example',
      'four.example',
      'both.example',
      'five.example',
      'none.example',
    ]),
    NAMES,
    0,
  )
  expect(Object.fromEntries(found)).toEqual({
    'one.example': 'gmail',
    'two.example': 'outlook',
    'three.example': 'yahoo',
    'four.example': 'school.example',
    'both.example': 'gmail',
    // Only the first ten exchangers are looked at.
    'five.example': null,
    'none.example': null,
  })
})

test('An answer of DNS holds for a day, a missing one for ten minutes.', async () => {
  const { resolve, asked } = resolver({ 'one.example': ['mx.google.com'] })
  const providers = mailboxProviders(resolve)
  const ask = async (now: number) => {
    asked.length = 0
    await providers.of(new Set(['gmail.com', 'one.example', 'none.example']), NAMES, now)
    return [...asked]
  }
  expect(await ask(0)).toEqual(['one.example', 'none.example'])
  expect(await ask(HOUR / 6 - 1)).toEqual([])
  expect(await ask(HOUR / 6)).toEqual(['none.example'])
  expect(await ask(24 * HOUR)).toEqual(['one.example', 'none.example'])
})

test('However many domains there are, each is asked for.', async () => {
  const domains = Array.from({ length: 102 }, (_, number) => `d${number}.example`)
  const { resolve, asked } = resolver({})
  await mailboxProviders(resolve).of(new Set(domains), NAMES, 0)
  expect(asked).toEqual(domains)
})

test('The domain of an address follows its last @.', () => {
  expect(domainOf('"a@b"@C.Example')).toBe('c.example')
})
