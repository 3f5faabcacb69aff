import { afterAll, beforeAll, expect, test } from 'bun:test'
import { brotliCompressSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import {
  deleteSiteFile,
  hashAt,
  listSiteFiles,
  putSiteFile,
  readSiteFile,
  siteFileAt,
  typeOf,
} from '../../src/sites/site-files.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { png } from '../support/pictures.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

/** Files of a site (docs/api/sites.md#files-of-a-site). */

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())

type Body = Uint8Array<ArrayBuffer> | string

async function put(
  path: string,
  body: Body,
  { role = 'editor', type }: { role?: 'editor' | 'member'; type?: string } = {},
) {
  const search = new URLSearchParams({ project_id: world.project.public_id, path })
  const response = await world.fetch(`/project/site-files/upload?${search.toString()}`, {
    method: 'POST',
    headers: { Cookie: await world.cookie(role), ...(type === undefined ? {} : { 'Content-Type': type }) },
    body,
  })
  return { status: response.status, body: (await response.json()) as any }
}

const SHEET = 'body { color: teal }\n'.repeat(100)

test('A style sheet is served on the domain of its project and below /sites, and is revalidated.', async () => {
  const { file } = (await put('/css/site.css', SHEET, { type: 'text/css' })).body
  expect(file).toMatchObject({
    path: '/css/site.css',
    url: `${world.url}/sites/harbour-news/css/site.css`,
    type: 'text/css; charset=utf-8',
    bytes: SHEET.length,
  })
  for (const answer of [
    await world.visit('/css/site.css'),
    await fetch(file.url),
    await world.visit('/css/site%2Ecss'),
  ]) {
    expect([answer.status, await answer.text()]).toEqual([200, SHEET])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    })
    expect(answer.headers.has('set-cookie')).toBe(false)
  }
  const { headers } = await world.visit('/css/site.css')
  const tag = headers.get('etag')!
  expect((await world.visit('/css/site.css', { headers: { 'If-None-Match': tag } })).status).toBe(304)
  const zipped = await fetch(file.url, { headers: { 'Accept-Encoding': 'br' } })
  expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['br', SHEET])

  world.clock.advance(1000)
  expect((await put('/css/site.css', SHEET)).body.file).toEqual(file)
  const again = (await put('/css/site.css', 'body {}')).body.file
  expect(again.last_update > file.last_update).toBe(true)
  expect([again.id, again.bytes]).toEqual([file.id, 7])
  const changed = await world.visit('/css/site.css', { headers: { 'If-None-Match': tag } })
  expect([changed.status, await changed.text()]).toEqual([200, 'body {}'])
})

test('Any number of large files is compressed at little cost.', async () => {
  const text = Array.from({ length: 5000 }, (_, n) => `.c${(n * 7919) % 1000} { top: ${n}px }`).join('\n')
  const { file } = (await put('/large.css', text)).body
  const answer = await fetch(file.url, { headers: { 'Accept-Encoding': 'br' }, decompress: false } as RequestInit)
  const strong = brotliCompressSync(text)
  expect((await answer.bytes()).length).toBeGreaterThan(strong.length)
})

