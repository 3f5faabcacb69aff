import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  authorizeUrl,
  CHALLENGE,
  type Client,
  createOAuthWorld,
  type OAuthWorld,
  VERIFIER,
} from '../oauth/oauth-world.ts'
import { messagesTo } from '../support/mailbox.ts'
import { APPS, type Desk, openDesk, REVIEWS } from './desk.ts'

let world: OAuthWorld
let desk: Desk
beforeAll(async () => {
  world = await createOAuthWorld()
  desk = await openDesk(world)
})
afterAll(() => world.close())

const OLD = 'https://app.example/cb'
const NEW = 'https://new.example/cb'

/** An app of the outsider with its secret; approved unless said otherwise. */
async function newApp(fields: object = {}, approved = true): Promise<Client> {
  const { app, client_secret } = await desk.ok('outsider', 'POST', APPS, {
    displayName: 'Visits',
    description: 'Counts visits.',
    homepage: 'https://app.example',
    redirect_uris: [OLD],
    scopes: ['scripts:read'],
    ...fields,
  })
  if (approved) await desk.approve(app.id)
  return { id: app.id, client_id: app.client_id, client_secret, redirect_uri: OLD }
}

const change = async ({ id }: Client, changes: object) =>
  (await desk.ok('outsider', 'PATCH', `${APPS}/${id}`, changes)).app
const read = async ({ id }: Client) => (await desk.ok('outsider', 'GET', `${APPS}/${id}`)).app

/** The consent page, or the page that refuses the request. */
const consent = async ({ client_id }: Client, redirect_uri = OLD) =>
  (await world.browser('owner')).open(
    authorizeUrl({
      client_id,
      redirect_uri,
      scope: 'scripts:read',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    }),
  )

const exchange = (client: Client, code: string) =>
  world.post(
    'token',
    { grant_type: 'authorization_code', code, redirect_uri: OLD, code_verifier: VERIFIER },
    { client },
  )

test('An approved app changes its name and homepage for users only with the next approved version.', async () => {
  const client = await newApp()
  const changed = await change(client, {
    displayName: 'Your Bank',
    description: 'Asks for your password.',
    homepage: 'https://bank.example',
  })
  expect(changed).toMatchObject({
    displayName: 'Your Bank',
    homepage: 'https://bank.example',
    approved: { displayName: 'Visits', description: 'Counts visits.', homepage: 'https://app.example' },
    draft: { displayName: 'Your Bank', description: 'Asks for your password.', homepage: 'https://bank.example' },
  })
  const before = await consent(client)
  expect(before.html).toContain('Connect Visits?')
  expect(before.html).not.toContain('Your Bank')
  expect(before.html).not.toContain('bank.example')

  const { access_token } = await world.tokens({ client, scope: 'scripts:read' })
  const shown = async () =>
    (await desk.api(access_token, 'GET', '/token/introspect')).body.application as Record<string, string>
  expect(await shown()).toMatchObject({ displayName: 'Visits', homepage: 'https://app.example' })
  expect(JSON.stringify(await desk.ok('owner', 'GET', '/user/connected-apps/overview'))).not.toContain('Your Bank')

  await desk.approve(client.id)
  expect((await consent(client)).html).toContain('Connect Your Bank?')
  expect(await shown()).toMatchObject({ displayName: 'Your Bank', homepage: 'https://bank.example' })
  expect(await read(client)).toMatchObject({ approved: { displayName: 'Your Bank' } })
})

