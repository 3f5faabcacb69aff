import { sql } from 'drizzle-orm'
import { localDate } from '../../clock.ts'
import { CONTACT_FIELD_NAMES, type ContactTexts } from '../../shared/contact-fields.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import { publicUrl } from '../tracking/links.ts'

/** Values for the merge tags of a message (docs/api/campaigns.md#merge-tags). */

/** The columns of a contact that merge tags can show. */
export interface Addressee extends ContactTexts {
  id: number
  email: string
  custom_fields: CustomValues
}

/** Contacts by id. Deleted contacts are missing. */
export async function addressees(db: Reader, contact_ids: readonly number[]): Promise<Map<number, Addressee>> {
  const rows = await db.all<Omit<Addressee, 'custom_fields'> & { custom_fields: string }>(sql`
    SELECT id, email, ${TEXTS}, custom_fields FROM contacts
    WHERE id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))`)
  return new Map(rows.map((row) => [row.id, { ...row, custom_fields: JSON.parse(row.custom_fields) as CustomValues }]))
}

const TEXTS = sql.raw(CONTACT_FIELD_NAMES.join(', '))

interface CommonSource {
  project: { name: string }
  settings: { locale: string; timezone: string }
  /** The time zone of a scheduled campaign; the project's without one. */
  timezone: string | null
}

/** Values that are the same for every recipient. */
export function commonValues({ project, settings, timezone }: CommonSource, now: number): Record<string, string> {
  return { 'project.name': project.name, date: localDate(now, settings.locale, timezone ?? settings.timezone) }
}

/** Values of one contact. */
export function personalValues(contact: Addressee): Record<string, string> {
  const values: Record<string, string> = {
    'contact.email': contact.email,
    'contact.full_name': `${contact.first_name} ${contact.last_name}`.trim(),
  }
  for (const name of CONTACT_FIELD_NAMES) values[`contact.${name}`] = contact[name]
  for (const [key, value] of Object.entries(contact.custom_fields)) values[`contact.custom.${key}`] = String(value)
  return values
}

/** The links of one recipient to this service. */
export function linkValues(
  base_url: string,
  { token, view_token }: { token: string; view_token: string },
): { unsubscribe_url: string; preferences_url: string; view_url: string } {
  return {
    unsubscribe_url: publicUrl(base_url, 'unsubscribe', token),
    preferences_url: publicUrl(base_url, 'preferences', token),
    view_url: publicUrl(base_url, 'view', view_token),
  }
}
