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

test('The journal knows first that a message begins, and last how it ended.', async () => {
  const scene = await createScene(1)
  const written: string[] = []
  const { journal, store } = scene.context
  const facts = {
    append: (_: number, lines: string[]) => void written.push(...lines.map((line) => line.split(' ')[1]!)),
  }
  const context = {
    ...scene.context,
    store: { ...store, facts: facts as never },
    journal: {
      ...journal,
      open(...about: Parameters<typeof journal.open>) {
        const page = journal.open(...about)
        return {
          ...page,
          begin: (id: number) => (written.push('begun'), page.begin(id)),
          answer: (id: number, answer: unknown) => (written.push('answered'), page.answer(id, answer)),
        }
      },
    },
  }
  const later = { kind: 'temporary', scope: 'recipient', stage: 'data', code: 451, message: 'later' } as const
  await pump({ context, stream: scene.stream, transport: fakeTransport(() => later), down_since: null })
  // A kill between any two of them leaves the message in doubt.
  expect(written).toEqual(['begun', 'handed-over', 'taken-back', 'answered'])
  await scene.world.close()
})
