import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { APP_POLICY } from '../../../../src/http/portal/pages/app-document.ts'
import { projects, users } from '../../../../src/store/tables/accounts.ts'
import { connections } from '../../../../src/store/tables/delivery.ts'
import { createSiteWorld, type SiteWorld } from '../../site-world.ts'

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
})
afterAll(() => world.close())

type Person = Parameters<SiteWorld['cookie']>[0]

/** The document at a path, and the data in it. */
async function open(path: string, person: Person = 'owner', more: string[] = []) {
  const cookie = [await world.cookie(person), ...more].join('; ')
  const answer = await world.fetch(`/portal${path}`, { headers: { cookie } })
  const text = await answer.text()
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)?.[1]
  return { answer, text, status: answer.status, data: json === undefined ? null : JSON.parse(json) }
}
const operationsOf = (data: any) => Object.keys(data.answers).map((key) => key.split(' ')[0])

test('A document contains the frame of its page, which shows before the script has run.', async () => {
  const { text } = await open('/projects/harbour-news/contacts', 'editor')
  const frame = text.slice(text.indexOf('<div id="app">'))
  const links = [...frame.matchAll(/<a href="([^"]*)"( aria-current="page")?\s*>.*?<span>(.*?)<\/span>/gs)]
  const root = '/portal/projects/harbour-news'
  expect(links[0]!.slice(1)).toEqual([root, undefined, 'Home'] as never)
  expect(links.filter(([, , current]) => current).map(([, href]) => href)).toEqual([`${root}/contacts`])
  expect(frame).toContain('<span class="place-name">Harbour News</span>')
  expect(frame).toContain('<h1 class="page-title">Contacts</h1>')
  // The title of a contact is its address, which the script knows.
  expect((await open('/projects/harbour-news/contacts/1')).text).not.toContain('<h1')
  expect((await open('/account', 'editor')).text).toContain('<span class="place-name">Your account</span>')
})

test('A document of a project tells its script who is signed in, where it is, and who may change roles.', async () => {
  const { answer, text, status, data } = await open('/projects/harbour-news/campaigns', 'editor')
  expect([status, answer.headers.get('content-security-policy')]).toEqual([200, APP_POLICY])
  const { id, email, first_name, is_reviewer } = data.user
  expect([id, email, first_name, is_reviewer]).toEqual([world.users.editor, 'editor@example.com', 'editor', false])
  const own = { id: world.project.public_id, slug: 'harbour-news', name: 'Harbour News', role: 'editor' }
  expect(data.projects).toEqual([own])
  expect(data.project).toEqual({ ...own, administrators: ['owner', 'administrator'], sending_trouble: false })
  expect([data.scope, data.sandbox, data.base_url]).toEqual(['/portal/projects/harbour-news', true, world.url])
  expect(text).toContain('<title>Campaigns · Harbour News · Masthead</title>')
  const byId = await open(`/projects/${world.project.public_id}`)
  expect([byId.data.scope, byId.data.project.slug]).toEqual([
    `/portal/projects/${world.project.public_id}`,
    'harbour-news',
  ])
})

test('A document has the first answers of its page for whom it is for, and those of the tray.', async () => {
  const tray = ['jobs/list', 'campaigns/list']
  expect(operationsOf((await open('/projects/harbour-news/campaigns')).data)).toEqual([...tray, 'campaigns/list'])
  const { data } = await open('/projects/harbour-news/campaigns/new', 'editor')
  expect(operationsOf(data)).toEqual([...tray, 'templates/list'])
  expect(data.answers[Object.keys(data.answers).at(-1)!]).toMatchObject({ items: expect.any(Array) })
  expect(operationsOf((await open('/projects/harbour-news/campaigns/new', 'member')).data)).toEqual(tray)
  // What is refused is left out: the script asks again and shows it.
  expect(operationsOf((await open('/projects/harbour-news/campaigns/99999')).data)).toEqual(tray)
  const mistyped = await open('/projects/harbour-news/campaigns?status=nonsense')
  expect([mistyped.status, operationsOf(mistyped.data)]).toEqual([200, tray])
  expect(operationsOf((await open('/account')).data)).toEqual([])
})

