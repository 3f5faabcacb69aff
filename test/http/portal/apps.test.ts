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
import { type Client, createOAuthWorld, type OAuthWorld, type Person, setRole } from '../../oauth/oauth-world.ts'
import { hasBrowser, openBrowser } from '../../sites/browser.ts'
import { closeWorlds, PASSWORD } from '../../support/world.ts'
import { post } from '../signed-in.ts'

let world: OAuthWorld
const store = () => world.service.runtime.store
const main = () => world.project.public_id
const PROJECT = '/portal/projects/harbour-news/apps'

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
    await send('administrator', `${PROJECT}/${world.client.id}/remove`)
    expect((await open('owner', '/portal/connected-apps')).text).toContain('No project any more')
  })

  test('lead through the login page and back', async () => {
    const { access_token } = await world.tokens()
    const paths = [
      '/portal/connected-apps',
      ended(await grantOf(access_token)),
      PROJECT,
      `${PROJECT}/${world.client.id}/remove`,
    ]
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

describe('a project', () => {
  test('is linked from the list of projects and found by slug and by id', async () => {
    expect((await open('owner', '/portal/')).text).toContain('<a href="/portal/projects/harbour-news">Harbour News</a>')
    for (const path of [PROJECT, `/portal/projects/${main()}/apps`]) {
      const { status, text } = await open('member', path)
      expect(status).toBe(200)
      for (const shown of [
        '<h1>Harbour News</h1>',
        '<dd>Member</dd>',
        `href="${world.url}/sites/harbour-news/"`,
        'No app has access to this project.',
        'No app has put a script on the pages of this project.',
        'Visitors are not asked',
      ])
        expect(text).toContain(shown)
    }
  })

  test('is not found by people who are no members', async () => {
    const [foreign, none] = [await open('outsider', PROJECT), await open('outsider', '/portal/projects/nowhere/apps')]
    expect([foreign.status, foreign.text]).toEqual([404, none.text])
    expect((await open('administrator', '/portal/projects/mountain-post/apps')).status).toBe(404)
    for (const path of [PROJECT, `${PROJECT}/${world.client.id}/remove`])
      expect((await send('outsider', path, { change: 'ask-first' })).status).toBe(404)
    expect((await open('outsider', `${PROJECT}/${world.client.id}/remove`)).status).toBe(404)
  })

  test('shows every member what is connected, with buttons for those who may change it', async () => {
    const { access_token } = await world.tokens({ who: 'editor', scope: 'newsletter:read scripts:embed' })
    await world.tokens({ scope: 'newsletter:read' })
    await embed(world.client, access_token, { code: '<i class="x">tides</i>' })
    for (const [who, a_role] of [
      ['owner', null],
      ['administrator', null],
      ['editor', 'an editor'],
      ['member', 'a member'],
    ] as const) {
      const { text } = await open(who, PROJECT)
      for (const shown of [
        '<h3>Weather Widgets</h3>',
        '<li>editor <time',
        '<li>owner <time',
        '<li>Read contacts, audiences, campaigns and reports</li>',
        'Tides</th>',
        '>Analytics</td>',
        '>HTML Head</td>',
        '<span class="state on">On</span>',
        '&lt;i class=&quot;x&quot;&gt;tides&lt;/i&gt;',
      ])
        expect(text).toContain(shown)
      expect(text.match(/<h3>Weather Widgets<\/h3>/g)).toHaveLength(1)
      const buttons = [`href="${PROJECT}/${world.client.id}/remove"`, 'value="switch-off"', 'value="ask-first"']
      expect(buttons.map((button) => text.includes(button))).toEqual(buttons.map(() => a_role === null))
      expect(text.split(`takes an administrator or an owner; you are ${a_role} here.`)).toHaveLength(
        a_role === null ? 1 : 4,
      )
    }
  })

  test('is not changed by a member whose role is too low, who reads why', async () => {
    const { access_token } = await world.tokens()
    const script = String(await embed(world.client, access_token))
    for (const answer of [
      await send('editor', PROJECT, { change: 'switch-off', script }),
      await send('editor', PROJECT, { change: 'ask-first' }),
      await send('editor', `${PROJECT}/${world.client.id}/remove`),
      await open('editor', `${PROJECT}/${world.client.id}/remove`),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('role="alert">This takes an administrator or an owner, and you are an editor here.')
    }
    expect(await hosted()).toContain('<i>tides</i>')
    expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(200)
    await setRole(world, 'editor', 'administrator')
    expect((await send('editor', PROJECT, { change: 'switch-off', script })).status).toBe(303)
    await setRole(world, 'editor', 'editor')
  })

  test('shows names and code as text, never as markup', async () => {
    const client = await world.newClient({ display_name: '<img src=x onerror=1>', homepage: 'javascript:alert(1)' })
    const { access_token } = await world.tokens({ client })
    await embed(client, access_token, { name: '"><script>1</script>', code: '</code></pre><script>alert(1)</script>' })
    for (const path of [
      '/portal/connected-apps',
      ended(await grantOf(access_token)),
      PROJECT,
      `${PROJECT}/${client.id}/remove`,
    ]) {
      const { status, text } = await open('owner', path)
      expect(status).toBe(200)
      expect(text).toContain('&lt;img src=x onerror=1&gt;')
      for (const raw of ['<img', '<script', 'javascript:', '</code></pre><'])
        expect(text.replace('</code></pre></details>', '')).not.toContain(raw)
    }
    expect((await open('owner', PROJECT)).text).toContain(
      '<code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;</code>',
    )
  })

  test('asks before an app is removed, which ends its access and scripts at once', async () => {
    const client = await world.newClient({ display_name: 'Tide Tables' })
    const [owners, editors] = [
      await world.tokens({ client, project_ids: [main(), world.other.public_id] }),
      await world.tokens({ client, who: 'editor', scope: 'newsletter:read' }),
    ]
    await embed(client, owners.access_token)
    const path = `${PROJECT}/${client.id}/remove`
    const page = await open('administrator', path)
    for (const shown of ['Remove Tide Tables from Harbour News?', 'Its scripts leave the pages at once: Tides.'])
      expect(page.text).toContain(shown)
    expect(page.text).toMatch(/for everyone who connected it: (owner and editor|editor and owner)\./)
    expect((await send('administrator', path, {}, 'https://evil.example')).status).toBe(403)
    expect((await world.call('lists/list', {}, { as: owners.access_token })).status).toBe(200)

    expect(await send('administrator', path)).toMatchObject({ status: 303, location: `${PROJECT}?done=removed` })
    for (const { access_token } of [owners, editors])
      expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(403)
    expect(
      (await world.call('lists/list', { project_id: world.other.public_id }, { as: owners.access_token })).status,
    ).toBe(200)
    expect(await hosted()).not.toContain('<i>tides</i>')
    expect((await open('administrator', `${PROJECT}?done=removed`)).text).toContain('role="status">The app is removed')
    for (const again of [await send('administrator', path), await open('administrator', path)]) {
      expect(again.status).toBe(404)
      expect(again.text).toContain('role="alert">This app is not connected with the project any more.')
    }
  })

  test('has no script that is switched off from the next request, until it is switched on', async () => {
    const { access_token } = await world.tokens()
    const script = String(await embed(world.client, access_token))
    for (const origin of ['https://evil.example', 'null'])
      expect((await send('owner', PROJECT, { change: 'switch-off', script }, origin)).status).toBe(403)
    expect(await hosted()).toContain('<i>tides</i>')

    const off = await send('owner', PROJECT, { change: 'switch-off', script })
    expect(off).toMatchObject({ status: 303, location: `${PROJECT}?done=switch-off&script=${script}` })
    expect(await hosted()).not.toContain('<i>tides</i>')
    const page = await open('owner', off.location!)
    for (const shown of ['role="status">Tides is switched off.', '<span class="state">Off</span>', 'value="switch-on"'])
      expect(page.text).toContain(shown)

    const on = await send('owner', PROJECT, { change: 'switch-on', script })
    expect(await hosted()).toContain('<i>tides</i>')
    expect((await open('owner', on.location!)).text).toContain('role="status">Tides is switched on again.')
    // What is not so any more is not said again.
    expect((await open('owner', off.location!)).text).not.toContain('role="status"')
  })

  test('does not switch a script that its app removed, or of another project', async () => {
    const { access_token } = await world.tokens({ project_ids: [main(), world.other.public_id] })
    const [gone, foreign] = [
      await embed(world.client, access_token),
      await embed(world.client, access_token, {}, world.other.public_id),
    ]
    await store().write((tx) => tx.delete(script_connections).where(eq(script_connections.id, gone)))
    for (const script of [String(gone), String(foreign), '0', 'x', '']) {
      const answer = await send('owner', PROJECT, { change: 'switch-off', script })
      expect(answer.status).toBe(404)
      expect(answer.text).toContain('role="alert">This script is not connected any more.')
    }
    expect((await send('owner', PROJECT, { change: 'switch-off' })).status).toBe(404)
    expect((await send('owner', PROJECT, { change: 'toString', script: String(foreign) })).status).toBe(400)
    expect(await store().db.select().from(switched_off_scripts)).toEqual([])
  })

  test('says whether visitors are asked, and what that means for each script', async () => {
    const { access_token } = await world.tokens()
    await embed(world.client, access_token)
    await embed(world.client, access_token, { name: 'Needed', type: 'Essential', code: '<i>needed</i>' })
    const asked = await send('administrator', PROJECT, { change: 'ask-first' })
    expect(asked.location).toBe(`${PROJECT}?done=ask-first`)
    const page = (await open('administrator', asked.location!)).text
    for (const shown of [
      'role="status">Visitors are asked from now on.',
      '<span class="state on">After consent</span>',
      '<span class="state on">On</span>',
      'value="ask-no-more"',
    ])
      expect(page).toContain(shown)
    expect(await hosted()).toContain('data-consent')
    const stopped = await send('administrator', PROJECT, { change: 'ask-no-more' })
    expect((await open('administrator', stopped.location!)).text).toContain(
      'role="status">Visitors are not asked any more.',
    )
    expect(await hosted()).not.toContain('data-consent')
  })

  test('shows a script of a suspended app as not running', async () => {
    const { access_token } = await world.tokens()
    await embed(world.client, access_token)
    await store().write((tx) =>
      tx
        .insert(app_suspensions)
        .values({ app_id: world.client.id, user_id: world.users.owner, comment: '', suspended_at: world.clock.now() }),
    )
    expect((await open('owner', PROJECT)).text).toContain('<span class="state held">Not running</span>')
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
      await page.goto(`${world.url}${PROJECT}`)
      await page.fill('#email', 'owner@example.com')
      await page.fill('#password', PASSWORD)
      await page.click('main button')
      await page.click('summary')
      expect([new URL(page.url()).pathname, await fits()]).toEqual([PROJECT, true])
      await page.click('text=Switch off')
      expect(await page.textContent('[role=status]')).toContain('Tides is switched off.')
      expect(await page.isVisible('[role=status]')).toBe(true)
      expect(await hosted()).not.toContain('tides')
      await page.click('nav >> text=Connected apps')
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
