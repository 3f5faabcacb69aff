import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { relyingParty, usePasskey } from '../../src/accounts/passkeys.ts'
import { disableUser } from '../../src/accounts/users.ts'
import { passkeys } from '../../src/store/tables/sign-in.ts'
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts'
import { messagesTo } from '../support/mailbox.ts'
import { newUser, NOW, write } from '../support/shared-store.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'
import { cookieOf, post, signIn } from '../http/signed-in.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

async function json(path: string, body: unknown = {}, cookie = ''): Promise<any> {
  const answer = await post(world, path, body, { cookie })
  return { status: answer.status, ...((await answer.json()) as object) }
}

async function add(cookie: string, name = 'Phone', counter = 1): Promise<Authenticator & { id: string }> {
  const authenticator = Object.assign(createAuthenticator(world.url), { counter })
  const { options } = await json('/user/passkeys/options', {}, cookie)
  const { status, passkey } = await json('/user/passkeys', { name, response: authenticator.create(options) }, cookie)
  expect(status).toBe(200)
  world.clock.advance(1)
  return Object.assign(authenticator, { id: passkey.id as string })
}

async function answer(authenticator: Authenticator): Promise<object> {
  return authenticator.get((await json('/user/login/passkey/options')).options)
}

const enter = async (authenticator: Authenticator) =>
  (await json('/user/login/passkey', { response: await answer(authenticator) })).status

test('A passkey is discoverable, verifies its user, and signs in without a password or a code.', async () => {
  const cookie = await signIn(world, 'owner')
  const { options } = await json('/user/passkeys/options', {}, cookie)
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Masthead' },
    user: { name: 'owner@example.com', displayName: 'owner' },
    timeout: 300_000,
    excludeCredentials: [],
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const phone = await add(cookie)
  const again = (await json('/user/passkeys/options', {}, cookie)).options
  expect(again.excludeCredentials).toMatchObject([{ type: 'public-key' }])
  const response = await answer(phone)
  const wake = spyOn(world.service.runtime, 'wake')
  const done = await post(world, '/user/login/passkey', { response })
  expect(wake.mock.calls).toEqual([['mail']])
  wake.mockRestore()
  expect(await done.json()).toMatchObject({ user: { email: 'owner@example.com' } })
  expect((await world.fetch('/user/me', { headers: { cookie: cookieOf(done) } })).status).toBe(200)
})

test('A passkey may be one of several with names, and a removed one no longer works.', async () => {
  const cookie = await signIn(world, 'editor')
  const [phone, laptop] = [await add(cookie, 'Phone'), await add(cookie, 'Laptop')]
  expect([await enter(phone), await enter(laptop)]).toEqual([200, 200])
  const { passkeys } = (await (await world.fetch('/user/security', { headers: { cookie } })).json()) as any
  expect(passkeys.map(({ name }: any) => name)).toEqual(['Phone', 'Laptop'])
  const remove = (id: string, as: string) =>
    world.fetch(`/user/passkeys/${id}`, { method: 'DELETE', headers: { cookie: as } })
  expect((await remove(phone.id, await signIn(world, 'member'))).status).toBe(404)
  expect((await remove(phone.id, cookie)).status).toBe(200)
  expect([await enter(phone), await enter(laptop)]).toEqual([401, 200])
  const subjects = (await messagesTo(world, 'editor@example.com')).map(({ subject }) => subject)
  expect(subjects).toEqual(expect.arrayContaining(['A passkey was added', 'A passkey was removed']))
})

test('A passkey answers a challenge once, within five minutes, and only one of the same kind.', async () => {
  const cookie = await signIn(world, 'owner')
  const phone = await add(cookie)
  const response = await answer(phone)
  expect((await json('/user/login/passkey', { response })).status).toBe(200)
  expect((await json('/user/login/passkey', { response })).status).toBe(401)
  const late = await answer(phone)
  world.clock.advance(5 * 60_000)
  expect((await json('/user/login/passkey', { response: late })).status).toBe(401)
  const confirming = phone.get((await json('/user/confirm/passkey/options', {}, cookie)).options)
  expect((await json('/user/login/passkey', { response: confirming })).status).toBe(401)
  const forged = phone.get({ challenge: Buffer.from('challenge').toString('base64url') })
  expect((await json('/user/login/passkey', { response: forged })).status).toBe(401)
})

test('A passkey without a counter works, and no answer of it works twice.', async () => {
  const phone = await add(await signIn(world, 'owner'), 'Synced', 0)
  for (let time = 0; time < 2; time++) {
    phone.counter = 0
    const response = await answer(phone)
    const statuses = [await json('/user/login/passkey', { response }), await json('/user/login/passkey', { response })]
    expect(statuses.map(({ status }) => status)).toEqual([200, 401])
  }
})

test('A passkey that names another user than its own is refused.', async () => {
  const phone = await add(await signIn(world, 'owner'))
  const response: any = await answer(phone)
  const userHandle = Buffer.from(world.users.editor).toString('base64url')
  const spoiled = { ...response, response: { ...response.response, userHandle } }
  expect((await json('/user/login/passkey', { response: spoiled })).status).toBe(401)
  expect((await json('/user/login/passkey', { response })).status).toBe(200)
})

