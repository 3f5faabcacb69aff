import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../src/ids.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { createOAuthWorld, type OAuthWorld } from '../oauth/oauth-world.ts'
import { sharedThreads } from '../support/world.ts'

/** What a service promises holds with several threads that answer on the same port. */

const READS = 300
const taken: Worker[] = []
const threads = { ...sharedThreads, take: () => taken[taken.push(sharedThreads.take()) - 1]! }
let world: OAuthWorld
beforeAll(async () => {
  world = await createOAuthWorld({ newsletter_reads_per_minute: READS }, { http_threads: 3, threads })
})
afterAll(() => world.close())

const times = <T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)))

test('All threads answer, and the metrics are those of all.', async () => {
  await times(40, () => fetch(`${world.url}/healthz`, { headers: { Connection: 'close' } }))
  const text = await (await world.fetch('/metrics')).text()
  expect(text).toContain('masthead_http_threads{state="responding"} 3\n')
  expect(text).toContain('masthead_http_requests_total{route="/healthz",status="200"} 40\n')
  expect((await world.fetch('/readyz')).status).toBe(200)
})

test('Metrics that cannot be made are an error, whichever thread was asked.', async () => {
  const read = spyOn(world.service.runtime.store, 'heavy').mockRejectedValue(new Error('broken on purpose'))
  const statuses = await times(12, async () => {
    const { status } = await fetch(`${world.url}/metrics`, { headers: { Connection: 'close' } })
    return status
  })
  read.mockRestore()
  expect(new Set(statuses)).toEqual(new Set([500]))
})

test('Exactly the limit of a window passes, and every caller is told another rest of it.', async () => {
  const { call } = await world.fresh()
  const answers = []
  for (let round = 0; round < 5; round++)
    answers.push(...(await times(50, () => call('lists/list', {}, { headers: { Connection: 'close' } }))))
  // One connection, so one thread, gets what all have reserved.
  while (answers.length < 400) answers.push(await call('lists/list'))
  const passed = answers.filter(({ status }) => status === 200)
  expect([passed.length, answers.filter(({ status }) => status === 429).length]).toEqual([READS, 400 - READS])
  const rests = passed.map(({ headers }) => Number(headers.get('RateLimit-Remaining'))).toSorted((a, b) => a - b)
  expect(rests).toEqual(Array.from({ length: READS }, (_, rest) => rest))
})

test('Two hundred calls with one key are carried out once.', async () => {
  const { call, ok } = await world.fresh()
  const options = { key: newId('req') }
  const upsert = () => call('contacts/upsert', { email: 'ada@example.com', consent_text: 'Yes' }, options)
  const answers = await times(200, upsert)
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  const done = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body.data)))
  expect(done.size).toBe(1)
  expect(JSON.stringify((await upsert()).body.data)).toBe([...done][0]!)
  expect((await ok('contacts/stats')).total).toBe(1)
})

test('Sixty-four refreshes of one token make one pair.', async () => {
  const { refresh_token } = await world.tokens()
  const answers = await times(64, () => world.refresh(refresh_token))
  const pairs = new Set(answers.map(({ status, body }) => `${status} ${body.access_token} ${body.refresh_token}`))
  expect(pairs.size).toBe(1)
  expect(await world.works(answers[0]!.body.access_token)).toBe(200)
})

test('A token that was revoked is refused from the next request on.', async () => {
  for (let round = 0; round < 3; round++) {
    const { access_token, refresh_token } = await world.tokens()
    const statuses = () => times(20, () => world.works(access_token))
    expect(new Set(await statuses())).toEqual(new Set([200]))
    await world.post('revoke', { token: refresh_token })
    expect(new Set(await statuses())).toEqual(new Set([401]))
  }
})

test('As many contacts as a project may have are added, and no more.', async () => {
  const { call, project } = await world.fresh()
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ contact_limit: 30 }).where(eq(projects.id, project.id)),
  )
  const answers = await times(60, (n) =>
    call('contacts/upsert', { email: `reader${n}@example.com`, consent_text: 'Yes' }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error.code))).toEqual(
    new Set(['PLAN_LIMIT_EXCEEDED']),
  )
})

test('A thread that ends is replaced, and its connections are answered by the others meanwhile.', async () => {
  const { access_token } = await world.tokens()
  const ended = new Promise((resolve) => taken[0]!.addEventListener('close', resolve))
  taken[0]!.terminate()
  await ended
  const meanwhile = await times(10, () => fetch(`${world.url}/healthz`, { headers: { Connection: 'close' } }))
  expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([200]))
  await world.service.allAnswer()
  const text = await (await world.fetch('/metrics')).text()
  expect(text).toMatch(/_ended_total [1-9]/)
  expect(text).toContain('masthead_http_threads{state="responding"} 3\n')
  const statuses = await Promise.all(Array.from({ length: 30 }, () => world.works(access_token)))
  expect(new Set(statuses)).toEqual(new Set([200]))
})
