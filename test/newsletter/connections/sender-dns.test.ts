import { expect, test } from 'bun:test'
import { senderSetup } from '../../../src/newsletter/connections/sender-dns.ts'

type Sending = Parameters<typeof senderSetup>[0]
const OWN = {
  name: 'k._domainkey.harbour.net',
  value: 'v=DKIM1',
  key: { public_key: 'x' },
} as Sending['own_keys'][number]
const setup = (connection: Partial<Sending['connection']>, more: Partial<Sending> = {}) =>
  senderSetup({
    domain: 'harbour.net',
    own_keys: [OWN],
    ...more,
    connection: { provider: 'smtp', host: 'mail.relay.net', bounce_domain: '', dkim_selector: '', ...connection },
  })

test('A relay that only its operator knows keeps the return path, and this service signs for it.', () => {
  expect(setup({})).toMatchObject({
    domain: 'harbour.net',
    return_domain: 'harbour.net',
    keeps_return_path: true,
    provider_return_path: null,
    relay_host: 'mail.relay.net',
    expected_selector: null,
    selector_hint: null,
    own_keys: [OWN],
  })
  expect(setup({}).selectors).toContain('default')
  expect(setup({ provider: 'sandbox' })).toMatchObject({ keeps_return_path: true, relay_host: null, own_keys: [] })
})

test('A provider replaces the return path, unless it has a bounce domain, and signs by itself.', () => {
  expect(setup({ provider: 'sendgrid' })).toMatchObject({
    keeps_return_path: false,
    provider_return_path: null,
    relay_host: null,
    expected_selector: 's1',
    own_keys: [],
  })
  expect(setup({ provider: 'sendgrid', bounce_domain: 'b.harbour.net' })).toMatchObject({
    return_domain: 'b.harbour.net',
    keeps_return_path: true,
  })
})

test('SES and Postmark receive bounces themselves while there is no bounce domain.', () => {
  expect(setup({ provider: 'ses' }).provider_return_path).toEqual({ provider: 'SES', cname: null })
  expect(setup({ provider: 'ses' }).selector_hint).toContain('SES')
  expect(setup({ provider: 'postmark' }).provider_return_path).toEqual({
    provider: 'Postmark',
    cname: { name: 'pm-bounces.harbour.net', target: 'pm.mtasv.net' },
  })
  expect(setup({ provider: 'ses', bounce_domain: 'b.harbour.net' }).provider_return_path).toBeNull()
})

test('A selector that is known is the only one that is looked up, and then keys of this service do not count.', () => {
  for (const given of [setup({ dkim_selector: 'mine' }), setup({ dkim_selector: 'other' }, { selector: 'mine' })])
    expect(given).toMatchObject({ selectors: ['mine'], expected_selector: 'mine', own_keys: [] })
  const { selectors } = setup({ provider: 'sendgrid' })
  expect(selectors.slice(0, 3)).toEqual(['s1', 's2', 'default'])
  expect(new Set(selectors).size).toBe(selectors.length)
})

test('Keys are looked for where each provider publishes them, and then under the usual selectors.', () => {
  const usual = setup({ provider: 'ses' }).selectors
  expect(usual).toEqual([
    ...['default', 'mail', 'dkim', 'smtp', 'email', 's1', 's2', 'k1', 'k2', 'selector1', 'selector2', 'google'],
  ])
  for (const [provider, own] of [
    ['sendgrid', ['s1', 's2']],
    ['mailgun', ['mx', 'pic', 'krs', 'smtp', 'mailo', 'k1', 'email', 'pdk1', 'pdk2']],
    ['resend', ['resend']],
    ['brevo', ['brevo1', 'brevo2', 'mail']],
    ['postmark', []],
    ['smtp', []],
  ] as const) {
    const { selectors, expected_selector, selector_hint, provider_return_path } = setup({ provider })
    expect([provider, provider_return_path !== null]).toEqual([provider, provider === 'postmark'])
    expect([provider, selectors]).toEqual([provider, [...own, ...usual.filter((name) => !own.includes(name as never))]])
    expect([provider, expected_selector]).toEqual([provider, own[0] ?? null])
    expect([provider, selector_hint]).toEqual([provider, provider === 'postmark' ? expect.any(String) : null])
  }
  expect(setup({ provider: 'postmark' }).selector_hint).toContain('Postmark shows')
})
