import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import { h } from 'preact'
import type { PageProps } from '../../../static/app/page-props.ts'
import { atLocalhost } from '../../../static/app/passkey-address.ts'
import SecurityPage from '../../../static/app/account/security.tsx'
import { ConfirmIdentity } from '../../../static/app/shell/confirm-identity.tsx'

const tab = useTab({ scope: '/portal/account', project: null })
const AT = '2026-05-03T12:00:00.000Z'
const KEY = { id: 'k1', name: 'Phone', created_on: AT, last_used_on: null }
const asked = () => tab.calls.filter(({ name }) => name === 'GET /user/security').length
async function open(security: object = {}, asksWho = false) {
  tab.answers['GET /user/security'] = { passkeys: [], passkeys_possible: true, totp: null, ...security }
  const Page = (props: PageProps) => h('div', null, h(SecurityPage, props), h(ConfirmIdentity, null))
  await tab.open(asksWho ? Page : SecurityPage, '/security')
}
/** Whether the page came over an encrypted connection, or from this machine. */
function secure(isSecureContext: boolean) {
  Object.assign(window, { isSecureContext })
  tab.atEnd(() => Reflect.deleteProperty(window, 'isSecureContext'))
}
/** What the browser has for passkeys. */
function device(create: () => Promise<unknown>) {
  secure(true)
  const own = globalThis as Record<string, unknown>
  own['PublicKeyCredential'] = { parseCreationOptionsFromJSON: (options: unknown) => options }
  Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true })
  tab.atEnd(() => {
    delete own['PublicKeyCredential']
    Reflect.deleteProperty(navigator, 'credentials')
  })
  tab.answers['POST /user/passkeys/options'] = { options: {} }
  tab.answers['POST /user/passkeys'] = ({ name }: { name: string }) => ({ passkey: { ...KEY, name } })
}

test('A passkey is made under its name, and stands in the list.', async () => {
  device(() => Promise.resolve({ toJSON: () => ({ id: 'raw' }) }))
  await open()
  expect(tab.body.querySelector('table')).toBeNull()
  await tab.type('Name of the new passkey', 'Phone')
  tab.answers['GET /user/security'] = { passkeys: [KEY], passkeys_possible: true, totp: null }
  await tab.press('Add a passkey')
  expect(tab.sent('POST /user/passkeys')).toEqual([{ name: 'Phone', response: { id: 'raw' } }])
  expect(tab.field('Name of the new passkey').value).toBe('')
  expect(rowsOf(tab, 'Passkeys')[0]!.slice(0, 3)).toEqual(['Phone', '3 May 2026', 'Not yet'])
})

test('Why no passkey was made is said.', async () => {
  device(() => Promise.reject(new DOMException('known', 'InvalidStateError')))
  await open()
  await tab.press('Add a passkey')
  expect(tab.text()).toContain('This device has a passkey for your account already.')
  device(() => Promise.reject(new DOMException('left', 'NotAllowedError')))
  await tab.press('Add a passkey')
  expect(tab.text()).toContain('No passkey was made. Try again.')
  expect(tab.sent('POST /user/passkeys')).toEqual([])
})

test('Without passkeys in the browser, the connection or the service, that is said.', async () => {
  secure(false)
  await open()
  expect(tab.text()).toContain('on encrypted connections only, and this page is open at https://masthead.example.')
  secure(true)
  await open()
  expect(tab.text()).toContain('This browser has no passkeys.')
  device(() => Promise.resolve(null))
  await open({ passkeys_possible: false })
  expect(tab.text()).toContain('the address of this service is a number: https://masthead.example.')
  expect(tab.text()).toContain('MASTHEAD_BASE_URL')
  expect(tab.has('Add a passkey')).toBe(false)
})

test('A page at a numeric address of this machine leads to the one at localhost.', () => {
  const named = (host: string) => atLocalhost(`http://${host}:8787/portal/account/security?a=1`)
  for (const host of ['127.0.0.1', '127.1.2.3', '[::1]'])
    expect(named(host)).toBe('http://localhost:8787/portal/account/security?a=1')
  for (const host of ['localhost', '192.0.2.1', '127.0.0.1.example']) expect(named(host)).toBeNull()
})

test('A passkey is removed once that is confirmed, and the last one leaves the password.', async () => {
  tab.answers['DELETE /user/passkeys/k1'] = {}
  await open({ passkeys: [KEY, { ...KEY, id: 'k2', name: 'Desk', last_used_on: AT }] })
  expect(rowsOf(tab, 'Passkeys')[1]![2]).toBe('3 May 2026')
  await tab.press('Remove… Desk')
  expect(tab.text('dialog')).toContain('Your other passkeys stay.')
  await tab.press('Not now')
  await open({ passkeys: [KEY] })
  await tab.press('Remove… Phone')
  expect(tab.text('dialog')).toContain('You then sign in with your password.')
  const before = asked()
  await tab.press('Remove 1 passkey')
  expect(tab.calls.some(({ name }) => name === 'DELETE /user/passkeys/k1')).toBe(true)
  expect(asked()).toBe(before + 1)
})

const ENROLLMENT = { secret: 'ABCDEFGHIJ', qr_svg: '<svg/>', enrollment: 'e1' }
const CODES = ['one', 'two']

