import { afterAll, beforeAll, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { api_keys, sessions, users } from '../../src/store/tables/accounts.ts'
import { type DeveloperTour, tourOf } from '../developer/tour.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { expectRecorded } from '../support/recorded.ts'
import type { Person } from '../support/tour-requests.ts'
import { createWorld, PASSWORD, START, type World } from '../support/world.ts'

let world: World
let tour: DeveloperTour
/** The headers of the latest answer. */
let answered: Headers
beforeAll(async () => {
  world = await createWorld({ sign_up: 'open', logins_per_minute: 8 })
  const seen: World = {
    ...world,
    async fetch(path, init) {
      const headers = { 'user-agent': 'Browser of the tour', ...(init?.headers as Record<string, string>) }
      const answer = await world.fetch(path, { ...init, headers })
      answered = answer.headers
      return answer
    },
  }
  tour = await tourOf(seen, [
    'users',
    'sessions',
    'devices',
    'totp_factors',
    'passkeys',
    'sign_in_failures',
    'password_resets',
    'email_changes',
    'sign_ups',
    'projects',
    'members',
    'invitations',
    'apps',
  ])
  // The hint of a key is random, and keys of one instant have no order.
  await store().write(async (tx) => {
    await tx.update(api_keys).set({ hint: 'aaaa' })
    const neighbor = eq(api_keys.project_id, world.other.id)
    await tx
      .update(api_keys)
      .set({ hint: 'bbbb', created_at: START - 1 })
      .where(neighbor)
  })
  await store().write((tx) => tx.delete(sessions).where(eq(sessions.user_id, world.users.outsider)))
  await tour.skip()
})
afterAll(() => world.close())

const store = () => world.service.runtime.store
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('Answers, pages, rows and messages of accounts are those that are recorded.', async () => {
  await signIns()
  await failures()
  await secondFactor()
  await passkeys()
  await passwords()
  expectRecorded('platform/sign-in.txt', tour.text())
  await signUps()
  await ownAccount()
  await ends()
  expectRecorded('platform/accounts.txt', tour.text())
})

/** Time in which counts of attempts end. */
const wait = (ms = 2 * MINUTE) => void world.clock.advance(ms)

/** The Cookie header that a browser sends after the latest answer. */
const jar = () =>
  answered
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ')

/** Sends a form of the portal. */
const form = (sentence: string, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  tour.ask(sentence, null, `POST /portal/${path}`, new URLSearchParams(fields).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const post = (sentence: string, path: string, body: object, headers: Record<string, string> = {}) =>
  tour.ask(sentence, null, `POST /user/${path}`, body, { headers })

/** The token of the latest message to an address. */
async function tokenFor(email: string): Promise<string> {
  await world.service.drain('mail')
  const rows = await store().db.all<{ raw: string }>(
    sql`SELECT raw FROM sandbox_messages WHERE recipient = ${email} ORDER BY id DESC`,
  )
  const token = rows
    .map(({ raw }) => /token=(?:3D)?(svc_\w\w_[\w-]{43})/.exec(raw.replaceAll('=\r\n', ''))?.[1])
    .find((found) => found !== undefined)
  if (token === undefined) throw new Error(`${email} has no message with a token`)
  return token
}

async function confirm(by: Person): Promise<void> {
  await tour.quiet(by, 'POST /user/confirm', { password: PASSWORD })
}

const OUTSIDER = { email: 'outsider@example.com', password: PASSWORD }
const FIREFOX = { 'user-agent': 'Firefox of the tour' }

async function signIns(): Promise<void> {
  tour.heading('Signing in')
  await tour.ask('The login page.', null, 'GET /portal/login?return=%2Fportal%2Faccount%3Fa%3D1%26b')
  for (const [at, back] of ['https://evil.example/', '//evil.example', '/\\evil', '/a\tb', 'portal'].entries())
    await tour.ask(`A way back elsewhere (${at + 1}).`, null, `GET /portal/login?return=${encodeURIComponent(back)}`)
  await form('A form of another site.', 'login', OUTSIDER, { origin: 'https://evil.example' })
  await form('A wrong password is shown on the page.', 'login', { ...OUTSIDER, password: 'wrong', return: '/x?y=1' })
  await form('Nothing typed.', 'login', {})
  await form('From the page.', 'login', { ...OUTSIDER, return: '/portal/account?a=1' }, FIREFOX)
  const first = jar()
  await tour.changes()
  wait()
  await tour.ask('Who it is.', null, 'GET /user/me', undefined, { headers: { cookie: first } })
  await tour.ask('The login page leads on.', null, 'GET /portal/login?return=/a%20b', undefined, {
    headers: { cookie: first },
  })
  await tour.ask('Unless it is asked for.', null, 'GET /portal/login?prompt=login', undefined, {
    headers: { cookie: first },
  })
  await post('The same browser again, whose session is replaced.', 'login', OUTSIDER, { cookie: first, ...FIREFOX })
  const second = jar()
  await tour.changes()
  wait()
  await post('Another browser, which is told.', 'login', { ...OUTSIDER, email: ' OUTSIDER@example.com' })
  const third = jar()
  await tour.changes()
  wait()
  await post('The first, with another cookie.', 'login', OUTSIDER, {
    cookie: `${second}; masthead_other=1`,
    'user-agent': 'Lynx',
  })
  await post(
    'Another person in the same browser.',
    'login',
    { ...OUTSIDER, email: 'administrator@example.com' },
    {
      cookie: second,
    },
  )
  await tour.changes()
  wait()
  await post('Fields that there are not.', 'login', { ...OUTSIDER, remember: true })
  await post('Nothing.', 'login', {})
  await post('No address of an account.', 'login', { email: 'nobody@example.com', password: PASSWORD })
  const disable = (disabled_at: number | null) =>
    store().write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users.outsider)))
  await disable(5)
  await post('A disabled account.', 'login', OUTSIDER)
  await tour.ask('Its session.', null, 'GET /user/me', undefined, { headers: { cookie: third } })
  await disable(null)
  await tour.skip()

  tour.heading('Sessions and devices')
  wait(HOUR)
  const by = { headers: { cookie: third } }
  const { sessions: listed } = await tour.quiet(null, 'GET /user/sessions', undefined, { cookie: third })
  for (const [at, session] of listed.entries()) tour.name(session.id, `<session ${at + 1}>`)
  await tour.ask('The sessions, last used first.', null, 'GET /user/sessions', undefined, by)
  const { devices } = await tour.ask('The devices.', null, 'GET /user/devices', undefined, by)
  const other = listed.find((session: any) => !session.current).id
  await tour.ask("Another person's session.", 'owner', `DELETE /user/sessions/${other}`)
  await tour.ask("Another person's device.", 'owner', `DELETE /user/devices/${devices[0].id}`)
  await tour.ask('A session ends.', null, `DELETE /user/sessions/${other}`, undefined, by)
  await tour.ask('Once.', null, `DELETE /user/sessions/${other}`, undefined, by)
  await tour.changes()
  wait()
  await post('One more.', 'login', OUTSIDER, { 'user-agent': 'Opera' })
  const fourth = jar()
  wait()
  await post('And another.', 'login', OUTSIDER, { 'user-agent': 'Konqueror' })
  await tour.skip()
  await tour.ask('All others end.', null, 'POST /user/sessions/end-others', {}, { headers: { cookie: fourth } })
  await tour.changes()
  const known = await tour.ask('Devices remain.', null, 'GET /user/devices', undefined, { headers: { cookie: fourth } })
  const here = known.devices.find((device: any) => device.current).id
  await tour.ask('This one is forgotten, with its session.', null, `DELETE /user/devices/${here}`, undefined, {
    headers: { cookie: fourth },
  })
  await tour.changes()
  await tour.ask('It is signed out.', null, 'GET /user/me', undefined, { headers: { cookie: fourth } })
  wait()
  await post('Again.', 'login', OUTSIDER)
  await tour.skip()
  const fifth = jar()
  await post('Out from the interface.', 'logout', {}, { cookie: fifth })
  await post('Twice is no error.', 'logout', {}, { cookie: fifth })
  await tour.changes()
  const two = fifth.split('; ').find((cookie) => cookie.includes('svc_ss_'))!
  await post('With two session cookies.', 'logout', {}, { cookie: `${two}; ${two}` })
  wait()
  await post('Again.', 'login', OUTSIDER)
  const sixth = jar()
  await form(
    'Out from a page, which leads back.',
    'logout',
    { return: '/portal/invitation?token=1' },
    { cookie: sixth },
  )
  await form('Without a way back.', 'logout', {})
  await form('From another site.', 'logout', {}, { origin: 'https://evil.example' })
  await form('A page with a token of ours.', 'logout', {}, { origin: 'null', 'sec-fetch-site': 'same-origin' })
  await form(
    'A page of another site without a referrer.',
    'logout',
    {},
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  )
  wait()
  await post('Again.', 'login', OUTSIDER)
  const seventh = jar()
  await tour.skip()
  await tour.ask('Out everywhere.', null, 'DELETE /user/sessions', undefined, { headers: { cookie: seventh } })
  await tour.changes()
}

