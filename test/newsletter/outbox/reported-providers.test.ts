import { expect, test } from 'bun:test'
import { REPORTED_PROVIDERS, reportedProvider } from '../../../src/newsletter/outbox/reported-providers.ts'

test('A domain is reported by its provider, and every other is one of the others.', () => {
  const domains = {
    ...{ 'gmail.com': 'gmail', 'live.de': 'outlook', 'aol.com': 'yahoo' },
    ...{ 'icloud.com': 'icloud', 'me.com': 'icloud', 'mac.com': 'icloud' },
    ...{ 'gmx.co.uk': 'gmx', 'gmx.net': 'gmx', 'web.de': 'gmx', 'mail.com': 'gmx' },
    ...{ 'proton.me': 'proton', 'protonmail.ch': 'proton', 'pm.me': 'proton' },
    ...{ 'a.example': 'other', 'xgmx.de': 'other', 'xicloud.com': 'other', 'me.company': 'other' },
    ...{ 'mail.company': 'other', 'web.design': 'other', 'pm.menu': 'other', 'proton.me.example': 'other' },
  }
  const found = Object.fromEntries(Object.keys(domains).map((domain) => [domain, reportedProvider(domain)]))
  expect(found).toEqual(domains)
  expect(REPORTED_PROVIDERS).toEqual(expect.arrayContaining(Object.values(found)))
})
