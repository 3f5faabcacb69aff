import { expect, test } from 'bun:test'
import { addressBySlug, siteAddress } from '../../src/sites/addresses.ts'

test('A site is at its domain, or at its slug below the service.', () => {
  expect(siteAddress({ slug: 'harbour', domain: 'harbour.example' }, 'http://s')).toBe('https://harbour.example')
  expect(siteAddress({ slug: 'harbour', domain: null }, 'http://s')).toBe('http://s/sites/harbour')
  expect(addressBySlug('http://s', 'harbour', '/a b')).toBe('http://s/sites/harbour/a%20b')
})
