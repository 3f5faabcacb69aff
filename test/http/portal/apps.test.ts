import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { authorization_projects, authorizations } from '../../../src/store/tables/apps.ts'
import { app_suspensions } from '../../../src/store/tables/developer.ts'
import {
  published_scripts,
  script_connections,
  script_settings,
  scripts,
  switched_off_scripts,
} from '../../../src/store/tables/scripts.ts'
import { type Client, createOAuthWorld, type OAuthWorld, type Person } from '../../oauth/oauth-world.ts'
import { hasBrowser, openBrowser } from '../../sites/browser.ts'
import { closeWorlds, PASSWORD } from '../../support/world.ts'
import { post } from '../signed-in.ts'

let world: OAuthWorld
const store = () => world.service.runtime.store
const main = () => world.project.public_id

beforeAll(async () => {
  world = await createOAuthWorld()
  const { cookie } = await world.browser('owner')
  const made = await post(
    world,
    '/project/pages/create',
    {
      project_id: main(),
      path: '/',
      title: 'Home',
      html: '<!doctype html><html><head></head><body>Harbour</body></html>',
    },
    { cookie },
  )
  if (made.status !== 200) throw new Error(await made.text())
})
beforeEach(() =>
  store().write(async (tx) => {
    for (const table of [
      authorizations,
      authorization_projects,
      script_connections,
      script_settings,
      switched_off_scripts,
      app_suspensions,
    ])
      await tx.delete(table)
  }),
)
afterAll(closeWorlds)

async function open(who: Person | null, path: string) {
  const response = await world.fetch(path, {
    headers: who === null ? {} : { cookie: (await world.browser(who)).cookie },
  })
  return {
    status: response.status,
    location: response.headers.get('location'),
    headers: response.headers,
    text: await response.text(),
  }
}

