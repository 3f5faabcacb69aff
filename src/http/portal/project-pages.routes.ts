import { admit, requireRole } from '../../access/permission.ts'
import { note } from '../../audit/record.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError, invalid, notFound } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { withdrawProject } from '../../oauth/authorizations.ts'
import { getProject, type Project } from '../../projects/projects.ts'
import { consentRequired, listConnections, requireConsent, switchConnection } from '../../scripts/connections.ts'
import type { Tx } from '../../store/open.ts'
import type { Role } from '../../store/tables/accounts.ts'
import { readForm } from '../core/body.ts'
import { readNumber } from '../core/number.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { SITES_PATH } from '../../sites/addresses.ts'
import type { FormValues } from './pages.ts'
import { PAGE, page, type PageContext, seeOther } from './portal.ts'
import {
  CHANGES_FROM,
  projectPage,
  projectPath,
  removePage,
  type ScriptOfProject,
  type Section,
  type SectionNotice,
} from './project-pages.ts'
import { appsOf, scriptsOf } from './project-view.ts'
import { ROLE_WITH_ARTICLE } from './role-names.ts'

const PATH = `${PORTAL_PATH}/projects/:project/apps` as const
const REMOVE = `${PATH}/:app/remove` as const

/** The page of a project, by slug or id: every member reads it, administrators change it. */
export const projectPages = [
  route({
    method: 'GET',
    path: PATH,
    summary: 'The page of a project.',
    auth: 'session',
    ...PAGE,
    async respond(context) {
      const project = await openProject(context)
      return show(context, project, 200, (scripts, consent_required) =>
        outcome(context.url.searchParams, scripts, consent_required),
      )
    },
  }),
  route({
    method: 'POST',
    path: PATH,
    summary: 'Changes a project, as `/project/scripts/switch` and `/project/scripts/settings`.',
    auth: 'session',
    ...PAGE,
    respond: submitChange,
  }),
  route({
    method: 'GET',
    path: REMOVE,
    summary: 'Asks before an app is removed from the project.',
    auth: 'session',
    ...PAGE,
    respond: confirmRemoval,
  }),
  route({
    method: 'POST',
    path: REMOVE,
    summary: 'Removes an app from the project, as `/project/apps/disconnect`.',
    auth: 'session',
    ...PAGE,
    respond: removeApp,
  }),
]

async function submitChange(context: PageContext): Promise<Response> {
  const project = await openProject(context)
  const values = await readForm(context)
  const change = CHANGES.get(values.change ?? '')
  if (!change) throw invalid('/change', 'There is no such change.')
  try {
    await changeProject(context, project, (tx) => change.make(tx, project.id, values, context.now))
  } catch (error) {
    const missing = 'This script is not connected any more. Its app, or another member, has removed it.'
    return refused(context, project, error, { section: change.section, missing })
  }
  const done = { done: values.change!, ...(values.script === undefined ? {} : { script: values.script }) }
  return seeOther(`${projectPath(project)}?${new URLSearchParams(done).toString()}`)
}

const APP_MISSING = {
  section: 'apps',
  missing: 'This app is not connected with the project any more. Another member may have removed it.',
} as const

async function confirmRemoval(context: PageContext): Promise<Response> {
  const { db, caller, params } = context
  const project = await openProject(context)
  try {
    requireRole(project.role, CHANGES_FROM)
    const app = (await appsOf(db, project)).find(({ id }) => id === params.app)
    if (!app) throw notFound('connected app')
    const [user, connections] = await Promise.all([getUser(db, caller.user_id), listConnections(db, project.id)])
    const scripts = connections.filter((script) => script.app.id === app.id).map(({ name }) => name)
    return page(context, 200, removePage({ user, project, app, scripts }))
  } catch (error) {
    return refused(context, project, error, APP_MISSING)
  }
}

