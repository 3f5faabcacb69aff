import { CONTACT_FIELD_NAMES, type ContactFieldName } from '../../shared/contact-fields.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import type { RowStatus } from '../../store/tables/imports.ts'
import type { ToldConsent } from '../consent/evidence.ts'

/** The data of a row in addition to names and custom values. */
export interface RowFacts {
  /** Left out for `subscribed`. */
  status?: RowStatus
  /** Names of tags. */
  tags?: string[]
  list_ids?: number[]
  consent?: ToldConsent
  /** The standard fields of a contact that have no place of their own in `RowPerson`. */
  fields?: Texts
  /** An opt-out on a later row of an address or on an invalid one; the rest of the row is not imported. */
  alone?: true
}

type Texts = Partial<Record<ContactFieldName, string | null>>

/**
 * A person of the file, as pages of an import are stored. null: the cell is empty or there is no such column. An import
 * that was staged before an upgrade is committed after it, so every value keeps its place.
 */
export type RowPerson = [
  row: number,
  email: string,
  first_name: string | null,
  last_name: string | null,
  custom_fields: CustomValues | null,
  facts?: RowFacts,
]

const OTHERS = CONTACT_FIELD_NAMES.filter((name) => name !== 'first_name' && name !== 'last_name')

/** The standard fields that a person's row fills in. */
export function textsOf([, , first_name, last_name, , facts]: RowPerson): Texts {
  return { first_name, last_name, ...facts?.fields }
}

/** Those of the given texts that belong into `RowFacts`; undefined for none. */
export function otherTexts(given: Texts): Texts | undefined {
  const filled = OTHERS.filter((name) => given[name])
  return filled.length === 0 ? undefined : Object.fromEntries(filled.map((name) => [name, given[name]]))
}