async function failures(): Promise<void> {
  tour.heading('Failures')
  wait(DAY)
  const wrong = { ...OUTSIDER, password: 'wrong' }
  for (let at = 1; at <= 6; at++) {
    await tour.ask(`Failure ${at} of an account.`, null, 'POST /user/login', wrong, { show: ['retry-after'] })
    wait(at < 5 ? MINUTE : 2 * MINUTE)
  }
  await tour.changes()
  await form('The page says it, too.', 'login', wrong)
  wait(HOUR)
  await post('After the pause.', 'login', OUTSIDER)
  await tour.changes()
  for (let at = 1; at <= 9; at++)
    await tour.ask(
      `Attempt ${at} of a minute.`,
      null,
      'POST /user/login',
      { email: `a${at}@b.example`, password: 'x' },
      {
        show: ['retry-after'],
      },
    )
  await tour.changes()
  wait(DAY)
  await world.service.drain('maintenance')
  await tour.changes()
}

async function secondFactor(): Promise<void> {
  tour.heading('Second factor')
  await tour.ask('Nothing is set up.', 'member', 'GET /user/security')
  const start = 'POST /user/totp/enrollment'
  await tour.ask('Without a fresh sign-in.', 'member', start, {})
  await post('Nobody.', 'confirm', { password: PASSWORD })
  await tour.ask('A wrong password.', 'member', 'POST /user/confirm', { password: 'wrong' })
  await tour.ask('The right one.', 'member', 'POST /user/confirm', { password: PASSWORD })
  await tour.changes()
  const { secret, otpauth_url, enrollment, qr_svg } = await tour.quiet('member', start, {})
  tour.name(secret, '<secret>')
  tour.write(otpauth_url, `A picture: ${qr_svg.slice(0, 60)}`)
  let codes = 0
  const code = (shift = 0) => {
    const shown = codeAt(secret, world.clock.now() + shift)
    tour.name(`"${shown}"`, `"<code ${++codes}>"`)
    return shown
  }
  const enroll = (sentence: string, body: object, by: Person = 'member') =>
    tour.ask(sentence, by, 'POST /user/totp', body)
  await enroll('A forged set-up.', { enrollment: 'x', code: '123456' })
  await enroll('Letters.', { enrollment, code: 'abcdef' })
  await enroll('A code of an hour ago.', { enrollment, code: code(-HOUR) })
  await confirm('owner')
  await enroll("Another person's.", { enrollment, code: '123456' }, 'owner')
  const { recovery_codes } = await tour.quiet('member', 'POST /user/totp', { enrollment, code: code(-30_000) })
  tour.write(`${recovery_codes.length} recovery codes like ${recovery_codes[0].replaceAll(/[a-z2-9]/g, 'x')}`)
  for (const [at, one] of recovery_codes.entries()) {
    tour.name(one, `<recovery ${at + 1}>`)
    tour.name(one.toUpperCase().replaceAll('-', ' '), `<RECOVERY ${at + 1}>`)
  }
  await tour.changes()
  await enroll('Twice.', { enrollment, code: code() })
  await tour.ask('It is set up.', 'member', 'GET /user/security')

  wait()
  const login = { email: 'member@example.com', password: PASSWORD }
  await form('The page asks for a code.', 'login', { ...login, return: '/portal/account' })
  const ask = async () => (await tour.quiet(null, 'POST /user/login', login)).second_factor.ticket as string
  let ticket = await ask()
  const finish = (sentence: string, body: object) => post(sentence, 'login/second-factor', body)
  await finish('A forged ticket.', { ticket: 'x', code: '123456' })
  await finish('A wrong code.', { ticket, code: '000000x' })
  await form('On the page.', 'login/code', { ticket, code: 'wrong', return: '/portal/account' })
  await finish('A code of the next minute.', { ticket, code: code(60_000) })
  const next = code(30_000)
  await finish('A code of the next step.', { ticket, code: next })
  await tour.changes()
  await finish('A sixth attempt of a minute.', { ticket, code: next })
  wait()
  await finish('A code that was used.', { ticket, code: next })
  wait()
  ticket = await ask()
  await finish('A recovery code in other letters.', {
    ticket,
    code: recovery_codes[3].toUpperCase().replaceAll('-', ' '),
  })
  await tour.changes()
  await finish('Once.', { ticket, code: recovery_codes[3] })
  await form('Another on the page.', 'login/code', { ticket, code: recovery_codes[9], return: '/portal/account' })
  wait(5 * MINUTE)
  await finish('After five minutes.', { ticket, code: recovery_codes[5] })
  await confirm('member')
  await tour.ask('Two codes less.', 'member', 'GET /user/security')
  const fresh = await tour.quiet('member', 'POST /user/totp/recovery-codes', {})
  tour.write(`${new Set([...recovery_codes, ...fresh.recovery_codes]).size} codes in all`)
  await tour.ask('Ten again.', 'member', 'GET /user/security')
  await tour.ask('Somebody without.', 'owner', 'POST /user/totp/recovery-codes', {})
  await tour.skip()
  await confirm('owner')
  await tour.ask('Nothing to make anew.', 'owner', 'POST /user/totp/recovery-codes', {})
  await tour.ask('Nor to turn off.', 'owner', 'DELETE /user/totp')
  await tour.ask('Off.', 'member', 'DELETE /user/totp')
  await tour.changes()
  await tour.ask('It is off.', 'member', 'GET /user/security')
  await tour.skip()
}

