import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { emailKey } from '../suppressions/suppression.ts'
import { type ContactRow, searchKey, tidy } from './contact.ts'
import { type CustomValuesInput, mergeValues } from './custom-values.ts'
import { type KeptField, setKeys } from './rule-columns.ts'

/** What a request says of a person; what it leaves out stays as it is. */
export interface Profile {
  email: string
  first_name?: string
  last_name?: string
  custom_fields?: CustomValuesInput
}

/**
 * Writes what of a contact's profile is given and differs; answers the contact as it is now. `fields` are the project's
 * custom fields, all of them when there are values for any.
 */
export async function writeProfile(
  tx: Tx,
  known: ContactRow,
  given: Profile,
  fields: readonly KeptField[],
  now: number,
): Promise<ContactRow> {
  const become = {
    email: tidy(given.email),
    first_name: tidy(given.first_name ?? known.first_name),
    last_name: tidy(given.last_name ?? known.last_name),
    custom_fields: mergeValues(known.custom_fields, given.custom_fields),
  }
  const values = jsonText(become.custom_fields)
  const isSame =
    become.email === known.email &&
    become.first_name === known.first_name &&
    become.last_name === known.last_name &&
    values === jsonText(known.custom_fields)
  if (isSame) return known
  await tx.run(sql`
    UPDATE contacts SET email = ${become.email}, email_key = ${emailKey(become.email)}, first_name = ${become.first_name}, last_name = ${become.last_name},
      search_key = ${searchKey(become)}, custom_fields = ${values}, updated_at = ${now}, ${setKeys(become, fields)}
    WHERE id = ${known.id}`)
  return { ...known, ...become, updated_at: now }
}
