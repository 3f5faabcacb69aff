import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { hashNewPassword } from '../../../../src/accounts/passwords.ts'
import { users } from '../../../../src/store/tables/accounts.ts'
import { tokenFor } from '../../../support/mailbox.ts'
import { closeWorlds, createWorld, type World } from '../../../support/world.ts'
import { cookieOf, post, signIn } from '../../signed-in.ts'

let world: World
beforeEach(async () => {
  world = await createWorld({ sign_up: 'open' })
})
afterEach(closeWorlds)

const SIGN_UP = '/portal/sign-up'
const EMAIL = '/portal/email'
const RESET = '/portal/reset'
const addressOf = (email: string) => ({ email, email_key: email })
async function send(path: string, values: Record<string, string>, origin = world.url) {
  const answer = await world.fetch(path, {
    method: 'POST',
    headers: { Origin: origin },
    body: new URLSearchParams(values),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text(), answer }
}
async function open(path: string) {
  const answer = await world.fetch(path)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('Forms of other sites make no account and confirm no address.', async () => {
  for (const path of [SIGN_UP, EMAIL])
    expect((await send(path, { email: 'new@example.com', token: 'x' }, 'https://evil.example')).status).toBe(403)
})

test('The form of a sign-up says when there were too many, and keeps what was typed.', async () => {
  const limits = world.service.runtime.config as { logins_per_minute: number }
  const usual = limits.logins_per_minute
  limits.logins_per_minute = 2
  const ask = () => send(SIGN_UP, { email: 'hasty@example.com' })
  expect((await ask()).status).toBe(200)
  const { status, headers, text } = await ask()
  limits.logins_per_minute = usual
  expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  expect(text).toMatch(/<p class="refusal" role="alert">[^<]*(?:many|later|minute)/i)
  expect(text).toMatch(/name="email"[^>]* value="hasty@example\.com"/)
})

test('The page of a link to a new account keeps its address to itself, and the account gets its names.', async () => {
  await send(SIGN_UP, { email: 'new@example.com' })
  const token = await tokenFor(world, 'new@example.com', 'sign-up')
  const page = await open(`${SIGN_UP}?token=${token}`)
  const refused = await send(SIGN_UP, { token, password: 'short' })
  expect([page.status, refused.status]).toEqual([200, 400])
  const { status, answer } = await send(SIGN_UP, {
    ...{ token, password: 'a password nobody guesses', first_name: 'Nia', last_name: 'Quay' },
  })
  expect(status).toBe(303)
  const me = await world.fetch('/user/me', { headers: { cookie: cookieOf(answer) } })
  const named = { email: 'new@example.com', firstName: 'Nia', lastName: 'Quay' }
  expect(((await me.json()) as any).user).toMatchObject(named)
  const used = await open(`${SIGN_UP}?token=${token}`)
  expect([used.status, used.text.includes('was used or revoked')]).toEqual([404, true])
  expect(used.text).toContain(`href="${SIGN_UP}">Ask for a new link</a>`)
  for (const { headers } of [page, refused, used]) expect(headers.get('referrer-policy')).toBe('no-referrer')
})

test('Where nobody may sign up, the page, its form and a link that was sent say so.', async () => {
  await send(SIGN_UP, { email: 'late@example.com' })
  const token = await tokenFor(world, 'late@example.com', 'sign-up')
  const config = world.service.runtime.config as { sign_up: string }
  config.sign_up = 'closed'
  const answers = [
    await open(SIGN_UP),
    await open(`${SIGN_UP}?token=${token}`),
    await send(SIGN_UP, { email: 'late@example.com' }),
    await send(SIGN_UP, { token, password: 'a password nobody guesses' }),
  ]
  config.sign_up = 'open'
  for (const { status, text } of answers)
    expect([status, text]).toEqual([403, expect.stringContaining('made by the operator of this service')])
  expect((await open(`${SIGN_UP}?token=${token}`)).status).toBe(200)
})

test('An address that got an account meanwhile gets no second one by its link.', async () => {
  await send(SIGN_UP, { email: 'twice@example.com' })
  const token = await tokenFor(world, 'twice@example.com', 'sign-up')
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.update(users).set(addressOf('twice@example.com')).where(eq(users.id, world.users.member)),
  )
  const { status, text } = await send(SIGN_UP, { token, password: 'a password nobody guesses' })
  await store.write((tx) =>
    tx.update(users).set(addressOf('member@example.com')).where(eq(users.id, world.users.member)),
  )
  expect([status, text]).toEqual([409, expect.stringContaining('Another account has this address.')])
})

test('While too many passwords are computed, that of a link is refused for a moment.', async () => {
  await send(SIGN_UP, { email: 'storm@example.com' })
  await send(RESET, { email: 'member@example.com' })
  const tokens = {
    [SIGN_UP]: await tokenFor(world, 'storm@example.com', 'sign-up'),
    [RESET]: await tokenFor(world, 'member@example.com', 'reset'),
  }
  const finish: (() => void)[] = []
  const hashing = spyOn(Bun.password, 'hash').mockImplementation(
    () => new Promise((resolve) => finish.push(() => resolve('$argon2id$of-nobody'))),
  )
  const underway = Array.from({ length: 202 }, () => hashNewPassword('a password nobody guesses'))
  const answers = await Promise.all(
    Object.entries(tokens).map(([path, token]) => send(path, { token, password: 'a password nobody guesses' })),
  )
  hashing.mockImplementation(async () => '$argon2id$of-nobody')
  for (const done of finish) done()
  await Promise.all(underway)
  hashing.mockRestore()
  for (const { status, headers, text } of answers)
    expect([status, headers.get('retry-after'), text]).toEqual([429, '1', expect.stringContaining('in a moment')])
})

test('The page of a link to a new address keeps its own to itself, and leads on to sign in.', async () => {
  const cookie = await signIn(world, 'member')
  await post(world, '/user/email/change', { email: 'mia@example.com' }, { cookie })
  const token = await tokenFor(world, 'mia@example.com', 'email')
  const page = await open(`${EMAIL}?token=${token}`)
  const done = await send(EMAIL, { token })
  const used = await open(`${EMAIL}?token=${token}`)
  expect([page.status, done.status, used.status]).toEqual([200, 200, 404])
  for (const { headers } of [page, used]) expect(headers.get('referrer-policy')).toBe('no-referrer')
  for (const { text } of [done, used]) expect(text).toContain('href="/portal/login">Sign in</a>')
})

test('A new account arrives where the sign-in page was asked for, and nowhere else.', async () => {
  const made = async (email: string, way: string) => {
    const asked = await open(`${SIGN_UP}?return=${encodeURIComponent(way)}`)
    const cookie = (asked.headers.get('set-cookie') ?? '').split(';')[0]!
    await send(SIGN_UP, { email })
    const token = await tokenFor(world, email, 'sign-up')
    const answer = await world.fetch(SIGN_UP, {
      method: 'POST',
      headers: { Origin: world.url, cookie },
      body: new URLSearchParams({ token, password: 'a password nobody guesses' }),
    })
    return answer.headers.get('location')
  }
  expect(await made('way@example.com', '/portal/developer?a=1')).toBe('/portal/developer?a=1')
  expect(await made('lost@example.com', '//evil.example/')).toBe('/portal/')
})

test('A new password keeps the way to where the sign-in page was asked for.', async () => {
  const way = '/portal/developer?a=1'
  const login = `href="/portal/login?return=${encodeURIComponent(way).replaceAll('&', '&amp;')}"`
  const asked = `${RESET}?return=${encodeURIComponent(way)}`
  expect((await open(`/portal/login?return=${encodeURIComponent(way)}`)).text).toContain(`href="${asked}"`)
  const { text, headers } = await open(asked)
  expect(text).toContain(login)
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const post = async (values: Record<string, string>) => {
    const body = new URLSearchParams(values)
    const answer = await world.fetch(RESET, { method: 'POST', headers: { Origin: world.url, cookie }, body })
    return { text: await answer.text(), forgets: answer.headers.get('set-cookie')?.includes('Max-Age=0') ?? false }
  }
  expect((await post({ email: 'editor@example.com' })).text).toContain(login)
  const token = await tokenFor(world, 'editor@example.com', 'reset')
  const done = await post({ token, password: 'a password nobody guesses' })
  expect([done.text.includes(login), done.forgets]).toEqual([true, true])
  const elsewhere = await open(`${RESET}?return=${encodeURIComponent('//evil.example/')}`)
  expect([elsewhere.headers.get('set-cookie'), elsewhere.text.includes('evil')]).toEqual([null, false])
})