async function passkeys(): Promise<void> {
  tour.heading('Passkeys')
  wait()
  const [phone, key] = [createAuthenticator(world.url), createAuthenticator(world.url)]
  const start = 'POST /user/passkeys/options'
  await tour.ask('Without a fresh sign-in.', 'owner', start, {})
  await confirm('owner')
  const { options } = await tour.ask('What the browser needs.', 'owner', start, {})
  const add = (sentence: string, name: string, response: object) =>
    tour.quiet('owner', 'POST /user/passkeys', { name, response }).then((answer) => {
      tour.write(`- ${sentence}`)
      tour.json(answer)
    })
  await add('A passkey.', ' Phone ', phone.create(options))
  await tour.changes()
  wait()
  const again = await tour.ask('It is not made twice.', 'owner', start, {})
  await add('One without a name.', ' ', key.create(again.options))
  await tour.ask('A forged answer.', 'owner', 'POST /user/passkeys', { name: 'x', response: {} })
  await tour.ask('A name of 101 characters.', 'owner', 'POST /user/passkeys', { name: 'n'.repeat(101), response: {} })
  await tour.ask('Both.', 'owner', 'GET /user/security')
  wait()
  const asked = (await tour.ask('To sign in.', null, 'POST /user/login/passkey/options', {})).options
  const answer = phone.get(asked)
  const signed = await tour.quiet(null, 'POST /user/login/passkey', { response: answer })
  tour.json(signed)
  await tour.changes()
  await post('A forged answer.', 'login/passkey', { response: {} })
  const twice = await world.fetch('/user/login/passkey', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response: answer }),
  })
  tour.write(`The same answer again: ${twice.status} ${await twice.text()}`)
  wait(11 * MINUTE)
  const prove = (await tour.ask('To confirm.', 'owner', 'POST /user/confirm/passkey/options', {})).options
  tour.json(await tour.quiet('owner', 'POST /user/confirm/passkey', { response: phone.get(prove) }))
  await tour.ask('A forged answer.', 'owner', 'POST /user/confirm/passkey', { response: {} })
  await tour.changes()
  const { passkeys: listed } = await tour.ask('When they were used.', 'owner', 'GET /user/security')
  await tour.ask("Another person's.", 'member', `DELETE /user/passkeys/${listed[0].id}`)
  await confirm('member')
  await tour.ask('Nor then.', 'member', `DELETE /user/passkeys/${listed[0].id}`)
  await tour.ask('One goes.', 'owner', `DELETE /user/passkeys/${listed[0].id}`)
  await tour.ask('Once.', 'owner', `DELETE /user/passkeys/${listed[0].id}`)
  await tour.changes()
}

