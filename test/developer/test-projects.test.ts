import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { members } from '../../src/store/tables/accounts.ts'
import {
  addTestProject,
  endTest,
  listTestedApps,
  listTestProjects,
  removeTestProject,
} from '../../src/developer/test-projects.ts'
import { getProject, type Project } from '../../src/projects/projects.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

let world: SiteWorld
let desk: Desk
beforeAll(async () => {
  world = await createSiteWorld()
  desk = await openDesk(world)
  const page = { path: '/', title: 'Home', html: '<html><head></head><body>Tides</body></html>', published: true }
  await world.edit('/project/pages/create', page)
  await desk.ok('outsider', 'POST', '/project/create', { name: 'Own', slug: 'own' })
})

const shown = async () => (await world.visit('/')).text()

test('A team tries the drafts of its app in a project that one of it administers, and nowhere else.', async () => {
  const app = await desk.app({}, 'administrator')
  const script = await desk.script(app.id, { code: '<script>live()</script>' }, 'administrator')
  await desk.approve(app.id, 'administrator')
  const change = { code: '<script>draft("{{color}}")</script>', parameters: { color: 'blue' } }
  await desk.ok('administrator', 'PATCH', `${APPS}/${app.id}/scripts/${script.id}`, change)
  const tests = `${APPS}/${app.id}/test-projects`
  const body = { project_id: world.project.public_id }

  expect((await desk.as('outsider', 'POST', tests, body)).status).toBe(404)
  await desk.join(app.id, 'member')
  expect((await desk.as('member', 'POST', tests, body)).status).toBe(403)
  const { project_id } = await desk
    .ok('outsider', 'POST', '/project/list', {})
    .then(({ projects }) => ({ project_id: projects[0].id }))
  expect((await desk.as('administrator', 'POST', tests, { project_id })).status).toBe(404)
  expect(await shown()).not.toContain('draft(')

  const SCRIPT = `${APPS}/${app.id}/scripts/${script.id}`
  const itself = { name: 'Itself', unless_on_pages: true }
  expect((await desk.ok('administrator', 'PATCH', SCRIPT, itself)).script.name).toBe('Itself')
  expect((await desk.ok('administrator', 'GET', SCRIPT)).on_pages).toBe(false)
  const { test_project } = await desk.ok('administrator', 'POST', tests, body)
  expect((await desk.ok('administrator', 'GET', SCRIPT)).on_pages).toBe(true)
  expect((await desk.as('administrator', 'PATCH', SCRIPT, itself)).status).toBe(409)
  const added = { added_by: { email: 'administrator@example.com' }, added_on: '2026-01-15T09:00:00.000Z' }
  expect(test_project).toMatchObject({ slug: 'harbour-news', ...added })
  expect(await shown()).toContain('draft("blue")')
  const token = await desk.token(app.id)
  const parameters = { color: 'red' }
  await desk.api(token, 'POST', '/scripts/embed', { scriptId: script.id, ...body, parameters })
  const page = await shown()
  expect([page.includes('draft("red")'), page.includes('live()')]).toEqual([true, false])

  const { store } = world.service.runtime
  const administrator = eq(members.user_id, world.users.administrator)
  await store.write((tx) => tx.update(members).set({ role: 'editor' }).where(administrator))
  expect(await shown()).toContain('live()')
  await store.write((tx) => tx.update(members).set({ role: 'administrator' }).where(administrator))
  expect((await desk.ok('administrator', 'GET', tests)).test_projects).toHaveLength(1)
  const { tests: seen } = await desk.ok('owner', 'POST', '/project/scripts/list', body)
  expect(seen).toMatchObject([{ app: { id: app.id }, added_by: { email: 'administrator@example.com' } }])
  await desk.ok('owner', 'POST', '/project/scripts/end-test', { ...body, app_id: app.id })
  expect(await shown()).toContain('live()')
  await desk.ok('administrator', 'POST', tests, body)
  await desk.ok('administrator', 'DELETE', `${tests}/${world.project.public_id}`, {})
  expect(await shown()).toContain('live()')
})

test('An app has at most ten test projects, each once, and only its own tests are ended.', async () => {
  const { db } = await sharedStore()
  const user_id = await newUser()
  const [app, neighbor] = [await newApp(user_id), await newApp(user_id)]
  const projects: Project[] = []
  for (let count = 0; count < 11; count++) projects.push(await getProject(db, await newProject({ name: `P${count}` })))
  await write((tx) =>
    tx
      .insert(members)
      .values(projects.map(({ id }) => ({ project_id: id, user_id, role: 'administrator' as const, added_at: NOW }))),
  )
  const add = (index: number, of = app.id, now = NOW + index) =>
    write((tx) => addTestProject(tx, of, { project_id: projects[index]!.public_id, user_id }, now))
  for (let index = 9; index >= 0; index--) await add(index)
  expect(await add(9, app.id, NOW + 9)).toMatchObject({ name: 'P9', added_by: { user_id }, added_at: NOW + 9 })
  await expect(add(10)).rejects.toMatchObject({ code: 'CONFLICT' })
  await add(10, neighbor.id)
  await add(0, neighbor.id, NOW - 1)
  const names = async (app_id: string) => (await listTestProjects(db, app_id)).map(({ name }) => name)
  expect(await names(app.id)).toEqual(Array.from({ length: 10 }, (_, index) => `P${index}`))
  expect((await listTestedApps(db, projects[0]!.id)).map((test) => test.app.id)).toEqual([neighbor.id, app.id])

  const ended = write((tx) => endTest(tx, projects[10]!.id, app.id))
  await expect(ended).rejects.toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/app_id' }] })
  await expect(write((tx) => removeTestProject(tx, app.id, projects[10]!.public_id))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await write((tx) => endTest(tx, projects[0]!.id, app.id))
  await write((tx) => removeTestProject(tx, app.id, projects[1]!.public_id))
  expect([(await names(app.id))[0], await names(neighbor.id)]).toEqual(['P2', ['P0', 'P10']])
})
