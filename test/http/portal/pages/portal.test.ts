import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSetupToken } from '../../../../src/accounts/setup.ts'
import { configOf } from '../../../../src/config.ts'
import { AppError, notFound } from '../../../../src/errors.ts'
import type { Exchange } from '../../../../src/http/core/exchange.ts'
import { PAGE, safeReturn, seeOther } from '../../../../src/http/portal/pages/portal.ts'
import { type Service, startService } from '../../../../src/service.ts'
import { members, projects, users } from '../../../../src/store/tables/accounts.ts'
import { createWorld, PASSWORD, START, type World } from '../../../support/world.ts'
import { cookieOf, signIn } from '../../signed-in.ts'

const send = (url: string, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })

describe('setting up', () => {
  let service: Service
  const folder = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  beforeEach(async () => {
    service = await startService(configOf({ port: 0, data_dir: folder, log_level: 'error' }), { loops: 'still' })
  })
  afterEach(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })

  const token = async (age_ms = 0) =>
    (await newSetupToken(service.runtime.store, service.runtime.clock.now() - age_ms))!
  const open = (link: string) => fetch(`${service.url}/portal/setup?token=${link}`)
  const account = { email: 'olive@harbour.example', password: 'long enough', first_name: 'Olive', last_name: 'Marsh' }

  test('Setting up shows its page for the newest token only.', async () => {
    const [old, fresh] = [await token(), await token()]
    expect((await open(old)).status).toBe(404)
    expect((await open('')).status).toBe(404)
    const page = await open(fresh)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect([
      page.headers.get('cache-control'),
      page.headers.get('referrer-policy'),
      page.headers.get('x-content-type-options'),
    ]).toEqual(['no-store', 'no-referrer', 'nosniff'])
  })

  test('Setting up works for a day.', async () => {
    const day_ms = 24 * 3_600_000
    const ended = await token(day_ms)
    expect((await open(ended)).status).toBe(404)
    expect((await send(service.url, '/portal/setup', { ...account, token: ended })).status).toBe(404)
    expect(await service.runtime.store.db.select().from(users)).toEqual([])
    expect((await open(await token(day_ms - 60_000))).status).toBe(200)
  })

  test('Setting up shows a refused form with its values, escaped, and the link still works.', async () => {
    const link = await token()
    const refused = await send(service.url, '/portal/setup', {
      ...account,
      token: link,
      password: 'short',
      first_name: '"><script>',
    })
    expect(refused.status).toBe(400)
    const page = await refused.text()
    expect(page).toContain('A password has at least 8 characters.')
    expect(page).toContain('value="olive@harbour.example"')
    expect(page).not.toContain('<script>')
    expect(page).not.toContain('value="short"')
    const flawed = await send(service.url, '/portal/setup', {
      ...account,
      token: link,
      email: 'olive',
      password: 'short',
      project_name: 'x'.repeat(101),
      project_slug: 'No!',
    })
    const flaws = [...(await flawed.text()).matchAll(/id="(\w+)-flaw"/g)].map(([, field]) => field)
    expect(flaws).toEqual(['email', 'password', 'project_name', 'project_slug'])
    expect(await service.runtime.store.db.select().from(users)).toEqual([])
    expect((await open(link)).status).toBe(200)
    expect(
      (await send(service.url, '/portal/setup', { ...account, token: link }, { origin: 'https://evil.example' }))
        .status,
    ).toBe(403)
  })

  test('Setting up proposes the short name of the project from its name, and shows it.', async () => {
    const link = await token()
    const form = { ...account, token: link, password: 'short', project_name: 'Hafen & Söhne', project_slug: '' }
    const refused = await send(service.url, '/portal/setup', form)
    expect(await refused.text()).toMatch(/name="project_slug"[^>]* value="hafen-sohne"/)
  })

  test('Of two simultaneous set-ups, one becomes the administrator, signed in and owner of the project.', async () => {
    const link = await token()
    const answers = await Promise.all(
      ['olive', 'mallory'].map((name) =>
        send(
          service.url,
          '/portal/setup',
          {
            ...account,
            email: `${name}@harbour.example`,
            token: link,
            project_name: 'Harbour News',
          },
          { origin: 'null' },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404])
    const { db } = service.runtime.store
    const [user, ...others] = await db.select().from(users)
    expect([user!.admin, others]).toEqual([true, []])
    const [project] = await db.select().from(projects)
    expect(project!.slug).toBe('harbour-news')
    expect(await db.select().from(members)).toMatchObject([
      { project_id: project!.id, user_id: user!.id, role: 'owner' },
    ])

    const won = answers.find(({ status }) => status === 303)!
    expect(won.headers.get('location')).toBe('/portal/setup/sending')
    const home = await fetch(`${service.url}/portal/`, { headers: { cookie: cookieOf(won) } })
    expect(await home.text()).toContain('Harbour')
    expect((await open(link)).status).toBe(404)
    expect(await newSetupToken(service.runtime.store, START)).toBeNull()
  })
})