async function passwords(): Promise<void> {
  tour.heading('Passwords')
  wait(HOUR)
  await tour.ask('Who forgot it.', null, 'GET /portal/reset')
  await form('An address without an account.', 'reset', { email: 'nobody@example.com' })
  await form('With an account.', 'reset', { email: ' Editor@example.com ' })
  await tour.changes()
  const token = await tokenFor('editor@example.com')
  await tour.ask('The link.', null, `GET /portal/reset?token=${token}`)
  await tour.ask('Another.', null, 'GET /portal/reset?token=svc_pr_x')
  await form('A short password.', 'reset', { token, password: 'short' })
  await form('The address itself.', 'reset', { token, password: 'editor@example.com' })
  await post('A very common one.', 'password/reset', { token, password: 'password123' })
  await post('Of 1025 characters.', 'password/reset', { token, password: 'p'.repeat(1025) })
  await post('An unknown link.', 'password/reset', { token: 'x', password: 'a new harbour 8' })
  wait(HOUR - 1)
  await tour.ask('The link in its last instant.', null, `GET /portal/reset?token=${token}`)
  wait(1)
  await form('After an hour.', 'reset', { token, password: 'a new harbour 8' })
  await post('From the interface.', 'password/reset-request', { email: 'editor@example.com' })
  await post('Twice.', 'password/reset-request', { email: 'editor@example.com' })
  const second = await tokenFor('editor@example.com')
  await tour.skip()
  await form('A new password ends all.', 'reset', { token: second, password: 'a new harbour 8' })
  await tour.changes()
  await form('Once.', 'reset', { token: second, password: 'a new harbour 9' })
  await post('The earlier password.', 'login', { email: 'editor@example.com', password: PASSWORD })
  await post('The new one.', 'login', { email: 'editor@example.com', password: 'a new harbour 8' })
  const cookie = jar()
  wait()
  const change = (sentence: string, current_password: string, password: string) =>
    tour.ask(sentence, null, 'POST /user/password/change', { current_password, password }, { headers: { cookie } })
  await change('A change with a wrong password.', 'wrong', 'another harbour 7')
  await change('A short one.', 'a new harbour 8', 'seven77')
  await tour.skip()
  await change('A change.', 'a new harbour 8', 'eight888'.repeat(2))
  await tour.changes()
}