test('Each kind of file has its type, and must be what its extension says.', async () => {
  const files: [path: string, content: Body, type: string][] = [
    ['/robots.txt', 'User-agent: *', 'text/plain; charset=utf-8'],
    ['/favicon.ico', Buffer.from([0, 0, 1, 0, 1]), 'image/x-icon'],
    ['/boat.PNG', png(2, 2), 'image/png'],
    ['/boat.jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['/boat.gif', Buffer.from('GIF89a'), 'image/gif'],
    ['/boat.webp', Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    ['/boat.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['/serif.woff2', Buffer.from('wOF2'), 'font/woff2'],
    ['/data/tides.json', '{}', 'application/json'],
    ['/tides.xml', '<tides/>', 'application/xml'],
  ]
  for (const [path, content, type] of files) {
    expect([path, (await put(path, content)).body.file?.type]).toEqual([path, type])
    const answer = await world.visit(path)
    expect([path, answer.headers.get('content-type'), await answer.bytes()]).toEqual([
      ...[path, type, new Uint8Array(Buffer.from(content))],
    ])
    const other = await put(path, Buffer.from([0xfe, 0, 0xff]))
    expect([path, other.status, other.body.message]).toEqual([
      ...[path, 400, 'The request is not valid. file: The file is not what its extension says.'],
    ])
  }
})

test('Scripts, documents and paths that cannot be served are refused.', async () => {
  for (const path of ['/site.js', '/site.mjs', '/page.html', '/letter.pdf', '/none', '/.htaccess', '/x.constructor'])
    expect([path, (await put(path, 'x')).status]).toEqual([path, 415])
  for (const path of ['site.css', '/../site.css', '//x.css', '/a?b.css', '/a%2Fb.css'])
    expect([path, (await put(path, 'x')).status]).toEqual([path, 400])
  expect((await put('/empty.txt', '')).status).toBe(400)
  expect((await put('/large.txt', 'x'.repeat(4_900_001))).status).toBe(413)
  expect(readSiteFile('/large.txt', Buffer.alloc(4_900_000, 'x')).path).toBe('/large.txt')
})

test('A page has precedence over a file at its path, and a file over the page for unknown addresses.', async () => {
  await put('/both.txt', 'the file')
  await world.edit('/project/pages/create', { path: '/404', title: 'Unknown', html: 'unknown' })
  expect(await (await world.visit('/both.txt')).text()).toBe('the file')
  const missing = await world.visit('/missing.txt')
  expect([missing.status, await missing.text()]).toEqual([404, 'unknown'])
  const { page } = await world.edit('/project/pages/create', { path: '/both.txt', title: 'Both', html: 'the page' })
  expect(await (await world.visit('/both.txt')).text()).toBe('the page')
  await world.edit('/project/pages/delete', { page_id: page.id })
  expect(await (await world.visit('/both.txt')).text()).toBe('the file')
})

test('Members list the files, editors change them, and a deleted one is gone.', async () => {
  expect((await put('/m.txt', 'x', { role: 'member' })).status).toBe(403)
  const { file } = (await put('/m.txt', 'x')).body
  const { files } = (await world.as('member', '/project/site-files/list')).body
  const paths = files.map(({ path }: { path: string }) => path)
  expect([paths.includes('/m.txt'), paths]).toEqual([true, paths.toSorted()])
  const elsewhere = { project_id: world.other.public_id, file_id: file.id }
  expect((await world.as('owner', '/project/site-files/delete', elsewhere)).status).toBe(404)
  expect((await world.as('member', '/project/site-files/delete', { file_id: file.id })).status).toBe(403)
  await world.edit('/project/site-files/delete', { file_id: file.id })
  expect((await world.visit('/m.txt')).status).toBe(404)
})

const CSS = 'body { color: teal }'
const store = (project: ProjectId, path: string, text: string, now = NOW) =>
  write((tx) => putSiteFile(tx, project, readSiteFile(path, new Uint8Array(Buffer.from(text))), now))

test('A file is created, updated and unchanged, and served with its newest content.', async () => {
  const [project, neighbor] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const { file, outcome } = await store(project, '/look.css', CSS)
  expect([outcome, file]).toEqual([
    'created',
    {
      ...{ id: expect.any(Number), path: '/look.css', type: 'text/css; charset=utf-8', bytes: CSS.length },
      ...{ hash: expect.stringMatching(/^[0-9a-f]{64}$/), created_at: NOW, updated_at: NOW },
    },
  ])
  expect(await store(project, '/look.css', CSS, NOW + 1)).toEqual({ file, outcome: 'unchanged' })
  const changed = await store(project, '/look.css', 'body { color: red }', NOW + 2)
  expect([changed.outcome, changed.file.created_at, changed.file.updated_at]).toEqual(['updated', NOW, NOW + 2])
  expect((await store(neighbor, '/look.css', CSS)).outcome).toBe('created')
  expect(await hashAt(db, project, '/look.css')).toBe(changed.file.hash)
  expect(await hashAt(db, project, '/none.css')).toBeNull()
  await store(project, '/a.css', CSS)
  expect((await listSiteFiles(db, project)).map(({ path }) => path)).toEqual(['/a.css', '/look.css'])
  const served = await siteFileAt(db, project, '/look.css')
  expect([served!.type, Buffer.from(served!.bytes).toString()]).toEqual([
    ...['text/css; charset=utf-8', 'body { color: red }'],
  ])
  expect(served!.version).toBe(changed.file.hash.slice(0, 32))
  expect([await siteFileAt(db, project, '/none.css'), await siteFileAt(db, project, '/look')]).toEqual([null, null])
  const missing = { code: 'NOT_FOUND', details: [{ path: '/file_id' }] }
  await expect(write((tx) => deleteSiteFile(tx, neighbor, file.id))).rejects.toMatchObject(missing)
  await write((tx) => deleteSiteFile(tx, project, file.id))
  expect([await siteFileAt(db, project, '/look.css'), (await listSiteFiles(db, neighbor)).length]).toEqual([null, 1])
})

test('A project that holds as many files or bytes as it may takes no more.', async () => {
  const project = await newProject()
  await store(project, '/look.css', CSS)
  const use = (column: string, count: number) =>
    write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET ${sql.raw(column)} = ${count} WHERE project_id = ${project} AND kind = 'site_files'`),
    )
  await use('rows', 5000)
  await expect(store(project, '/more.css', CSS)).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await use('rows', 1)
  await use('bytes', 1024 ** 3)
  await expect(store(project, '/look.css', `${CSS} p {}`)).rejects.toMatchObject({ code: 'INVALID_STATE' })
})

test.each([
  ['a.CSS', 'text/css; charset=utf-8', ['x', ''], ['\0', '\xFF']],
  ['a.jpg', 'image/jpeg', ['\xFF\xD8\xFF'], ['\xFF\xD8', 'x\xFF\xD8\xFF']],
  ['a.gif', 'image/gif', ['GIF87a', 'GIF89a'], ['GIF88a']],
  ['a.png', 'image/png', ['\x89PNG\r\n\x1A\n'], ['\x89PNG']],
  ['a.webp', 'image/webp', ['RIFF\0\n\0\0WEBPVP8'], ['RIFF\0\0\0WEBP', 'xRIFF0000WEBP']],
  ['a.ico', 'image/x-icon', ['\0\0\x01\0'], ['\0\0\x02\0']],
  ['a.woff2', 'font/woff2', ['wOF2'], ['wOFF']],
])('A file %s has the type %s, and begins as it says.', (name, type, good, bad) => {
  const found = typeOf(name)!
  const fits = (text: string) => found.is(Buffer.from(text, 'latin1'))
  expect([found.type, good.filter(fits), bad.filter(fits)]).toEqual([type, good, []])
})

test('Files that a site does not have are told by their names.', () => {
  for (const name of ['a.js', 'a.html', 'css', 'a.css.', 'constructor', 'a.constructor'])
    expect([name, typeOf(name)]).toEqual([name, null])
})
