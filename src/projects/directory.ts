import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import type { Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'
import { firstHourOfMonth } from './usage.ts'

/** A project as operators see it. */
export interface ListedProject {
  id: ProjectId
  public_id: string
  name: string
  slug: string
  domain: string | null
  domain_claim: string | null
  monthly_limit: number | null
  contact_limit: number | null
  contacts: number
  /** Messages of the calendar month (UTC). */
  sent_this_month: number
  members: number
  owners: { user_id: string; email: string }[]
  created_at: number
}

export interface ProjectQuery {
  /** A part of the name, slug or domain, or of an owner's address. */
  search?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of all projects, newest first. Throws INVALID_CURSOR. */
export function listAllProjects(
  { heavy }: Pick<Store, 'heavy'>,
  keys: Keys,
  { limit, cursor, ...filter }: ProjectQuery,
  now: number,
): Promise<Page<ListedProject>> {
  return page(
    {
      keys,
      operation: 'operator/projects',
      project_id: 0 as ProjectId,
      filters: filter,
      order: 'newest',
      cursor,
      limit,
    },
    (after, most) => heavy<Row>(projects(filter, after, { most, now })),
    ({ owners, ...row }) => ({ ...row, owners: JSON.parse(owners) as ListedProject['owners'] }),
  )
}

type Row = Omit<ListedProject, 'owners'> & { owners: string }

/** Ids of projects ascend with their time of creation. */
function projects(
  { search }: ProjectQuery,
  after: CursorPosition | null,
  { most, now }: Record<'most' | 'now', number>,
): SQL {
  const conditions = [
    sql`p.deleted_at IS NULL`,
    after !== null && sql`p.id < ${after.id}`,
    search !== undefined && matches(search.trim().toLowerCase()),
  ].filter((condition) => condition !== false)
  return sql`
    SELECT p.id, p.public_id, p.name, p.slug, p.domain, p.domain_claim, p.monthly_limit, p.contact_limit, p.created_at,
      coalesce((SELECT rows FROM project_usage WHERE project_id = p.id AND kind = 'contacts'), 0) AS contacts,
      (SELECT coalesce(sum(sent - in_sandbox), 0) FROM sending_hours
        WHERE project_id = p.id AND hour >= ${firstHourOfMonth(now)}) AS sent_this_month,
      (SELECT count(*) FROM members WHERE project_id = p.id) AS members,
      (SELECT json_group_array(json_object('user_id', o.id, 'email', o.email)) FROM (
        SELECT u.id, u.email FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.project_id = p.id AND m.role = 'owner' ORDER BY m.added_at, u.id) o) AS owners
    FROM projects p WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY p.id DESC LIMIT ${most}`
}

function matches(text: string): SQL {
  return sql`(
    instr(lower(p.name), ${text}) > 0 OR instr(p.slug, ${text}) > 0
    OR instr(coalesce(p.domain, p.domain_claim, ''), ${text}) > 0
    OR EXISTS (SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.project_id = p.id AND m.role = 'owner'
        AND instr(u.email_key || ' ' || lower(u.email), ${text}) > 0))`
}