async function signUps(): Promise<void> {
  tour.heading('New accounts')
  wait(HOUR)
  await tour.ask('Who can make one.', null, 'GET /user/sign-up')
  await tour.ask('The page.', null, 'GET /portal/sign-up')
  await form('No address.', 'sign-up', { email: 'x' })
  await form('None.', 'sign-up', {})
  await post('From the interface.', 'sign-up/request', { email: 'x' })
  await form('An address.', 'sign-up', { email: ' New@person.example ' })
  await post('One with an account.', 'sign-up/request', { email: 'OWNER@example.com' })
  await tour.changes()
  const token = await tokenFor('New@person.example')
  await tour.ask('The link.', null, `GET /portal/sign-up?token=${token}`)
  await tour.ask('Another.', null, 'GET /portal/sign-up?token=x')
  wait()
  const person = { first_name: ' Nora ', last_name: ' Person ', password: 'harbour of nora' }
  await form('Names of 101 characters.', 'sign-up', {
    token,
    first_name: 'n'.repeat(101),
    last_name: 'l'.repeat(101),
    password: 'x',
  })
  await post('From the interface.', 'sign-up', {
    token,
    firstName: 'a\nb',
    lastName: 'c\td',
    password: 'New@person.example',
  })
  await post('An unknown link.', 'sign-up', { token: 'x', password: 'harbour of nora' })
  await tour.changes()
  await form('The account.', 'sign-up', { token, ...person }, FIREFOX)
  const cookie = jar()
  const { user } = await tour.quiet(null, 'GET /user/me', undefined, { cookie })
  tour.name(user.id, 'usr_nora')
  await tour.changes()
  await form('Once.', 'sign-up', { token, ...person })
  await tour.ask('Nora.', null, 'GET /user/me', undefined, { headers: { cookie } })
  await tour.ask('Her start page.', null, 'GET /portal/', undefined, { headers: { cookie } })
  wait()
  await form('A project without a name.', 'projects', { name: ' ' }, { cookie })
  await form('From another site.', 'projects', { name: 'P' }, { cookie, origin: 'https://evil.example' })
  await form('Her first project.', 'projects', { name: 'Nora’s paper' }, { cookie })
  await tour.ask('The start leads to it.', null, 'GET /portal/', undefined, { headers: { cookie } })
  await tour.skip()
  await post('A link that gets old.', 'sign-up/request', { email: 'late@person.example' })
  const late = await tokenFor('late@person.example')
  wait(DAY - 1)
  await tour.ask('In its last instant.', null, `GET /portal/sign-up?token=${late}`)
  wait(1)
  await tour.ask('After a day.', null, `GET /portal/sign-up?token=${late}`)
  await post('Nor does it work.', 'sign-up', { token: late, password: 'harbour of late' })
  wait()
  await post('Without names.', 'sign-up/request', { email: 'late@person.example' })
  await tour.skip()
  await post('An account.', 'sign-up', { token: await tokenFor('late@person.example'), password: 'harbour of late' })
  await tour.changes()

  tour.heading('Accounts by invitation')
  wait()
  const invite = (email: string, role: string) =>
    tour.quiet('owner', 'POST /project/invitations/create', { project_id: world.project.public_id, email, role })
  await invite('guest@person.example', 'administrator')
  await invite('late@person.example', 'editor')
  await invite('outsider@example.com', 'member')
  await tour.skip()
  const guest = await tokenFor('guest@person.example')
  const editor = await tokenFor('late@person.example')
  const outsider = await tokenFor('outsider@example.com')
  const page = `GET /portal/invitation?token=`
  await tour.ask('The link of somebody new.', null, page + guest)
  await tour.ask('Of somebody with an account.', null, page + editor)
  await tour.ask('Of another person.', 'member', page + editor)
  await tour.ask('Of nobody.', null, `${page}x`)
  await form('A short password.', 'invitation', { token: guest, first_name: 'Gus', password: 'short' })
  await form('Joined with a new account.', 'invitation', {
    token: guest,
    first_name: 'Gus',
    last_name: 'Guest',
    password: 'harbour of guests',
  })
  await tour.changes()
  await form('Who has one signs in.', 'invitation', { token: editor })
  wait()
  await form('Then joins.', 'login', {
    email: 'late@person.example',
    password: 'harbour of late',
    return: '/portal/invitation',
  })
  const session = jar()
  await tour.ask('The page asks.', null, page + editor, undefined, { headers: { cookie: session } })
  await tour.skip()
  await form('For another address.', 'invitation', { token: outsider }, { cookie: session })
  await form('Their own.', 'invitation', { token: editor }, { cookie: session })
  await tour.changes()
  await form('Once.', 'invitation', { token: editor }, { cookie: session })
  await form('By an id, without a session.', 'invitation', { id: 'inv_none' })
  await tour.skip()
}

