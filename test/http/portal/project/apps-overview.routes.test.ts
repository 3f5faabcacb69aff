import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apps, authorization_projects, authorizations } from '../../../../src/store/tables/apps.ts'
import {
  app_suspensions,
  app_versions,
  review_requests,
  type VersionContents,
} from '../../../../src/store/tables/developer.ts'
import {
  published_scripts,
  script_connections,
  script_settings,
  scripts,
  switched_off_scripts,
} from '../../../../src/store/tables/scripts.ts'
import { type Client, createOAuthWorld, type OAuthWorld, type Person } from '../../../oauth/oauth-world.ts'
import { closeWorlds } from '../../../support/world.ts'
import { post } from '../../signed-in.ts'

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
describe('GET /user/connected-apps/overview', () => {
  const read = async (who: Person): Promise<any[]> => {
    const { cookie } = await world.browser(who)
    const answer = await world.fetch('/user/connected-apps/overview', { headers: { cookie } })
    return ((await answer.json()) as { connected_apps: any[] }).connected_apps
  }

  test("The overview of a user shows their own authorizations in plain words, and nobody else's.", async () => {
    const client = await world.newClient({ display_name: 'Tide Tables', homepage: 'https://tides.example/about' })
    await world.tokens({ client, scope: 'newsletter:read scripts:embed', project_ids: [main(), world.other.public_id] })
    const shown = await read('owner')
    expect(shown).toMatchObject([
      {
        app: { displayName: 'Tide Tables', homepage: 'https://tides.example/about' },
        maker: 'outsider',
        permissions: ['Read contacts, audiences, campaigns and reports', 'Put its scripts on the pages of the site'],
        scripts: [],
      },
    ])
    expect(shown[0].projects.map(({ slug }: any) => slug).toSorted()).toEqual(['harbour-news', 'mountain-post'])
    expect(await read('editor')).toEqual([])
  })

  test('The overview of a user leaves out a project that was taken from an app.', async () => {
    await world.tokens()
    const { cookie } = await world.browser('administrator')
    await post(world, '/project/apps/disconnect', { project_id: main(), app_id: world.client.id }, { cookie })
    expect((await read('owner'))[0].projects).toEqual([])
  })

  test('The overview of a user tells which scripts leave with a connection, and which stay by another.', async () => {
    const client = await world.newClient()
    const { access_token } = await world.tokens({ client })
    await embed(client, access_token)
    await world.tokens({ client: await world.newClient(), who: 'administrator' })
    expect((await read('owner'))[0].scripts).toEqual([{ project_id: main(), names: ['Tides'], stay: false }])
    await world.tokens({ client, who: 'administrator' })
    const [{ authorization_id, scripts }] = (await read('owner')) as [any]
    expect(scripts).toEqual([{ project_id: main(), names: ['Tides'], stay: true }])
    const { cookie } = await world.browser('owner')
    await world.fetch(`/user/connected-apps/${authorization_id}`, { method: 'DELETE', headers: { cookie } })
    expect(await hosted()).toContain('<i>tides</i>')
  })
})

