import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { connections, drafts } from '../../src/scripts/connection-rows.ts'
import { connectedScripts } from '../../src/scripts/connections.ts'
import { publishScript, unpublishScript } from '../../src/scripts/published.ts'
import { one } from '../../src/store/rows.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members } from '../../src/store/tables/accounts.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { app_suspensions, app_team, app_test_projects } from '../../src/store/tables/developer.ts'
import { script_connections, script_settings, scripts, switched_off_scripts } from '../../src/store/tables/scripts.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const CONTENT = { name: 'Lamp', type: 'Analytics', placement: 'HTML Head' } as const
const AT = { created_at: NOW, updated_at: NOW }
/** Of the published version; the draft has none. */
const FORMATS = { a: 'html' } as const

/** A script of an app, whose draft is newer than its published version. */
async function newScript(app_id: string, more: Partial<typeof scripts.$inferInsert> = {}): Promise<number> {
  return write(async (tx) => {
    const draft = { ...CONTENT, app_id, code: 'draft {{a}}', parameters: { a: 'new' }, ...AT, ...more }
    const { id } = one(await tx.insert(scripts).values(draft).returning({ id: scripts.id }))
    const live = { ...CONTENT, code: 'live {{a}}', parameters: { a: 'old' }, parameter_formats: FORMATS }
    await publishScript(tx, { script_id: id, ...live })
    return id
  })
}
const connect = (project_id: ProjectId, script_id: number, parameters = {}): Promise<number> =>
  write(async (tx) => {
    const values = { project_id, script_id, parameters, ...AT }
    return one(await tx.insert(script_connections).values(values).returning({ id: script_connections.id })).id
  })
const switchOff = (project_id: ProjectId, script_id: number) =>
  write((tx) => tx.insert(switched_off_scripts).values({ project_id, script_id, switched_off_at: NOW }))
const suspend = (app_id: string, user_id: string) =>
  write((tx) => tx.insert(app_suspensions).values({ app_id, user_id, comment: '', suspended_at: NOW }))
const shown = async (project: ProjectId, trial?: Parameters<typeof connectedScripts>[2]) =>
  (await connectedScripts((await sharedStore()).db, project, trial)).map(({ html }) => html)

/** An app with a connected script in a project that nobody of its team is in. */
async function connected(more: Partial<typeof apps.$inferInsert> = {}) {
  const [project, developer] = [await newProject(), await newUser()]
  const app = await newApp(developer, more)
  const script_id = await newScript(app.id)
  const connection_id = await connect(project, script_id)
  return { project, developer, app, script_id, connection_id }
}

test('A project has the published versions of its connected scripts, each with its own values.', async () => {
  const { project, app, script_id, connection_id } = await connected()
  const other = await newScript(app.id)
  const second = await connect(project, other, { a: 'own' })
  await connect(await newProject(), script_id, { a: 'foreign' })
  await write((tx) => unpublishScript(tx, other))
  const { db } = await sharedStore()
  const rows = await connections(db, sql`connection.project_id = ${project}`)
  const common = { app_id: app.id, display_name: 'Lamp', ...CONTENT, ...AT, parameter_formats: FORMATS }
  expect(rows).toEqual([
    {
      ...{ ...common, connection_id, script_id, code: 'live {{a}}', parameters: { a: 'old' } },
      ...{ runs: true, switched_off: false, consent_required: false },
    },
    {
      ...{ ...common, connection_id: second, script_id: other, code: 'draft {{a}}', parameters: { a: 'own' } },
      parameter_formats: {},
      ...{ runs: false, switched_off: false, consent_required: false },
    },
  ])
  expect(await shown(project)).toEqual(['live old'])
})

test('A script of an approved app runs unless the app is suspended or the owner switched it off.', async () => {
  const { project, developer, app, script_id, connection_id } = await connected()
  await switchOff(await newProject(), script_id)
  expect(await shown(project)).toEqual(['live old'])
  await switchOff(project, script_id)
  expect(await shown(project)).toEqual([])
  expect(await shown(project, { connection_id, shown: true })).toEqual(['live old'])
  expect(await shown(project, { connection_id: connection_id + 1, shown: true })).toEqual([])
  await write((tx) => tx.delete(switched_off_scripts).where(eq(switched_off_scripts.project_id, project)))
  expect(await shown(project, { connection_id, shown: false })).toEqual([])
  await suspend(app.id, developer)
  expect([await shown(project), await shown(project, { connection_id, shown: true })]).toEqual([[], []])
})

