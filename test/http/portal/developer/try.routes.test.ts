import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWorld, type World } from '../../../support/world.ts'
import { signIn } from '../../signed-in.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const VERIFIER = 'v'.repeat(43)

/** A signed-in browser of a developer, who has a project and an app. */
async function developer() {
  const cookie = await signIn(world, 'owner')
  const send = async (method: string, path: string, body: object) => {
    const headers = { cookie, Origin: world.url, 'Content-Type': 'application/json' }
    const answer = await world.fetch(path, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const { app } = (
    await send('POST', '/user/developer/apps', {
      ...{ displayName: 'Tides', redirect_uris: ['https://a.example/'], scopes: ['newsletter:read'] },
    })
  ).body
  const redirect_uri = `${world.url}/portal/developer/apps/${app.id}/try`
  /** Lets the app in, as the button of the page and the consent page do. */
  const code = async () => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: app.client_id, redirect_uri, scope: 'newsletter:read', state: 's' },
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const page = await (await world.fetch(`/general/oauth/authorize?${query}`, { headers: { cookie } })).text()
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const form = new URLSearchParams(hidden.map(([, name, value]) => [name!, value!.replaceAll('&amp;', '&')]))
    form.set('decision', 'approve')
    const box = /name="(project[^"]*)" value="([^"]+)"/.exec(page)!
    form.set(box[1]!, box[2]!)
    const decided = await world.fetch('/general/oauth/authorize', {
      ...{ method: 'POST', headers: { cookie, Origin: world.url }, body: form, redirect: 'manual' },
    })
    return new URL(decided.headers.get('location')!).searchParams.get('code')!
  }
  const exchange = (given: string, code_verifier = VERIFIER) =>
    send('POST', `/user/developer/apps/${app.id}/try`, { code: given, code_verifier })
  return { app, code, exchange }
}

test('The page of the first call changes its code for a token, with which the API answers.', async () => {
  const { code, exchange } = await developer()
  const given = await code()
  expect((await exchange(given, 'w'.repeat(43))).body).toMatchObject({ token: null })
  const { token, refusal } = (await exchange(given)).body
  expect([refusal, token.scope, token.expires_in]).toEqual([null, 'newsletter:read', 3600])
  const headers = { Authorization: `Bearer ${token.access_token}` }
  const list = () => world.fetch('/general/api/v1/project/list', { headers })
  expect(((await (await list()).json()) as { projects: unknown[] }).projects).toHaveLength(1)
  expect((await exchange(given)).body).toMatchObject({ token: null, refusal: expect.stringContaining('used before') })
  expect((await list()).status).toBe(401)
})

test('The code of an app is changed for its own team only.', async () => {
  const { app, code } = await developer()
  const headers = { cookie: await signIn(world, 'member'), Origin: world.url, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ code: await code(), code_verifier: VERIFIER })
  const answer = await world.fetch(`/user/developer/apps/${app.id}/try`, { method: 'POST', headers, body })
  expect(answer.status).toBe(404)
})
