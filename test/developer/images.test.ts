import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { addImage, listImages } from '../../src/developer/images.ts'
import { app_images } from '../../src/store/tables/files.ts'
import { png } from '../support/pictures.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { createWorld, type World } from '../support/world.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

/** Pictures for the listing of an app (docs/api/files.md#pictures-of-apps). */

let world: World
let desk: Desk
let id: string
beforeEach(async () => {
  world = await createWorld()
  desk = await openDesk(world)
  id = (await desk.app()).id
})
afterEach(() => world.close())

async function upload(body: Uint8Array<ArrayBuffer>, person: Parameters<Desk['cookie']>[0] = 'outsider') {
  const headers = { Cookie: desk.cookie(person) }
  const answer = await world.fetch(`${APPS}/${id}/images?name=Icon.png`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as any }
}

test('The team adds pictures, everyone sees them, and reviewers list them.', async () => {
  const { image } = (await upload(png(64, 64))).body
  const created_on = new Date(world.clock.now()).toISOString()
  expect(image).toMatchObject({ name: 'Icon.png', type: 'image/png', width: 64, height: 64, created_on })
  const shown = await world.fetch(new URL(image.url).pathname)
  expect([shown.status, shown.headers.get('content-type'), (await shown.bytes()).length]).toEqual([
    ...[200, 'image/png', image.bytes],
  ])
  const said = ['cache-control', 'cross-origin-resource-policy', 'content-security-policy']
  expect(said.map((name) => shown.headers.get(name))).toEqual([
    ...['public, max-age=31536000, immutable', 'cross-origin', "default-src 'none'; sandbox"],
  ])
  expect((await upload(png(64, 64))).body.image).toEqual(image)
  expect((await desk.ok('editor', 'GET', `${APPS}/${id}/images`)).images).toEqual([image])
  expect((await upload(png(1, 1), 'editor')).status).toBe(403)
  expect((await upload(png(1, 1), 'member')).status).toBe(404)
  expect((await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).status).toBe(415)
})

test('A picture that the draft or a version of the listing shows is not deleted.', async () => {
  const { image } = (await upload(png(65, 65))).body
  const remove = () => desk.as('outsider', 'DELETE', `${APPS}/${id}/images/${image.id}`)
  await desk.ok('outsider', 'PUT', `${APPS}/${id}/listing`, { icon_url: image.url })
  expect([(await remove()).status, (await world.fetch(new URL(image.url).pathname)).status]).toEqual([409, 200])
  await desk.ok('outsider', 'PUT', `${APPS}/${id}/listing`, {})
  expect((await remove()).status).toBe(200)
  expect((await remove()).status).toBe(404)
  expect((await world.fetch(new URL(image.url).pathname)).status).toBe(404)

  const frozen = (await upload(png(66, 66))).body.image
  await desk.ok('outsider', 'PUT', `${APPS}/${id}/listing`, { screenshots: [frozen.url] })
  await desk.ok('outsider', 'POST', `${APPS}/${id}/versions`, {})
  await desk.ok('outsider', 'PUT', `${APPS}/${id}/listing`, {})
  expect((await desk.as('outsider', 'DELETE', `${APPS}/${id}/images/${frozen.id}`)).status).toBe(409)
})

test('An app has at most twenty pictures, and none after its end.', async () => {
  const { images } = await desk.ok('outsider', 'GET', `${APPS}/${id}/images`)
  for (let side = 1; side <= 20 - images.length; side++) expect((await upload(png(side, 5))).status).toBe(200)
  const full = await upload(png(99, 9))
  expect([full.status, full.body.message]).toEqual([409, 'An app has at most 20 pictures of together 20971520 bytes.'])
  const [first] = (await desk.ok('outsider', 'GET', `${APPS}/${id}/images`)).images
  await desk.ok('outsider', 'DELETE', `${APPS}/${id}`, {})
  expect((await world.fetch(new URL(first.url).pathname)).status).toBe(404)
})

test('Each app has a picture at an address of its own, and its newest picture first.', async () => {
  const [app, other] = [await newApp(await newUser()), await newApp(await newUser())]
  const add = (app_id: string, bytes: Uint8Array<ArrayBuffer>) => {
    const picture = { type: 'image/png', width: 1, height: 1, bytes } as const
    return write((tx) => addImage(tx, app_id, { picture, name: 'Icon' }, NOW))
  }
  const first = await add(app.id, png(1, 1))
  const second = await add(app.id, png(1, 2))
  const foreign = await add(other.id, png(1, 1))
  expect(await add(app.id, png(1, 1))).toEqual(first)
  expect(foreign.address).not.toBe(first.address)
  const { db } = await sharedStore()
  expect([await listImages(db, app.id), await listImages(db, other.id)]).toEqual([[second, first], [foreign]])
})

test('The pictures of an app have together at most twenty mebibytes.', async () => {
  const { id } = await newApp(await newUser())
  const add = (bytes: Uint8Array<ArrayBuffer>) => {
    const picture = { type: 'image/png', width: 1, height: 1, bytes } as const
    return write((tx) => addImage(tx, id, { picture, name: 'Icon' }, NOW))
  }
  const { bytes } = await add(png(1, 1))
  const more = png(1, 2)
  const hold = (total: number) =>
    write((tx) => tx.update(app_images).set({ bytes: total }).where(eq(app_images.app_id, id)))
  await hold(20 * 1024 ** 2 - more.length + 1)
  await expect(add(more)).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await hold(20 * 1024 ** 2 - more.length)
  expect([(await add(more)).bytes, bytes]).toEqual([more.length, png(1, 1).length])
})