async function removeApp(context: PageContext): Promise<Response> {
  const project = await openProject(context)
  try {
    await changeProject(context, project, async (tx) => {
      if (!(await withdrawProject(tx, context.params.app ?? '', project.id, context.now)))
        throw notFound('connected app')
    })
  } catch (error) {
    return refused(context, project, error, APP_MISSING)
  }
  return seeOther(`${projectPath(project)}?done=removed`)
}

type OwnProject = Project & { role: Role }

/** A project of the caller. NOT_FOUND for other projects, with the same message as for one that does not exist. */
async function openProject({ db, caller, params }: PageContext, named = params.project ?? ''): Promise<OwnProject> {
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

/** Runs a change in a transaction that first reads the caller's role again. */
function changeProject<T>(
  { write, caller }: PageContext,
  { id, public_id }: Project,
  make: (tx: Tx) => Promise<T>,
): Promise<T> {
  return write(async (tx) => {
    const { role } = await admit(tx, caller, public_id)
    requireRole(role, CHANGES_FROM)
    note(tx, { target: `project:${public_id}`, project_id: id })
    return make(tx)
  })
}

interface Change {
  section: Section
  make(tx: Tx, project_id: ProjectId, values: FormValues, now: number): Promise<void>
}

/** The changes by the value of the form's button. */
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

/** The outcome of the last form, while it still holds. */
function outcome(
  params: URLSearchParams,
  scripts: readonly ScriptOfProject[],
  consent_required: boolean,
): SectionNotice | null {
  const done = params.get('done')
  const script = scripts.find(({ connection_id }) => String(connection_id) === params.get('script'))
  if (done === 'switch-off' && script?.enabled === false)
    return { section: 'scripts', kind: 'done', text: `${script.name} is switched off. No page has it from now on.` }
  if (done === 'switch-on' && script?.enabled)
    return { section: 'scripts', kind: 'done', text: `${script.name} is switched on again.` }
  if (done === 'ask-first' && consent_required)
    return { section: 'consent', kind: 'done', text: 'Visitors are asked from now on.' }
  if (done === 'ask-no-more' && !consent_required)
    return { section: 'consent', kind: 'done', text: 'Visitors are not asked any more.' }
  if (done === 'removed')
    return {
      section: 'apps',
      kind: 'done',
      text: 'The app is removed: it has no access to this project any more, and no script on its pages.',
    }
  return null
}

/** The page as it is now, with the reason why nothing was changed. */
async function refused(
  context: PageContext,
  { public_id }: Project,
  error: unknown,
  { section, missing }: { section: Section; missing: string },
): Promise<Response> {
  if (!(error instanceof AppError)) throw error
  const project = await openProject(context, public_id)
  const sentences: Partial<Record<AppError['code'], string>> = {
    NOT_FOUND: missing,
    INSUFFICIENT_ROLE:
      `This takes an administrator or an owner, and you are ${ROLE_WITH_ARTICLE[project.role]} here. ` +
      'Nothing was changed.',
    CONFLICT: error.message,
    INVALID_STATE: error.message,
  }
  const sentence = sentences[error.code]
  if (sentence === undefined) throw error
  return show(context, project, error.status, () => ({ section, kind: 'refused', text: sentence }))
}

/** @param notice the notice on the page, by what the page shows */
async function show(
  context: PageContext,
  project: OwnProject,
  status: number,
  notice: (scripts: readonly ScriptOfProject[], consent_required: boolean) => SectionNotice | null,
): Promise<Response> {
  const { db, caller, base_url } = context
  const [user, apps, scripts, consent_required] = await Promise.all([
    getUser(db, caller.user_id),
    appsOf(db, project),
    scriptsOf(db, project),
    consentRequired(db, project.id),
  ])
  const addresses = [
    ...(project.domain === null ? [] : [`https://${project.domain}/`]),
    `${base_url}${SITES_PATH}/${project.slug}/`,
  ]
  const view = { user, project, addresses, apps, scripts, consent_required, notice: notice(scripts, consent_required) }
  return page(context, status, projectPage(view))
}
