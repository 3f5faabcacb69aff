import { createClient } from '@libsql/client'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createBudgets } from '../../../src/http/core/exchange.ts'
import { hostedPages } from '../../../src/http/public/hosted-pages.ts'
import { projects } from '../../../src/store/tables/accounts.ts'
import { type LibsqlServer, startLibsqlServer } from '../../support/libsql-server.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'
const HOME = '<!doctype html>\n<html><head><title>Home</title></head><body class="a">\n<p>Home</p>\n</body></html>\n'

let server: LibsqlServer | undefined

describe.each(['file', 'server'] as const)('on a database of kind %s', (kind) => {
  let world: SiteWorld
  beforeAll(async () => {
    if (kind === 'server') server = await startLibsqlServer()
    world = await createSiteWorld(kind === 'server' ? { database_url: server!.url } : {})
    await world.edit('/project/pages/create', { path: '/', title: 'Home', html: HOME })
    await world.edit('/project/pages/create', { path: '/about/', title: 'About', html: '<p>About' })
    await world.edit('/project/pages/create', { path: '/a/b', title: 'Deep', html: '<p>Deep' })
    await world.edit('/project/pages/create', { path: '/draft', title: 'Draft', html: '<p>Draft', published: false })
    await world.edit('/project/pages/create', { path: '/café/naïve page', title: 'Letters', html: '<p>Letters' })
  })
  afterAll(async () => {
    await world.close()
    if (kind === 'server') await server?.close()
  })

  test('A page is served on the domain of its project and below /sites.', async () => {
    for (const response of [
      await world.visit('/'),
      await world.fetch('/sites/harbour-news/'),
      await world.fetch('/sites/harbour-news'),
    ]) {
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(HOME)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('x-request-id')).toBeTruthy()
      expect(response.headers.has('set-cookie')).toBe(false)
    }
  })

  test('A page of 4,900,000 bytes is served, and a longer one is refused.', async () => {
    const lines = `<title>x</title><body>${`<p>${'Hello wörld\n'.repeat(37_000)}</p>`.repeat(10)}`
    const html = lines + 'x'.repeat(4_900_000 - Buffer.byteLength(lines))
    const { page } = await world.edit('/project/pages/create', { path: '/large', title: 'Large', html })
    expect(await (await world.visit('/large')).text()).toBe(html)
    const refused = await world.as('editor', '/project/pages/update', {
      page_id: page.id,
      html: `${html}x`,
    })
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request'])
    await world.edit('/project/pages/delete', { page_id: page.id })
  })

  test('A project is found at its new domain with the next request, and no longer at the old one.', async () => {
    const moveTo = (domain: string) =>
      world.service.runtime.store.write((tx) =>
        tx.update(projects).set({ domain }).where(eq(projects.id, world.project.id)),
      )
    expect((await world.visit('/')).status).toBe(200)
    await moveTo('moved.example')
    expect(await (await world.visit('/', { host: 'moved.example' })).text()).toBe(HOME)
    expect(await (await world.visit('/')).text()).not.toBe(HOME)
    await moveTo(DOMAIN)
    expect(await (await world.visit('/')).text()).toBe(HOME)
  })

  test('Scripts appear with the next request and disappear with the next.', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const id = await world.connect(`<script>${turn}</script>`)
      const [own, product] = await Promise.all([world.visit('/'), world.fetch('/sites/harbour-news/')])
      expect(await own.text()).toContain(`<script>${turn}</script>`)
      expect(await product.text()).toContain(`<script>${turn}</script>`)
      await world.disconnect(id)
      expect(await (await world.visit('/')).text()).toBe(HOME)
    }
  })

  test('A script that another process disconnects disappears with the next request.', async () => {
    const id = await world.connect('<script>elsewhere</script>')
    expect(await (await world.visit('/')).text()).toContain('elsewhere')
    const url = kind === 'server' ? server!.url : `file:${join(world.folder, 'masthead.db')}`
    const elsewhere = createClient({ url, timeout: 5000 })
    await elsewhere.execute({ sql: 'DELETE FROM script_connections WHERE id = ?', args: [id] })
    elsewhere.close()
    expect(await (await world.visit('/')).text()).toBe(HOME)
  })

  // What follows depends on no transaction and no stream of the database.
  if (kind === 'server') return

  test('A page at /404 replaces the default not-found page of its site.', async () => {
    const { page } = await world.edit('/project/pages/create', { path: '/404', title: 'Lost', html: '<p>Lost' })
    const response = await world.visit('/nothing/at/all')
    expect([response.status, await response.text()]).toEqual([404, '<p>Lost'])
    await world.edit('/project/pages/delete', { page_id: page.id })
    expect(await (await world.visit('/nothing/at/all')).text()).not.toContain('Lost')
  })

  test('Connected scripts are inserted at their placement, in the order they were connected.', async () => {
    const ids = [
      await world.connect('<script>1</script>', { placement: 'HTML Head' }),
      await world.connect('<script>2</script>', { placement: 'HTML Body start' }),
      await world.connect('<script>3</script>', { placement: 'HTML Body end' }),
      await world.connect('<!-- four -->', { placement: 'HTML Head' }),
      await world.connect('<noscript>5</noscript>', { placement: 'HTML Body start' }),
    ]
    expect(await (await world.visit('/')).text()).toBe(
      '<!doctype html>\n<html><head><title>Home</title><script>1</script><!-- four --></head><body ' +
        'class="a"><script>2</script><noscript>5</noscript>\n<p>Home</p>\n<script>3</script></body></html>\n',
    )
    expect(await (await world.visit('/about')).text()).toBe(
      '<script>1</script><!-- four --><body><script>2</script><noscript>5</noscript><p>About<script>3</script>',
    )
    for (const id of ids) await world.disconnect(id)
    expect(await (await world.visit('/')).text()).toBe(HOME)
  })

  test('Scripts of a suspended app are not inserted.', async () => {
    const id = await world.connect('<script>suspended</script>')
    const { store } = world.service.runtime
    await store.write((tx) =>
      tx.run(`INSERT INTO app_suspensions VALUES ('${world.app_id}', '${world.users.owner}', '', 0)`),
    )
    expect(await (await world.visit('/')).text()).toBe(HOME)
    await store.write((tx) => tx.run('DELETE FROM app_suspensions'))
    expect(await (await world.visit('/')).text()).toContain('suspended')
    await world.disconnect(id)
  })

  describe('the ETag', () => {
    const tag = async () => (await world.visit('/')).headers.get('etag')!

    test('The ETag answers 304 for a version that the visitor has.', async () => {
      const etag = await tag()
      for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const response = await world.visit('/', { headers: { 'If-None-Match': header } })
        expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
      }
      for (const header of ['"x"', etag.replaceAll('"', '')])
        expect((await world.visit('/', { headers: { 'If-None-Match': header } })).status).toBe(200)
      expect((await world.visit('/nothing', { headers: { 'If-None-Match': '*' } })).status).toBe(404)
      const sandboxed = await world.fetch('/sites/harbour-news/', { headers: { 'If-None-Match': etag } })
      expect([sandboxed.status, sandboxed.headers.get('content-security-policy')]).toEqual([304, SANDBOX])
    })

    test('The ETag changes with the text of the page and its scripts, and with nothing else.', async () => {
      const { pages } = await world.edit('/project/pages/list')
      const page_id = pages.find(({ path }: { path: string }) => path === '/').id
      const first = await tag()
      await world.edit('/project/pages/update', { page_id, title: 'Another title' })
      expect(await tag()).toBe(first)
      const id = await world.connect('<script>tag</script>')
      const connected = await tag()
      expect(connected).not.toBe(first)
      await world.requireConsent(true)
      expect(await tag()).toBe(connected)
      await world.disconnect(id)
      expect(await tag()).toBe(first)
      const held = await world.connect('<script>held</script>', { type: 'Analytics' })
      const asking = await tag()
      await world.requireConsent(false)
      expect(new Set([first, connected, asking, await tag()]).size).toBe(4)
      await world.disconnect(held)
      await world.edit('/project/pages/update', { page_id, html: HOME.replace('Home</p>', 'Changed</p>') })
      expect(await tag()).not.toBe(first)
      await world.edit('/project/pages/update', { page_id, html: HOME })
      expect(await tag()).toBe(first)
    })
  })

  test.each(['/about', '/about/', '/about.html', '/about/index.html', '/about?utm=1', '/about#x'])(
    'A page is found at %s.',
    async (path) => {
      expect(await (await world.visit(path)).text()).toBe('<p>About')
      expect(await (await world.fetch(`/sites/harbour-news${path}`)).text()).toBe('<p>About')
    },
  )

  test('A worker serves no site: it answers for the hosts of the service only.', async () => {
    const { runtime } = world.service
    const statusOf = async (role: 'all' | 'worker', path: string) => {
      const { beforeRoutes } = hostedPages({ ...runtime, config: { ...runtime.config, role } }, createBudgets())
      const request = new Request(`http://${DOMAIN}${path}`, { headers: { Host: DOMAIN } })
      return (await beforeRoutes({ request, params: {}, told: { route: '/x' }, server: null }))?.status
    }
    expect([await statusOf('all', '/'), await statusOf('all', '/general/project/form/entry')]).toEqual([200, undefined])
    expect([await statusOf('worker', '/'), await statusOf('worker', '/general/project/form/entry')]).toEqual([421, 421])
    const served = (role: 'all' | 'worker') =>
      hostedPages({ ...runtime, config: { ...runtime.config, role } }, createBudgets()).isServed(DOMAIN)
    expect([await served('all'), await served('worker')]).toEqual([true, false])
  })

  test('A page is found by any encoding of its path.', async () => {
    for (const path of ['/café/naïve page', '/caf%C3%A9/na%C3%AFve%20page', '/cafe%CC%81/na%C3%AFve%20page/']) {
      expect(await (await world.visit(path)).text()).toBe('<p>Letters')
    }
    const { pages } = await world.edit('/project/pages/list')
    const { url } = pages.find(({ title }: { title: string }) => title === 'Letters')
    expect(url).toBe(`${world.url}/sites/harbour-news/caf%C3%A9/na%C3%AFve%20page`)
    expect(await (await fetch(url)).text()).toBe('<p>Letters')
  })

  test('A page answers HEAD like GET without a body, and refuses other methods.', async () => {
    const get = await world.visit('/')
    const head = await world.visit('/', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await world.visit('/', { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  test.each([
    '/nothing',
    '/draft',
    '/a',
    '/a/b/c',
    '/ABOUT',
    '/about//',
    '/index',
    '/%',
    '/%00',
    '/about%2f',
    '/%2e%2e/about%5c',
    '/..%2f..%2fetc/passwd',
    '/about%0d%0aX: y',
    `/${'x'.repeat(5000)}`,
  ])('No page is found at %s.', async (path) => {
    for (const response of [await world.visit(path), await world.fetch(`/sites/harbour-news${path}`)]) {
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toStartWith("default-src 'self'")
      expect(await response.text()).toContain('There is no page at this address.')
    }
  })

  test('A page of an unknown site is not found.', async () => {
    expect((await world.fetch('/sites/nobody/')).status).toBe(404)
    expect((await world.fetch('/sites/mountain-post/about')).status).toBe(404)
    expect((await world.fetch('/sites/')).status).toBe(404)
  })

  test("The origin of the service sandboxes pages, and the project's own does not.", async () => {
    expect((await world.fetch('/sites/harbour-news/')).headers.get('content-security-policy')).toBe(SANDBOX)
    expect(
      (await world.visit('/sites/harbour-news/', { host: 'localhost' })).headers.get('content-security-policy'),
    ).toBe(SANDBOX)
    expect((await world.visit('/')).headers.has('content-security-policy')).toBe(false)
  })

  test('The origin null, which a sandboxed page has, is refused by the dashboard.', async () => {
    const refused = await world.as('editor', '/project/pages/list', {}, { Origin: 'null' })
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden'])
  })

  test.each([DOMAIN, `${DOMAIN}:8080`, 'HARBOUR.Example', `${DOMAIN}.`, `${DOMAIN}.:443`, `www.${DOMAIN}`])(
    'The project answers at the host %s.',
    async (host) => {
      expect(await (await world.visit('/', { host })).text()).toBe(HOME)
    },
  )

  test.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.9.9.9', '[::1]:80'])(
    'The service answers at the host %s.',
    async (host) => {
      expect(await (await world.visit('/healthz', { host })).json()).toEqual({ status: 'ok' })
    },
  )

  test('A name with www. belongs to the project that has proven it, where there is one.', async () => {
    const host = `www.${DOMAIN}`
    const give = (domain: string | null) =>
      world.service.runtime.store.write((tx) =>
        tx.update(projects).set({ domain }).where(eq(projects.id, world.other.id)),
      )
    await give(host)
    expect((await world.visit('/', { host })).status).toBe(404)
    await give(null)
    expect(await (await world.visit('/', { host })).text()).toBe(HOME)
  })

  test('The origin of a project serves no route of the service.', async () => {
    const cookie = await world.cookie('owner')
    const token = await world.token('owner')
    for (const path of [
      '/user/me',
      '/user/login',
      '/project/list',
      '/portal/',
      '/portal/login',
      '/general/oauth/authorize',
      '/general/oauth/token',
      '/general/api/v1/project/list',
      '/general/api/v1/newsletter/openapi.json',
      '/healthz',
      '/metrics',
      '/sites/harbour-news/',
      '/general/sandbox/mailbox',
      '/.well-known/oauth-authorization-server',
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await world.visit(path, {
          method,
          headers: { Cookie: cookie, Authorization: `Bearer ${token}` },
        })
        expect([path, response.status]).toEqual([path, method === 'GET' ? 404 : 405])
        expect(response.headers.has('set-cookie')).toBe(false)
        expect(response.headers.get('content-type') ?? '').not.toContain('json')
      }
    }
  })

  test('The origin of a project serves form entries and the links of messages.', async () => {
    const entry = await world.visit('/general/project/form/entry', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ project_id: world.project.public_id, form: 'contact', fields: { a: 'b' } }),
    })
    expect([entry.status, await entry.json()]).toEqual([200, { success: true }])
    expect((await world.visit('/general/newsletter/unsubscribe/nothing')).status).toBe(404)
  })

  test('A name of the service cannot become the domain of a project.', async () => {
    const taken = await createSiteWorld({ base_url: 'http://product.example' })
    await taken.service.runtime.store.write((tx) =>
      tx.update(projects).set({ domain: 'product.example' }).where(eq(projects.id, taken.project.id)),
    )
    await taken.edit('/project/pages/create', { path: '/healthz', title: 'x', html: 'hijacked' })
    expect(await (await taken.visit('/healthz', { host: 'product.example' })).json()).toEqual({ status: 'ok' })
    await taken.service.runtime.store.write((tx) =>
      tx.update(projects).set({ domain: 'localhost' }).where(eq(projects.id, taken.project.id)),
    )
    expect(await (await taken.visit('/healthz', { host: 'localhost' })).json()).toEqual({ status: 'ok' })
    await taken.close()
  })

  test('The origin is read from X-Forwarded-Host only behind a trusted proxy.', async () => {
    const headers = { 'X-Forwarded-Host': DOMAIN }
    expect((await world.visit('/about', { host: 'localhost', headers })).status).toBe(404)
    expect((await world.visit('/about', { host: 'inner.example', headers })).status).toBe(421)
    const behind = await createSiteWorld({ trusted_proxies: '10.0.0.0/8, 127.0.0.0/8' })
    await behind.edit('/project/pages/create', { path: '/about', title: 'x', html: '<p>About' })
    expect(await (await behind.visit('/about', { host: 'inner.example', headers })).text()).toBe('<p>About')
    expect(
      await (
        await behind.visit('/about', {
          host: 'inner.example',
          headers: { 'X-Forwarded-Host': `${DOMAIN}:443, inner.example` },
        })
      ).text(),
    ).toBe('<p>About')
    expect(
      (await behind.visit('/about', { host: DOMAIN, headers: { 'X-Forwarded-Host': 'other.example' } })).status,
    ).toBe(421)
    await behind.close()
  })

  test('Scripts of another project are not inserted.', async () => {
    const id = await world.connect('<script>other</script>', { project_id: world.other.id })
    expect(await (await world.visit('/')).text()).toBe(HOME)
    await world.disconnect(id)
  })

  test('Scripts that ask for consent make a page depend on Sec-GPC.', async () => {
    const vary = async () => (await world.visit('/')).headers.get('vary')
    const id = await world.connect('<script>asks</script>', { type: 'Analytics' })
    expect(await vary()).toBe('Accept-Encoding')
    await world.requireConsent(true)
    expect(await vary()).toBe('Sec-GPC, Accept-Encoding')
    const told = async (headers: Record<string, string>) =>
      (await (await world.visit('/', { headers })).text()).includes('data-gpc="1"')
    expect([await told({ 'Sec-GPC': '1' }), await told({ 'Sec-GPC': '0' }), await told({})]).toEqual([
      true,
      false,
      false,
    ])
    await world.requireConsent(false)
    await world.disconnect(id)
  })
})
