import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { findLink, storeLinks } from '../../../src/newsletter/tracking/campaign-links.ts'
import { publicUrl } from '../../../src/newsletter/tracking/links.ts'
import { draft } from '../campaigns/support.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
let tides: number
let storms: number
let calm: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  tides = (await draft(world)).id
  storms = (await draft(world)).id
  calm = (await draft(world)).id
})
afterAll(() => home.close())

const store = () => world.service.runtime.store

test('Links get positions in their order, each address once, and keep them at the next rendering.', async () => {
  expect(await storeLinks(store(), tides, ['https://a.example', 'https://b.example', 'https://a.example'])).toEqual([
    0, 1, 0,
  ])
  expect(await storeLinks(store(), tides, ['https://c.example', 'https://b.example'])).toEqual([2, 1])
  expect(await storeLinks(store(), tides, [])).toEqual([])
})

test('Each campaign has a list of its own.', async () => {
  await storeLinks(store(), tides, ['https://a.example'])
  expect(await storeLinks(store(), storms, ['https://c.example'])).toEqual([0])
  expect(await findLink(store().db, storms, 0)).toBe('https://c.example')
  expect(await findLink(store().db, tides, 0)).toBe('https://a.example')
  expect(await findLink(store().db, storms, 1)).toBeNull()
})

test('Two renderings at once give one address one position.', async () => {
  const urls = ['https://x.example', 'https://y.example']
  const [one, other] = await Promise.all([
    storeLinks(store(), calm, urls),
    storeLinks(store(), calm, urls.toReversed()),
  ])
  expect(other.toReversed()).toEqual(one)
})

test('Known addresses are found without a write.', async () => {
  await storeLinks(store(), tides, ['https://a.example', 'https://b.example'])
  const unwritable = { ...store(), write: () => Promise.reject(new Error('Nothing is to be written.')) }
  expect(await storeLinks(unwritable, tides, ['https://b.example'])).toEqual([1])
})

test('Messages link to public pages below one root.', () => {
  expect(publicUrl('https://mail.example', 'view', 'token')).toBe('https://mail.example/general/newsletter/view/token')
})
