import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { runForPage } from '../../../../src/http/portal/pages/page-operations.ts'
import type { PageContext } from '../../../../src/http/portal/pages/portal.ts'
import { tokenHash } from '../../../../src/secrets.ts'
import { sessions } from '../../../../src/store/tables/accounts.ts'
import { rowsOf } from '../../../support/audit.ts'
import { createWorld, type World } from '../../../support/world.ts'
import { signIn } from '../../signed-in.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Runs an operation as one of the world's people, in a session of their own. */
async function as(person: 'owner' | 'member', operation: string, body: object, { ended = false } = {}) {
  const { runtime } = world.service
  const session_hash = tokenHash((await signIn(world, person)).split('=')[1]!)
  const taken: string[] = []
  const now = world.clock.now()
  const context = {
    ...{ request_id: `req_${operation}`, address: '192.0.2.7', user_agent: 'Desk', now },
    caller: { kind: 'session', session_hash, user_id: world.users[person], confirmed_at: now },
    request: new Request(world.url),
    limiter: {
      take: async (bucket: string) => {
        taken.push(bucket)
        return { limit: 9, remaining: 8, reset_seconds: 1, allowed: true }
      },
    },
  } as unknown as PageContext
  if (ended) await runtime.store.write((tx) => tx.delete(sessions).where(eq(sessions.token_hash, session_hash)))
  const data = await runForPage(runtime, context, { operation, body, project_id: world.project.public_id })
  return { data: data as any, taken }
}

test('A page reads and writes as its user would, and a write leaves the row of its user.', async () => {
  const made = await as('owner', 'lists/create', { name: 'Weekly' })
  expect(made.data.list).toMatchObject({ name: 'Weekly' })
  const read = await as('member', 'lists/list', {})
  expect(read.data.items.map(({ id }: { id: number }) => id)).toEqual([made.data.list.id])
  expect(read.taken).toHaveLength(1)
  const rows = await rowsOf(world, 'req_lists/create')
  expect(rows).toMatchObject([{ ip: '192.0.2.7', actor: `user:${world.users.owner}`, outcome: 'done' }])
  // Without a key of its own the second would be taken for the first.
  await as('owner', 'tags/create', { name: 'One' })
  await expect(as('owner', 'tags/create', { name: 'One' })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('A page cannot do what its user may not, and its session is asked for again.', async () => {
  await expect(as('member', 'lists/create', { name: 'Mine' })).rejects.toThrow('This needs the role editor')
  await expect(as('owner', 'lists/create', { name: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(as('owner', 'lists/nothing', {})).rejects.toThrow('There is no operation lists/nothing.')
  await expect(as('owner', 'contacts/export', {})).rejects.toThrow('contacts/export answers with a file.')
  const late = as('owner', 'lists/create', { name: 'Late' }, { ended: true })
  await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
