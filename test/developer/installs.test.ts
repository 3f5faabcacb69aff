import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { countInstalls, type Install, listInstalls } from '../../src/developer/installs.ts'
import { createScript } from '../../src/developer/scripts.ts'
import type { ProjectId } from '../../src/ids.ts'
import { endAuthorization, startAuthorization } from '../../src/oauth/authorizations.ts'
import { getProject } from '../../src/projects/projects.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { script_connections, switched_off_scripts } from '../../src/store/tables/scripts.ts'
import { KEYS, newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const list = async (app_id: string, query: Parameters<typeof listInstalls>[3] = {}) =>
  listInstalls(await sharedStore(), KEYS, app_id, query)

test('A project that uses an app is one install, with the scopes, users and times of all its grants.', async () => {
  const { db } = await sharedStore()
  const project = await newProject({ name: 'Pier Post', domain: 'pier-installs.example' })
  const [first, second] = [await newUser({}, [project, 'owner']), await newUser({}, [project, 'editor'])]
  const app = await newApp(first)
  const neighbor = await newApp(first)
  const grant = (user_id: string, scope: string, at: number, app_id = app.id) =>
    write((tx) => startAuthorization(tx, { app_id, user_id, scope, project_ids: [project] }, at))
  const ids = [
    await grant(first, 'newsletter:write newsletter:read', NOW + 10),
    await grant(second, 'newsletter:read profile', NOW + 20),
    await grant(first, 'newsletter:read', NOW + 30),
    await grant(second, 'newsletter:send', NOW, neighbor.id),
  ]
  await write(async (tx) => {
    await tx
      .update(authorizations)
      .set({ last_used_at: NOW + 99 })
      .where(eq(authorizations.id, ids[1]!))
    const script = { type: 'Essential', placement: 'HTML Head', code: '1' } as const
    const at = { created_at: NOW, updated_at: NOW }
    for (const [owner, name] of [
      [app, 'On'],
      [app, 'Off'],
      [neighbor, 'Of another app'],
    ] as const) {
      const { id: script_id } = await createScript(tx, owner, { ...script, name }, NOW)
      await tx.insert(script_connections).values({ project_id: project, script_id, ...at })
      if (name === 'Off')
        await tx.insert(switched_off_scripts).values({ project_id: project, script_id, switched_off_at: NOW })
    }
  })
  const { public_id } = await getProject(db, project)
  const { items, next_cursor } = await list(app.id)
  expect(next_cursor).toBeNull()
  expect(items).toMatchObject([
    {
      project_id: public_id,
      name: 'Pier Post',
      domain: 'pier-installs.example',
      users: 2,
      connected_at: NOW + 10,
      last_used_at: NOW + 99,
    },
  ])
  expect(items[0]!.scope.split(' ').toSorted()).toEqual(['newsletter:read', 'newsletter:write', 'profile'])
  const shown = ({ scripts }: Install) => scripts.map(({ name, enabled }) => [name, enabled])
  expect(shown(items[0]!)).toEqual([
    ['On', true],
    ['Off', false],
  ])
  expect(await countInstalls(db, app.id)).toEqual({ projects: 1, users: 2, script_connections: 2 })

  for (const id of ids.slice(0, 2)) await write((tx) => endAuthorization(tx, id!, NOW + 100))
  expect((await list(app.id)).items).toMatchObject([{ users: 1, connected_at: NOW + 30, scope: 'newsletter:read' }])
  await write((tx) => endAuthorization(tx, ids[2]!, NOW + 101))
  expect((await list(app.id)).items).toEqual([])
  expect(await countInstalls(db, app.id)).toEqual({ projects: 0, users: 0, script_connections: 0 })
})

test('Installs come in pages, those that connected last first, also when they connected together.', async () => {
  const user_id = await newUser()
  const app = await newApp(user_id)
  const names: Record<string, number> = { early: 1, together: 5, late: 9, 'also together': 5 }
  for (const [name, at] of Object.entries(names)) {
    const project_id: ProjectId = await newProject({ name })
    const member = await newUser({}, [project_id, 'owner'])
    const granted = { app_id: app.id, user_id: member, scope: 'profile', project_ids: [project_id] }
    await write((tx) => startAuthorization(tx, granted, NOW + at))
  }
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(app.id, { limit: 1, cursor })
    seen.push(...page.items.map(({ name }) => name))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(['late', 'also together', 'together', 'early'])
})
