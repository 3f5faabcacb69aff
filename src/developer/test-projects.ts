import { and, asc, eq, sql } from 'drizzle-orm'
import { requireRole } from '../access/permission.ts'
import { AppError, notFound } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, oneOrNotFound } from '../store/rows.ts'
import { members, projects, users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { app_test_projects } from '../store/tables/developer.ts'

/** A project of somebody in the team whose pages get the drafts of all scripts of the app. */
export interface TestProject {
  project_id: string
  name: string
  slug: string
  added_by: { user_id: string; email: string }
  added_at: number
}

const MAX_TEST_PROJECTS = 10

export function listTestProjects(db: Reader, app_id: string): Promise<TestProject[]> {
  return db
    .select({
      project_id: projects.public_id,
      name: projects.name,
      slug: projects.slug,
      added_by: { user_id: users.id, email: users.email },
      added_at: app_test_projects.added_at,
    })
    .from(app_test_projects)
    .innerJoin(projects, eq(projects.id, app_test_projects.project_id))
    .innerJoin(users, eq(users.id, app_test_projects.user_id))
    .where(eq(app_test_projects.app_id, app_id))
    .orderBy(asc(app_test_projects.added_at), asc(app_test_projects.project_id))
}

/** An app whose drafts are tried in a project, as the administrators of the project see it. */
export interface TestedApp {
  app: { id: string; display_name: string }
  added_by: { user_id: string; email: string }
  added_at: number
}

export function listTestedApps(db: Reader, project_id: ProjectId): Promise<TestedApp[]> {
  return db
    .select({
      app: { id: apps.id, display_name: apps.display_name },
      added_by: { user_id: users.id, email: users.email },
      added_at: app_test_projects.added_at,
    })
    .from(app_test_projects)
    .innerJoin(apps, eq(apps.id, app_test_projects.app_id))
    .innerJoin(users, eq(users.id, app_test_projects.user_id))
    .where(eq(app_test_projects.project_id, project_id))
    .orderBy(asc(app_test_projects.added_at), asc(app_test_projects.app_id))
}

/** Ends the test of an app in a project, for its administrators. NOT_FOUND when there is none. */
export async function endTest(tx: Tx, project_id: ProjectId, app_id: string): Promise<void> {
  oneOrNotFound(
    await tx
      .delete(app_test_projects)
      .where(and(eq(app_test_projects.project_id, project_id), eq(app_test_projects.app_id, app_id)))
      .returning({ one: sql`1` }),
    'test',
    '/app_id',
  )
}

/**
 * Shows the drafts of an app on the pages of a project that the user administers. NOT_FOUND for a project of others,
 * INSUFFICIENT_ROLE for a lower role, CONFLICT beyond the limit.
 */
export async function addTestProject(
  tx: Tx,
  app_id: string,
  { project_id: named, user_id }: Record<'project_id' | 'user_id', string>,
  now: number,
): Promise<TestProject> {
  const project = await ownProject(tx, named, user_id)
  requireRole(project.role, 'administrator')
  const added = { user_id, added_at: now }
  await tx
    .insert(app_test_projects)
    .values({ app_id, project_id: project.id, ...added })
    .onConflictDoUpdate({ target: [app_test_projects.app_id, app_test_projects.project_id], set: added })
  if ((await tx.$count(app_test_projects, eq(app_test_projects.app_id, app_id))) > MAX_TEST_PROJECTS)
    throw new AppError('CONFLICT', `An app has at most ${MAX_TEST_PROJECTS} test projects.`)
  return oneOrNotFound(
    (await listTestProjects(tx, app_id)).filter(({ project_id }) => project_id === named),
    'project',
  )
}

/** Ends the test in a project. NOT_FOUND when there is none. */
export async function removeTestProject(tx: Tx, app_id: string, project_id: string): Promise<void> {
  const named = tx.select({ id: projects.id }).from(projects).where(eq(projects.public_id, project_id))
  oneOrNotFound(
    await tx
      .delete(app_test_projects)
      .where(and(eq(app_test_projects.app_id, app_id), sql`${app_test_projects.project_id} IN ${named}`))
      .returning({ one: sql`1` }),
    'test project',
  )
}

async function ownProject(db: Reader, public_id: string, user_id: string) {
  const project = first(
    await db
      .select({ id: sql<ProjectId>`${projects.id}`, role: members.role })
      .from(members)
      .innerJoin(projects, eq(projects.id, members.project_id))
      .where(and(eq(projects.public_id, public_id), eq(members.user_id, user_id))),
  )
  if (!project) throw notFound('project', '/project_id')
  return project
}
