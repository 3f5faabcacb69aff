import { expect, test } from 'bun:test'
import { REPORTED_PROVIDERS, reportedProvider } from '../../../src/newsletter/outbox/reported-providers.ts'

test('A domain is reported by its provider, and every other is one of the others.', () => {
  const domains = [
    'gmail.com',
    'live.de',
    'aol.com',
    'me.com',
    'web.de',
    'gmx.co.uk',
    'protonmail.ch',
    'pm.me',
    'a.example',
    'xgmx.de',
  ]
  expect(domains.map(reportedProvider)).toEqual([
    'gmail',
    'outlook',
    'yahoo',
    'icloud',
    'gmx',
    'gmx',
    'proton',
    'proton',
    'other',
    'other',
  ])
  expect(domains.map(reportedProvider).every((provider) => REPORTED_PROVIDERS.includes(provider))).toBe(true)
})
