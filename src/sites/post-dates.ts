import { eq } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import { scheduledMoment } from '../scheduled-time.ts'
import type { Reader } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { newsletter_settings } from '../store/tables/delivery.ts'
import type { PostStatus } from '../store/tables/sites.ts'

/** Whether a post is on the site, and since or from when (docs/api/sites.md#dates-of-posts). */
export interface Publication {
  status: PostStatus
  published_at: number | null
}

/** What a request says of it. `published_at` is a `ScheduledTime`. */
interface Wanted {
  status?: PostStatus
  published_at?: string | null
}

const DRAFT: Publication = { status: 'draft', published_at: null }
const AT = '/published_at'
/** Years outside of these have other digits in ISO 8601, or none in the feeds. */
const EARLIEST = Date.parse('1000-01-01T00:00:00Z')
const LATEST = Date.parse('9999-01-01T00:00:00Z')

/**
 * The publication that a request makes of the present one. A post that is published stays so while its date is not
 * changed, also when the clock was set back before it. VALIDATION_FAILED for a date that the state cannot have.
 */
export async function publicationOf(
  db: Reader,
  project_id: ProjectId,
  { status, published_at, present = DRAFT }: Wanted & { present?: Publication },
  now: number,
): Promise<Publication> {
  const given = typeof published_at === 'string' ? await momentOf(db, project_id, published_at) : published_at
  switch (status ?? stateBy(given, present)) {
    case 'draft':
      if (typeof given === 'number') throw invalid(AT, 'A draft has no date.')
      return DRAFT
    case 'scheduled':
      return scheduled(given, present, now)
    case 'published':
      return published(given, present, now)
    case 'archived':
      return archived(given, present, now)
  }
}

/** The state of a post whose request names none: a date schedules a draft, and without one it is a draft again. */
function stateBy(given: number | null | undefined, { status }: Publication): PostStatus {
  if (typeof given === 'number' && status === 'draft') return 'scheduled'
  return given === null && status === 'scheduled' ? 'draft' : status
}

function scheduled(given: number | null | undefined, present: Publication, now: number): Publication {
  const planned = present.status === 'scheduled' ? present.published_at : null
  const published_at = given === undefined ? planned : given
  if (published_at === null) throw invalid(AT, 'Say when the post is to be published.')
  if (published_at <= now && published_at !== planned)
    throw invalid(AT, 'Expected a time in the future. A post of an earlier date is `published`.')
  return { status: 'scheduled', published_at }
}

function published(given: number | null | undefined, present: Publication, now: number): Publication {
  if (given === null && present.status === 'published') throw invalid(AT, 'A published post has a date.')
  const known = present.status === 'scheduled' ? null : present.published_at
  const published_at = given ?? (given === null ? now : (known ?? now))
  const stays = present.status === 'published' && published_at === known
  return { status: published_at > now && !stays ? 'scheduled' : 'published', published_at }
}

function archived(given: number | null | undefined, present: Publication, now: number): Publication {
  const known = present.status === 'scheduled' ? null : present.published_at
  const published_at = given === undefined ? known : given
  if (published_at !== null && published_at > now && published_at !== known)
    throw invalid(AT, 'An archived post has no date in the future.')
  return { status: 'archived', published_at }
}

/** The moment of a `ScheduledTime` in the time zone of the project. */
async function momentOf(db: Reader, project_id: ProjectId, given: string): Promise<number> {
  const { timezone } = newsletter_settings
  const settings = first(
    await db.select({ timezone }).from(newsletter_settings).where(eq(newsletter_settings.project_id, project_id)),
  )
  const at = scheduledMoment(given, settings?.timezone ?? 'UTC', AT)
  if (at < EARLIEST || at >= LATEST) throw invalid(AT, 'Expected a year from 1000 to 9998.')
  return at
}
