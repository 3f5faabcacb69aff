import { tidyAddress } from '../../address.ts'
import { jsonText } from '../../store/json-text.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import { tidy } from './contact.ts'
import { type CustomValuesInput, mergeValues } from './custom-values.ts'

/** What a source says about a person. What is null or left out stays as it is. */
export interface Person {
  email: string
  first_name?: string | null
  last_name?: string | null
  /** Values by the key of a custom field; null removes a value. */
  custom_fields?: CustomValuesInput | null
}

/** The part of a contact that people fill in. */
export interface Profile {
  email: string
  first_name: string
  last_name: string
  custom_fields: CustomValues
}

/** The profile of a new contact. */
export function newProfile(person: Person): Profile {
  return profileAfter({ email: tidyAddress(person.email), first_name: '', last_name: '', custom_fields: {} }, person)
}

/** The profile changed by what the source says; the address stays. */
export function profileAfter(profile: Profile, { first_name, last_name, custom_fields }: Person): Profile {
  return {
    email: profile.email,
    first_name: tidy(first_name ?? profile.first_name),
    last_name: tidy(last_name ?? profile.last_name),
    custom_fields: mergeValues(profile.custom_fields, custom_fields ?? undefined),
  }
}

/** The parts of what the source says that the profile does not have yet. */
export function onlyMissing(profile: Profile, { email, first_name, last_name, custom_fields }: Person): Person {
  return {
    email,
    first_name: profile.first_name === '' ? first_name : null,
    last_name: profile.last_name === '' ? last_name : null,
    custom_fields: Object.fromEntries(
      Object.entries(custom_fields ?? {}).filter(
        ([key, value]) => value !== null && !Object.hasOwn(profile.custom_fields, key),
      ),
    ),
  }
}

export function isSameProfile(one: Profile, other: Profile): boolean {
  return (
    one.email === other.email &&
    one.first_name === other.first_name &&
    one.last_name === other.last_name &&
    (one.custom_fields === other.custom_fields || jsonText(one.custom_fields) === jsonText(other.custom_fields))
  )
}
