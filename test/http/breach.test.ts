import { afterAll, beforeAll, expect, test } from 'bun:test'
import { declaredRoutes } from '../../src/http/routes.ts'
import { KEY_ID_LENGTH, tokenHash } from '../../src/secrets.ts'
import { authorizeUrl, browserWith, CHALLENGE, createOAuthWorld, type OAuthWorld } from '../oauth/oauth-world.ts'
import { PASSWORD } from '../support/world.ts'
import { post } from './signed-in.ts'

/** What compressed pages could tell (BREACH): the secrets in a page, where another site chooses a part of it. */

let world: OAuthWorld
/** Session and device, as a browser sends them. */
let cookies: string[]
beforeAll(async () => {
  world = await createOAuthWorld()
  await world.tokens()
  const response = await post(world, '/user/login', { email: 'owner@example.com', password: PASSWORD })
  cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
})
afterAll(() => world.close())

const MARK = 'chosen-by-another-site'
const consent = () =>
  authorizeUrl({
    client_id: world.client.client_id,
    redirect_uri: world.client.redirect_uri,
    scope: 'newsletter:read',
    state: MARK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })

test('No page shows the session or the device, in any form.', async () => {
  const secrets = cookies.flatMap((cookie) => {
    const value = cookie.slice(cookie.indexOf('=') + 1)
    return [value, tokenHash(value)]
  })
  expect(secrets).toHaveLength(4)
  const browser = browserWith(world, cookies.join('; '))
  const values: Record<string, string> = {
    project: world.project.public_id,
    app: world.client.id,
    slug: world.project.slug,
  }
  const pages = declaredRoutes()
    .filter(({ response }) => response === 'page')
    .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? MARK).replace('*', MARK))
  const shown: string[] = []
  for (const path of [...pages, consent()]) {
    const response = await world.fetch(`${path}${path.includes('?') ? '&' : '?'}return=${MARK}`, {
      headers: { Accept: 'text/html', Cookie: browser.cookie },
      redirect: 'manual',
    })
    const text = await response.text()
    if (response.status === 200) shown.push(path)
    expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []])
  }
  expect(shown).toContain(consent())
  expect(shown).toContain('/portal/account')
  expect(shown.length).toBeGreaterThan(8)
})

test('The ticket of the consent form is another one each time.', async () => {
  const browser = browserWith(world, cookies.join('; '))
  const tickets: string[] = []
  for (let visit = 0; visit < 3; visit++) tickets.push((await browser.open(consent())).hidden.ticket!)
  expect(new Set(tickets).size).toBe(3)
  // The id of the key comes first, then signature and random bytes. The rest, always the same, is useless without them.
  const changing = tickets.map((ticket) => ticket.slice(KEY_ID_LENGTH, KEY_ID_LENGTH + 48))
  for (let at = 0; at < 48; at += 6) expect(new Set(changing.map((part) => part.slice(at, at + 6))).size).toBe(3)
})
