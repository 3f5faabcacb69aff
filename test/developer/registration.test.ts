import { describe, expect, test } from 'bun:test'
import {
  checkRedirectUris,
  checkScopeReasons,
  checkScopes,
  MAX_REDIRECT_URIS,
} from '../../src/developer/registration.ts'
import type { AppError } from '../../src/errors.ts'

const flawOf = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return (error as AppError & { details: { path: string }[] }).details[0]!.path
  }
}

describe('redirect addresses', () => {
  const confidential = (address: string) => flawOf(() => checkRedirectUris([address], 'confidential'))
  const forPublic = (address: string) => flawOf(() => checkRedirectUris([address], 'public'))

  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/callback?from=masthead',
    'https://[2001:db8::1]/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:3000/callback',
    'http://[::1]:3000/callback',
    'http://localhost:3000',
  ])('A redirect address of every app may be %s.', (address) => {
    expect([confidential(address), forPublic(address)]).toEqual([null, null])
  })

  test.each([
    '',
    'callback',
    '//app.example/callback',
    'https://',
    'https:///callback',
    'https://app.example/callback#part',
    'https://*.app.example/callback',
    'https://app.example/*/callback',
    'https://app.example/*',
    'https://user@app.example/callback',
    'https://user:password@app.example/callback',
    'https://app.example\\@evil.example/',
    'https://app.example/a b',
    'https://äpp.example/',
    'https://app.example:99999/',
    'http://app.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://localhost@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.example/',
    `https://app.example/${'x'.repeat(2000)}`,
  ])('A redirect address of no app may be %p.', (address) => {
    expect([confidential(address), forPublic(address)]).toEqual(['/redirect_uris/0', '/redirect_uris/0'])
  })

  test('A redirect address with a scheme of its own is for public apps only.', () => {
    expect([confidential('com.example.app:/callback'), forPublic('com.example.app:/callback')]).toEqual([
      '/redirect_uris/0',
      null,
    ])
  })

  test('Redirect addresses are limited in number, and stored without duplicates.', () => {
    const many = Array.from({ length: MAX_REDIRECT_URIS }, (_, index) => `https://app.example/${index}`)
    expect(checkRedirectUris([...many, many[0]!], 'confidential')).toEqual(many)
    expect(flawOf(() => checkRedirectUris([...many, 'https://app.example/more'], 'confidential'))).toBe(
      '/redirect_uris',
    )
    expect(flawOf(() => checkRedirectUris([many[0]!, 'http://app.example'], 'confidential'))).toBe('/redirect_uris/1')
  })
})

test('Scopes exist, and are stored without duplicates.', () => {
  expect(checkScopes(['scripts:read', 'scripts:read', 'scripts:embed'])).toEqual(['scripts:read', 'scripts:embed'])
  expect(flawOf(() => checkScopes(['scripts:read', 'scripts:all']))).toBe('/scopes/1')
  expect(flawOf(() => checkScopes(['toString']))).toBe('/scopes/0')
})

test('Reasons belong to a scope of the app and have 1 to 500 characters.', () => {
  expect(checkScopeReasons({ 'scripts:read': 'To look.' }, ['scripts:read'])).toEqual({ 'scripts:read': 'To look.' })
  const longest = { 'scripts:read': 'x'.repeat(500) }
  expect(checkScopeReasons(longest, ['scripts:read'])).toEqual(longest)
  expect(flawOf(() => checkScopeReasons({ 'scripts:embed': 'To add.' }, ['scripts:read']))).toBe('/scope_reasons')
  for (const reason of ['', ' \n', 'x'.repeat(501)])
    expect(flawOf(() => checkScopeReasons({ 'scripts:read': reason }, ['scripts:read']))).toBe(
      '/scope_reasons/scripts:read',
    )
})
