import type { ProjectId } from '../../ids.ts'
import type { SessionCaller } from '../../access/caller.ts'
import { admit, requireRole } from '../../access/permission.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError, invalid, notFound } from '../../errors.ts'
import { withdrawProject } from '../../oauth/authorizations.ts'
import { type Connection, connectionsOfProject } from '../../oauth/connected.ts'
import { scopeNames, SCOPES } from '../../oauth/scopes.ts'
import { listMembers } from '../../projects/members.ts'
import { getProject, type Project } from '../../projects/projects.ts'
import {
  connectedScripts,
  consentRequired,
  listConnections,
  requireConsent,
  switchConnection,
} from '../../scripts/connections.ts'
import type { Reader, Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import type { Role } from '../../store/tables/accounts.ts'
import type { Handler } from '../core/exchange.ts'
import { SITES_PATH } from '../public/hosted-page.ts'
import type { FormValues } from './pages.ts'
import { formValues, page, seeOther, signedInPage } from './portal.ts'
import { makersOf } from './connected-apps-page.ts'
import { personName } from './page-parts.ts'
import {
  type AppOfProject,
  CHANGES_FROM,
  projectPage,
  projectPath,
  removePage,
  type ScriptOfProject,
  type Section,
  type SectionNotice,
} from './project-pages.ts'
import { ROLE_WITH_ARTICLE } from './role-names.ts'
import { readNumber } from '../core/number.ts'

/** `GET /portal/projects/:project`, by slug or id: for every member. */
export function portalProject(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ url, params }, caller) => {
    const project = await openProject(runtime.store.db, caller, params.project)
    return show(runtime, caller, project, 200, (scripts, asked) => outcome(url.searchParams, scripts, asked))
  })
}

/** `POST /portal/projects/:project`: as `/project/scripts/switch` and `/project/scripts/settings`. */
export function portalProjectForm(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ request, params, now }, caller) => {
    const project = await openProject(runtime.store.db, caller, params.project)
    const values = await formValues(request)
    const change = CHANGES.get(values.change ?? '')
    if (!change) throw invalid('/change', 'There is no such change.')
    try {
      await changeProject(runtime, caller, project, (tx) => change.make(tx, project.id, values, now))
    } catch (error) {
      return refused(
        runtime,
        caller,
        project,
        change.section,
        error,
        'This script is not connected any more. Its app, or somebody else here, has taken it off.',
      )
    }
    return seeOther(
      `${projectPath(project)}?${new URLSearchParams({ done: values.change!, ...(values.script === undefined ? {} : { script: values.script }) }).toString()}`,
    )
  })
}

/** `GET /portal/projects/:project/apps/:app/remove`: asks first. */
export function portalAppRemove(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ params }, caller) => {
    const { db } = runtime.store
    const project = await openProject(db, caller, params.project)
    try {
      requireRole(project.role, CHANGES_FROM)
      const app = (await appsOf(db, project)).find(({ id }) => id === params.app)
      if (!app) throw notFound('connected app')
      const [user, scripts] = await Promise.all([getUser(db, caller.user_id), listConnections(db, project.id)])
      return page(
        runtime,
        200,
        removePage({
          user,
          project,
          app,
          scripts: scripts.filter((script) => script.app.id === app.id).map(({ name }) => name),
        }),
      )
    } catch (error) {
      return refused(runtime, caller, project, 'apps', error, APP_GONE)
    }
  })
}

/** `POST /portal/projects/:project/apps/:app/remove`: as `/project/apps/disconnect`. */
export function portalAppRemoveForm(runtime: Runtime): Handler {
  return signedInPage(runtime, async ({ params }, caller) => {
    const project = await openProject(runtime.store.db, caller, params.project)
    try {
      const withdrawn = await changeProject(runtime, caller, project, (tx) =>
        withdrawProject(tx, params.app ?? '', project.id),
      )
      if (!withdrawn) throw notFound('connected app')
    } catch (error) {
      return refused(runtime, caller, project, 'apps', error, APP_GONE)
    }
    return seeOther(`${projectPath(project)}?done=removed`)
  })
}

const APP_GONE = 'This app is not connected with the project any more. Somebody else may have removed it.'

type OwnProject = Project & { role: Role }

/** A project of the caller. NOT_FOUND for others, in the words for those that are none. */
async function openProject(db: Reader, caller: SessionCaller, named = ''): Promise<OwnProject> {
  try {
    const project = await getProject(db, named)
    const { role } = await admit(db, caller, project.public_id)
    return { ...project, role }
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'PROJECT_NOT_AUTHORIZED'))
      throw error
    throw new AppError('NOT_FOUND', 'There is no such project, or you are not a member of it.', { cause: error })
  }
}

/** Makes a change for whoever may make it at that moment. */
function changeProject<T>(
  runtime: Runtime,
  caller: SessionCaller,
  { public_id }: Project,
  make: (tx: Tx) => Promise<T>,
): Promise<T> {
  return runtime.store.write(async (tx) => {
    const { role } = await admit(tx, caller, public_id)
    requireRole(role, CHANGES_FROM)
    return make(tx)
  })
}

interface Change {
  section: Section
  make(tx: Tx, project_id: ProjectId, values: FormValues, now: number): Promise<void>
}

