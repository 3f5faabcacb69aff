import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createApp } from '../../src/developer/apps.ts'
import { type AppQuery, listAllApps } from '../../src/developer/directory.ts'
import { decide, requestReview } from '../../src/developer/reviews.ts'
import { createScript } from '../../src/developer/scripts.ts'
import { suspendApp } from '../../src/developer/suspension.ts'
import { createVersion } from '../../src/developer/versions.ts'
import { endAuthorization, startAuthorization } from '../../src/oauth/authorizations.ts'
import { script_connections } from '../../src/store/tables/scripts.ts'
import { KEYS, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const list = async (query: AppQuery) => (await listAllApps(await sharedStore(), KEYS, query)).items

const make = (user_id: string, display_name: string) =>
  write(async (tx) => {
    const empty = { description: '', homepage: '', redirect_uris: [], scope_reasons: {}, require_pkce: false }
    const input = { ...empty, display_name, scopes: ['newsletter:read'], client_type: 'confidential' as const }
    return (await createApp(tx, user_id, input, NOW)).app
  })

test('Apps are found by name or creator, status, suspension and a waiting version, the newest first.', async () => {
  const creator = await newUser({ email: 'Wright@Directory.example', email_key: 'wright@directory.example' })
  const admin = await newUser({ admin: true })
  const apps = [await make(creator, 'Directory Lamp'), await make(creator, 'Directory Buoy')] as const
  const [lamp, buoy] = apps.map(({ id }) => id)
  await write(async (tx) => {
    for (const [app, decision] of [
      [apps[0], 'rejected'],
      [apps[0], 'approved'],
      [apps[0], null],
      [apps[1], 'changes_requested'],
    ] as const) {
      const version = await createVersion(tx, app, { user_id: creator, notes: '' }, NOW)
      const { id } = await requestReview(tx, creator, { app_id: app.id, version_id: version.id }, NOW)
      if (decision) await decide(tx, admin, { id, decision, comment: 'So.' }, NOW)
    }
    await suspendApp(tx, admin, { app_id: apps[1].id, comment: 'It is dark.' }, NOW + 4)
  })
  const ids = async (query: AppQuery) =>
    (await list({ limit: 200, ...query })).map(({ id }) => id).filter((id) => id === lamp || id === buoy)
  expect(await ids({ search: ' DIRECTORY ' })).toEqual([buoy!, lamp!])
  expect(await ids({ search: 'Wright@Directory' })).toEqual([buoy!, lamp!])
  expect(await ids({ search: 'ory lam' })).toEqual([lamp!])
  expect([await ids({ status: 'approved' }), await ids({ status: 'development' })]).toEqual([[lamp!], [buoy!]])
  expect([await ids({ suspended: true }), await ids({ suspended: false })]).toEqual([[buoy!], [lamp!]])
  expect([await ids({ waiting: true }), await ids({ waiting: false })]).toEqual([[lamp!], [buoy!]])
  expect(await ids({ search: 'directory', status: 'approved', suspended: true })).toEqual([])
  const [{ suspension, creator: by, live_version }, approved] = (await list({ search: 'directory' })) as [any, any]
  expect(suspension).toEqual({ at: NOW + 4, user_id: admin, comment: 'It is dark.' })
  expect([by, live_version]).toEqual([{ user_id: creator, email: 'Wright@Directory.example' }, null])
  expect(approved).toMatchObject({ suspension: null, live_version: 2 })
  const { db } = await sharedStore()
  const [pending] = await db.all<{ id: number }>(
    sql`SELECT id FROM review_requests WHERE app_id = ${lamp} AND status = 'pending'`,
  )
  expect(approved.pending_review_id).toBe(pending!.id)
})

test('Users and projects are counted once each, without what was revoked; scripts by connection.', async () => {
  const projects = [await newProject(), await newProject()]
  const users = [await newUser({}, [projects[0]!, 'owner']), await newUser({}, [projects[0]!, 'editor'])]
  const app = await make(users[0]!, 'Counted Lamp')
  const grant = (user_id: string) =>
    write((tx) =>
      startAuthorization(tx, { app_id: app.id, user_id, scope: 'newsletter:read', project_ids: projects }, NOW),
    )
  const grants = [await grant(users[0]!), await grant(users[0]!), await grant(users[1]!)]
  await write(async (tx) => {
    const text = { name: 'Tides', type: 'Essential', placement: 'HTML Head', code: '1' } as const
    const { id } = await createScript(tx, app, text, NOW)
    const at = { created_at: NOW, updated_at: NOW }
    for (const project_id of projects)
      await tx.insert(script_connections).values({ project_id, script_id: id, parameters: {}, ...at })
  })
  const counted = async () => {
    const [{ users, projects, script_connections }] = (await list({ search: 'counted lamp' })) as [any]
    return [users, projects, script_connections]
  }
  expect(await counted()).toEqual([2, 1, 2])
  await write((tx) => endAuthorization(tx, grants[2]!, NOW))
  expect((await counted()).slice(0, 2)).toEqual([1, 1])
  for (const id of grants.slice(0, 2)) await write((tx) => endAuthorization(tx, id!, NOW))
  expect((await counted()).slice(0, 2)).toEqual([0, 0])
})

test('Apps are listed in pages, each once.', async () => {
  const creator = await newUser()
  const made = []
  for (const name of ['Leafed A', 'Leafed B', 'Leafed C']) made.unshift((await make(creator, name)).id)
  const store = await sharedStore()
  const first = await listAllApps(store, KEYS, { search: 'leafed', limit: 2 })
  const second = await listAllApps(store, KEYS, { search: 'leafed', limit: 2, cursor: first.next_cursor! })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made)
  expect(second.next_cursor).toBeNull()
})
