import type { ProjectId } from '../ids.ts'
import { eq } from 'drizzle-orm'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { newsletter_settings } from '../store/tables/delivery.ts'
import { site_settings } from '../store/tables/sites.ts'

/**
 * How pages ask for consent when `script_settings.consent_required` is set (docs/api/scripts.md#visitor-consent), and
 * whether forms need a proof of work (docs/api/sites.md#proof-of-work).
 */
export type SiteSettings = Omit<typeof site_settings.$inferSelect, 'project_id' | 'updated_at'>

const UNSET: SiteSettings = {
  consent_banner: true,
  consent_message: '',
  consent_accept: '',
  consent_decline: '',
  consent_privacy_url: '',
  consent_words: {},
  proof_of_work: false,
}

export async function getSiteSettings(db: Reader, project_id: ProjectId): Promise<SiteSettings> {
  const { consent_banner, consent_message, consent_accept, consent_decline } = site_settings
  const { consent_privacy_url, consent_words, proof_of_work } = site_settings
  const question = { consent_banner, consent_message, consent_accept, consent_decline }
  const shown = { ...question, consent_privacy_url, consent_words, proof_of_work }
  return first(await db.select(shown).from(site_settings).where(eq(site_settings.project_id, project_id))) ?? UNSET
}

/** How a project speaks and looks where it has no text and no style of its own. */
export interface ProjectLook {
  /** Null for the default. */
  locale: string | null
  /** `#rgb` or `#rrggbb`; empty for the usual color. */
  brand_color: string
}

export async function projectLook(db: Reader, project_id: ProjectId): Promise<ProjectLook> {
  const { locale, brand_color, project_id: of } = newsletter_settings
  const [look] = await db.select({ locale, brand_color }).from(newsletter_settings).where(eq(of, project_id))
  return look ?? { locale: null, brand_color: '' }
}

/** Changes the given settings. They apply from the next page request. */
export async function updateSiteSettings(
  tx: Tx,
  project_id: ProjectId,
  changes: Partial<SiteSettings>,
  now: number,
): Promise<SiteSettings> {
  const settings = { ...(await getSiteSettings(tx, project_id)), ...changes }
  const row = { ...settings, updated_at: now }
  await tx
    .insert(site_settings)
    .values({ project_id, ...row })
    .onConflictDoUpdate({ target: site_settings.project_id, set: row })
  return settings
}