test('A passkey is refused beyond the twentieth of an account.', async () => {
  const { store } = world.service.runtime
  const cookie = await signIn(world, 'outsider')
  const { options } = await json('/user/passkeys/options', {}, cookie)
  const row = { user_id: world.users.outsider, public_key: '', counter: 0, transports: [], name: 'x', created_at: 0 }
  await store.write((tx) =>
    tx
      .insert(passkeys)
      .values(Array.from({ length: 20 }, (_, index) => ({ id: `psk_${index}`, credential_id: `${index}`, ...row }))),
  )
  expect((await json('/user/passkeys/options', {}, cookie)).status).toBe(409)
  const response = createAuthenticator(world.url).create(options)
  expect((await json('/user/passkeys', { name: 'x', response }, cookie)).status).toBe(409)
})

test('A passkey whose counter does not grow is taken for a copy.', async () => {
  const phone = await add(await signIn(world, 'owner'))
  phone.counter = 10
  expect(await enter(phone)).toBe(200)
  phone.counter = 10
  expect(await enter(phone)).toBe(401)
  phone.counter = 11
  expect(await enter(phone)).toBe(200)
})

test('A passkey does not sign in without the verification of its user, nor a disabled user.', async () => {
  const { store } = world.service.runtime
  const phone = await add(await signIn(world, 'administrator'))
  phone.verifies_user = false
  expect(await enter(phone)).toBe(401)
  phone.verifies_user = true
  expect(await enter(phone)).toBe(200)
  await store.write((tx) => disableUser(tx, world.users.administrator, world.clock.now()))
  expect(await enter(phone)).toBe(401)
})

test('A passkey is not added with the answer to a challenge of another user, nor twice.', async () => {
  const [owner, editor] = [await signIn(world, 'owner'), await signIn(world, 'editor')]
  const { options } = await json('/user/passkeys/options', {}, owner)
  const response = createAuthenticator(world.url).create(options)
  expect((await json('/user/passkeys', { name: 'x', response }, editor)).status).toBe(400)
  expect((await json('/user/passkeys', { name: 'x', response }, owner)).status).toBe(200)
  expect((await json('/user/passkeys', { name: 'x', response }, owner)).status).toBe(400)
})

test('A passkey confirms the session of its own user only.', async () => {
  const [owner, editor] = [await signIn(world, 'owner'), await signIn(world, 'editor')]
  const phone = await add(owner)
  world.clock.advance(10 * 60_000)
  expect(await json('/user/passkeys/options', {}, owner)).toMatchObject({
    status: 403,
    error: 'confirmation_required',
  })
  const confirm = async (cookie: string, asked = cookie) => {
    const { options } = await json('/user/confirm/passkey/options', {}, asked)
    return (await json('/user/confirm/passkey', { response: phone.get(options) }, cookie)).status
  }
  expect([await confirm(editor), await confirm(editor, owner), await confirm(owner)]).toEqual([400, 400, 200])
  expect((await json('/user/passkeys/options', {}, owner)).status).toBe(200)
  expect((await json('/user/passkeys/options', {}, editor)).status).toBe(403)
})

test('A passkey answers for nonsense as for an unknown credential.', async () => {
  for (const response of [{}, { id: 1 }, { id: 'x' }, { id: 'x', response: {} }, { id: 'x', response: null }])
    expect((await json('/user/login/passkey', { response })).status).toBe(401)
})

test('A sign-in counts as fresh for ten minutes.', async () => {
  const cookie = await signIn(world, 'owner')
  world.clock.advance(10 * 60_000 - 1)
  expect((await json('/user/passkeys/options', {}, cookie)).status).toBe(200)
  world.clock.advance(1)
  expect((await json('/user/passkeys/options', {}, cookie)).status).toBe(403)
})

test('Failed passkeys count for the address, with a growing pause.', async () => {
  const strict = await createWorld({ logins_per_minute: 4 })
  const tries = async () => {
    const answer = await post(strict, '/user/login/passkey', { response: {} })
    return answer.status === 429 ? Number(answer.headers.get('retry-after')) : answer.status
  }
  expect([await tries(), await tries(), await tries(), await tries(), await tries()]).toEqual([401, 401, 401, 401, 60])
  strict.clock.advance(60_000)
  expect([await tries(), await tries()]).toEqual([401, 120])
  await strict.close()
})

test('The service names itself by its host, this machine as localhost, and no other IP address.', () => {
  expect(relyingParty('https://masthead.example:8443')).toEqual({
    id: 'masthead.example',
    origin: 'https://masthead.example:8443',
  })
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    expect(relyingParty(`http://${host}:8787`)).toEqual({ id: 'localhost', origin: 'http://localhost:8787' })
  for (const url of ['http://192.0.2.1', 'https://[2001:db8::1]:8443']) expect(relyingParty(url)).toBeNull()
})

test('A password still signs in beside a passkey.', async () => {
  await add(await signIn(world, 'member'))
  expect((await json('/user/login', { email: 'member@example.com', password: PASSWORD })).status).toBe(200)
})

test('Of two answers of one passkey that were verified together, one is used.', async () => {
  const user_id = await newUser()
  const row = { id: 'psk_together', credential_id: 'together', public_key: '', transports: [], name: 'x', counter: 3 }
  const answer = async (challenge: string) =>
    write((tx) => usePasskey(tx, { passkey: passkey!, challenge, counter: 4 }, NOW))
  const [passkey] = await write((tx) =>
    tx
      .insert(passkeys)
      .values({ ...row, user_id, created_at: NOW })
      .returning(),
  )
  expect([await answer('one'), await answer('other')]).toEqual([true, false])
})
