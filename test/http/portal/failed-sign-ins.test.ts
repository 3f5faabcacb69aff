import { afterEach, expect, test } from 'bun:test'
import { createWorld, PASSWORD, type World } from '../../support/world.ts'
import { post } from '../signed-in.ts'

/** Limits of 6 a minute for an address, 3 for an account. */
let world: World
const begin = async (): Promise<void> => {
  world = await createWorld({ logins_per_minute: 6, trusted_proxies: '127.0.0.1' })
}
afterEach(() => world.close())

interface From {
  address?: string
  cookie?: string
}

/** The status, or the seconds to wait. */
async function login(email: string, password: string, { address = '192.0.2.1', cookie = '' }: From = {}) {
  const answer = await post(world, '/user/login', { email, password }, { 'x-forwarded-for': address, cookie })
  return answer.status === 429 ? Number(answer.headers.get('retry-after')) : answer.status
}
const guess = (email = 'owner@example.com', from: From = {}) => login(email, 'wrong password', from)

/** The device cookie of a sign-in. */
async function deviceOf(cookie = ''): Promise<string> {
  const answer = await post(world, '/user/login', { email: 'owner@example.com', password: PASSWORD }, { cookie })
  return answer.headers.getSetCookie()[1]!.split(';')[0]!
}

test('Failures for an account from one address lead to pauses that double, up to an hour.', async () => {
  await begin()
  expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 401])
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await login('owner@example.com', PASSWORD)).toBe(minutes * 60)
    world.clock.advance(minutes * 60_000)
    expect(await guess()).toBe(401)
  }
  world.clock.advance(59 * 60_000)
  expect(await login('owner@example.com', PASSWORD)).toBe(60)
  world.clock.advance(60_000)
  expect(await login('owner@example.com', PASSWORD)).toBe(200)
  // The pair's count has ended; the address keeps its own, whose longest pause is 15 minutes.
  expect([await guess(), await guess()]).toEqual([401, 15 * 60])
})

test('A count ends a day after its last failure.', async () => {
  await begin()
  for (let time = 0; time < 3; time++) await guess()
  world.clock.advance(24 * 3_600_000)
  expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 401])
  expect(await guess()).toBe(60)
})

test('A pause of one address does not stop another, nor another account.', async () => {
  await begin()
  for (let time = 0; time < 3; time++) await guess()
  expect(await guess('editor@example.com')).toBe(401)
  world.clock.advance(59_000)
  expect(await guess()).toBe(1)
  world.clock.advance(1000)
  await guess()
  world.clock.advance(60_000)
  expect(await login('owner@example.com', PASSWORD)).toBe(60)
  expect(await login('owner@example.com', PASSWORD, { address: '198.51.100.7' })).toBe(200)
})

test('Failures of an address count over all accounts, also those that do not exist.', async () => {
  await begin()
  for (let person = 0; person < 6; person++) expect(await guess(`person${person}@example.com`)).toBe(401)
  world.clock.advance(59_999)
  expect(await login('editor@example.com', PASSWORD)).toBe(1)
  world.clock.advance(1)
  expect(await guess('person7@example.com')).toBe(401)
  expect(await login('editor@example.com', PASSWORD)).toBe(120)
  world.clock.advance(120_000)
  expect(await login('editor@example.com', PASSWORD)).toBe(200)
  expect(await guess('person8@example.com')).toBe(401)
  expect(await login('editor@example.com', PASSWORD)).toBe(240)
})

test('An unknown account is paused like a known one.', async () => {
  await begin()
  const answers = async (email: string, address: string) => {
    const from = { address }
    const seen = [
      await guess(email, from),
      await guess(email, from),
      await guess(email, from),
      await guess(email, from),
    ]
    world.clock.advance(60_000)
    return [...seen, await guess(email, from), await guess(email, from)]
  }
  expect(await answers('nobody@example.com', '192.0.2.8')).toEqual(await answers('member@example.com', '192.0.2.9'))
})

test('A device that signed in before is not locked out by the guesses of others.', async () => {
  await begin()
  const cookie = await deviceOf()
  for (let minute = 0; minute < 3; minute++) {
    for (let time = 0; time < 6; time++) {
      await guess()
      await guess('owner@example.com', { address: `198.51.100.${time}` })
    }
    world.clock.advance(60_000)
  }
  for (let time = 0; time < 3; time++) await guess('owner@example.com', { address: '203.0.113.1' })
  expect(await login('owner@example.com', PASSWORD)).toBeGreaterThan(0)
  expect(await login('owner@example.com', PASSWORD, { cookie })).toBe(200)
})

test('A device has a count of its own, and its secret works until the next sign-in.', async () => {
  await begin()
  const first = await deviceOf()
  const second = await deviceOf(first)
  expect(second).not.toBe(first)
  world.clock.advance(60_000)
  for (let time = 0; time < 3; time++) expect(await guess('owner@example.com', { cookie: second })).toBe(401)
  expect(await login('owner@example.com', PASSWORD, { cookie: second })).toBe(60)
  expect(await login('owner@example.com', PASSWORD, { address: '203.0.113.2' })).toBe(200)
  for (let time = 0; time < 2; time++) await guess('owner@example.com', { cookie: first, address: '203.0.113.3' })
  expect(await guess('owner@example.com', { cookie: first, address: '203.0.113.3' })).toBeGreaterThan(0)
})

test('The device of one account is of no use for another, nor is a forged one.', async () => {
  await begin()
  const cookie = await deviceOf()
  for (const given of [cookie, 'masthead_device=x', `${cookie}x`]) {
    const address = `203.0.113.${given.length % 200}`
    for (let time = 0; time < 3; time++) await guess('editor@example.com', { cookie: given, address })
    expect(await guess('editor@example.com', { cookie: given, address })).toBeGreaterThan(0)
    world.clock.advance(60_000)
  }
})
