import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projects } from '../../src/store/tables/accounts.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { rowsOf } from '../support/audit.ts'
import { BMP, hugePng, noisyGif, noisyJpeg, png } from '../support/pictures.ts'

/** The pictures of a project (docs/api/files.md). */

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld({ files_per_project: 12 })
})
afterEach(() => world.close())

const NOTE = '<html><script>alert("from a picture")</script></html>'

interface Upload {
  role?: 'editor' | 'member' | 'outsider'
  query?: Record<string, string>
  type?: string
  into?: SiteWorld
}

async function upload(
  body: Uint8Array<ArrayBuffer> | FormData,
  { role = 'editor', query = {}, type, into = world }: Upload = {},
) {
  const search = new URLSearchParams({ project_id: into.project.public_id, ...query })
  const response = await into.fetch(`/project/files/upload?${search.toString()}`, {
    method: 'POST',
    headers: { Cookie: await into.cookie(role), ...(type === undefined ? {} : { 'Content-Type': type }) },
    body,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

async function uploaded(body: Uint8Array<ArrayBuffer> | FormData, given?: Upload): Promise<any> {
  const answer = await upload(body, given)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.file
}

const served = (file: { url: string }, headers: Record<string, string> = {}) =>
  world.fetch(new URL(file.url).pathname, { headers })

test('A picture is uploaded as the body, listed, and served to anyone for a year.', async () => {
  const file = await uploaded(png(40, 30), { type: 'image/png', query: { name: 'Boat.png', alt: 'A boat' } })
  expect(file).toMatchObject({ name: 'Boat.png', alt: 'A boat', type: 'image/png', width: 40, height: 30 })
  expect(file.url).toMatch(new RegExp(`^${world.url}/files/[0-9a-f]{32}\\.png$`))
  const list = await world.as('member', '/project/files/list', { limit: 1 })
  expect([list.body.items, list.body.next_cursor]).toEqual([[file], null])

  const answer = await served(file)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(answer.headers.has('set-cookie')).toBe(false)
  const bytes = await answer.bytes()
  expect([bytes.length, await new Bun.Image(bytes).metadata()]).toEqual([
    ...[file.bytes, { width: 40, height: 30, format: 'png' }],
  ])
  const again = await served(file, { 'If-None-Match': answer.headers.get('etag')! })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const other = new URL(file.url).pathname
  for (const path of [other.replace('png', 'jpg'), other.replace('.png', ''), '/files/x.png', '/files/'])
    expect([path, (await world.fetch(path)).status]).toEqual([path, 404])
})

test('A picture is uploaded in a form, under the name of its file.', async () => {
  const form = new FormData()
  form.set('file', new File([png(5, 6)], 'C:\\pictures\\a sail\u202E.png'))
  expect(await uploaded(form)).toMatchObject({ name: 'a sail.png', alt: '', width: 5, height: 6 })
  for (const [index, [given, name]] of [
    ['pictures/a sail.png', 'a sail.png'],
    ['a\u2067 sail\u2069.png', 'a sail.png'],
    [' \u0007 ', 'picture'],
    ['a\u001F sail\u007F\u0080\u009F\u2028\u2029\u202A\u2066.png', 'a sail.png'],
    ['pictures/', 'picture'],
    ['⛵'.repeat(250), '⛵'.repeat(200)],
  ].entries()) {
    form.set('file', new File([png(5, 7 + index)], given!))
    const file = await uploaded(form)
    expect([given, file.name]).toEqual([given, name])
    await world.edit('/project/files/delete', { file_id: file.id })
  }
  const empty = new FormData()
  empty.set('file', 'text')
  expect((await upload(empty)).body.message).toContain('in its part "file"')
  form.set('alt', 'A boat')
  expect((await upload(form)).body.message).toContain('alt: Unknown part')
  const broken = await upload(Buffer.from('--x'), { type: 'multipart/form-data; boundary=x' })
  expect([broken.status, broken.body.message]).toEqual([400, 'The form cannot be read.'])
})

test('All that is no part of a picture is gone: EXIF, comments, and bytes after its end.', async () => {
  const noisy = await noisyJpeg(60, 20, NOTE)
  expect(noisy.includes(NOTE)).toBe(true)
  const jpeg = await uploaded(noisy)
  // EXIF asks for a turn, which the pixels have now.
  expect(jpeg).toMatchObject({ type: 'image/jpeg', width: 20, height: 60 })
  const others = [await uploaded(png(7, 7, { texts: [NOTE] })), await uploaded(noisyGif(NOTE))]
  for (const file of [jpeg, ...others]) {
    const text = Buffer.from(await (await served(file)).bytes()).toString('latin1')
    expect([file.type, text.includes('script'), text.includes('Exif')]).toEqual([file.type, false, false])
  }
  expect(others[1]).toMatchObject({ type: 'image/gif', width: 1, height: 1 })
})

test('A picture is at most 2,000 pixels wide: a wider one is scaled, and a wider GIF is refused.', async () => {
  expect(await uploaded(png(3000, 150))).toMatchObject({ width: 2000, height: 100 })
  const gif = await upload(noisyGif('', { width: 2001 }))
  expect([gif.status, gif.body.message]).toEqual([
    400,
    'The request is not valid. file: A GIF has at most 2000 by 10000 pixels, because it cannot be scaled.',
  ])
})

test('A bomb, a damaged picture and a file that is none are refused at once.', async () => {
  const bomb = await upload(hugePng(60_000, 60_000))
  expect([bomb.status, bomb.body.message]).toEqual([
    ...[400, 'The request is not valid. file: A picture has at most 40000000 pixels.'],
  ])
  expect((await upload(hugePng(1_000_000, 1))).body.message).toContain('A side has at most 20000 pixels.')
  expect((await upload(png(90, 90).subarray(0, 80))).body.message).toContain('cannot be read')
  expect((await upload(noisyGif('').subarray(0, 40))).status).toBe(400)
  expect((await upload(Buffer.alloc(0))).status).toBe(400)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const [body, type] of [
    [svg, 'image/svg+xml'],
    [svg, 'image/png'],
    [svg, 'application/octet-stream'],
    [Buffer.from('<html>'), 'image/jpeg'],
    [BMP, 'image/png'],
    [png(2, 2), 'application/json'],
  ] as const) {
    const answer = await upload(body, { type })
    expect([type, answer.status, answer.body.error]).toEqual([
      type,
      answer.status === 400 ? 400 : 415,
      'invalid_request',
    ])
  }
  const scans = Buffer.concat([await noisyJpeg(8, 8, ''), Buffer.from('ffda'.repeat(201), 'hex')])
  expect((await upload(scans)).body.message).toContain('A JPEG has at most 200 scans.')
  const large = await upload(Buffer.alloc(5 * 1024 * 1024 + 1, png(2, 2)))
  expect([large.status, large.body.message]).toEqual([413, 'A file is at most 5242880 bytes.'])
})

test('A frame of a GIF keeps the last of its controls, so that any number of them is nothing to store.', async () => {
  const gif = noisyGif('')
  const control = Buffer.from('21f904000b000000', 'hex')
  const at = gif.indexOf('21f904', 0, 'hex')
  const many = Buffer.concat([gif.subarray(0, at), Buffer.alloc(control.length * 200_000, control), gif.subarray(at)])
  expect(await uploaded(many)).toEqual({ ...(await uploaded(gif)), name: 'picture' })
})

test('The same picture again is the same file, and another project has an address of its own for it.', async () => {
  const [first, again] = [await uploaded(png(9, 9), { query: { alt: 'Nine' } }), await uploaded(png(9, 9))]
  expect(again).toEqual(first)
  const { project, other } = world
  const elsewhere = await uploaded(png(9, 9), {
    into: { ...world, project: other, cookie: () => world.cookie('owner') },
  })
  expect(elsewhere.url).not.toBe(first.url)
  const query = { project_id: project.public_id, file_id: elsewhere.id }
  for (const [path, more] of [
    ['get', {}],
    ['update', { alt: 'x' }],
    ['delete', { force: true }],
  ] as const)
    expect([path, (await world.as('editor', `/project/files/${path}`, { ...query, ...more })).status]).toEqual([
      path,
      404,
    ])
  const list = await world.as('owner', '/project/files/list', { project_id: other.public_id })
  expect(list.body.items).toEqual([elsewhere])
})

test('Members see the files, editors change them, and the audit log tells who did.', async () => {
  expect((await upload(png(3, 3), { role: 'member' })).status).toBe(403)
  const answer = await upload(png(3, 3))
  const { file } = answer.body
  const [row] = await rowsOf(world, answer.headers.get('x-request-id')!)
  expect([row!.action, row!.target]).toEqual(['POST /project/files/upload', `file:${file.id}`])
  const update = { file_id: file.id, name: 'Three', alt: 'Three by three' }
  expect((await world.as('member', '/project/files/update', update)).status).toBe(403)
  expect((await world.edit('/project/files/update', update)).file).toEqual({ ...file, name: 'Three', alt: update.alt })
  expect((await world.as('member', '/project/files/get', { file_id: file.id })).body.used_by).toEqual([])
  expect((await world.as('member', '/project/files/delete', { file_id: file.id })).status).toBe(403)
  await world.edit('/project/files/delete', { file_id: file.id })
  expect((await served(file)).status).toBe(404)
})

test('A file that something shows is deleted by force only, and the refusal names the first of them.', async () => {
  const file = await uploaded(png(4, 4))
  const blocks = [{ id: 'boat', type: 'image', props: { src: file.url, alt: 'Four' } }]
  const editor_json = { version: 1, settings: {}, blocks }
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May letter',
    subject: 'May',
    audience_spec: { include: [] },
    editor_json,
  })
  const deleted = { name: 'Deleted', subject: 'None', audience_spec: { include: [] }, editor_json }
  const { id: campaign_id } = (await world.ok('campaigns/create', deleted)).campaign
  await world.ok('campaigns/delete', { campaign_id })
  const { template } = await world.ok('templates/create', { name: 'With a picture', editor_json })
  await world.ok('settings/update', { logo_url: file.url })
  const content = `<img src="${file.url}">`
  const { post } = await world.edit('/project/cms/posts/create', { title: 'Tides', content })
  const { page } = await world.edit('/project/pages/create', { path: '/', title: 'Home', html: content })
  const { used_by } = (await world.as('member', '/project/files/get', { file_id: file.id })).body
  expect(used_by).toEqual([
    { type: 'campaign', id: campaign.id, name: 'May letter', status: 'draft' },
    { type: 'template', id: template.id, name: 'With a picture', status: null },
    { type: 'settings', id: null, name: '', status: null },
    { type: 'post', id: post.id, name: 'Tides', status: null },
    { type: 'page', id: page.id, name: 'Home', status: null },
  ])
  const refused = await world.as('editor', '/project/files/delete', { file_id: file.id })
  expect([refused.status, refused.body.error]).toEqual([409, 'conflict'])
  expect(refused.body.message).toStartWith('The file is used by the campaign "May letter" and 4 more.')
  expect((await served(file)).status).toBe(200)
  await world.edit('/project/files/delete', { file_id: file.id, force: true })
  expect((await served(file)).status).toBe(404)
})