test('One-time codes are set up with the first code, and recovery codes are shown once.', async () => {
  tab.answers['POST /user/totp/enrollment'] = ENROLLMENT
  tab.answers['POST /user/totp'] = new Refusal(422, 'VALIDATION', undefined, 'That is not the code.')
  await open()
  await tab.press('Set up one-time codes')
  expect(tab.text('dialog .code code')).toBe('ABCD EFGH IJ')
  expect(tab.find('img').getAttribute('src')).toBe('data:image/svg+xml,%3Csvg%2F%3E')
  await tab.type('Code', ' 123456 ')
  await tab.press('Turn on')
  expect(tab.text('dialog')).toContain('That is not the code.')
  tab.answers['POST /user/totp'] = { recovery_codes: CODES }
  await tab.press('Turn on')
  expect(tab.sent('POST /user/totp')[1]).toEqual({ enrollment: 'e1', code: '123456' })
  expect(tab.texts('dialog h2')).toEqual(['Your recovery codes'])
  expect(tab.text('dialog .code code')).toBe('one two')
  expect(asked()).toBe(2)
  await tab.press('I have stored them')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('New recovery codes are made, and codes are turned off, once that is confirmed.', async () => {
  const totp = { created_on: AT, recovery_codes_left: 1 }
  tab.answers['POST /user/totp/recovery-codes'] = { recovery_codes: CODES }
  tab.answers['DELETE /user/totp'] = {}
  await open({ totp })
  expect(tab.text()).toContain('On since 3 May 2026')
  expect(tab.text()).toContain('1 recovery code is left of 10.')
  await tab.press('Make new recovery codes…')
  await tab.press('Make 10 recovery codes')
  expect(tab.text('dialog .code code')).toBe('one two')
  await tab.press('I have stored them')
  await tab.press('Turn one-time codes off…')
  await tab.press('Turn off')
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(tab.sent('DELETE /user/totp')).toHaveLength(1)
  expect(asked()).toBe(3)
})

test('Setting up is left without a trace, and a refusal to begin is told.', async () => {
  tab.answers['POST /user/totp/enrollment'] = ENROLLMENT
  await open()
  await tab.press('Set up one-time codes')
  await tab.press('Not now')
  expect(tab.body.querySelector('dialog')).toBeNull()
  tab.answers['POST /user/totp/enrollment'] = new Refusal(409, 'CONFLICT', undefined, 'They are on.')
  await tab.press('Set up one-time codes')
  expect(tab.text()).toContain('They are on.')
})

test('Each change of one-time codes asks who it is, and goes on once that is proven.', async () => {
  let isProven = false
  const guarded = (answer: object) => () => {
    const wasProven = isProven
    isProven = false
    return wasProven ? answer : new Refusal(403, 'CONFIRMATION_REQUIRED')
  }
  Object.assign(tab.answers, {
    'POST /user/confirm': () => ((isProven = true), {}),
    'POST /user/totp/enrollment': guarded(ENROLLMENT),
    'POST /user/totp': guarded({ recovery_codes: CODES }),
    'POST /user/totp/recovery-codes': guarded({ recovery_codes: CODES }),
    'DELETE /user/totp': guarded({}),
  })
  const proven = async (verb: string) => {
    await tab.press(verb)
    expect([verb, tab.texts('dialog h2').at(-1)]).toEqual([verb, 'Is it you?'])
    await tab.press('Go on')
  }
  await open({}, true)
  await proven('Set up one-time codes')
  await proven('Turn on')
  await tab.press('I have stored them')
  await open({ totp: { created_on: AT, recovery_codes_left: 2 } }, true)
  expect(tab.text()).toContain('2 recovery codes are left of 10.')
  await tab.press('Make new recovery codes…')
  await proven('Make 10 recovery codes')
  await tab.press('I have stored them')
  await tab.press('Turn one-time codes off…')
  await proven('Turn off')
  expect([tab.body.querySelector('dialog'), tab.sent('POST /user/confirm').length]).toEqual([null, 4])
})

test('A question about one-time codes is closed without a change.', async () => {
  await open({ totp: { created_on: AT, recovery_codes_left: 2 } })
  for (const [ask, title] of [
    ['Make new recovery codes…', 'Make new recovery codes?'],
    ['Turn one-time codes off…', 'Turn one-time codes off?'],
  ] as const) {
    await tab.press(ask)
    expect(tab.texts('dialog h2')).toEqual([title])
    await tab.press('Not now')
    expect(tab.body.querySelector('dialog')).toBeNull()
  }
  expect(tab.calls.map(({ name }) => name)).toEqual(['GET /user/security'])
})

test('A password changes with both, after which they are gone from the page.', async () => {
  tab.answers['POST /user/password/change'] = new Refusal(422, 'VALIDATION', undefined, 'It is too short.')
  await open()
  const said = 'Type both passwords first.'
  expect(tab.text()).toContain(said)
  await tab.type('New password', 'b')
  expect(tab.text()).toContain(said)
  await tab.type('Present password', 'a')
  expect(tab.text()).not.toContain(said)
  await tab.press('Change the password')
  expect(tab.text()).toContain('It is too short.')
  expect(tab.field('New password').value).toBe('b')
  tab.answers['POST /user/password/change'] = {}
  await tab.press('Change the password')
  expect(tab.sent('POST /user/password/change')[1]).toEqual({ current_password: 'a', password: 'b' })
  expect([tab.field('Present password').value, tab.field('New password').value, asked()]).toEqual(['', '', 2])
})

test('Ways to sign in that cannot be loaded are asked for again.', async () => {
  tab.answers['GET /user/security'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(SecurityPage, '/security')
  expect(tab.text()).toContain('Your ways to sign in could not be loaded.')
  expect(tab.has('Change the password')).toBe(true)
})