test('An approved app uses a new redirect URI only after its approval.', async () => {
  const client = await newApp()
  const changed = await change(client, { redirect_uris: [OLD, NEW] })
  expect(changed).toMatchObject({
    redirect_uris: [OLD, NEW],
    approved: { redirect_uris: [OLD] },
    draft: { redirect_uris: [OLD, NEW] },
  })
  const refused = await consent(client, NEW)
  expect(refused.status).toBe(400)
  expect(refused.headers.get('location')).toBeNull()
  expect(refused.html).toContain('has not registered')
  expect(await world.push({ redirect_uri: NEW, scope: 'scripts:read' }, { client })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
  expect((await consent(client, OLD)).status).toBe(200)
  // Not even the team: what is in force is what was reviewed.
  const own = await (
    await world.browser('outsider')
  ).open(authorizeUrl({ client_id: client.client_id, redirect_uri: NEW, scope: 'scripts:read' }))
  expect(own.status).toBe(400)

  await desk.approve(client.id)
  expect((await consent(client, NEW)).status).toBe(200)
})

test('An approved app loses a removed redirect URI at once, for codes and pushed requests as well.', async () => {
  const client = await newApp({ redirect_uris: [OLD, NEW] })
  const code = await world.code({ client, scope: 'scripts:read' })
  const pushed = await world.push({ scope: 'scripts:read' }, { client })
  await change(client, { redirect_uris: [NEW] })
  expect(await exchange(client, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await consent(client, OLD)).status).toBe(400)
  expect((await consent(client, NEW)).status).toBe(200)
  const { client_id } = client
  const reference = new URLSearchParams({ client_id, request_uri: pushed.body.request_uri }).toString()
  expect((await (await world.browser('owner')).open(`/general/oauth/authorize?${reference}`)).status).toBe(400)
  // Adding it again needs a review.
  await change(client, { redirect_uris: [NEW, OLD] })
  expect((await consent(client, OLD)).status).toBe(400)
  expect(await exchange(client, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('An approved app gets what was reviewed, not what was written during the review.', async () => {
  const client = await newApp({}, false)
  const { version } = await desk.ok('outsider', 'POST', `${APPS}/${client.id}/versions`)
  const { review_request } = await desk.ok('outsider', 'POST', REVIEWS, { app_id: client.id, version_id: version.id })
  await change(client, { displayName: 'Sneaked in', redirect_uris: [OLD, NEW] })
  await desk.ok('editor', 'POST', `${REVIEWS}/${review_request.id}/approve`)
  expect(await read(client)).toMatchObject({
    displayName: 'Sneaked in',
    approved: { displayName: 'Visits', redirect_uris: [OLD] },
    draft: { displayName: 'Sneaked in', redirect_uris: [OLD, NEW] },
  })
  expect((await consent(client)).html).toContain('Connect Visits?')
  expect((await consent(client, NEW)).status).toBe(400)
})

test('An approved app keeps its identity when a reviewer asks for changes or rejects a version.', async () => {
  const client = await newApp()
  await change(client, { displayName: 'Other' })
  for (const action of ['request-changes', 'reject']) {
    const { version } = await desk.ok('outsider', 'POST', `${APPS}/${client.id}/versions`)
    const submitted = await desk.ok('outsider', 'POST', REVIEWS, { app_id: client.id, version_id: version.id })
    const path = `${REVIEWS}/${submitted.review_request.id}/${action}`
    const { review_request } = await desk.ok('editor', 'POST', path, { comment: 'No.' })
    expect(review_request.status).toBe(action === 'reject' ? 'rejected' : 'changes_requested')
    expect(await read(client)).toMatchObject({ status: 'approved', approved: { displayName: 'Visits' } })
    expect((await consent(client)).html).toContain('Connect Visits?')
  }
})

test('An approved app is rolled back with its identity, without redirect URIs that were removed since.', async () => {
  const client = await newApp({ redirect_uris: [OLD, 'https://gone.example/cb'] })
  const [first] = (await desk.ok('outsider', 'GET', `${APPS}/${client.id}/versions`)).versions
  await desk.ok('outsider', 'PUT', `${APPS}/${client.id}/listing`, { icon_url: 'https://new.example/icon.png' })
  await change(client, { displayName: 'Second', redirect_uris: [OLD, NEW] })
  await desk.approve(client.id)
  expect((await read(client)).approved).toMatchObject({
    displayName: 'Second',
    icon_url: 'https://new.example/icon.png',
    redirect_uris: [OLD, NEW],
  })
  await desk.ok('outsider', 'POST', `${APPS}/${client.id}/versions/${first.id}/rollback`)
  expect(await read(client)).toMatchObject({
    displayName: 'Second',
    approved: { displayName: 'Visits', icon_url: '', redirect_uris: [OLD] },
    draft: { displayName: 'Second', icon_url: 'https://new.example/icon.png', redirect_uris: [OLD, NEW] },
  })
  expect((await consent(client)).html).toContain('Connect Visits?')
  expect((await consent(client, NEW)).status).toBe(400)
})

test('An approved app shows its reviewed icon beside the one that waits.', async () => {
  const client = await newApp()
  await desk.ok('outsider', 'PUT', `${APPS}/${client.id}/listing`, { icon_url: 'https://app.example/icon.png' })
  expect(await read(client)).toMatchObject({
    approved: { icon_url: '' },
    draft: { icon_url: 'https://app.example/icon.png' },
  })
})

test('An approved app accepts a new secret at once, and a revoked one no more.', async () => {
  const client = await newApp()
  const code = await world.code({ client, scope: 'scripts:read' })
  const { secrets } = await desk.ok('outsider', 'GET', `${APPS}/${client.id}/secrets`)
  const { client_secret } = await desk.ok('outsider', 'POST', `${APPS}/${client.id}/secrets`)
  await desk.ok('outsider', 'DELETE', `${APPS}/${client.id}/secrets/${secrets[0].id}`)
  expect((await exchange(client, code)).status).toBe(401)
  expect((await exchange({ ...client, client_secret }, code)).status).toBe(200)
})

test('An app that was never approved changes at once.', async () => {
  const client = await newApp({}, false)
  expect(await change(client, { displayName: 'Renamed', redirect_uris: [NEW] })).toMatchObject({
    displayName: 'Renamed',
    approved: null,
    draft: { displayName: 'Renamed', redirect_uris: [NEW] },
  })
  const page = await (
    await world.browser('outsider')
  ).open(authorizeUrl({ client_id: client.client_id, redirect_uri: NEW, scope: 'scripts:read' }))
  expect([page.status, page.html.includes('Connect Renamed?')]).toEqual([200, true])
})

describe('messages', () => {
  // Notices to an address are limited by the hour.
  beforeEach(() => desk.world.clock.advance(3_600_001))

  /** Subjects and texts that an address gets while `work` runs. */
  async function during(email: string, work: () => Promise<unknown>): Promise<{ subject: string; text: string }[]> {
    const before = (await messagesTo(world, email)).length
    await work()
    return (await messagesTo(world, email)).slice(before)
  }
  const TEAM = ['outsider@example.com', 'member@example.com']
  const REVIEWER = 'editor@example.com'

  test('The whole team is told about changed redirect URIs, and about nothing else.', async () => {
    const client = await newApp()
    await desk.join(client.id, 'member')
    for (const email of TEAM) {
      const got = await during(email, () => change(client, { redirect_uris: email === TEAM[0] ? [OLD, NEW] : [NEW] }))
      expect(got.map(({ subject }) => subject)).toEqual(['The redirect URIs of your app changed'])
      expect(got[0]!.text).toContain(`Not in force before a review: ${NEW}.`)
    }
    expect(await during(TEAM[0]!, () => change(client, { redirect_uris: [NEW], displayName: 'x' }))).toEqual([])
    expect(await during(REVIEWER, () => change(client, { redirect_uris: [OLD] }))).toEqual([])
  })

  test('Reviewers are told about a submission, and the team about its decision with the comment.', async () => {
    const client = await newApp({ displayName: 'Tides' }, false)
    const { version } = await desk.ok('outsider', 'POST', `${APPS}/${client.id}/versions`)
    let id = 0
    const asked = await during(REVIEWER, async () => {
      const body = { app_id: client.id, version_id: version.id }
      id = (await desk.ok('outsider', 'POST', REVIEWS, body)).review_request.id
    })
    expect(asked.map(({ subject }) => subject)).toEqual(['An app asks for a review'])
    const decided = await during(TEAM[0]!, () =>
      desk.ok('editor', 'POST', `${REVIEWS}/${id}/request-changes`, { comment: 'Say what you <store>.' }),
    )
    expect(decided.map(({ subject }) => subject)).toEqual(['The review of your app'])
    expect(decided[0]!.text).toContain('needs changes')
    expect(decided[0]!.text).toContain('The reviewer says: Say what you <store>.')
  })

  test('The team is told that its app was suspended, with the reason, and that it may run again.', async () => {
    const client = await newApp()
    const suspended = await during(TEAM[0]!, () =>
      desk.ok('editor', 'POST', `${APPS}/${client.id}/suspend`, { comment: 'Mines coins.' }),
    )
    expect(suspended.map(({ subject }) => subject)).toEqual(['Your app was suspended'])
    expect(suspended[0]!.text).toContain('The reviewer says: Mines coins.')
    const lifted = await during(TEAM[0]!, () => desk.ok('editor', 'POST', `${APPS}/${client.id}/unsuspend`))
    expect(lifted.map(({ subject }) => subject)).toEqual(['Your app may run again'])
  })

  test('Messages stop for an address that got thirty of them within the hour.', async () => {
    const client = await newApp({}, false)
    const got = await during(TEAM[0]!, async () => {
      for (let turn = 0; turn < 40; turn++) await change(client, { redirect_uris: [`https://app.example/${turn}`] })
    })
    expect(got).toHaveLength(30)
  })
})
