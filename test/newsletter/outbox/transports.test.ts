import { afterEach, expect, test } from 'bun:test'
import { createTransports } from '../../../src/newsletter/outbox/transports.ts'
import { createScene, type OutboxScene } from './support.ts'

let scene: OutboxScene
afterEach(() => scene.world.close())

test('A transport is kept between batches, and replaced when its connection changes.', async () => {
  scene = await createScene(1)
  const transports = createTransports(scene.context)
  const { connection } = scene.stream
  const first = await transports.of(connection)
  expect(await transports.of({ ...connection })).toBe(first)
  const changed = await transports.of({ ...connection, updated_at: connection.updated_at + 1 })
  expect(changed).not.toBe(first)
  expect(await transports.of({ ...connection, updated_at: connection.updated_at + 1 })).toBe(changed)
  await transports.close()
})

test('Messages that reach the sandbox together are stored in one transaction.', async () => {
  scene = await createScene(1)
  let writes = 0
  const { store } = scene.context
  const write: typeof store.write = (work) => {
    writes += 1
    return store.write(work)
  }
  const transports = createTransports({ ...scene.context, store: { ...store, write } })
  const transport = await transports.of(scene.stream.connection)
  const envelope = (to: string) => ({ from: 'news@harbour.example', to })
  await Promise.all(
    ['ada', 'bo', 'cy'].map((name) => transport.send(envelope(`${name}@example.com`), Buffer.from(name))),
  )
  expect(writes).toBe(1)
  await transports.close()
})
