/**
 * The standard fields of a contact beside its address. Schemas, statements, profiles, imports, exports, rules, merge
 * tags, forms and the pages of the application derive from this table. Every field is stored, answered, imported,
 * exported, shown, compared by rules and offered as a merge tag; the table says how.
 *
 * A new field also needs a migration with the columns NAME and NAME_key of `contacts`, both `TEXT NOT NULL DEFAULT ''`,
 * and a place in the index `contacts_for_rules`; the same columns in `src/store/tables/audience.ts`; the words with
 * which forms ask for it, in `src/i18n/form-questions.ts`; and its name in the chapters of docs/api, where a test looks
 * for it.
 */
export interface ContactField<Name extends string = string> {
  /** The column, and the name in requests, answers, rules, files and merge tags. */
  name: Name
  /** What people read in the application. */
  label: string
  /** What values it has; `line` is one line of text without control characters. */
  type: 'line'
  /** In characters. */
  max_length: number
  /** Whether `search` looks in it. */
  searched: boolean
  /** The headers of other programs that mean it, as letters and digits in lower case without accents. */
  headers: readonly string[]
  /**
   * Whether its headers mean it even where a custom field of the project has that name. A field that is added later
   * leaves such a header to the custom field, which has the values of earlier imports.
   */
  beats_custom: boolean
  /** Of its merge tag. */
  description: string
  /** How its merge tag is written. */
  example: string
  /** Its value where a preview has no contact. */
  sample: string
  /** How a sign-up form asks for it, or null for a field that forms do not ask for. `autocomplete` is a token of HTML. */
  question: { autocomplete: string; max_length: number } | null
}

export const CONTACT_FIELDS = table([
  {
    name: 'first_name',
    label: 'First name',
    type: 'line',
    max_length: 200,
    searched: true,
    headers: ['firstname', 'first', 'fname', 'givenname', 'forename', 'vorname', 'prenom', 'nombre'],
    beats_custom: true,
    description: "The contact's first name.",
    example: '{{ contact.first_name | default: friend }}',
    sample: 'Ada',
    question: { autocomplete: 'given-name', max_length: 100 },
  },
  {
    name: 'last_name',
    label: 'Last name',
    type: 'line',
    max_length: 200,
    searched: true,
    headers: ['lastname', 'last', 'lname', 'surname', 'familyname', 'nachname', 'nom', 'apellido', 'apellidos'],
    beats_custom: true,
    description: "The contact's last name.",
    example: '{{ contact.last_name }}',
    sample: 'Lovelace',
    question: { autocomplete: 'family-name', max_length: 100 },
  },
])

export type ContactFieldName = (typeof CONTACT_FIELDS)[number]['name']

/** In the order in which answers, files and statements have them. */
export const CONTACT_FIELD_NAMES: readonly ContactFieldName[] = CONTACT_FIELDS.map(({ name }) => name)

/** The values of the standard fields of one contact; an empty text is no value. */
export type ContactTexts = Record<ContactFieldName, string>

export function isContactField(name: string): name is ContactFieldName {
  return CONTACT_FIELD_NAMES.some((known) => known === name)
}

/** A property for each standard field, in the order of the table. */
export function byContactField<Value>(
  make: (field: ContactField<ContactFieldName>) => Value,
): Record<ContactFieldName, Value> {
  // Empty at first; the loop fills in every name.
  const made = {} as Record<ContactFieldName, Value>
  for (const field of CONTACT_FIELDS) made[field.name] = make(field)
  return made
}

/** The values of a contact of whom nothing is known. */
export const NO_TEXTS: Readonly<ContactTexts> = byContactField(() => '')

/** Keeps the names as a type. */
function table<Name extends string>(fields: readonly ContactField<Name>[]): readonly ContactField<Name>[] {
  return fields
}