test('A script of an app in development runs where its developer or somebody of its team is a member.', async () => {
  const { project, developer, app } = await connected({ status: 'development' })
  const [mate, stranger] = [await newUser(), await newUser()]
  await write((tx) => tx.insert(app_team).values({ app_id: app.id, user_id: mate, added_at: NOW }))
  const shownTo = async (user_id: string) => {
    await write((tx) => tx.insert(members).values({ project_id: project, user_id, role: 'member', added_at: NOW }))
    const html = await shown(project)
    await write((tx) => tx.delete(members).where(and(eq(members.project_id, project), eq(members.user_id, user_id))))
    return html
  }
  expect([await shown(project), await shownTo(stranger)]).toEqual([[], []])
  expect([await shownTo(developer), await shownTo(mate)]).toEqual([['live old'], ['live old']])
})

test('Scripts that are not essential wait where the project asks for consent.', async () => {
  const { project, app } = await connected()
  await connect(project, await newScript(app.id))
  const essential = await newScript(app.id)
  await write((tx) => publishScript(tx, { ...published(essential), type: 'Essential' }))
  await connect(project, essential)
  const gated = async () =>
    (await connectedScripts((await sharedStore()).db, project)).map(({ type, gated }) => [type, gated])
  expect(await gated()).toEqual([
    ['Analytics', false],
    ['Analytics', false],
    ['Essential', false],
  ])
  await write((tx) =>
    tx.insert(script_settings).values({ project_id: project, consent_required: true, updated_at: NOW }),
  )
  expect(await gated()).toEqual([
    ['Analytics', true],
    ['Analytics', true],
    ['Essential', false],
  ])
})

const published = (script_id: number) => ({
  ...{ script_id, ...CONTENT, code: 'live {{a}}', parameters: { a: 'old' }, parameter_formats: {} },
})

/** An app that is tested in a project by its developer, who has this role there. */
async function tested(role: Role | null, by?: string) {
  const { project, developer, app, script_id, connection_id } = await connected()
  const user_id = by ?? developer
  await write(async (tx) => {
    if (role) await tx.insert(members).values({ project_id: project, user_id, role, added_at: NOW })
    await tx.insert(app_test_projects).values({ app_id: app.id, project_id: project, user_id, added_at: NOW })
  })
  return { project, developer, app, script_id, connection_id }
}

test('Drafts stand in for the scripts of an app that is tested, connected or not.', async () => {
  const { project, developer, app, script_id, connection_id } = await tested('administrator')
  const loose = await newScript(app.id, { code: 'loose {{a}}', created_at: NOW + 1 })
  await newScript(app.id, { code: 'removed', removed_at: NOW })
  await connect(await newProject(), loose)
  expect(await shown(project)).toEqual(['draft new', 'loose new'])
  const rows = await drafts((await sharedStore()).db, project)
  expect(rows.map((row) => [row.connection_id, row.script_id, row.created_at])).toEqual([
    [connection_id, script_id, NOW],
    [-loose, loose, NOW + 1],
  ])
  await write((tx) =>
    tx
      .update(script_connections)
      .set({ parameters: { a: 'mine' } })
      .where(eq(script_connections.id, connection_id)),
  )
  expect(await shown(project)).toEqual(['draft mine', 'loose new'])
  expect(await shown(project, { connection_id, shown: false })).toEqual(['loose new'])
  const settings = { project_id: project, consent_required: true, updated_at: NOW }
  await write((tx) => tx.insert(script_settings).values(settings))
  const gated = await connectedScripts((await sharedStore()).db, project)
  expect(gated.map((script) => script.gated)).toEqual([true, true])
  await switchOff(project, loose)
  expect(await shown(project)).toEqual(['draft mine'])
  expect(await shown(await newProject())).toEqual([])
  await suspend(app.id, developer)
  expect(await shown(project)).toEqual([])
})

test('A test holds while somebody of the team of the app administers the project.', async () => {
  const roles: [Role | null, string][] = [
    ['owner', 'draft new'],
    ['administrator', 'draft new'],
    ['editor', 'live old'],
    ['member', 'live old'],
    [null, 'live old'],
  ]
  for (const [role, html] of roles) expect([role, await shown((await tested(role)).project)]).toEqual([role, [html]])
  const mate = await newUser()
  const { project, app } = await tested('owner', mate)
  expect(await shown(project)).toEqual(['live old'])
  await write((tx) => tx.insert(app_team).values({ app_id: app.id, user_id: mate, added_at: NOW }))
  expect(await shown(project)).toEqual(['draft new'])
})