/** By what a button sends. */
const CHANGES: ReadonlyMap<string, Change> = new Map([
  [
    'switch-off',
    {
      section: 'scripts',
      make: (tx, project_id, { script }, now) =>
        switchConnection(tx, { project_id, connection_id: connectionId(script) }, false, now),
    },
  ],
  [
    'switch-on',
    {
      section: 'scripts',
      make: (tx, project_id, { script }, now) =>
        switchConnection(tx, { project_id, connection_id: connectionId(script) }, true, now),
    },
  ],
  ['ask-first', { section: 'consent', make: (tx, project_id, _, now) => requireConsent(tx, project_id, true, now) }],
  ['ask-no-more', { section: 'consent', make: (tx, project_id, _, now) => requireConsent(tx, project_id, false, now) }],
] satisfies [string, Change][])

function connectionId(text: string | undefined): number {
  const id = readNumber(text)
  if (id === null) throw notFound('connected script', '/script')
  return id
}

/** What the last form did, as long as it is still so. */
function outcome(
  params: URLSearchParams,
  scripts: readonly ScriptOfProject[],
  consent_required: boolean,
): SectionNotice | null {
  const done = params.get('done')
  const script = scripts.find(({ connection_id }) => String(connection_id) === params.get('script'))
  if (done === 'switch-off' && script?.enabled === false)
    return { section: 'scripts', kind: 'done', words: `${script.name} is switched off. No page has it from now on.` }
  if (done === 'switch-on' && script?.enabled)
    return { section: 'scripts', kind: 'done', words: `${script.name} is switched on again.` }
  if (done === 'ask-first' && consent_required)
    return { section: 'consent', kind: 'done', words: 'Visitors are asked from now on.' }
  if (done === 'ask-no-more' && !consent_required)
    return { section: 'consent', kind: 'done', words: 'Visitors are not asked any more.' }
  if (done === 'removed')
    return {
      section: 'apps',
      kind: 'done',
      words: 'The app is removed: it has no access to this project any more, and no script on its pages.',
    }
  return null
}

/** The page as it is now, with the reason why nothing was changed. */
async function refused(
  runtime: Runtime,
  caller: SessionCaller,
  { public_id }: Project,
  section: Section,
  error: unknown,
  gone: string,
): Promise<Response> {
  if (!(error instanceof AppError)) throw error
  const project = await openProject(runtime.store.db, caller, public_id)
  const words: Partial<Record<AppError['code'], string>> = {
    NOT_FOUND: gone,
    INSUFFICIENT_ROLE: `This takes an administrator or an owner, and you are ${ROLE_WITH_ARTICLE[project.role]} here. Nothing was changed.`,
    CONFLICT: error.message,
    INVALID_STATE: error.message,
  }
  if (words[error.code] === undefined) throw error
  return show(runtime, caller, project, error.status, () => ({ section, kind: 'refused', words: words[error.code]! }))
}

/** @param notice what is said on the page, by what it shows */
async function show(
  runtime: Runtime,
  caller: SessionCaller,
  project: OwnProject,
  status: number,
  notice: (scripts: readonly ScriptOfProject[], consent_required: boolean) => SectionNotice | null,
): Promise<Response> {
  const { db } = runtime.store
  const [user, apps, scripts, consent_required] = await Promise.all([
    getUser(db, caller.user_id),
    appsOf(db, project),
    scriptsOf(db, project),
    consentRequired(db, project.id),
  ])
  const addresses = [
    ...(project.domain === null ? [] : [`https://${project.domain}/`]),
    `${runtime.base_url}${SITES_PATH}/${project.slug}/`,
  ]
  return page(
    runtime,
    status,
    projectPage({
      user,
      project,
      addresses,
      apps,
      scripts,
      consent_required,
      notice: notice(scripts, consent_required),
    }),
  )
}

/** Each app once, however many members have connected it. */
async function appsOf(db: Reader, { id }: Project): Promise<AppOfProject[]> {
  const [connections, members] = await Promise.all([connectionsOfProject(db, id), listMembers(db, id)])
  const names = new Map(members.map((member) => [member.user_id, personName(member)]))
  const makers = await makersOf(db, connections)
  return [...Map.groupBy(connections, ({ app }) => app.id)].map(([app_id, ofApp]) => ({
    ...ofApp[0]!.app,
    maker: makers.get(app_id) ?? null,
    people: [...Map.groupBy(ofApp, ({ user_id }) => user_id)].map(([user_id, own]) => ({
      name: names.get(user_id) ?? user_id,
      connected_at: Math.max(...own.map(({ created_at }) => created_at)),
    })),
    scopes: inOrder(ofApp),
    last_used_at: ofApp.reduce<number | null>(
      (latest, { last_used_at }) => (last_used_at === null ? latest : Math.max(latest ?? 0, last_used_at)),
      null,
    ),
  }))
}

/** The scopes of all grants together, in the order in which they are always told. */
function inOrder(connections: readonly Connection[]): string[] {
  const granted = new Set(connections.flatMap(({ scope }) => scopeNames(scope)))
  return [...Object.keys(SCOPES).filter((name) => granted.delete(name)), ...granted]
}

/** Every connection, with what is true of it by the code that fills the pages. */
async function scriptsOf(db: Reader, { id }: Project): Promise<ScriptOfProject[]> {
  const [connections, onPages] = await Promise.all([listConnections(db, id), connectedScripts(db, id)])
  const running = new Map(onPages.map(({ connection_id, gated }) => [connection_id, gated]))
  return connections.map((connection) => {
    const gated = running.get(connection.connection_id)
    return {
      ...connection,
      state: !connection.enabled ? 'off' : gated === undefined ? 'not_running' : gated ? 'after_consent' : 'on',
    }
  })
}