test('A document of an address without a page is a 404 that the script can tell.', async () => {
  const { status, data, text } = await open('/projects/harbour-news/nowhere')
  expect([status, data.project.slug, data.answers]).toEqual([404, 'harbour-news', {}])
  expect(text).toContain('<title>Harbour News · Masthead</title>')
})

test('A document is for members of the project, and that of the operators for administrators.', async () => {
  for (const [path, person] of [
    ['/projects/mountain-post', 'editor'],
    ['/projects/nothing', 'owner'],
    ['/operator', 'owner'],
  ] as const) {
    const { status, data } = await open(path, person)
    expect([path, status, data]).toEqual([path, 404, null])
  }
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users.owner)))
  const { status, data } = await open('/operator')
  expect([status, data.user.is_reviewer, data.project, data.scope]).toEqual([200, true, null, '/portal/operator'])
  expect((await world.fetch('/portal/account')).headers.get('location')).toBe(
    '/portal/login?return=%2Fportal%2Faccount',
  )
})

test('A document says whether there is a sandbox.', async () => {
  const other = await createSiteWorld({ sandbox: false })
  const answer = await other.fetch('/portal/account', { headers: { cookie: await other.cookie('owner') } })
  expect(await answer.text()).toContain('"sandbox":false')
  await other.close()
})

test('A document has the chosen theme, and no other word of the cookie.', async () => {
  const html = async (value: string) =>
    /<html[^>]*>/.exec((await open('/account', 'owner', [`masthead_theme=${value}`])).text)![0]
  expect([await html('dark'), await html('light')]).toEqual([
    '<html lang="en" data-theme="dark">',
    '<html lang="en" data-theme="light">',
  ])
  expect([await html('neon'), await html('"><script>')]).toEqual(['<html lang="en">', '<html lang="en">'])
})

test('A document says when a connection waits for somebody, and its data cannot end their script.', async () => {
  await world.ok('connections/create', { name: 'Box', provider: 'sandbox' }, { as: world.keys.other })
  const trouble = async () => (await open('/projects/mountain-post')).data.project.sending_trouble
  expect(await trouble()).toBe(false)
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(connections).set({ last_error: 'The relay is away.' }))
  expect(await trouble()).toBe(true)
  const name = '</script><script>alert(1)</script>'
  await store.write((tx) => tx.update(projects).set({ name }).where(eq(projects.id, world.other.id)))
  const { text, data } = await open('/projects/mountain-post')
  expect(data.project.name).toBe(name)
  expect(text).not.toContain('<script>alert')
})

test('Nothing runs on a page of the application but its own files, and no text becomes markup by itself.', () => {
  expect(APP_POLICY.split('; ')).toEqual(
    expect.arrayContaining([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "style-src-attr 'unsafe-inline'"],
      ...["connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
      "require-trusted-types-for 'script'",
    ]),
  )
})

test('The frames for previews and scripts are empty, and keep what runs in them apart.', async () => {
  const policyOf = async (path: string) => (await world.fetch(path)).headers.get('content-security-policy')!
  const [preview, script] = [await policyOf('/portal/preview-frame'), await policyOf('/portal/script-frame')]
  expect(preview).not.toContain('script-src')
  for (const part of ["default-src 'none'", "frame-ancestors 'self'"]) expect(preview).toContain(part)
  for (const part of ['sandbox allow-scripts;', "script-src 'unsafe-inline' https:", "frame-ancestors 'self'"])
    expect(script).toContain(part)
  expect(await (await world.fetch('/portal/preview-frame')).text()).toContain('<body></body>')
  expect((await world.fetch('/portal/connected-apps')).headers.get('location')).toBe('/portal/account/apps')
})