async function send(
  who: Person | null,
  path: string,
  fields: Record<string, string> = {},
  origin: string | null = world.url,
) {
  const headers: Record<string, string> = {
    ...(origin === null ? {} : { origin }),
    ...(who === null ? {} : { cookie: (await world.browser(who)).cookie }),
  }
  const response = await world.fetch(path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

/** Puts a script of the app on the main project's pages; answers the connection's id. */
async function embed(
  client: Client,
  access_token: string,
  more: Partial<typeof scripts.$inferInsert> = {},
  project_id = main(),
): Promise<number> {
  const now = world.clock.now()
  const script = {
    name: 'Tides',
    type: 'Analytics',
    placement: 'HTML Head',
    code: '<i>tides</i>',
    parameters: {},
    ...more,
  } as const
  const script_id = await store().write(async (tx) => {
    const [made] = await tx
      .insert(scripts)
      .values({ app_id: client.id, ...script, created_at: now, updated_at: now })
      .returning({ id: scripts.id })
    await tx.insert(published_scripts).values({ script_id: made!.id, ...script })
    return made!.id
  })
  const answer = await post(
    world,
    '/general/api/v1/scripts/embed',
    { scriptId: script_id, project_id },
    { Authorization: `Bearer ${access_token}` },
  )
  if (answer.status !== 200) throw new Error(await answer.text())
  const [connection] = await store()
    .db.select({ id: script_connections.id })
    .from(script_connections)
    .where(eq(script_connections.script_id, script_id))
  return connection!.id
}

const hosted = async () => (await world.fetch('/sites/harbour-news/')).text()
const grantOf = async (access_token: string): Promise<string> => {
  const response = await world.fetch('/general/api/v1/token/introspect', {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  return ((await response.json()) as { authorization: { id: string } }).authorization.id
}
const ended = (id: string) => `/portal/connected-apps/${id}/disconnect`

describe('connected apps', () => {
  test("show a user's own authorizations in plain words, and nobody else's", async () => {
    const client = await world.newClient({ display_name: 'Tide Tables', homepage: 'https://tides.example/about' })
    await world.tokens({ client, scope: 'newsletter:read scripts:embed', project_ids: [main(), world.other.public_id] })
    const { status, text, headers } = await open('owner', '/portal/connected-apps')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    for (const shown of [
      'Tide Tables',
      'Made by outsider',
      '<a href="https://tides.example/about" rel="noopener noreferrer nofollow" target="_blank">tides.example</a>',
      '<a href="/portal/projects/harbour-news">Harbour News</a>',
      '<a href="/portal/projects/mountain-post">Mountain Post</a>',
      '<li>Read contacts, audiences, campaigns and reports</li>',
      '<li>Put its scripts on the pages of the site</li>',
      '15 January 2026',
      '/disconnect"',
    ])
      expect(text).toContain(shown)
    expect(text).not.toContain('scripts:embed')
    const others = await open('editor', '/portal/connected-apps')
    expect(others.text).toContain('No app acts in your name.')
    expect(others.text).not.toContain('Tide Tables')
  })

  test('leave out a project that was taken from an app', async () => {
    await world.tokens()
    const { cookie } = await world.browser('administrator')
    await post(world, '/project/apps/disconnect', { project_id: main(), app_id: world.client.id }, { cookie })
    expect((await open('owner', '/portal/connected-apps')).text).toContain('No project any more')
  })

  test('lead through the login page and back', async () => {
    const { access_token } = await world.tokens()
    const paths = ['/portal/connected-apps', ended(await grantOf(access_token))]
    for (const path of paths)
      expect(await open(null, path)).toMatchObject({
        status: 303,
        location: `/portal/login?return=${encodeURIComponent(path)}`,
      })
    for (const path of paths.slice(1))
      expect(await send(null, path, { change: 'ask-first' })).toMatchObject({
        status: 303,
        location: `/portal/login?return=${encodeURIComponent(path)}`,
      })
    expect(await world.works(access_token)).toBe(200)
  })

  test('ask before disconnecting, which ends token and script at once', async () => {
    const client = await world.newClient({ display_name: 'Tide Tables' })
    const { access_token } = await world.tokens({ client, project_ids: [main(), world.other.public_id] })
    await embed(client, access_token, { name: 'Tides', code: '<i>tides</i>' })
    const path = ended(await grantOf(access_token))
    const page = await open('owner', path)
    expect(page.status).toBe(200)
    for (const shown of [
      'Disconnect Tide Tables?',
      'Its scripts leave the pages of Harbour News at once: Tides.',
      '<button class="danger">Disconnect</button>',
    ])
      expect(page.text).toContain(shown)
    expect(page.text).toMatch(
      /Its access to (Harbour News and Mountain Post|Mountain Post and Harbour News) in your name ends at once\./,
    )
    for (const origin of ['https://evil.example', 'null'])
      expect((await send('owner', path, {}, origin)).status).toBe(403)
    expect([await world.works(access_token), (await hosted()).includes('<i>tides</i>')]).toEqual([200, true])

    expect(await send('owner', path)).toMatchObject({
      status: 303,
      location: '/portal/connected-apps?done=disconnected',
    })
    expect([await world.works(access_token), (await hosted()).includes('<i>tides</i>')]).toEqual([401, false])
    expect((await open('owner', '/portal/connected-apps?done=disconnected')).text).toContain(
      '<p class="notice" role="status">The app is disconnected',
    )
    for (const again of [await send('owner', path), await open('owner', path)]) {
      expect(again.status).toBe(404)
      expect(again.text).toContain('<p class="notice bad" role="alert">There is no such connection.')
    }
  })

  test('say that scripts stay where the app has another connection', async () => {
    const client = await world.newClient()
    const first = await world.tokens({ client })
    await embed(client, first.access_token)
    await world.tokens({ client })
    await world.tokens({ client, who: 'administrator' })
    const path = ended(await grantOf(first.access_token))
    const { text } = await open('owner', path)
    for (const shown of [
      'Its scripts stay on the pages of Harbour News by another connection: Tides.',
      'You connected this app another time.',
    ])
      expect(text).toContain(shown)
    await send('owner', path)
    expect(await hosted()).toContain('<i>tides</i>')
  })

  test('refuse to end the authorization of another user', async () => {
    const { access_token } = await world.tokens()
    for (const id of [await grantOf(access_token), 'aut_none', '%00', '..']) {
      for (const answer of [await open('administrator', ended(id)), await send('administrator', ended(id))])
        expect(answer.status).toBe(404)
    }
    expect(await world.works(access_token)).toBe(200)
  })
})

describe('POST /project/apps/overview', () => {
  const overview = async (who: Person) =>
    post(world, '/project/apps/overview', { project_id: main() }, { cookie: (await world.browser(who)).cookie })
  const read = async (): Promise<any> => (await overview('owner')).json()

  test('shows every member each app once, with what it may, who let it in, and its scripts', async () => {
    const { access_token } = await world.tokens({ who: 'editor', scope: 'newsletter:read scripts:embed' })
    await world.tokens({ scope: 'newsletter:read' })
    await embed(world.client, access_token, { code: '<i class="x">tides</i>' })
    const shown = await read()
    expect(shown).toMatchObject({
      apps: [
        {
          id: world.client.id,
          displayName: 'Weather Widgets',
          maker: 'outsider',
          permissions: ['Read contacts, audiences, campaigns and reports', 'Put its scripts on the pages of the site'],
        },
      ],
      scripts: [{ name: 'Tides', app: { id: world.client.id }, code: '<i class="x">tides</i>', state: 'on' }],
      consent_required: false,
    })
    expect(shown.apps[0].people.map(({ name }: { name: string }) => name).toSorted()).toEqual(['editor', 'owner'])
    expect(await (await overview('member')).json()).toEqual(shown)
    expect((await overview('outsider')).status).toBe(403)
  })

  test('tells what becomes of a script: off, after consent, or not running', async () => {
    const { access_token } = await world.tokens()
    const connection_id = await embed(world.client, access_token)
    await embed(world.client, access_token, { name: 'Needed', type: 'Essential', code: '<i>needed</i>' })
    const { cookie } = await world.browser('administrator')
    const change = (path: string, body: object) => post(world, path, { project_id: main(), ...body }, { cookie })
    const states = async () => (await read()).scripts.map(({ state }: { state: string }) => state)
    expect((await change('/project/scripts/settings', { consent_required: true })).status).toBe(200)
    expect(await states()).toEqual(['after_consent', 'on'])
    await change('/project/scripts/switch', { connection_id, enabled: false })
    expect(await states()).toEqual(['off', 'on'])
    expect(await hosted()).not.toContain('tides')
    await store().write((tx) =>
      tx
        .insert(app_suspensions)
        .values({ app_id: world.client.id, user_id: world.users.owner, comment: '', suspended_at: world.clock.now() }),
    )
    expect(await states()).toEqual(['off', 'not_running'])
  })
})

test.skipIf(!hasBrowser)(
  'in a browser without scripts, on a narrow phone',
  async () => {
    const { access_token } = await world.tokens()
    await embed(world.client, access_token, { code: `<i title="${'tide'.repeat(60)}">tides</i>` })
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      await page.goto(`${world.url}/portal/connected-apps`)
      await page.fill('#email', 'owner@example.com')
      await page.fill('#password', PASSWORD)
      await page.click('main button')
      expect([new URL(page.url()).pathname, await fits()]).toEqual(['/portal/connected-apps', true])
      await page.click('text=Disconnect')
      expect(await fits()).toBe(true)
      await page.click('button.danger')
      expect(await page.textContent('[role=status]')).toContain('The app is disconnected')
      expect(await world.works(access_token)).toBe(401)
    } finally {
      await browser.close()
    }
  },
  30_000,
)
