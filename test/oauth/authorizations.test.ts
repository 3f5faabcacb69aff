import { expect, test } from 'bun:test'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { notesOf } from '../../src/audit/record.ts'
import { DAY_MS } from '../../src/clock.ts'
import type { ProjectId } from '../../src/ids.ts'
import {
  endAuthorization,
  endOwnAuthorization,
  startAuthorization,
  withdrawMember,
  withdrawProject,
} from '../../src/oauth/authorizations.ts'
import { authorizationsOfProject, authorizationsOfUser, findAuthorization } from '../../src/oauth/connected.ts'
import { latestEvents } from '../../src/oauth/events.ts'
import { issueTokens } from '../../src/oauth/tokens.ts'
import { members, projects } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { authorization_codes, refresh_tokens } from '../../src/store/tables/oauth.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const join = (project_id: ProjectId, user_id: string) =>
  write((tx) => tx.insert(members).values({ project_id, user_id, role: 'editor', added_at: NOW }))
const leave = (project_id: ProjectId, user_id: string) =>
  write((tx) => tx.delete(members).where(and(eq(members.project_id, project_id), eq(members.user_id, user_id))))

interface Granting {
  app_id: string
  user_id: string
  project_ids: ProjectId[]
  scope?: string
}

const grant = ({ scope = 'newsletter:read', ...granted }: Granting, at = NOW) =>
  write((tx) => startAuthorization(tx, { scope, ...granted }, at))

const publicIds = async (...ids: ProjectId[]) => {
  const rows = await (await sharedStore()).db.select().from(projects)
  return ids.map((id) => rows.find((row) => row.id === id)!.public_id)
}

test('An authorization is for those of the projects of which the user is a member, or there is none.', async () => {
  const { db } = await sharedStore()
  const [own, former, strange] = [await newProject(), await newProject(), await newProject()]
  const [user_id, other] = [await newUser({}, [own, 'editor']), await newUser({}, [strange, 'owner'])]
  const { id: app_id } = await newApp(other)
  expect(await grant({ app_id, user_id, project_ids: [former, strange] })).toBeNull()
  const id = (await grant({ app_id, user_id, project_ids: [own, former, strange] }, NOW + 3))!
  expect(await findAuthorization(db, id)).toMatchObject({
    user_id,
    scope: 'newsletter:read',
    created_at: NOW + 3,
    last_used_at: NOW + 3,
    project_public_ids: await publicIds(own),
  })
  expect((await latestEvents(db, app_id, 9)).map(({ type, project_id }) => [type, project_id])).toEqual([
    ['connected', (await publicIds(own))[0]!],
  ])
})

test('A user has a hundred active authorizations of an app: another one ends the longest unused.', async () => {
  const { db } = await sharedStore()
  const project = await newProject()
  const user_id = await newUser({}, [project, 'owner'])
  const { id: app_id } = await newApp(user_id)
  const other_app = await newApp(user_id)
  const elsewhere = (await grant({ app_id: other_app.id, user_id, project_ids: [project] }, 0))!
  const ids: string[] = []
  for (let count = 0; count < 100; count++)
    ids.push((await grant({ app_id, user_id, project_ids: [project] }, NOW + count))!)
  await write((tx) =>
    tx
      .update(authorizations)
      .set({ last_used_at: NOW + DAY_MS })
      .where(eq(authorizations.id, ids[0]!)),
  )
  const active = () =>
    db.$count(authorizations, and(eq(authorizations.app_id, app_id), isNull(authorizations.revoked_at)))
  expect(await active()).toBe(100)
  await grant({ app_id, user_id, project_ids: [project] }, NOW + 200)
  expect(await active()).toBe(100)
  expect(await findAuthorization(db, ids[1]!)).toBeNull()
  for (const kept of [ids[0]!, ids[2]!, elsewhere]) expect(await findAuthorization(db, kept)).not.toBeNull()
})

test('An authorization ends once, and by its own user only.', async () => {
  const { db } = await sharedStore()
  const project = await newProject()
  const [user_id, other] = [await newUser({}, [project, 'owner']), await newUser({}, [project, 'owner'])]
  const { id: app_id } = await newApp(other)
  const id = (await grant({ app_id, user_id, project_ids: [project] }))!
  const end = (by: string) => write((tx) => endOwnAuthorization(tx, id, by, NOW + 5))
  expect(await end(other)).toBe(false)
  expect((await authorizationsOfUser(db, user_id)).map(({ authorization_id }) => authorization_id)).toEqual([id])
  expect([await end(user_id), await end(user_id)]).toEqual([true, false])
  expect(await write((tx) => endAuthorization(tx, id, NOW + 9))).toBe(false)
  expect(await authorizationsOfUser(db, user_id)).toEqual([])
  const [row] = await db.select().from(authorizations).where(eq(authorizations.id, id))
  expect(row!.revoked_at).toBe(NOW + 5)
  expect((await latestEvents(db, app_id, 9)).map(({ type }) => type)).toEqual(['disconnected', 'connected'])
})