async function ownAccount(): Promise<void> {
  tour.heading('One’s account')
  wait(HOUR)
  const rename = (sentence: string, body: object) => tour.ask(sentence, 'owner', 'PATCH /user/me', body)
  await tour.ask('Who it is.', 'owner', 'GET /user/me')
  await rename('Nothing.', {})
  await rename('A first name.', { firstName: ' Olivia ' })
  await rename('A last name.', { lastName: ' Owner ' })
  await rename('100 characters.', { firstName: 'f'.repeat(100), lastName: 'l'.repeat(100) })
  await rename('101 characters.', { firstName: 'f'.repeat(101), lastName: 'l'.repeat(101) })
  await rename('Two lines.', { firstName: 'a\nb', email: 'x' })
  await rename('Empty names.', { firstName: '', lastName: '' })
  await rename('Both.', { firstName: 'Olivia', lastName: 'Owner' })
  await tour.ask('Nobody.', null, 'PATCH /user/me', { firstName: 'x' })
  await tour.changes()

  const change = (sentence: string, email: string) => tour.ask(sentence, 'owner', 'POST /user/email/change', { email })
  await change('An address without a fresh sign-in.', 'olivia@example.com')
  await confirm('owner')
  await change('No address.', 'olivia')
  await change('The same.', ' owner@example.com')
  await change("Another person's.", 'Member@example.com')
  await tour.changes()
  await change('A new one.', ' olivia@example.com ')
  await tour.changes()
  const first = await tokenFor('olivia@example.com')
  await change('Another in its place.', 'olivia@owner.example')
  const second = await tokenFor('olivia@owner.example')
  await tour.skip()
  await tour.ask('The link of the first.', null, `GET /portal/email?token=${first}`)
  await tour.ask('Of the second.', null, `GET /portal/email?token=${second}`)
  wait(HOUR - 1)
  await tour.ask('In its last instant.', null, `GET /portal/email?token=${second}`)
  await form('From another site.', 'email', { token: second }, { origin: 'https://evil.example' })
  await form('The new address.', 'email', { token: second })
  await tour.changes()
  await form('Once.', 'email', { token: second })
  await post('From the interface.', 'email/confirm', { token: second })
  await confirm('owner')
  await change('Back.', 'owner@example.com')
  const third = await tokenFor('owner@example.com')
  wait(HOUR)
  await post('After an hour.', 'email/confirm', { token: third })
  await confirm('owner')
  await change('Back again.', 'owner@example.com')
  await post('In time.', 'email/confirm', { token: await tokenFor('owner@example.com') })
  await tour.skip()
}

