import { useRead } from '../../api/query.ts'
import { dateTime } from '../../ui/format.ts'
import type { PostStatus } from './content.ts'

/** Whether a post is on the site, and since or from when (docs/api/sites.md#dates-of-posts). */
interface Publication {
  status: PostStatus
  published_at: string | null
}

/** The time zone of the project's clocks; null until it is known. */
export function useProjectZone(): string | null {
  const { data, error } = useRead('settings/get', {})
  return data?.settings.timezone ?? (error ? 'UTC' : null)
}

/** The date that a post has in a state that is chosen for it: the stored one where that means the same. */
export function dateIn(status: PostStatus, stored: Publication): string | null {
  const isPlanned = stored.status === 'scheduled'
  return status === 'draft' || isPlanned !== (status === 'scheduled') ? null : stored.published_at
}

/** Whether saving would change what visitors see, now or by itself later. Only the user does that. */
export function isPublicSoon(value: Publication, stored: Publication): boolean {
  if (value.status === 'published' || stored.status === 'published') return true
  const isPlanned = value.status === 'scheduled' || stored.status === 'scheduled'
  return isPlanned && (value.status !== stored.status || value.published_at !== stored.published_at)
}

/** "Publish on 25 Nov 2026, 09:00", "Publish", or "Save" where the date of the post stays. */
export function publishVerb(value: Publication, stored: Publication, zone: string | null): string {
  const { status, published_at } = value
  if (status === 'draft' || status === 'archived' || !zone) return 'Save'
  if (status === stored.status && published_at === stored.published_at) return 'Save'
  if (published_at !== null && Date.parse(published_at) > Date.now())
    return `Publish on ${dateTime(published_at, zone)}`
  return status === 'published' && stored.status !== 'published' ? 'Publish' : 'Save'
}
