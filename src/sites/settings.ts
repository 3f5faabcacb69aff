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

/** The language in which a project speaks where it has no text of its own; null for the default. */
export async function projectLocale(db: Reader, project_id: ProjectId): Promise<string | null> {
  const { locale, project_id: of } = newsletter_settings
  return first(await db.select({ locale }).from(newsletter_settings).where(eq(of, project_id)))?.locale ?? null
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