describe('the portal', () => {
  let world: World
  beforeEach(async () => {
    world = await createWorld()
  })
  const form = (fields: Record<string, string>, headers?: Record<string, string>) =>
    send(world.url, '/portal/login', fields, headers)
  const owner = { email: 'owner@example.com', password: PASSWORD }

  test('The portal redirects to the login page without a session, with the way back.', async () => {
    for (const path of ['/portal/', '/portal']) {
      const answer = await world.fetch(`${path}?tab=1`)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/portal/login?return=${encodeURIComponent(`${path}?tab=1`)}`,
      ])
    }
  })

  test('The portal answers an unknown address below it with a page, whatever the method.', async () => {
    for (const path of ['/portal/nothing', '/portal/nothing/a/b/c', '/portal/%3Cscript%3E'])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await world.fetch(path, { method })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
        expect(await answer.text()).toContain('There is no page here')
      }
    const head = await world.fetch('/portal/nothing', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([404, ''])
    expect((await world.fetch('/elsewhere')).headers.get('content-type')).toBe('application/json')
  })

  test('The portal signs in by a plain form and leads back.', async () => {
    const answer = await form({ ...owner, return: '/portal/?tab=1' }, { origin: world.url })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal/?tab=1'])
    const cookie = cookieOf(answer)
    const home = await (await world.fetch('/portal/', { headers: { cookie } })).text()
    for (const shown of ['Harbour News', 'Mountain Post', 'Owner', 'owner@example.com']) expect(home).toContain(shown)
    const signedIn = await world.fetch('/portal/login?return=%2Fportal%2Fx', { headers: { cookie } })
    expect(signedIn.headers.get('location')).toBe('/portal/x')

    const out = await send(world.url, '/portal/logout', {}, { cookie, origin: world.url })
    expect([out.status, out.headers.get('location')]).toEqual([303, '/portal/login'])
    expect((await world.fetch('/portal/', { headers: { cookie } })).status).toBe(303)
  })

  test('The portal shows the form again when refused, and refuses pages of other sites.', async () => {
    const refused = await form({ ...owner, password: 'wrong', return: '/a"b' })
    expect(refused.status).toBe(401)
    const page = await refused.text()
    expect(page).toContain('The address or the password is wrong.')
    expect(page).toContain('name="return" value="/a%22b"')
    const foreign = await form(owner, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
  })

  test('Only returns to paths of the service.', () => {
    for (const path of ['/portal/apps?x=1#y', '/', '/a//b', '/%2f%2fevil.example']) expect(safeReturn(path)).toBe(path)
    for (const path of [
      null,
      '',
      'portal',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/\n',
    ])
      expect(safeReturn(path)).toBe('/portal/')
  })

  test('A refusal is a page that says what is wrong, and of an unknown fault only its id.', async () => {
    const { runtime } = world.service
    const logged: unknown[] = []
    const log = { ...runtime.log, error: (...given: unknown[]) => void logged.push(given) }
    const refuse = async (error: unknown, url = `${world.url}/portal/account`) => {
      const exchange = { request: new Request(url), request_id: 'req_1' } as Exchange
      const answer = await PAGE.refuse({ ...runtime, log }, error, exchange)
      const text = await answer.text()
      return {
        status: answer.status,
        title: /<h1>([^<]*)<\/h1>/.exec(text)?.[1],
        sentence: /<h1>[^<]*<\/h1>\s*<p>([^<]*)</.exec(text)?.[1],
        headers: answer.headers,
      }
    }
    expect(await refuse(notFound('project'))).toMatchObject({ status: 404, title: 'This link does not work' })
    const limited = await refuse(new AppError('RATE_LIMITED', 'Too many.', { headers: { 'Retry-After': '7' } }))
    expect(limited).toMatchObject({ status: 429, title: 'This did not work', sentence: 'Too many.' })
    expect(limited.headers.get('retry-after')).toBe('7')
    expect(logged).toEqual([])
    for (const fault of [new TypeError('the secret cause'), new AppError('INTERNAL', 'the secret cause')])
      expect(await refuse(fault)).toMatchObject({
        status: 500,
        title: 'Something went wrong',
        sentence: 'It was logged as req_1.',
      })
    expect(logged).toHaveLength(2)
    const unknown = await refuse(new AppError('UNAUTHORIZED', 'Sign in.'))
    expect([unknown.status, unknown.headers.get('location')]).toEqual([303, '/portal/login?return=%2Fportal%2Faccount'])
  })

  test('The style sheet of the portal is cached by its ETag.', async () => {
    const style = await world.fetch('/portal/portal.css')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(
      (await world.fetch('/portal/portal.css', { headers: { 'if-none-match': style.headers.get('etag')! } })).status,
    ).toBe(304)
  })

  test('The portal shows a project name as text, never as markup.', async () => {
    const { store } = world.service.runtime
    await store.write((tx) => tx.update(projects).set({ name: '<img src=x onerror=1>' }))
    expect(
      await (await world.fetch('/portal/', { headers: { cookie: await signIn(world, 'owner') } })).text(),
    ).toContain('&lt;img src=x onerror=1&gt;')
  })
})

test('A redirect is never cached, and may carry more headers.', () => {
  const { status, headers } = seeOther('/portal/', { 'Set-Cookie': 'a=b' })
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([303, '/portal/', 'no-store'])
  expect(headers.getSetCookie()).toEqual(['a=b'])
})
