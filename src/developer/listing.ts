import { eq } from 'drizzle-orm'
import type { Reader } from '../store/open.ts'
import { app_drafts, type Listing } from '../store/tables/developer.ts'

export const EMPTY_LISTING: Listing = {
  tagline: '',
  description: '',
  icon_url: '',
  screenshots: [],
  support_url: '',
  privacy_url: '',
  category: '',
}

/** The developer's draft of the listing. A version freezes it together with the scripts. */
export async function getListing(db: Reader, app_id: string): Promise<Listing> {
  const [draft] = await db.select({ listing: app_drafts.listing }).from(app_drafts).where(eq(app_drafts.app_id, app_id))
  return { ...EMPTY_LISTING, ...draft?.listing }
}
