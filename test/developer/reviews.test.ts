import { beforeEach, expect, test } from 'bun:test'
import { isSuspended } from '../../src/access/app-team.ts'
import { getApp } from '../../src/developer/apps.ts'
import { decide, type Decision, requestReview, withdraw } from '../../src/developer/reviews.ts'
import { createVersion } from '../../src/developer/versions.ts'
import { connectedScripts } from '../../src/scripts/connections.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { eq } from 'drizzle-orm'
import { review_requests } from '../../src/store/tables/developer.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk, REVIEWS, SCRIPT } from './desk.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})

const db = () => desk.world.service.runtime.store.db
const conflict = { status: 409, body: { error: 'conflict' } }
const status = async (app_id: string) => (await desk.ok('outsider', 'GET', `${APPS}/${app_id}`)).app.status
const inForce = async (app_id: string) =>
  (await db().select({ scopes: apps.scopes }).from(apps).where(eq(apps.id, app_id)))[0]!.scopes
const version = async (app_id: string, notes?: string) =>
  (await desk.ok('outsider', 'POST', `${APPS}/${app_id}/versions`, notes === undefined ? undefined : { notes })).version
const submit = async (app_id: string, version_id: number) =>
  (await desk.ok('outsider', 'POST', REVIEWS, { app_id, version_id })).review_request
/** What a project gets of an app, by its API. */
const offered = async (app_id: string) => {
  const { body } = await desk.api(
    await desk.token(app_id),
    'POST',
    `/scripts/list?project_id=${desk.world.project.public_id}`,
  )
  return body.scripts.map(({ script_id }: { script_id: number }) => script_id)
}
const onPages = async (app_id: string) =>
  (await connectedScripts(db(), desk.world.project.id))
    .filter((script) => script.app_id === app_id)
    .map(({ html }) => html)
const embed = async (app_id: string, scriptId: number) =>
  desk.api(await desk.token(app_id), 'POST', '/scripts/embed', { scriptId, project_id: desk.world.project.public_id })

