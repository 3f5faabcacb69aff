import { eq } from 'drizzle-orm'
import type { Reader, Tx } from '../store/open.ts'
import { type ConsentMode, site_settings } from '../store/tables/sites.ts'

/** How the pages of a project treat their visitors. */
export interface SiteSettings {
  consent: ConsentMode
  /** What the banner says; empty for its own words. */
  consent_message: string
  consent_accept: string
  consent_decline: string
}

export const DEFAULT_SETTINGS: SiteSettings = { consent: 'off', consent_message: '', consent_accept: '', consent_decline: '' }

export async function getSiteSettings(db: Reader, project_id: string): Promise<SiteSettings> {
  const { consent, consent_message, consent_accept, consent_decline } = site_settings
  const [row] = await db.select({ consent, consent_message, consent_accept, consent_decline }).from(site_settings).where(eq(site_settings.project_id, project_id))
  return row ?? DEFAULT_SETTINGS
}

/** Changes what is given; pages follow with their next request. */
export async function updateSiteSettings(tx: Tx, project_id: string, changes: Partial<SiteSettings>, now: number): Promise<SiteSettings> {
  const settings = { ...await getSiteSettings(tx, project_id), ...changes }
  const row = { ...settings, updated_at: now }
  await tx.insert(site_settings).values({ project_id, ...row }).onConflictDoUpdate({ target: site_settings.project_id, set: row })
  return settings
}