test('A project shows the authorizations of its present members for it, and they name no other project.', async () => {
  const { db } = await sharedStore()
  const [project, other] = [await newProject(), await newProject()]
  const [first, second] = [await newUser({}, [project, 'owner']), await newUser({}, [project, 'editor'])]
  await join(other, first)
  const { id: app_id } = await newApp(first)
  const ids = [
    (await grant({ app_id, user_id: first, project_ids: [project, other] }, NOW + 2))!,
    (await grant({ app_id, user_id: second, project_ids: [project] }, NOW + 1))!,
  ]
  await grant({ app_id, user_id: first, project_ids: [other] }, NOW)
  const listed = async () => (await authorizationsOfProject(db, project)).map((one) => one.authorization_id)
  expect(await listed()).toEqual([ids[1]!, ids[0]!])
  await leave(project, second)
  expect(await listed()).toEqual([ids[0]!])
  await leave(other, first)
  expect((await findAuthorization(db, ids[0]!))?.project_public_ids).toEqual(await publicIds(project))
})

test('A project is taken from every authorization of one app, and from those of one member.', async () => {
  const { db } = await sharedStore()
  const [project, other] = [await newProject(), await newProject()]
  const [first, second] = [await newUser({}, [project, 'owner']), await newUser({}, [project, 'editor'])]
  for (const user_id of [first, second]) await join(other, user_id)
  const [app, neighbor] = [await newApp(first), await newApp(first)]
  const of = async (user_id: string, app_id: string) =>
    (await grant({ app_id, user_id, project_ids: [project, other] }))!
  const ids = { mine: await of(first, app.id), theirs: await of(second, app.id), else: await of(first, neighbor.id) }
  const left = async () => {
    const found = await Promise.all(Object.values(ids).map((id) => findAuthorization(db, id)))
    return found.map((one) => one!.project_public_ids.length)
  }
  await write((tx) => withdrawMember(tx, project, second, NOW + 1))
  expect(await left()).toEqual([2, 1, 2])
  expect(await write((tx) => withdrawProject(tx, app.id, project, NOW + 2))).toBe(true)
  expect(await left()).toEqual([1, 1, 2])
  expect(await write((tx) => withdrawProject(tx, app.id, project, NOW + 3))).toBe(false)
  expect((await latestEvents(db, neighbor.id, 9)).map(({ type }) => type)).toEqual(['connected', 'connected'])
})

test('The end of an authorization is noted for each project, and forgets stored answers.', async () => {
  const { db } = await sharedStore()
  const [project, other] = [await newProject(), await newProject()]
  const user_id = await newUser({}, [project, 'owner'])
  await join(other, user_id)
  const { id: app_id } = await newApp(user_id)
  const [id, kept] = [
    (await grant({ app_id, user_id, project_ids: [project, other] }))!,
    (await grant({ app_id, user_id, project_ids: [project] }))!,
  ]
  for (const authorization_id of [id, kept])
    await write((tx) => issueTokens(tx, { authorization_id, scope: 'newsletter:read', ttl_seconds: 60 }, NOW))
  await write((tx) =>
    tx
      .update(refresh_tokens)
      .set({ sealed_answer: 'sealed' })
      .where(inArray(refresh_tokens.authorization_id, [id, kept])),
  )
  const noted = await write(async (tx) => {
    await endAuthorization(tx, id, NOW + 5)
    return [...notesOf(tx)]
  })
  const common = { action: 'consent-revoke', target: `authorization:${id}`, details: { app_id, user_id } }
  expect(noted.toSorted((a, b) => Number(a.project_id) - Number(b.project_id))).toEqual([
    { ...common, project_id: project },
    { ...common, project_id: other },
  ])
  const rows = await db
    .select()
    .from(refresh_tokens)
    .where(inArray(refresh_tokens.authorization_id, [id, kept]))
  expect(rows.map((row) => [row.authorization_id, row.sealed_answer]).toSorted()).toEqual(
    [
      [id, null],
      [kept, 'sealed'],
    ].toSorted(),
  )
})

test('A project that is taken from an app takes its unused codes along, and no others.', async () => {
  const { db } = await sharedStore()
  const [project, other] = [await newProject(), await newProject()]
  const user_id = await newUser({}, [project, 'owner'])
  const [app, neighbor] = [await newApp(user_id), await newApp(user_id)]
  const used = (await grant({ app_id: neighbor.id, user_id, project_ids: [project] }))!
  const code = (
    code_hash: string,
    app_id: string,
    project_ids: ProjectId[],
    authorization_id: string | null = null,
  ) => ({
    ...{ code_hash, app_id, user_id, project_ids, authorization_id, redirect_uri: 'https://lamp.example/back' },
    ...{ scope: 'newsletter:read', created_at: NOW, expires_at: NOW + 60_000 },
  })
  const name = (hash: string) => `${app.id} ${hash}`
  await write((tx) =>
    tx
      .insert(authorization_codes)
      .values([
        code(name('1 unused'), app.id, [other, project]),
        code(name('2 elsewhere'), app.id, [other]),
        code(name('3 used'), app.id, [project], used),
        code(name('4 neighbor'), neighbor.id, [project]),
      ]),
  )
  // No authorization covers the project yet: the code alone was there to be withdrawn.
  expect(await write((tx) => withdrawProject(tx, app.id, project, NOW))).toBe(true)
  const left = await db
    .select({ code_hash: authorization_codes.code_hash })
    .from(authorization_codes)
    .where(eq(authorization_codes.user_id, user_id))
  expect(left.map(({ code_hash }) => code_hash).toSorted()).toEqual(['2 elsewhere', '3 used', '4 neighbor'].map(name))
  expect(await write((tx) => withdrawProject(tx, app.id, project, NOW))).toBe(false)
})