test('A version is a frozen copy of identity, scripts, listing and scopes.', async () => {
  const app = await desk.app({ scope_reasons: { 'scripts:read': 'To look.' } })
  const script = await desk.script(app.id, { parameters: { a: 1 }, parameter_formats: { a: 'html' } })
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, { tagline: 'Before' })
  const made = await version(app.id, 'The first')
  expect(made).toEqual({
    id: expect.any(Number),
    number: 1,
    app_id: app.id,
    status: 'draft',
    live: false,
    notes: 'The first',
    created_by: desk.world.users.outsider,
    created_on: expect.any(String),
  })

  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}/scripts/${script.id}`, {
    code: '<b>after</b>',
    parameter_formats: {},
  })
  await desk.script(app.id, { name: 'Later' })
  await desk.ok('outsider', 'PUT', `${APPS}/${app.id}/listing`, { tagline: 'After' })
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, { scopes: ['cms:post:read'], displayName: 'After' })
  expect((await desk.ok('outsider', 'GET', `${APPS}/${app.id}/versions/${made.id}`)).version).toEqual({
    ...made,
    displayName: 'Visits',
    description: '',
    homepage: '',
    redirect_uris: ['https://app.example/cb'],
    scripts: [{ id: script.id, ...SCRIPT, parameters: { a: 1 }, parameter_formats: { a: 'html' } }],
    listing: {
      tagline: 'Before',
      description: '',
      icon_url: '',
      screenshots: [],
      support_url: '',
      privacy_url: '',
      category: '',
    },
    scopes: ['scripts:read', 'scripts:embed', 'scripts:delete'],
    scope_reasons: { 'scripts:read': 'To look.' },
  })
  expect((await version(app.id)).number).toBe(2)
  expect(
    (await desk.ok('outsider', 'GET', `${APPS}/${app.id}/versions`)).versions.map(
      ({ number }: { number: number }) => number,
    ),
  ).toEqual([2, 1])
  await expect(
    desk.world.service.runtime.store.write((tx) =>
      tx.run(`UPDATE app_versions SET contents = '{}' WHERE id = ${made.id}`),
    ),
  ).rejects.toThrow()
  const other = await desk.app()
  for (const path of [`${APPS}/${other.id}/versions/${made.id}`, `${APPS}/${app.id}/versions/x`])
    expect((await desk.as('outsider', 'GET', path)).status).toBe(404)
})

test('A review ends with the decision of a reviewer, and of no other user.', async () => {
  const app = await desk.app()
  const { id: version_id } = await version(app.id)
  expect(await desk.as('owner', 'POST', REVIEWS, { app_id: app.id, version_id })).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
  const request = await submit(app.id, version_id)
  expect(request).toEqual({
    id: expect.any(Number),
    app_id: app.id,
    version_id,
    status: 'pending',
    comment: '',
    submitted_by: desk.world.users.outsider,
    decided_by: null,
    created_on: expect.any(String),
    decided_on: null,
  })
  expect(await status(app.id)).toBe('in_review')
  expect(
    await desk.as('outsider', 'POST', REVIEWS, { app_id: app.id, version_id: (await version(app.id)).id }),
  ).toMatchObject(conflict)

  for (const action of ['approve', 'reject', 'request-changes']) {
    expect(await desk.as('outsider', 'POST', `${REVIEWS}/${request.id}/${action}`, { comment: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect(await desk.as('owner', 'POST', `${REVIEWS}/${request.id}/${action}`, { comment: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
  }
  expect((await desk.as('owner', 'GET', `${REVIEWS}/${request.id}`)).status).toBe(404)
  expect((await desk.as('owner', 'POST', `${REVIEWS}/${request.id}/withdraw`)).status).toBe(404)
  expect((await desk.as('editor', 'POST', `${REVIEWS}/${request.id}/withdraw`)).status).toBe(403)

  for (const action of ['reject', 'request-changes'])
    for (const body of [undefined, {}, { comment: ' ' }])
      expect(await desk.as('editor', 'POST', `${REVIEWS}/${request.id}/${action}`, body)).toMatchObject({
        ...{ status: 400, body: { error: 'invalid_request' } },
      })
  const { review_request } = await desk.ok('editor', 'POST', `${REVIEWS}/${request.id}/reject`, {
    comment: 'Says nothing of what it counts.',
  })
  expect(review_request).toEqual({
    ...request,
    status: 'rejected',
    comment: 'Says nothing of what it counts.',
    decided_by: desk.world.users.editor,
    decided_on: expect.any(String),
  })
  expect(await desk.ok('outsider', 'GET', `${REVIEWS}/${request.id}`)).toEqual({ review_request })
  expect(await status(app.id)).toBe('rejected')
  for (const action of ['approve', 'reject', 'request-changes'])
    expect(await desk.as('editor', 'POST', `${REVIEWS}/${request.id}/${action}`, { comment: 'x' })).toMatchObject(
      conflict,
    )
  expect(await desk.as('outsider', 'POST', `${REVIEWS}/${request.id}/withdraw`)).toMatchObject(conflict)
  expect(await desk.as('outsider', 'POST', REVIEWS, { app_id: app.id, version_id })).toMatchObject(conflict)
  expect((await desk.as('editor', 'POST', `${REVIEWS}/99999/approve`)).status).toBe(404)

  await submit(app.id, (await version(app.id)).id)
  expect(await status(app.id)).toBe('in_review')
})

test('A review may ask for changes, or be withdrawn; a withdrawn version may be submitted again.', async () => {
  const app = await desk.app()
  const first = await version(app.id)
  const asked = await submit(app.id, first.id)
  expect(
    (await desk.ok('editor', 'POST', `${REVIEWS}/${asked.id}/request-changes`, { comment: 'A shorter name.' }))
      .review_request,
  ).toMatchObject({ status: 'changes_requested', comment: 'A shorter name.' })
  expect(await status(app.id)).toBe('development')
  expect(await desk.as('outsider', 'POST', REVIEWS, { app_id: app.id, version_id: first.id })).toMatchObject(conflict)

  const second = await version(app.id)
  const withdrawn = await submit(app.id, second.id)
  expect((await desk.ok('outsider', 'POST', `${REVIEWS}/${withdrawn.id}/withdraw`)).review_request).toMatchObject({
    status: 'withdrawn',
    decided_by: null,
  })
  expect(await status(app.id)).toBe('development')
  expect(
    (await desk.ok('outsider', 'GET', `${APPS}/${app.id}/versions`)).versions.map(
      ({ status }: { status: string }) => status,
    ),
  ).toEqual(['draft', 'rejected'])
  expect((await submit(app.id, second.id)).id).toBeGreaterThan(withdrawn.id)
})

test('A review is listed for reviewers, and for the team of its app.', async () => {
  const other = await desk.app({}, 'outsider')
  const { version } = await desk.ok('outsider', 'POST', `${APPS}/${other.id}/versions`)
  await desk.ok('outsider', 'POST', REVIEWS, { app_id: other.id, version_id: version.id })
  const app = await desk.app({}, 'member')
  const made = (await desk.ok('member', 'POST', `${APPS}/${app.id}/versions`)).version
  const { review_request } = await desk.ok('member', 'POST', REVIEWS, { app_id: app.id, version_id: made.id })
  expect(await desk.ok('member', 'GET', REVIEWS)).toEqual({ review_requests: [review_request] })
  expect(await desk.ok('owner', 'GET', REVIEWS)).toEqual({ review_requests: [] })
  const { review_requests: all } = await desk.ok('editor', 'GET', REVIEWS)
  expect(all[0]).toEqual(review_request)
  expect(new Set(all.map(({ app_id }: { app_id: string }) => app_id)).size).toBeGreaterThan(1)
  const { review_requests: pending } = await desk.ok('editor', 'GET', `${REVIEWS}?status=pending&limit=1`)
  expect(pending).toEqual([review_request])
  expect((await desk.ok('editor', 'GET', `${REVIEWS}?before_id=${review_request.id}`)).review_requests).toEqual(
    all.slice(1),
  )
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'before_id=-1', 'status=open'])
    expect((await desk.as('editor', 'GET', `${REVIEWS}?${query}`)).status).toBe(400)
})

test('A review is one of each app, and is decided once, however many press the button.', async () => {
  const app = await desk.app()
  const versions = await Promise.all([version(app.id), version(app.id), version(app.id)])
  expect(new Set(versions.map(({ number }) => number)).size).toBe(3)
  const submitted = await Promise.all(
    versions.map(({ id }) => desk.as('outsider', 'POST', REVIEWS, { app_id: app.id, version_id: id })),
  )
  expect(submitted.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const { id } = submitted.find(({ status }) => status === 200)!.body.review_request
  const decided = await Promise.all(
    ['approve', 'reject', 'approve', 'request-changes'].map((action) =>
      desk.as('editor', 'POST', `${REVIEWS}/${id}/${action}`, { comment: 'x' }),
    ),
  )
  expect(decided.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const { review_request } = decided.find(({ status }) => status === 200)!.body
  expect(await status(app.id)).toBe(
    ({ approved: 'approved', rejected: 'rejected', changes_requested: 'development' } as any)[review_request.status],
  )
})

test('Sites get the approved text: edits, additions and deletions wait for the next version.', async () => {
  const app = await desk.app()
  const [kept, dropped] = [
    await desk.script(app.id, { code: '<i>one</i>' }),
    await desk.script(app.id, { code: '<i>two</i>' }),
  ]
  const first = await version(app.id)
  const request = await submit(app.id, first.id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}/scripts/${kept.id}`, { code: '<i>sneaked in</i>' })
  await desk.ok('editor', 'POST', `${REVIEWS}/${request.id}/approve`, { comment: 'Fine.' })
  expect(await status(app.id)).toBe('approved')
  expect((await desk.ok('outsider', 'GET', `${APPS}/${app.id}/versions`)).versions).toMatchObject([
    { id: first.id, status: 'approved', live: true },
  ])
  for (const { id } of [kept, dropped]) expect((await embed(app.id, id)).status).toBe(200)
  expect(await onPages(app.id)).toEqual(['<i>one</i>', '<i>two</i>'])
  expect(
    (await desk.ok('outsider', 'GET', `${APPS}/${app.id}/scripts`)).scripts.map(({ code, status }: any) => [
      code,
      status,
    ]),
  ).toEqual([
    ['<i>sneaked in</i>', 'draft'],
    ['<i>two</i>', 'active'],
  ])

  const added = await desk.script(app.id, { code: '<i>three</i>' })
  expect(added.status).toBe('draft')
  await desk.ok('outsider', 'DELETE', `${APPS}/${app.id}/scripts/${dropped.id}`)
  expect((await desk.as('outsider', 'GET', `${APPS}/${app.id}/scripts/${dropped.id}`)).status).toBe(404)
  expect(await offered(app.id)).toEqual([kept.id, dropped.id])
  expect((await embed(app.id, added.id)).status).toBe(404)
  expect(await onPages(app.id)).toEqual(['<i>one</i>', '<i>two</i>'])

  const second = await desk.approve(app.id)
  expect(await offered(app.id)).toEqual([kept.id, added.id])
  expect(await onPages(app.id)).toEqual(['<i>sneaked in</i>'])
  expect((await embed(app.id, dropped.id)).status).toBe(404)
  expect((await embed(app.id, added.id)).status).toBe(200)

  const { version: back } = await desk.ok('outsider', 'POST', `${APPS}/${app.id}/versions/${first.id}/rollback`)
  expect(back).toMatchObject({ id: first.id, number: 1, status: 'approved', live: true })
  expect(await offered(app.id)).toEqual([kept.id, dropped.id])
  expect(await onPages(app.id)).toEqual(['<i>one</i>', '<i>two</i>'])
  expect(
    (await desk.ok('outsider', 'GET', `${APPS}/${app.id}/scripts`)).scripts.map(({ id, status }: any) => [id, status]),
  ).toEqual([
    [kept.id, 'draft'],
    [added.id, 'draft'],
  ])
  await desk.ok('outsider', 'POST', `${APPS}/${app.id}/versions/${second.id}/rollback`)
  expect(await onPages(app.id)).toEqual(['<i>sneaked in</i>', '<i>three</i>'])
  const draft = await version(app.id)
  expect(await desk.as('outsider', 'POST', `${APPS}/${app.id}/versions/${draft.id}/rollback`)).toMatchObject(conflict)
  expect((await desk.as('editor', 'POST', `${APPS}/${app.id}/versions/${first.id}/rollback`)).status).toBe(403)
})

