import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetUrl, MEDIA_TYPES } from '../src/assets.ts'
import { createWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const PICTURE = 'gallery/welcome.png'

test('A static file has its media type, and is cached for good under the path that names its version.', async () => {
  const address = assetUrl('', PICTURE)
  const response = await world.fetch(address)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(
    Buffer.from(await response.arrayBuffer()).equals(readFileSync(join(import.meta.dir, '../static', PICTURE))),
  ).toBe(true)
})

test('A static file has the media type of its ending, and no other ending is served.', async () => {
  expect(MEDIA_TYPES).toEqual({
    '.css': 'text/css; charset=utf-8',
    '.ico': 'image/x-icon',
    '.jpg': 'image/jpeg',
    '.js': 'text/javascript; charset=utf-8',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.webp': 'image/webp',
    '.woff2': 'font/woff2',
  })
  for (const [path, ending] of [
    ['/favicon.ico', '.ico'],
    ['/assets/favicon.svg', '.svg'],
    ['/assets/portal/portal.css', '.css'],
    ['/assets/portal/passkeys.js', '.js'],
  ] as const)
    expect([path, (await world.fetch(path)).headers.get('content-type')]).toEqual([path, MEDIA_TYPES[ending]!])
  for (const path of ['/assets/openid/README.md', '/assets/app/site/pages.ts', '/assets/public/altcha.d.ts'])
    expect([path, (await world.fetch(path)).status]).toEqual([path, 404])
})

test('A static file is revalidated under any other path, and not sent twice.', async () => {
  for (const address of [`/assets/${PICTURE}`, `/assets/${PICTURE}?v=old`]) {
    const response = await world.fetch(address)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const etag = response.headers.get('etag')!
    for (const known of [etag, `"x", W/${etag}`]) {
      const again = await world.fetch(address, { headers: { 'If-None-Match': known } })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
    }
  }
})

test.each([
  '/assets/',
  '/assets/none.png',
  '/assets/gallery',
  '/assets/gallery/',
  '/assets//gallery/welcome.png',
  '/assets/../package.json',
  '/assets/..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/etc/passwd',
  '/assets/gallery/%2e%2e/%2e%2e/migrations/0001_baseline.sql',
  '/assets/gallery/welcome.png%00.png',
  '/assets/__proto__',
])('No file is found at %s.', async (path) => {
  expect((await world.fetch(path)).status).toBe(404)
})
