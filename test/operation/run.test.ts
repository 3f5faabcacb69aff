import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../../src/ids.ts'
import { signIn } from '../http/signed-in.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let cookie: string
beforeAll(async () => {
  world = await createWorld({ newsletter_reads_per_minute: 3, newsletter_mutations_per_minute: 2 })
  cookie = await signIn(world, 'owner')
})
afterAll(() => world.close())

async function atTheDashboard(operation: string, body: object = {}) {
  const response = await world.fetch(`/project/newsletter/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie, 'Idempotency-Key': newId('req') },
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
  })
  const { headers } = response
  return [response.status, headers.get('ratelimit-remaining'), headers.get('ratelimit-policy')?.split(';')[0]]
}

test('Integrations share a window per project, and the dashboard has its own, for both classes.', async () => {
  for (const as of [world.keys.owner, world.keys.member, await world.token('owner')])
    expect((await world.call('lists/list', {}, { as })).status).toBe(200)
  expect((await world.call('lists/list')).status).toBe(429)
  expect(await atTheDashboard('lists/list')).toEqual([200, '2', '"dashboard-read"'])

  for (const name of ['One', 'Two']) expect((await world.call('lists/create', { name })).status).toBe(200)
  expect((await world.call('lists/create', { name: 'Three' })).status).toBe(429)
  expect(await atTheDashboard('lists/create', { name: 'Three' })).toEqual([200, '1', '"dashboard-mutation"'])
  expect(await atTheDashboard('lists/create', { name: 'Four' })).toEqual([200, '0', '"dashboard-mutation"'])
  expect((await atTheDashboard('lists/create', { name: 'Five' }))[0]).toBe(429)

  const other = await world.call('lists/list', {}, { as: world.keys.other })
  expect([other.status, other.headers.get('ratelimit-remaining')]).toEqual([200, '2'])
})
