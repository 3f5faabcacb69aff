import { expect, test } from 'bun:test'
import type { Config } from '../../../../src/config.ts'
import { codePage, loginPage, openIdAddress } from '../../../../src/http/portal/pages/login-pages.ts'

const BACK = '/portal/oauth?a=1&b="2"'
const ENCODED = encodeURIComponent(BACK)
const ESCAPED = '/portal/oauth?a=1&amp;b=&quot;2&quot;'

const page = (more: Partial<Parameters<typeof loginPage>[0]> = {}, sign_up: Config['sign_up'] = 'open') => {
  const service = { base_url: 'https://masthead.example', config: { sign_up } as Config }
  return loginPage({ back: BACK, provider: null, passkeys: true, service, ...more }).text
}

test('The sign-in page leads back to where it was asked for, by a password, a passkey or the provider.', () => {
  const text = page({ provider: 'Quay & Co' })
  expect(text).toContain('<form method="post" action="/portal/login">')
  expect(text).toContain(`<input type="hidden" name="return" value="${ESCAPED}">`)
  expect(text).toContain(`data-passkey="https://masthead.example" data-return="${ESCAPED}"`)
  const here = { base_url: 'http://127.0.0.1:3000', config: { sign_up: 'open' } as Config }
  expect(page({ service: here })).toContain(
    `data-passkey-elsewhere hidden>\n      Passkeys work at one host name only: ` +
      `<a href="http://localhost:3000/portal/login?return=${ENCODED}">`,
  )
  expect(text).toContain(`href="/portal/openid?return=${ENCODED}">Sign in with Quay &amp; Co</a>`)
  expect(openIdAddress(BACK)).toBe(`/portal/openid?return=${ENCODED}`)
  expect(page()).not.toContain('/portal/openid')
})

test('The sign-in page keeps the address but not the password, and says why it refused.', () => {
  const text = page({ values: { email: 'ann@example.com', password: 'secret' }, refusal: 'Wrong <x>.' })
  expect(text).toMatch(/name="email"[^>]* value="ann@example\.com"/)
  expect(text).toMatch(/name="email"[^>]* autocomplete="username"/)
  expect(text).toMatch(/name="password"[^>]* autocomplete="current-password"/)
  expect(text).not.toContain('secret')
  const focused = (html: string) => html.match(/name="(\w+)"[^>]* autofocus/g)
  expect([focused(text)?.[0], focused(text)?.length]).toEqual([expect.stringMatching(/^name="password"/), 1])
  expect(focused(page())?.[0]).toStartWith('name="email"')
  expect(text).toContain('<p class="refusal" role="alert">Wrong &lt;x&gt;.</p>')
  expect(page()).not.toContain('<p class="refusal" role="alert">')
})

test('The sign-in page offers an account where anyone may have one, and passkeys where the service has a name.', () => {
  const offers = (sign_up: Config['sign_up']) => page({}, sign_up).includes(`href="/portal/sign-up?return=${ENCODED}"`)
  expect([offers('open'), offers('invited'), offers('closed')]).toEqual([true, false, false])
  const service = { base_url: 'https://192.0.2.1', config: { sign_up: 'open' } as Config }
  expect(page({ service })).not.toMatch(/data-passkey|<script/)
  expect(page({ passkeys: false })).not.toMatch(/data-passkey|<script/)
})

test('The page of the second factor carries the ticket and the way back, and its refusal.', () => {
  const text = codePage({ back: BACK, ticket: 'tick.et', refusal: 'Used already.' }).text
  expect(text).toContain('<form method="post" action="/portal/login/code">')
  expect(text).toContain(`<input type="hidden" name="return" value="${ESCAPED}">`)
  expect(text).toContain('<input type="hidden" name="ticket" value="tick.et">')
  expect(text).toMatch(/name="code"[^>]* autocomplete="one-time-code"/)
  expect(text).toContain('<p class="refusal" role="alert">Used already.</p>')
  expect(text).toContain(`href="/portal/login?return=${ENCODED}">Start again</a>`)
  expect(codePage({ back: BACK, ticket: 'x' }).text).not.toContain('<p class="refusal" role="alert">')
})
