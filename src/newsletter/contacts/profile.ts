import { tidyAddress } from '../../address.ts'
import {
  byContactField,
  CONTACT_FIELD_NAMES,
  type ContactFieldName,
  type ContactTexts,
  NO_TEXTS,
} from '../../shared/contact-fields.ts'
import { jsonText } from '../../store/json-text.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import { tidy } from './contact.ts'
import { type CustomValuesInput, mergeValues } from './custom-values.ts'

/**
 * The data that a request, form or import gives about a person. A property that is null or left out changes nothing.
 */
export interface Person extends Partial<Record<ContactFieldName, string | null>> {
  email: string
  /** Values by the key of a custom field; null removes a value. */
  custom_fields?: CustomValuesInput | null
}

/** The part of a contact that people fill in. */
export interface Profile extends ContactTexts {
  email: string
  custom_fields: CustomValues
}

/** The profile of a new contact. */
export function newProfile(person: Person): Profile {
  return profileAfter({ email: tidyAddress(person.email), ...NO_TEXTS, custom_fields: {} }, person)
}

/** The profile with the given values applied; the address stays. */
export function profileAfter(profile: Profile, given: Person): Profile {
  const custom_fields = mergeValues(profile.custom_fields, given.custom_fields ?? undefined)
  const after: Profile = { email: profile.email, ...NO_TEXTS, custom_fields }
  for (const name of CONTACT_FIELD_NAMES) after[name] = tidy(given[name] ?? profile[name])
  return after
}

/** The given values whose profile fields are still empty. */
export function onlyMissing(profile: Profile, given: Person): Person {
  return {
    email: given.email,
    ...byContactField(({ name }) => (profile[name] === '' ? given[name] : null)),
    custom_fields: Object.fromEntries(
      Object.entries(given.custom_fields ?? {}).filter(
        ([key, value]) => value !== null && !Object.hasOwn(profile.custom_fields, key),
      ),
    ),
  }
}

export function isSameProfile(one: Profile, other: Profile): boolean {
  return (
    one.email === other.email &&
    CONTACT_FIELD_NAMES.every((name) => one[name] === other[name]) &&
    (one.custom_fields === other.custom_fields || jsonText(one.custom_fields) === jsonText(other.custom_fields))
  )
}