async function ends(): Promise<void> {
  tour.heading('The end of accounts')
  await tour.ask('All that is held about a person.', 'owner', 'GET /user/export')
  const made: Person[] = ['owner', 'administrator', 'member']
  for (const person of made) await tour.ask(`What the end of the ${person} would do.`, person, 'GET /user/deletion')
  wait(HOUR)
  const end = (sentence: string, by: Person, email: string) => tour.ask(sentence, by, 'POST /user/deletion', { email })
  await end('Without a fresh sign-in.', 'member', 'member@example.com')
  await confirm('member')
  await confirm('owner')
  await confirm('administrator')
  await end('Another address.', 'member', 'owner@example.com')
  await end('The last owner of a project with others.', 'owner', 'owner@example.com')
  await tour.skip()
  await end('A member.', 'member', ' MEMBER@example.com ')
  await tour.changes()
  await tour.ask('They are gone.', 'member', 'GET /user/me')
  wait()
  await post('And do not sign in.', 'login', { email: 'member@example.com', password: PASSWORD })
  await tour.quiet('owner', 'POST /project/members/update', {
    project_id: world.project.public_id,
    user_id: world.users.administrator,
    role: 'owner',
  })
  await tour.skip()
  await tour.ask('What the end of the owner would do now.', 'owner', 'GET /user/deletion')
  await end('The owner.', 'owner', 'owner@example.com')
  await tour.changes()
  wait(DAY)
  await world.service.drain('maintenance')
  await tour.changes()
  wait(31 * DAY)
  await world.service.drain('maintenance')
  await tour.changes()
  wait(400 * DAY)
  await world.service.drain('maintenance')
  await tour.changes()
}
