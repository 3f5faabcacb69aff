import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messagesTo } from '../../support/mailbox.ts'
import { codeAt } from '../../support/one-time-codes.ts'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'
import { cookieOf, post, signIn } from '../signed-in.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const SECURITY = '/portal/account/security'
const SESSIONS = '/portal/account/sessions'

async function open(path: string, cookie = '', headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, { headers: { cookie, ...headers }, redirect: 'manual' })
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() }
}

async function submit(path: string, form: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { cookie, ...headers },
    redirect: 'manual',
  })
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text(), answer }
}

const hidden = (html: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!

describe('the pages of one-time codes', () => {
  test('turn them on with the first code, show the recovery codes once, and ask at the login', async () => {
    const cookie = await signIn(world, 'owner')
    const page = await open(`${SECURITY}/codes`, cookie)
    expect(page.html).toContain('<svg')
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.html)![1]!.replaceAll(' ', '')
    const enrollment = hidden(page.html, 'enrollment')
    const wrong = await submit(`${SECURITY}/codes`, { enrollment, code: 'abcdef' }, cookie)
    expect([wrong.status, wrong.html.includes('This code is wrong')]).toEqual([400, true])
    expect(wrong.html).toContain(secret.slice(0, 4))
    const code = codeAt(secret, world.clock.now())
    const on = await submit(`${SECURITY}/codes`, { enrollment: hidden(wrong.html, 'enrollment'), code }, cookie)
    const codes = /<pre>([^<]+)<\/pre>/.exec(on.html)![1]!.split('\n')
    expect([on.status, codes.length]).toEqual([200, 10])
    expect((await open(SECURITY, cookie)).html).toContain('10 of 10 recovery codes are left.')

    const login = { email: 'owner@example.com', password: PASSWORD, return: SESSIONS }
    const asked = await submit('/portal/login', login)
    expect([asked.status, asked.answer.headers.getSetCookie()]).toEqual([200, []])
    const answer = { ticket: hidden(asked.html, 'ticket'), return: hidden(asked.html, 'return') }
    const refused = await submit('/portal/login/code', { ...answer, code })
    expect([refused.status, hidden(refused.html, 'ticket')]).toEqual([401, answer.ticket])
    const done = await submit('/portal/login/code', { ...answer, code: codes[0]! })
    expect([done.status, done.to]).toEqual([303, SESSIONS])
    expect((await open(SECURITY, cookieOf(done.answer))).html).toContain('9 of 10 recovery codes are left.')
    const elsewhere = await submit('/portal/login', { ...login, return: 'https://evil.example/' })
    expect(hidden(elsewhere.html, 'return')).toBe('/portal/')

    const fresh = await submit(`${SECURITY}/recovery-codes`, {}, cookie)
    expect(fresh.html).not.toContain(codes[1]!)
    expect((await submit(`${SECURITY}/codes/off`, {}, cookie)).to).toBe(`${SECURITY}?done=codes-off`)
    expect((await submit('/portal/login', login)).to).toBe(SESSIONS)
  })

  test('lead to the confirmation when the sign-in is old, which leads back', async () => {
    const cookie = await signIn(world, 'editor')
    world.clock.advance(10 * 60_000)
    const { to } = await open(`${SECURITY}/codes`, cookie)
    expect(to).toBe(`/portal/account/confirm?return=${encodeURIComponent(`${SECURITY}/codes`)}`)
    const page = await open(to!, cookie)
    expect(page.html).toContain('editor@example.com')
    const form = { return: hidden(page.html, 'return'), password: 'wrong password' }
    const refused = await submit('/portal/account/confirm', form, cookie)
    expect([refused.status, refused.html.includes('This is not your password.')]).toEqual([400, true])
    const confirmed = await submit('/portal/account/confirm', { ...form, password: PASSWORD }, cookie)
    expect([confirmed.status, confirmed.to]).toEqual([303, `${SECURITY}/codes`])
    expect((await open(`${SECURITY}/codes`, cookie)).status).toBe(200)
    world.clock.advance(10 * 60_000)
    for (const path of ['codes', 'codes/off', 'recovery-codes', 'passkeys/psk_x/remove'])
      expect((await submit(`${SECURITY}/${path}`, {}, cookie)).to).toBe(
        `/portal/account/confirm?return=${encodeURIComponent(SECURITY)}`,
      )
  })

  test('are for signed-in users and for forms of the service', async () => {
    for (const path of [SECURITY, SESSIONS, `${SECURITY}/codes`, '/portal/account/confirm'])
      expect((await open(path)).to).toBe(`/portal/login?return=${encodeURIComponent(path)}`)
    const cookie = await signIn(world, 'member')
    for (const path of [`${SECURITY}/codes/off`, `${SESSIONS}/end-others`, '/portal/account/confirm']) {
      expect((await submit(path, {}, cookie, { origin: 'https://evil.example' })).status).toBe(403)
      expect((await submit(path, {}, cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    }
  })
})

describe('the page of sessions and devices', () => {
  const enter = async (user_agent: string, cookie = '') => {
    const body = { email: 'administrator@example.com', password: PASSWORD }
    const answer = await post(world, '/user/login', body, { 'user-agent': user_agent, cookie })
    const [session, device] = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
    return { session: session!, device: device!, both: `${session}; ${device}` }
  }
  const isIn = async (cookie: string) => (await world.fetch('/user/me', { headers: { cookie } })).status === 200
  const idOf = (html: string, user_agent: string, action: string): string =>
    new RegExp(
      `${action}">\\s*<input type="hidden" name="id" value="([^"]+)">\\s*<button[^>]*>[^<]*<span[^>]*> ${user_agent}`,
    ).exec(html)![1]!

  test('ends one session, all others, or a device with its sessions', async () => {
    const desk = await enter('Desk')
    const phone = await enter('Phone')
    const tablet = await enter('Tablet')
    const page = await open(SESSIONS, desk.both)
    expect(page.html.match(/This browser/g)).toHaveLength(2)
    expect((await submit(`${SESSIONS}/end`, { id: idOf(page.html, 'Phone', 'end') }, desk.both)).to).toEndWith('ended')
    expect(await Promise.all([desk, phone, tablet].map(({ session }) => isIn(session)))).toEqual([true, false, true])
    const device = idOf(page.html, 'Tablet', 'forget-device')
    expect((await submit(`${SESSIONS}/forget-device`, { id: device }, desk.both)).to).toEndWith('forgotten')
    expect(await Promise.all([desk, tablet].map(({ session }) => isIn(session)))).toEqual([true, false])
    const others = [await enter('Phone', phone.device), await enter('Kiosk')]
    expect((await submit(`${SESSIONS}/end-others`, {}, desk.both)).to).toEndWith('others')
    expect(await Promise.all([desk, ...others].map(({ session }) => isIn(session)))).toEqual([true, false, false])
    expect((await submit(`${SESSIONS}/forget-device`, { id: device }, await signIn(world, 'owner'))).status).toBe(404)
  })

  test('a sign-in from a new device is told by mail, one from a known device is not', async () => {
    const told = async () =>
      (await messagesTo(world, 'outsider@example.com')).filter(({ subject }) => subject.includes('new device')).length
    const login = (headers: Record<string, string> = {}) =>
      post(world, '/user/login', { email: 'outsider@example.com', password: PASSWORD }, headers)
    const device = (await login()).headers.getSetCookie()[1]!
    expect(device).toMatch(/^masthead_device=[\w-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
    expect(await told()).toBe(0)
    const again = await login({ cookie: device.split(';')[0]! })
    expect(await told()).toBe(0)
    await login({ 'user-agent': 'Stranger/1' })
    expect(await told()).toBe(1)
    const message = (await messagesTo(world, 'outsider@example.com')).find(({ text }) => text.includes('Stranger/1'))
    expect(message!.text).toContain('127.0.0.1')
    // One browser may know several accounts.
    const shared = await post(
      world,
      '/user/login',
      { email: 'member@example.com', password: PASSWORD },
      { cookie: again.headers.getSetCookie()[1]!.split(';')[0]! },
    )
    await login({ cookie: shared.headers.getSetCookie()[1]!.split(';')[0]! })
    expect(await told()).toBe(1)
  })
})

test('without sign-in notices nobody is told of a new device', async () => {
  const quiet = await createWorld({ sign_in_notices: false })
  for (let time = 0; time < 2; time++)
    await post(quiet, '/user/login', { email: 'owner@example.com', password: PASSWORD })
  expect(await messagesTo(quiet, 'owner@example.com')).toEqual([])
  await quiet.close()
})

test('on https the cookies have the prefix of the host and work under it only', async () => {
  const secure = await createWorld({ base_url: 'https://masthead.example' })
  const answer = await post(secure, '/user/login', { email: 'owner@example.com', password: PASSWORD })
  const [session, device] = answer.headers.getSetCookie()
  expect(session).toMatch(/^__Host-masthead_session=svc_ss_[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  expect(device).toMatch(/^__Host-masthead_device=[\w-]+; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  const me = async (cookie: string) => (await secure.fetch('/user/me', { headers: { cookie } })).status
  const cookie = session!.split(';')[0]!
  expect([await me(cookie), await me(cookie.replace('__Host-', '')), await me(`${cookie}; ${cookie}`)]).toEqual([
    200, 401, 400,
  ])
  await secure.close()
})

test('two session cookies are refused on every kind of route, signing in and out included', async () => {
  const cookie = await signIn(world, 'owner')
  const two = `${cookie}; masthead_session=svc_ss_${'A'.repeat(43)}`
  const login = { email: 'owner@example.com', password: PASSWORD }
  expect((await post(world, '/user/login', login, { cookie: two })).status).toBe(400)
  expect((await post(world, '/user/logout', {}, { cookie: two })).status).toBe(400)
  expect((await world.fetch('/user/me', { headers: { cookie: two } })).status).toBe(400)
  const page = await open('/portal/', two)
  expect([page.status, page.html.includes('two session cookies')]).toEqual([400, true])
  const body = { project_id: world.project.public_id }
  expect((await post(world, '/project/newsletter/lists/list', body, { cookie: two })).status).toBe(400)
  expect((await world.fetch('/user/me', { headers: { cookie } })).status).toBe(200)
})
