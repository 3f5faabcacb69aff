import { describe, expect, test } from 'bun:test'
import { requireOwnForm, requireOwnOrigin } from '../../../src/http/core/origin.ts'
import type { Runtime } from '../../../src/runtime.ts'

const at = (base_url: string) => ({ base_url }) as Runtime
const service = at('https://masthead.example')
const request = (headers: Record<string, string>) => new Request('https://masthead.example/', { headers })

describe('a form with one of our tokens', () => {
  const accepts = (headers: Record<string, string>) => {
    try {
      requireOwnForm(service, request(headers))
      return true
    } catch {
      return false
    }
  }

  test('is accepted from our pages, also from one that sends no referrer', () => {
    expect(accepts({})).toBe(true)
    expect(accepts({ origin: 'https://masthead.example' })).toBe(true)
    expect(accepts({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(accepts({ origin: 'null' })).toBe(true)
  })

  test('is refused from a sibling host and from other sites', () => {
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect(accepts({ origin: 'null', 'sec-fetch-site': site })).toBe(false)
    }
    expect(accepts({ origin: 'https://blog.masthead.example', 'sec-fetch-site': 'same-site' })).toBe(false)
    expect(accepts({ origin: 'https://evil.example' })).toBe(false)
  })
})

test('a request with an origin comes from this service, whose loopback names count as one', () => {
  const check = (base_url: string, origin: string | null) => () => requireOwnOrigin(at(base_url), origin)
  for (const origin of [null, 'https://masthead.example']) check('https://masthead.example', origin)()
  for (const origin of [
    'null',
    'http://masthead.example',
    'https://masthead.example:8443',
    'https://masthead.example/',
  ])
    expect(check('https://masthead.example', origin)).toThrow('another site')
  check('http://localhost:3000', 'http://127.0.0.1:3000')()
  check('http://127.0.0.1:3000', 'http://[::1]:3000')()
  expect(check('http://localhost:3000', 'http://127.0.0.1:3001')).toThrow('another site')
  expect(check('https://masthead.example', 'https://localhost')).toThrow('another site')
})