test('An approved app can only be rolled back to a version that was approved.', async () => {
  const app = await desk.app()
  const script = await desk.script(app.id, { code: '<i>approved</i>' })
  await embed(app.id, script.id)
  await desk.approve(app.id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}/scripts/${script.id}`, { code: '<i>unreviewed</i>' })
  const later = await version(app.id)
  const rollBack = () => desk.as('outsider', 'POST', `${APPS}/${app.id}/versions/${later.id}/rollback`)
  expect(await rollBack()).toMatchObject(conflict)
  for (const decision of ['withdraw', 'reject']) {
    const request = await submit(app.id, later.id)
    expect(await rollBack()).toMatchObject(conflict)
    if (decision === 'withdraw') await desk.ok('outsider', 'POST', `${REVIEWS}/${request.id}/withdraw`)
    else await desk.ok('editor', 'POST', `${REVIEWS}/${request.id}/reject`, { comment: 'No.' })
    expect(await rollBack()).toMatchObject(conflict)
  }
  expect(await onPages(app.id)).toEqual(['<i>approved</i>'])
})

test('An approved app stays approved while a later version is reviewed, rejected or withdrawn.', async () => {
  const app = await desk.app()
  await desk.approve(app.id)
  for (const [person, action] of [
    ['editor', 'reject'],
    ['editor', 'request-changes'],
    ['outsider', 'withdraw'],
  ] as const) {
    const request = await submit(app.id, (await version(app.id)).id)
    expect(await status(app.id)).toBe('approved')
    await desk.ok(
      person,
      'POST',
      `${REVIEWS}/${request.id}/${action}`,
      action === 'withdraw' ? undefined : { comment: 'No.' },
    )
    expect(await status(app.id)).toBe('approved')
  }
})

test('An approved app gets new scopes with the next approved version, and loses scopes at once.', async () => {
  const app = await desk.app({ scopes: ['scripts:read', 'scripts:embed'] })
  await desk.approve(app.id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, { scopes: ['scripts:read', 'cms:post:read'] })
  expect((await desk.ok('outsider', 'GET', `${APPS}/${app.id}`)).app.scopes).toEqual(['scripts:read', 'cms:post:read'])
  expect(await inForce(app.id)).toEqual(['scripts:read'])
  const request = await submit(app.id, (await version(app.id)).id)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, { scopes: ['cms:post:read', 'newsletter:admin'] })
  expect(await inForce(app.id)).toEqual([])
  await desk.ok('editor', 'POST', `${REVIEWS}/${request.id}/approve`)
  expect(await inForce(app.id)).toEqual(['cms:post:read'])
})

test('Deleting a script in development ends its connections.', async () => {
  const app = await desk.app({}, 'owner')
  const script = await desk.script(app.id, {}, 'owner')
  expect((await embed(app.id, script.id)).status).toBe(200)
  expect(await onPages(app.id)).toHaveLength(1)
  const frozen = (await desk.ok('owner', 'POST', `${APPS}/${app.id}/versions`)).version
  await desk.ok('owner', 'DELETE', `${APPS}/${app.id}/scripts/${script.id}`)
  expect(await onPages(app.id)).toEqual([])
  const { review_request } = await desk.ok('owner', 'POST', REVIEWS, { app_id: app.id, version_id: frozen.id })
  await desk.ok('editor', 'POST', `${REVIEWS}/${review_request.id}/approve`)
  expect(await offered(app.id)).toEqual([script.id])
  expect(await onPages(app.id)).toEqual([])
})

test('A suspended app stops at once in every state, until a reviewer lifts the suspension.', async () => {
  const app = await desk.app()
  const script = await desk.script(app.id)
  await desk.approve(app.id)
  await embed(app.id, script.id)
  expect(await onPages(app.id)).toHaveLength(1)

  expect(await desk.as('outsider', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'x' })).toMatchObject({
    status: 403,
    body: { error: 'forbidden' },
  })
  expect((await desk.as('editor', 'POST', `${APPS}/${app.id}/suspend`)).status).toBe(400)
  expect((await desk.as('editor', 'POST', `${APPS}/app_none/suspend`, { comment: 'x' })).status).toBe(404)
  desk.world.clock.advance(1000)
  const { app: suspended } = await desk.ok('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'Mines coins.' })
  expect(suspended).toMatchObject({
    ...{ status: 'approved', suspended_on: new Date(desk.world.clock.now()).toISOString() },
    suspension_comment: 'Mines coins.',
  })
  expect(await isSuspended(db(), app.id)).toBe(true)
  expect(await onPages(app.id)).toEqual([])
  expect(await embed(app.id, script.id)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(await desk.as('editor', 'POST', `${APPS}/${app.id}/suspend`, { comment: 'x' })).toMatchObject(conflict)
  await desk.ok('outsider', 'PATCH', `${APPS}/${app.id}`, { description: 'Better now.' })

  expect((await desk.as('outsider', 'POST', `${APPS}/${app.id}/unsuspend`)).status).toBe(403)
  expect((await desk.ok('editor', 'POST', `${APPS}/${app.id}/unsuspend`)).app.suspended_on).toBeNull()
  expect(await onPages(app.id)).toHaveLength(1)
  expect(await desk.as('editor', 'POST', `${APPS}/${app.id}/unsuspend`)).toMatchObject(conflict)
})

/** An app in development of a developer, with a reviewer, apart from the world. */
async function alone() {
  const [user_id, reviewer] = [await newUser(), await newUser({ admin: true })]
  const { id: app_id } = await newApp(user_id, { status: 'development' })
  const freeze = () => write(async (tx) => createVersion(tx, await getApp(tx, app_id), { user_id, notes: '' }, NOW))
  const submitAt = (after_ms: number, version_id: number) =>
    write((tx) => requestReview(tx, user_id, { app_id, version_id }, NOW + after_ms))
  return { user_id, reviewer, app_id, freeze, submitAt }
}

test('Each step of a review is a change of its app at that time.', async () => {
  const { user_id, reviewer, app_id, freeze, submitAt } = await alone()
  const { db } = await sharedStore()
  const now = async () => {
    const { status, updated_at } = await getApp(db, app_id)
    return [status, updated_at - NOW]
  }
  const decided = async (after_ms: number, id: number, decision: Decision) => {
    const given = { id, decision, comment: 'Because.' }
    const { request } = await write((tx) => decide(tx, reviewer, given, NOW + after_ms))
    expect([request.decided_at, request.decided_by]).toEqual([NOW + after_ms, reviewer])
  }
  const first = await submitAt(1, (await freeze()).id)
  expect([first.created_at, await now()]).toEqual([NOW + 1, ['in_review', 1]])
  const back = await write((tx) => withdraw(tx, user_id, first.id, NOW + 2))
  expect([back.decided_at, await now()]).toEqual([NOW + 2, ['development', 2]])
  await decided(4, (await submitAt(3, first.version_id)).id, 'rejected')
  expect(await now()).toEqual(['rejected', 4])
  await decided(6, (await submitAt(5, (await freeze()).id)).id, 'approved')
  expect(await now()).toEqual(['approved', 6])
})

test('A version is submitted at most a hundred times.', async () => {
  const { user_id, app_id, freeze, submitAt } = await alone()
  const { id: version_id } = await freeze()
  const earlier = { app_id, version_id, status: 'withdrawn' as const, submitted_by: user_id, created_at: NOW }
  await write(async (tx) => void (await tx.insert(review_requests).values(Array.from({ length: 99 }, () => earlier))))
  const { id } = await submitAt(0, version_id)
  await write((tx) => withdraw(tx, user_id, id, NOW))
  await expect(submitAt(0, version_id)).rejects.toMatchObject({ code: 'CONFLICT' })
})