describe('POST /project/apps/overview', () => {
  const overview = async (who: Person) =>
    post(world, '/project/apps/overview', { project_id: main() }, { cookie: (await world.browser(who)).cookie })
  const read = async (): Promise<any> => (await overview('owner')).json()

  test('The overview of a project shows each app once, with what it may, who let it in, and its scripts.', async () => {
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

  test('The overview of a project counts the calls of an app in seven days, and the pages with scripts.', async () => {
    const call = async (project_id: string) => {
      const { access_token } = await world.tokens()
      await world.call('overview', { project_id }, { as: access_token })
    }
    const counted = async () => {
      // Requests are logged in batches; reading the log writes those that wait.
      const { cookie } = await world.browser('outsider')
      await world.fetch(`/user/developer/apps/${world.client.id}/requests`, { headers: { cookie } })
      return (await read()).apps[0].calls_in_7_days
    }
    await call(main())
    const before = await counted()
    world.clock.advance(3 * 86_400_000)
    await call(main())
    await call(world.other.public_id)
    expect(await counted()).toBe(before + 1)
    world.clock.advance(4 * 86_400_000)
    expect(await counted()).toBe(1)
    await world.service.drain('maintenance')
    expect(await store().query('SELECT calls FROM app_calls')).toMatchObject([{ calls: 1 }])
    expect((await read()).pages).toBe(1)
  })

  test('The overview of a project tells why an app is suspended, and whose drafts are tried.', async () => {
    const client = await world.newClient({ display_name: 'Tide Tables', user_id: world.users.administrator })
    await world.tokens({ client })
    const { cookie } = await world.browser('administrator')
    const tests = `/user/developer/apps/${client.id}/test-projects`
    expect((await post(world, tests, { project_id: main() }, { cookie })).status).toBe(200)
    expect((await read()).tests).toMatchObject([{ app: { displayName: 'Tide Tables' } }])
    expect((await read()).apps[0].suspension).toBeNull()
    const comment = 'It reads what visitors type.'
    const row = { app_id: client.id, user_id: world.users.owner, comment, suspended_at: world.clock.now() }
    await store().write((tx) => tx.insert(app_suspensions).values(row))
    expect((await read()).apps[0].suspension).toMatchObject({ comment })
  })

  test('A page is shown with a script that is off, and without one that is on, to who has the address.', async () => {
    const { access_token } = await world.tokens()
    const connection_id = await embed(world.client, access_token)
    const { cookie } = await world.browser('administrator')
    const preview = async (who: Person, path = '/', of = connection_id) =>
      post(
        world,
        '/project/scripts/preview',
        { project_id: main(), connection_id: of, path },
        { cookie: (await world.browser(who)).cookie },
      )
    const { with_script, without_script } = (await (await preview('member')).json()) as Record<string, string>
    // The address is one of this site: behind its slug comes a path.
    for (const path of ['-of-another/page', '/\ud800', '/a/../b'])
      expect([path, (await preview('member', path)).status]).toEqual([path, 400])
    expect((await preview('member', '/', connection_id + 1)).status).toBe(404)
    const at = (address: string) => fetch(address)
    expect(await (await at(without_script!)).text()).not.toContain('tides')
    await post(world, '/project/scripts/switch', { project_id: main(), connection_id, enabled: false }, { cookie })
    expect(await hosted()).not.toContain('tides')
    const shown = await at(with_script!)
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(await shown.text()).toContain('<i>tides</i>')
    // Where visitors are asked first, the script that is looked at runs, and the others wait.
    await post(world, '/project/scripts/settings', { project_id: main(), consent_required: true }, { cookie })
    await embed(world.client, access_token, { name: 'Other', code: '<i>other</i>' })
    const asking = await (await at(with_script!)).text()
    const [running] = asking.split('<template data-consent=')
    expect([running!.includes('<i>tides</i>'), asking.includes('<i>other</i></template>')]).toEqual([true, true])
    await post(world, '/project/scripts/settings', { project_id: main(), consent_required: false }, { cookie })
    const elsewhere = with_script!.replace('harbour-news', 'mountain-post')
    expect(await (await at(elsewhere)).text()).not.toContain('tides')
    world.clock.advance(3_600_000)
    expect(await (await at(with_script!)).text()).not.toContain('tides')
    expect((await preview('outsider')).status).toBe(403)
  })

  test('POST /project/apps/overview tells what a later version of an app may ask for.', async () => {
    const now = world.clock.now()
    const [app] = await store().db.select().from(apps).where(eq(apps.id, world.client.id))
    const contents = { scopes: app!.scopes.filter((scope) => scope !== 'newsletter:send') } as VersionContents
    const common = { app_id: app!.id, status: 'approved', created_at: now } as const
    await store().write(async (tx) => {
      const version = { ...common, number: 1, contents, user_id: world.users.owner }
      const [made] = await tx.insert(app_versions).values(version).returning({ id: app_versions.id })
      const review = { version_id: made!.id, submitted_by: world.users.owner, decided_at: now }
      await tx.insert(review_requests).values({ ...common, ...review })
    })
    await world.tokens({ scope: 'newsletter:read' })
    expect((await read()).apps[0].asks_for).toEqual(['Send, schedule and retry campaigns, and send test messages'])
    await store().write((tx) => tx.delete(app_versions))
    expect((await read()).apps[0].asks_for).toEqual([])
  })

  test('POST /project/apps/overview tells what becomes of a script: off, after consent, or not running.', async () => {
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
