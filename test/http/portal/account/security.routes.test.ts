import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createAuthenticator } from '../../../support/authenticator.ts'
import { messagesTo } from '../../../support/mailbox.ts'
import { codeAt } from '../../../support/one-time-codes.ts'
import { createWorld, PASSWORD, type World } from '../../../support/world.ts'
import { signIn } from '../../signed-in.ts'

let world: World
let cookie: string
beforeEach(async () => {
  world = await createWorld()
  cookie = await signIn(world, 'owner')
})
afterEach(() => world.close())

async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { cookie, ...(body && { 'Content-Type': 'application/json' }) }
  const answer = await world.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, ...((await answer.json()) as object) }
}
const state = () => call('GET', '/user/security')
const details = (path: string) => expect.arrayContaining([expect.objectContaining({ path })])

test('The state tells how long the session is confirmed, and whether the service can have passkeys.', async () => {
  const confirmed_until = '2026-01-15T09:10:00.000Z'
  const fresh = { status: 200, confirmed_until, is_confirmed: true, passkeys: [], passkeys_possible: true, totp: null }
  expect(await state()).toEqual(fresh)
  const runtime = world.service.runtime as { base_url: string }
  const { base_url } = runtime
  runtime.base_url = 'http://192.0.2.1'
  expect(await state()).toEqual({ ...fresh, passkeys_possible: false })
  runtime.base_url = base_url
})

test('A session is confirmed for ten minutes by the password, and a wrong one is refused at its field.', async () => {
  world.clock.advance(5 * 60_000)
  expect(await call('POST', '/user/confirm', { password: 'wrong password' })).toMatchObject({
    ...{ status: 400, error: 'invalid_request' },
    details: details('/password'),
  })
  const { confirmed_until } = await call('POST', '/user/confirm', { password: PASSWORD })
  expect([confirmed_until, (await state()).confirmed_until]).toEqual([
    '2026-01-15T09:15:00.000Z',
    '2026-01-15T09:15:00.000Z',
  ])
})

test('A confirmation ends after ten minutes.', async () => {
  await call('POST', '/user/confirm', { password: PASSWORD })
  world.clock.advance(10 * 60_000 - 1)
  expect(await state()).toMatchObject({ is_confirmed: true })
  world.clock.advance(1)
  expect(await state()).toMatchObject({ is_confirmed: false })
  await call('POST', '/user/confirm', { password: PASSWORD })
})

test('A passkey without a name is called one, tells when it was used, and is told of with its name.', async () => {
  const phone = createAuthenticator(world.url)
  const { options } = await call('POST', '/user/passkeys/options', {})
  const made = await call('POST', '/user/passkeys', { name: ' ', response: phone.create(options) })
  const passkey = {
    id: expect.stringMatching(/^psk_/),
    ...{ name: 'Passkey', created_on: '2026-01-15T09:00:00.000Z', last_used_on: null },
  }
  expect(made.passkey).toEqual(passkey)
  world.clock.advance(60_000)
  const { options: asked } = await call('POST', '/user/confirm/passkey/options', {})
  const response = phone.get(asked)
  const { confirmed_until } = await call('POST', '/user/confirm/passkey', { response })
  expect([confirmed_until, (await state()).confirmed_until]).toEqual([
    '2026-01-15T09:11:00.000Z',
    '2026-01-15T09:11:00.000Z',
  ])
  expect((await state()).passkeys).toEqual([{ ...passkey, last_used_on: '2026-01-15T09:01:00.000Z' }])
  expect(await call('POST', '/user/confirm/passkey', { response })).toMatchObject({ details: details('/response') })
  await call('DELETE', `/user/passkeys/${made.passkey.id}`)
  const told = (await messagesTo(world, 'owner@example.com')).slice(-2)
  expect(told.map(({ subject, text }) => [subject, text.includes('“Passkey”')])).toEqual([
    ['A passkey was added', true],
    ['A passkey was removed', true],
  ])
})

test('One-time codes tell since when they are on, and nothing turns off or replaces what is not there.', async () => {
  const absent = { status: 404, error: 'not_found', message: expect.stringContaining('second factor') }
  expect(await call('POST', '/user/totp/recovery-codes', {})).toMatchObject(absent)
  expect(await call('DELETE', '/user/totp')).toMatchObject(absent)
  const { secret, enrollment } = await call('POST', '/user/totp/enrollment', {})
  await call('POST', '/user/totp', { enrollment, code: codeAt(secret, world.clock.now()) })
  expect((await state()).totp).toEqual({ created_on: '2026-01-15T09:00:00.000Z', recovery_codes_left: 10 })
  expect((await call('DELETE', '/user/totp')).status).toBe(200)
  expect(await call('DELETE', '/user/totp')).toMatchObject(absent)
  const subjects = (await messagesTo(world, 'owner@example.com')).slice(-2).map(({ subject }) => subject)
  expect(subjects).toEqual(['One-time codes were turned on', 'One-time codes were turned off'])
})
