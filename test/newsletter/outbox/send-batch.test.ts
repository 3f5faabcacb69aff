import { expect, test } from 'bun:test'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import { createScene, fakeTransport } from './support.ts'

test('When a whole batch cannot be composed, no message of it stays leased.', async () => {
  const scene = await createScene(3)
  const stream = { ...scene.stream, compose: () => Promise.reject(new Error('The database is gone.')) }
  const failed = pump({ context: scene.context, stream, transport: fakeTransport(), down_since: null })
  expect(await failed.catch((error) => error)).toMatchObject({ message: 'The database is gone.' })
  expect((await scene.rows()).map(({ status, lease_id }) => [status, lease_id])).toEqual(
    Array.from({ length: 3 }, () => ['queued', null]),
  )
  await scene.world.close()
})
