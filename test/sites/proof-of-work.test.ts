import { afterAll, beforeAll, expect, test } from 'bun:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { eq } from 'drizzle-orm'
import { projects } from '../../src/store/tables/accounts.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** Forms that ask for a proof of work (docs/api/sites.md#proof-of-work). */

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld()
  await world.as('administrator', '/project/site-settings/update', { proof_of_work: true })
})
afterAll(() => world.close())

const CHALLENGE = '/general/project/form/challenge'
const challengeOf = async (project: { public_id: string }) =>
  (await world.fetch(`${CHALLENGE}?project_id=${project.public_id}`)).json()
const packed = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')
const solved = async (project: { public_id: string }) => {
  const challenge = await challengeOf(project)
  return { challenge, solution: (await solveChallenge({ challenge, deriveKey }))! }
}
const solve = async (project: { public_id: string } = world.project) => packed(await solved(project))
const post = (path: string, body: Record<string, unknown>) =>
  world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
  })
const entry = async (altcha?: unknown) => {
  const response = await post('/general/project/form/entry', { form: 'contact', fields: { name: 'Ann' }, altcha })
  const { message } = await response.json()
  return [response.status, ...(/ (\w+): /.exec(message)?.slice(1) ?? [])]
}
const entries = async () => (await world.edit('/project/form-entries/list')).items.length

test('A challenge is public, names its project and expires after ten minutes.', async () => {
  const response = await world.fetch(`${CHALLENGE}?project_id=${world.project.public_id}`)
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  const { parameters } = await response.json()
  expect(parameters).toMatchObject({
    algorithm: 'PBKDF2/SHA-256',
    data: { project_id: world.project.public_id },
    expiresAt: world.clock.now() / 1000 + 600,
  })
  expect((await world.fetch(`${CHALLENGE}?project_id=prj_unknown`)).status).toBe(400)
})

test('A form is accepted with a solution, once.', async () => {
  const before = await entries()
  const altcha = await solve()
  expect(await entry(altcha)).toEqual([200])
  expect(await entry(altcha)).toEqual([400, 'altcha'])
  expect(await entries()).toBe(before + 1)
})

test('A refused form does not use up its solution.', async () => {
  const altcha = await solve()
  const signup = { email: 'ann@example.com', consent_text: 'Yes.', altcha }
  expect((await post('/general/newsletter/signup', { ...signup, list_ids: [999] })).status).toBe(400)
  expect((await post('/general/newsletter/signup', signup)).status).toBe(202)
  expect((await post('/general/newsletter/signup', signup)).status).toBe(400)
})

test('Missing, malformed, altered, foreign and expired solutions are refused.', async () => {
  const before = await entries()
  const refused = [400, 'altcha']
  for (const given of [undefined, '', 7, 'x', packed(null), packed({ challenge: {}, solution: {} })])
    expect(await entry(given)).toEqual(refused)
  const changes: ((payload: any) => void)[] = [
    ({ challenge }) => (challenge.parameters.expiresAt += 1),
    ({ challenge }) => (challenge.parameters.nonce = challenge.parameters.salt),
    ({ challenge }) => (challenge.parameters.extra = 1),
    ({ challenge }) => (challenge.signature = `${challenge.signature.slice(0, -1)}-`),
    // The part of the key that the challenge shows is not enough.
    ({ challenge, solution }) => (solution.derivedKey = challenge.parameters.keyPrefix.padEnd(64, '0')),
  ]
  // What is refused does not use its challenge up.
  const right = await solved(world.project)
  for (const change of changes) {
    const payload = structuredClone(right)
    change(payload)
    expect(await entry(packed(payload))).toEqual(refused)
  }
  expect(await entry(await solve(world.other))).toEqual(refused)
  const late = packed(right)
  world.clock.advance(600_000)
  expect(await entry(late)).toEqual(refused)
  expect(await entries()).toBe(before)
})

test('An HTML form without a solution gets a page, and the field is no field of the form.', async () => {
  const send = (fields: Record<string, string>) =>
    world.fetch('/general/project/form/entry', {
      method: 'POST',
      body: new URLSearchParams({ project_id: world.project.public_id, form: 'contact', name: 'Bob', ...fields }),
    })
  const refused = await send({})
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect((await send({ altcha: await solve() })).status).toBe(200)
  const [newest] = (await world.edit('/project/form-entries/list')).items
  expect(newest.fields).toEqual({ name: 'Bob' })
})

test('Used challenges are removed when they have expired.', async () => {
  const { store } = world.service.runtime
  expect(await entry(await solve())).toEqual([200])
  const used = async () => (await store.query('SELECT 1 FROM used_challenges')).length
  await world.service.drain('maintenance')
  expect(await used()).toBeGreaterThan(0)
  world.clock.advance(600_000)
  await world.service.drain('maintenance')
  expect(await used()).toBe(0)
})

test('Challenges are counted for each client address.', async () => {
  const small = await createSiteWorld({ public_requests_per_minute: 2 })
  const ask = async () => (await small.fetch(`${CHALLENGE}?project_id=${small.project.public_id}`)).status
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  await small.close()
})

test.skipIf(!hasBrowser)('A browser solves the challenge with the widget and sends the form.', async () => {
  const before = await entries()
  const { url } = world
  const html = `<!doctype html><html lang="de"><script src="${url}/assets/public/altcha.js" defer></script>
    <form method="post" action="${url}/general/project/form/entry">
      <input name="project_id" value="${world.project.public_id}"><input name="form" value="contact">
      <input name="name" value="Browser">
      <altcha-widget challenge="${url}${CHALLENGE}?project_id=${world.project.public_id}"></altcha-widget>
      <button>Send</button></form></html>`
  for (const path of ['/', '/widget'])
    await world.edit('/project/pages/create', { path, title: 'Contact', html, published: true })
  // The widget needs a secure context, as every site on https is, and as a browser takes this name for.
  const domain = 'harbour.localhost'
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain }).where(eq(projects.id, world.project.id)),
  )
  const site = `http://${domain}:${new URL(url).port}`
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await page.clock.setFixedTime(world.clock.now())
    for (const address of [`${site}/widget`, `${url}/sites/${world.project.slug}/`]) {
      await page.goto(address)
      await page.getByText('Ich bin kein Roboter').click()
      await page.locator('altcha-widget [data-state=verified]').waitFor()
      const [answer] = await Promise.all([page.waitForNavigation(), page.getByText('Send').click()])
      expect(answer!.status()).toBe(200)
    }
    expect(await entries()).toBe(before + 2)
    expect(new Set(asked)).toEqual(new Set([new URL(url).host, `${domain}:${new URL(url).port}`]))
  } finally {
    await browser.close()
  }
})
