import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../support/tab.ts'
import { h } from 'preact'
import { ApiError } from '../../static/app/api/errors.ts'
import { confirmed } from '../../static/app/confirm-identity.ts'
import { ConfirmIdentity } from '../../static/app/shell/confirm-identity.tsx'

const tab = useTab()
const KEY = { id: 'k1', name: 'Phone', created_on: '2026-05-03T12:00:00.000Z', last_used_on: null }
const PASSWORD = 'Password of ada@example.com'
const refused = (code: string) => new ApiError(code, `It says ${code}.`, { status: 403 })

/** Begins what needs a confirmation until `proof` was answered well. */
async function begin(proof: string, answer: () => unknown = () => ({})) {
  const seen = { tries: 0, end: '' }
  let isProven = false
  tab.answers['GET /user/security'] ??= { passkeys: [], passkeys_possible: true, totp: null }
  tab.answers[proof] = async () => {
    const said = await answer()
    isProven = !(said instanceof Refusal)
    return said
  }
  await tab.draw(h(ConfirmIdentity, {}))
  expect(tab.body.querySelector('dialog')).toBeNull()
  const act = () => {
    seen.tries++
    return isProven ? Promise.resolve('done') : Promise.reject(refused('CONFIRMATION_REQUIRED'))
  }
  void confirmed(act).then(
    (end) => (seen.end = end),
    (error: Error) => (seen.end = error.message),
  )
  await tab.settled()
  return seen
}

/** What the browser has for passkeys. */
function device(get: () => Promise<unknown>) {
  const given = { PublicKeyCredential: { parseRequestOptionsFromJSON: (options: unknown) => ({ parsed: options }) } }
  Object.assign(globalThis, given)
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true })
  tab.atEnd(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  })
  tab.answers['GET /user/security'] = { passkeys: [KEY], passkeys_possible: true, totp: null }
  tab.answers['POST /user/confirm/passkey/options'] = { options: { challenge: 'c' } }
}

test('An action that the password confirms is done again, once.', async () => {
  const held = Promise.withResolvers<object>()
  const seen = await begin('POST /user/confirm', () => held.promise)
  expect([tab.text('dialog h2'), tab.has('Use a passkey')]).toEqual(['Is it you?', false])
  expect(tab.find<HTMLInputElement>('[autocomplete=username]').value).toBe('ada@example.com')
  await tab.type(PASSWORD, 'secret')
  await tab.submit('dialog form')
  expect([tab.button('Go on').getAttribute('aria-busy'), seen]).toEqual(['true', { tries: 1, end: '' }])
  held.resolve({})
  await tab.settled()
  expect(tab.sent('POST /user/confirm')).toEqual([{ password: 'secret' }])
  expect([tab.body.querySelector('dialog'), seen]).toEqual([null, { tries: 2, end: 'done' }])
})

test('A wrong password is told at its field, anything else above it, and the question stays.', async () => {
  const answers = [
    new Refusal(422, 'VALIDATION_FAILED', [{ path: '/password', message: 'That is another one.' }]),
    new Refusal(409, 'CONFLICT', undefined, 'Not now.'),
    {},
  ]
  const seen = await begin('POST /user/confirm', () => answers.shift())
  await tab.press('Go on')
  expect([tab.texts('.field-flaw'), tab.texts('.callout')]).toEqual([['That is another one.'], []])
  expect(tab.button('Go on').getAttribute('aria-busy')).not.toBe('true')
  await tab.press('Go on')
  expect([tab.texts('.field-flaw'), tab.text('.callout')]).toEqual([[], 'Not now.'])
  expect(seen).toEqual({ tries: 1, end: '' })
  await tab.press('Go on')
  expect([tab.body.querySelector('dialog'), seen.end]).toEqual([null, 'done'])
})

test('A person who closes the question gets the first refusal, and is asked anew the next time.', async () => {
  const seen = await begin('POST /user/confirm')
  await tab.type(PASSWORD, 'secret')
  await tab.press('Close')
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(seen).toEqual({ tries: 1, end: 'It says CONFIRMATION_REQUIRED.' })
  expect(tab.sent('POST /user/confirm')).toEqual([])
  await begin('POST /user/confirm')
  expect(tab.field(PASSWORD).value).toBe('')
  await tab.press('Close')
})

test('Two actions at once are confirmed by one answer, and given up by one.', async () => {
  for (const [name, end] of [
    ['Go on', 'done'],
    ['Close', 'It says CONFIRMATION_REQUIRED.'],
  ] as const) {
    const first = await begin('POST /user/confirm')
    // As while the code of the question is still being loaded.
    const tries = { count: 0 }
    const second = confirmed(() =>
      tries.count++ === 0 ? Promise.reject(refused('CONFIRMATION_REQUIRED')) : Promise.resolve('done'),
    ).catch((error: Error) => error.message)
    await tab.settled()
    await tab.press(name)
    expect([first.end, await Promise.race([second, tab.settled().then(() => 'waits')])]).toEqual([end, end])
    expect(tab.body.querySelector('dialog')).toBeNull()
  }
})

test('Another refusal, and what is no refusal at all, ask for no confirmation.', async () => {
  await tab.draw(h(ConfirmIdentity, {}))
  for (const error of [refused('FORBIDDEN'), new TypeError('It broke.')])
    expect(await confirmed(() => Promise.reject(error)).catch((thrown: unknown) => thrown)).toBe(error)
  expect(await confirmed(() => Promise.resolve(7))).toBe(7)
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('A passkey confirms as well as the password, and one that was not used is told.', async () => {
  const wanted: unknown[] = []
  device((...request: unknown[]) => {
    wanted.push(...request)
    return wanted.length === 1
      ? Promise.reject(new DOMException('left', 'NotAllowedError'))
      : Promise.resolve({ toJSON: () => ({ id: 'raw' }) })
  })
  const seen = await begin('POST /user/confirm/passkey')
  await tab.press('Use a passkey')
  expect(tab.text('.callout')).toBe('The passkey was not used. Try again, or use your password.')
  expect(seen).toEqual({ tries: 1, end: '' })
  await tab.press('Use a passkey')
  expect(wanted[1]).toEqual({ publicKey: { parsed: { challenge: 'c' } } })
  expect(tab.sent('POST /user/confirm/passkey')).toEqual([{ response: { id: 'raw' } }])
  expect([tab.body.querySelector('dialog'), seen]).toEqual([null, { tries: 2, end: 'done' }])
})

test('A passkey is offered to users who have one.', async () => {
  device(() => Promise.reject(new Error('Nobody asks.')))
  tab.answers['GET /user/security'] = { passkeys: [], passkeys_possible: true, totp: null }
  await begin('POST /user/confirm')
  expect([tab.has('Go on'), tab.has('Use a passkey')]).toEqual([true, false])
  await tab.press('Close')
})

test('While a confirmation is on its way a passkey cannot be asked for.', async () => {
  device(() => Promise.reject(new Error('Nobody asks.')))
  const held = Promise.withResolvers<object>()
  await begin('POST /user/confirm', () => held.promise)
  await tab.press('Go on')
  expect(tab.button('Use a passkey').getAttribute('aria-disabled')).toBe('true')
  held.resolve({})
  await tab.settled()
})
