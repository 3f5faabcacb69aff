import { expect, test } from 'bun:test'
import { domainsUpToOrganization, isReserved, organizationalDomain, tagsOf, textsOf } from '../../src/mail/dns.ts'

const failing = (code: string) => async () => {
  throw Object.assign(new Error('refused'), { code })
}

test('A name without records has an empty list, and an unanswered look-up gives null.', async () => {
  expect(await textsOf(async () => [['v=spf1 ', '-all'], ['other']], 'a.net')).toEqual(['v=spf1 -all', 'other'])
  expect(await textsOf(failing('ENOTFOUND'), 'a.net')).toEqual([])
  expect(await textsOf(failing('ENODATA'), 'a.net')).toEqual([])
  expect(await textsOf(failing('ESERVFAIL'), 'a.net')).toBeNull()
})

test.each([
  ['news.harbour.net', 'harbour.net'],
  ['a.b.harbour.co.uk', 'harbour.co.uk'],
  ['harbour.com.br', 'harbour.com.br'],
  ['news.harbour.gov.sg', 'harbour.gov.sg'],
  ['a.harbour.k12.ca.us', 'harbour.k12.ca.us'],
  ['news.harbour.github.io', 'harbour.github.io'],
  ['co.uk', 'co.uk'],
])('The organization of %s registered %s.', (domain, organization) => {
  expect(organizationalDomain(domain)).toBe(organization)
})

test('A domain is looked up together with its parents, up to the one below the public suffix.', () => {
  expect(domainsUpToOrganization('a.news.harbour.co.uk')).toEqual([
    'a.news.harbour.co.uk',
    'news.harbour.co.uk',
    'harbour.co.uk',
  ])
  expect(domainsUpToOrganization('harbour.net')).toEqual(['harbour.net'])
})

test('Tags have names without regard to case, and values that may contain the sign =.', () => {
  expect([...tagsOf('V=DKIM1; p = MII= ;junk; t')]).toEqual([
    ['v', 'DKIM1'],
    ['p', 'MII='],
  ])
})

test('Names for tests and examples are reserved, and names that only look like them are not.', () => {
  expect(
    ['a.test', 'harbour.example', 'x.invalid', 'localhost', 'mail.localhost', 'example.com', 'a.example.org'].every(
      isReserved,
    ),
  ).toBe(true)
  expect(['Example.NET', 'a.example.net', 'b.EXAMPLE.com', 'Test'].every(isReserved)).toBe(true)
  expect(['test.de', 'myexample.com', 'example.de', 'contest', 'a.latest'].some(isReserved)).toBe(false)
})
