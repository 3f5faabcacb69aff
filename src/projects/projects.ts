import type { ProjectId } from '../ids.ts'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { AppError, type Flaw, invalidRequest } from '../errors.ts'
import { newId } from '../ids.ts'
import { checker, name } from '../schema.ts'
import { nameProblem } from '../plain-name.ts'
import { addressKey } from '../store/address-key.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import type { Role } from '../shared/roles.ts'
import { members, projects } from '../store/tables/accounts.ts'
import { DEFAULT_FORM_SETTINGS, form_settings } from '../store/tables/sites.ts'
import { domainColumns, readHostName } from './domains.ts'
import { freeSlug } from './slugs.ts'

export interface NewProject {
  name: string
  /** Part of the address of the project's pages: a-z, 0-9 and hyphens. */
  slug: string
  /** The project's own host name. */
  domain?: string
  /** The domain is set by the operator, so it needs no proof. */
  is_proven?: boolean
  /** Messages per month; no limit when absent. */
  monthly_limit?: number
  contact_limit?: number
}

export type Project = typeof projects.$inferSelect

/** Creates a project with its owner as first member. VALIDATION_FAILED, or CONFLICT when slug or domain is in use. */
export async function createProject(tx: Tx, input: NewProject, owner_id: string, now: number): Promise<Project> {
  const details = projectFlaws(input)
  if (details.length > 0) throw invalidRequest(details)
  const row = {
    public_id: newId('prj'),
    name: input.name.trim(),
    slug: input.slug,
    ...(await domainColumns(tx, null, input)),
    monthly_limit: input.monthly_limit ?? null,
    contact_limit: input.contact_limit ?? null,
    created_at: now,
    updated_at: now,
  }
  const project = one(await orProjectConflict(tx.insert(projects).values(row).returning()))
  await tx.insert(members).values({ project_id: project.id, user_id: owner_id, role: 'owner', added_at: now })
  await tx.insert(form_settings).values({ ...DEFAULT_FORM_SETTINGS, project_id: project.id, updated_at: now })
  await addressKey(tx, project.id)
  return project
}

/**
 * Creates a project for a person, with a slug made from its name when none is given. As `createProject`, and
 * INVALID_STATE when the person owns `most` projects.
 */
export async function createOwnProject(
  tx: Tx,
  { slug, ...input }: Omit<NewProject, 'slug'> & { slug?: string | undefined },
  owner_id: string,
  { most, now }: { most: number; now: number },
): Promise<Project> {
  await requireRoomForProject(tx, owner_id, most)
  return createProject(tx, { ...input, slug: slug ?? (await freeSlug(tx, input.name)) }, owner_id, now)
}

/** INVALID_STATE when a user owns `most` projects. The command line has no such limit. */
async function requireRoomForProject(tx: Tx, user_id: string, most: number): Promise<void> {
  const owned = await tx.$count(members, and(eq(members.user_id, user_id), eq(members.role, 'owner')))
  if (owned >= most)
    throw new AppError('INVALID_STATE', `A user can own at most ${most} projects.`, {
      details: { state: 'full', limit: most },
    })
}

interface ProjectChanges {
  name?: string
  slug?: string
  /** null removes the domain. Another one is served once it is proven; until then the present one is. */
  domain?: string | null
  is_proven?: boolean
}

/** Changes the given fields. VALIDATION_FAILED, or CONFLICT when slug or domain is in use. */
export async function updateProject(
  tx: Tx,
  project_id: ProjectId,
  changes: ProjectChanges,
  now: number,
): Promise<Project> {
  const before = await getProject(tx, project_id)
  const { name, slug } = { ...before, ...changes }
  const details = projectFlaws({ name, slug, domain: changes.domain ?? undefined }, before.name)
  if (details.length > 0) throw invalidRequest(details)
  const update = tx
    .update(projects)
    .set({ name: name.trim(), slug, ...(await domainColumns(tx, before, changes)), updated_at: now })
    .where(eq(projects.id, before.id))
    .returning()
  return one(await orProjectConflict(update))
}

/** Sets the limits of a project; null is no limit. */
export async function setLimits(
  tx: Tx,
  project_id: ProjectId,
  limits: Partial<Pick<Project, 'monthly_limit' | 'contact_limit'>>,
  now: number,
): Promise<void> {
  await tx
    .update(projects)
    .set({ ...limits, updated_at: now })
    .where(eq(projects.id, project_id))
}

/** A project by its key, or by its public id or slug. NOT_FOUND when there is none. */
export async function getProject(db: Reader, name: ProjectId | string): Promise<Project> {
  const [project] = await db
    .select()
    .from(projects)
    .where(
      and(
        typeof name === 'number' ? eq(projects.id, name) : or(eq(projects.public_id, name), eq(projects.slug, name)),
        isNull(projects.deleted_at),
      ),
    )
  if (!project) throw new AppError('NOT_FOUND', `There is no project ${name}.`)
  return project
}

export async function listProjects(db: Reader): Promise<Project[]> {
  return db
    .select()
    .from(projects)
    .where(isNull(projects.deleted_at))
    .orderBy(asc(projects.created_at), asc(projects.id))
}

/** The projects of a user, with the user's role in each. */
export async function listProjectsOf(db: Reader, user_id: string): Promise<(Project & { role: Role })[]> {
  const rows = await db
    .select({ project: projects, role: members.role })
    .from(members)
    .innerJoin(projects, eq(projects.id, members.project_id))
    .where(eq(members.user_id, user_id))
    .orderBy(asc(projects.created_at), asc(projects.id))
  return rows.map(({ project, role }) => ({ ...project, role }))
}

/**
 * A project as apps see it: with the domain that is served, else the one that waits for its proof, else without
 * `domain` (docs/api/platform.md#projects).
 */
export function projectRecord({
  public_id,
  name,
  slug,
  ...project
}: Pick<Project, 'public_id' | 'name' | 'slug' | 'domain' | 'domain_claim'>): {
  id: string
  name: string
  slug: string
  domain?: string
} {
  const domain = project.domain ?? project.domain_claim
  return { id: public_id, name, slug, ...(domain === null ? {} : { domain }) }
}

function orProjectConflict<T>(write: PromiseLike<T>): Promise<T> {
  const slug = orConflict(write, { slug: '/slug' }, 'Another project has this slug.')
  return orConflict(slug, { domain: '/domain' }, 'Another project has this domain.')
}

const ProjectName = name(100)
export const SLUG = /^[a-z0-9-]{1,63}$/

/**
 * The flaws of a project's fields.
 * @param present the name that the project has already, which it may keep
 */
export function projectFlaws(
  { name, slug, domain, monthly_limit, contact_limit }: NewProject,
  present: string | null = null,
): Flaw[] {
  const flaws: Flaw[] = []
  const isLine = checker(ProjectName).Check(name)
  const problem = isLine ? nameProblem(name) : 'A name is one line of 1 to 100 characters.'
  if (problem !== null && !(isLine && name === present)) flaws.push({ path: '/name', message: problem })
  if (!SLUG.test(slug)) flaws.push({ path: '/slug', message: 'A slug is 1 to 63 of a-z, 0-9 and hyphens.' })
  if (domain !== undefined && readHostName(domain) === null)
    flaws.push({
      path: '/domain',
      message: 'A domain is a host name such as news.example.com, without scheme, port or path.',
    })
  for (const [path, limit] of [
    ['/monthly_limit', monthly_limit],
    ['/contact_limit', contact_limit],
  ] as const) {
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
      flaws.push({ path, message: 'A limit is a whole number.' })
  }
  return flaws
}