test('The logo of the newsletter is named when its file is to be deleted.', async () => {
  const file = await uploaded(png(5, 4))
  await world.ok('settings/update', { logo_url: file.url })
  const refused = await world.as('editor', '/project/files/delete', { file_id: file.id })
  expect(refused.body.message).toStartWith('The file is used by the logo of the newsletter. With force')
  await world.ok('settings/update', { logo_url: '' })
  await world.edit('/project/files/delete', { file_id: file.id })
})

test('The list is newest first in pages, and a project holds as many files as the operator allows.', async () => {
  const present = (await world.edit('/project/files/list')).items.map(({ id }: { id: number }) => id)
  for (let side = 100; present.length < 12; side++) {
    world.clock.advance(1000)
    present.unshift((await uploaded(png(side, 1))).id)
  }
  const full = await upload(png(1, 99))
  expect([full.status, full.body.error, full.body.message]).toEqual([
    ...[409, 'conflict', 'A project can have at most 12 files.'],
  ])
  const seen = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await world.edit('/project/files/list', { limit: 5, ...(cursor === undefined ? {} : { cursor }) })
    seen.push(...page.items.map(({ id }: { id: number }) => id))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(present)
  await world.edit('/project/files/delete', { file_id: present[0] })
  expect((await upload(png(1, 99))).status).toBe(200)
})

test('A picture of a deleted project is not served.', async () => {
  const gone = await createSiteWorld()
  const file = await uploaded(png(2, 2), { into: gone })
  const { store } = gone.service.runtime
  const path = new URL(file.url).pathname
  expect((await gone.fetch(path)).status).toBe(200)
  await store.write((tx) => tx.update(projects).set({ deleted_at: 1 }).where(eq(projects.id, gone.project.id)))
  expect((await gone.fetch(path)).status).toBe(404)
  await gone.close()
})

test('Uploads are refused while the disk is nearly full.', async () => {
  const full = await createSiteWorld({ min_free_disk_megabytes: 1_000_000_000 })
  expect((await upload(png(2, 2), { into: full })).status).toBe(507)
  await full.close()
})
