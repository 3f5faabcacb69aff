import { afterAll, beforeAll, expect, test } from 'bun:test'
import { operations } from '../../src/newsletter/operations.ts'
import { shapes } from '../support/hostile-shapes.ts'
import { createWorld, type World } from '../support/world.ts'
import { type Body, type Seed, samples, seed } from './samples.ts'

/** Hostile texts in every place of every operation that takes text. */

/** CPU of one call; a quadratic pattern needs seconds at these lengths. */
const LIMIT_MS = 300
const LENGTH = 20_000
const all = Object.entries(shapes)

let world: World
let seeded: Seed

beforeAll(async () => {
  world = await createWorld()
  seeded = await seed(world)
})
afterAll(() => world.close())

/** CPU of the whole process with its threads, the client's part included. */
async function cpuOfCall(path: string, body: Body): Promise<number> {
  const before = process.cpuUsage()
  const { status } = await world.call(path, body)
  const { user, system } = process.cpuUsage(before)
  expect(status).toBeLessThan(500)
  return (user + system) / 1000
}

/** The cheapest of three calls decides: a first one may start a thread, and garbage of others may be collected. */
async function expectCheap(path: string, body: () => Body): Promise<void> {
  let least = Infinity
  for (let call = 0; call < 3 && least >= LIMIT_MS; call++) least = Math.min(least, await cpuOfCall(path, body()))
  expect([path, least < LIMIT_MS ? 'cheap' : least]).toEqual([path, 'cheap'])
}

/** The body once for each of its strings, with that string replaced. */
function* replaced(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      for (const changed of replaced(inner, text)) {
        const copy = structuredClone(value) as Record<string, unknown>
        copy[key] = changed
        yield copy
      }
    }
  }
}

test('Each text of each operation takes a hostile one, and a short time.', async () => {
  let next = 0
  const bodies: [path: string, sample: Body][] = []
  for (const { path } of operations) {
    // A sample may fail when those before it have used up its contact.
    const sample = await Promise.resolve(samples[path]!(seeded, world)).catch(() => null)
    if (sample) bodies.push([path, sample])
  }
  expect(bodies.length).toBeGreaterThan(60)
  for (const [path, sample] of bodies) {
    const places = [...replaced(sample, '')].length
    for (let place = 0; place < places; place++) {
      const [, shape] = all[next++ % all.length]!
      await expectCheap(path, () => [...replaced(sample, shape(LENGTH))][place] as Body)
    }
  }
  expect(next).toBeGreaterThan(100)
})

test.each(all)('A document of %s renders in a short time.', async (_, shape) => {
  const blocks = [{ id: 'a', type: 'html', props: { html: shape(138_000) } }]
  await expectCheap('/render', () => ({ editor_json: { version: 1, settings: {}, blocks } }))
})

test.each(all)('A CSV of %s is staged in a short time.', async (_, shape) => {
  await expectCheap('/imports/create', () => ({ csv: shape(200_000) }))
})

test('A CSV of the largest size with a quote before each line is staged in a short time.', async () => {
  await expectCheap('/imports/create', () => ({ csv: '"a\n'.repeat(1_000_000) }))
})

test('The service answers while a large document renders.', async () => {
  const blocks = [{ id: 'a', type: 'html', props: { html: shapes['links in one line']!(180_000) } }]
  let done = false
  const rendering = world.call('/render', { editor_json: { version: 1, settings: {}, blocks } }).then((answer) => {
    done = true
    return answer
  })
  let healthy = 0
  while (!done) {
    if ((await world.fetch('/healthz')).ok) healthy++
  }
  expect((await rendering).status).toBe(200)
  expect(healthy).toBeGreaterThan(0)
})
