import { afterEach, expect, spyOn, test } from 'bun:test'
import { connectionsAtOnce, createTransports } from '../../../src/newsletter/outbox/transports.ts'
import { closeWorlds } from '../../support/world.ts'
import { createScene } from './support.ts'

afterEach(closeWorlds)

test('A transport is kept between batches, and replaced when its connection changes.', async () => {
  const scene = await createScene(1)
  const transports = createTransports(scene.context)
  const { connection } = scene.stream
  const first = await transports.of(connection)
  expect(await transports.of({ ...connection })).toBe(first)
  const changed = await transports.of({ ...connection, updated_at: connection.updated_at + 1 })
  expect(changed).not.toBe(first)
  expect(await transports.of({ ...connection, updated_at: connection.updated_at + 1 })).toBe(changed)
  await transports.close()
})

test('Each connection and each host of it has a transport of its own, until all are closed.', async () => {
  const scene = await createScene(1)
  const transports = createTransports(scene.context)
  const { connection } = scene.stream
  const others = [connection, { ...connection, host: 'broadcasts.example' }, { ...connection, id: connection.id + 1 }]
  const all = async () => {
    const found = []
    for (const one of others) found.push(await transports.of(one))
    return found
  }
  const first = await all()
  expect(new Set(first).size).toBe(3)
  const again = await all()
  expect(first.map((transport, at) => again[at] === transport)).toEqual([true, true, true])
  const closed = first.map((transport) => spyOn(transport, 'close'))
  await transports.of({ ...others[1]!, updated_at: connection.updated_at + 1 })
  expect(closed.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0])
  await transports.close()
  expect(closed.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1])
  const fresh = await all()
  expect(first.some((transport, at) => fresh[at] === transport)).toBe(false)
  const relay = { ...connection, id: connection.id + 2, provider: 'smtp', host: 'relay.example', max_connections: 7 }
  expect((await transports.of(relay as typeof connection)).parallel).toBe(7)
  const paced = { ...relay, id: connection.id + 3, max_connections: 10, max_per_second: 20 }
  expect((await transports.of(paced as typeof connection)).parallel).toBe(40)
  await transports.close()
})

test('Messages that reach the sandbox together are stored in one transaction.', async () => {
  const scene = await createScene(1)
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

test('Only the default number of connections grows with the pace, up to 50.', () => {
  const most = (max_per_second: number | null, max_connections = 10, max_connections_chosen = false) =>
    connectionsAtOnce({ max_connections, max_connections_chosen, max_per_second })
  expect([most(null), most(1), most(5), most(20), most(25), most(1_000)]).toEqual([10, 10, 10, 40, 50, 50])
  expect([most(1_000, 10, true), most(1_000, 3, true), most(null, 3, true)]).toEqual([10, 3, 3])
})
