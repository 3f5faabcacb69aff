import { beforeAll, expect, test } from 'bun:test'
import { allowOwnPages, isOnDomain, preflight } from '../../../src/http/public/form-origin.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { newProject, sharedStore } from '../../support/shared-store.ts'

const DOMAIN = 'form-origin.example'
let runtime: Runtime
beforeAll(async () => {
  runtime = { store: await sharedStore() } as unknown as Runtime
  await newProject({ domain: DOMAIN })
  await newProject({ domain: 'www.own-name.example' })
})

const from = (origin: string | null) =>
  new Request('https://m.example/', { headers: origin === null ? {} : { Origin: origin } })
/** The origin that may read the answer. */
async function allowed(origin: string | null, project: { domain: string | null } | null): Promise<string | null> {
  const response = new Response(null, { headers: { Vary: 'Accept-Encoding' } })
  await allowOwnPages(runtime, from(origin), project, response)
  expect(response.headers.get('vary')).toBe('Accept-Encoding, Origin')
  return response.headers.get('access-control-allow-origin')
}

test('The pages of a domain and of its name with www. are the own ones.', () => {
  const on = (host: string) => isOnDomain({ domain: 'a.example' }, host)
  expect([on('a.example'), on('www.a.example'), on('b.a.example'), on('xa.example'), on('www.')]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect([isOnDomain({ domain: null }, 'www.null'), isOnDomain({ domain: null }, '')]).toEqual([false, false])
})

test('A page of the project reads the answer, at http and https on the default port.', async () => {
  const project = { domain: DOMAIN }
  for (const origin of [`https://${DOMAIN}`, `http://${DOMAIN}`, `https://www.${DOMAIN}`])
    expect(await allowed(origin, project)).toBe(origin)
  for (const origin of [
    null,
    'null',
    '',
    `https://${DOMAIN}:8443`,
    `https://${DOMAIN}/`,
    `https://user@${DOMAIN}`,
    `ftp://${DOMAIN}`,
    `https://${DOMAIN.toUpperCase()}`,
    'https://other.example',
    'https://www.own-name.example',
  ])
    expect([origin, await allowed(origin, project)]).toEqual([origin, null])
  expect(await allowed(`https://${DOMAIN}`, { domain: null })).toBeNull()
})

test('Before the project is known a page on the domain of any project reads the error.', async () => {
  for (const name of [DOMAIN, `www.${DOMAIN}`, 'www.own-name.example', 'www.www.own-name.example'])
    expect(await allowed(`https://${name}`, null)).toBe(`https://${name}`)
  for (const name of ['own-name.example', 'unknown.example', `a.${DOMAIN}`])
    expect([name, await allowed(`https://${name}`, null)]).toEqual([name, null])
})

test('A preflight request of such a page allows JSON for ten minutes; any other learns the methods.', async () => {
  const headersOf = async (origin: string) => {
    const response = await preflight(runtime, from(origin))
    expect(response.status).toBe(204)
    return Object.fromEntries(response.headers)
  }
  expect(await headersOf('https://unknown.example')).toEqual({ allow: 'POST, OPTIONS', vary: 'Origin' })
  expect(await headersOf(`https://${DOMAIN}`)).toEqual({
    allow: 'POST, OPTIONS',
    vary: 'Origin',
    'access-control-allow-origin': `https://${DOMAIN}`,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': '600',
  })
})
