import { type Static, Type } from '@sinclair/typebox'
import { CONTACT_FIELD_NAMES, type ContactFieldName } from '../../shared/contact-fields.ts'
import { type Flaw, invalid, invalidRequest } from '../../errors.ts'
import { Id, obj, prose, enumOf } from '../../schema.ts'
import {
  type ColumnMapping,
  DATE_FORMATS,
  type DateFormat,
  type Delimiter,
  DELIMITERS,
  ROW_STATUSES,
  type SettledOptions,
} from '../../store/tables/imports.ts'
import type { FieldDefinition } from '../contacts/custom-values.ts'

const OTHER_FIELDS = [
  'full_name',
  'tags',
  'lists',
  'status',
  'opted_out',
  'bounced',
  'complained',
  'consent_at',
  'consent_text',
  'consent_ip',
  'consent_source',
] as const
export type StandardField = 'email' | ContactFieldName | (typeof OTHER_FIELDS)[number]

/** The fields that every project has. */
const STANDARD_FIELDS: readonly StandardField[] = ['email', ...CONTACT_FIELD_NAMES, ...OTHER_FIELDS]

/** See docs/api/imports.md#mapping. */
export const Mapping = Type.Record(Type.String({ pattern: '^(0|[1-9][0-9]{0,3})$' }), Type.String({ maxLength: 60 }), {
  additionalProperties: false,
  description:
    `Fields by the index of their column: ${STANDARD_FIELDS.join(', ')} or custom.KEY. Columns that are left out are ` +
    'not imported.',
})

const ON_INVALID = ['skip', 'abort'] as const
const ON_INVALID_VALUE = ['fail_row', 'drop_value'] as const

export const ImportOptions = obj({
  list_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: 100,
      description: 'Lists that the people are subscribed to. Needs consent_confirmed or send_confirmation.',
    }),
  ),
  tag_ids: Type.Optional(Type.Array(Id, { maxItems: 100, description: 'Tags that are added to the contacts.' })),
  update_existing: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether existing contacts change: their profile by the cells that are not empty, their lists and their ' +
        'tags. An empty cell leaves the value.',
    }),
  ),
  on_invalid: Type.Optional(
    enumOf(ON_INVALID, {
      default: 'skip',
      description: 'abort: the commit is 409 INVALID_STATE while a row is invalid; the dry-run still answers 200.',
    }),
  ),
  on_invalid_value: Type.Optional(
    enumOf(ON_INVALID_VALUE, {
      default: 'fail_row',
      description: 'drop_value: the person is imported without the wrong value, which is reported as value_dropped.',
    }),
  ),
  date_format: Type.Optional(
    enumOf(DATE_FORMATS, {
      description:
        'How days are written: 2026-03-01, 01.03.2026 or 03/01/2026; guessed from the first rows by default.',
    }),
  ),
  create_tags: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether tags that the project does not have are created. Without it an unknown tag is a wrong value.',
    }),
  ),
  default_status: Type.Optional(
    enumOf(ROW_STATUSES, { default: 'subscribed', description: 'The status of rows that say none.' }),
  ),
  consent_text: Type.Optional(
    prose(4000, { description: 'What the people agreed to, word for word; stored as evidence.' }),
  ),
  consent_confirmed: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'You confirm that these people agreed: they are also subscribed to double opt-in lists, without ' +
        'another confirmation.',
    }),
  ),
  send_confirmation: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Double opt-in lists ask each person for a confirmation, whatever consent_confirmed says.',
    }),
  ),
  delimiter: Type.Optional(
    enumOf(DELIMITERS, { description: 'The separator of cells; detected from the first line by default.' }),
  ),
})

/** Options with all defaults filled in, as they are stored, shown and compared. `found` is what the file suggests. */
export function settledOptions(
  given: Static<typeof ImportOptions>,
  found: { delimiter: Delimiter; date_format: DateFormat },
): SettledOptions {
  return {
    list_ids: [...new Set(given.list_ids)],
    tag_ids: [...new Set(given.tag_ids)],
    update_existing: given.update_existing ?? false,
    on_invalid: given.on_invalid ?? 'skip',
    on_invalid_value: given.on_invalid_value ?? 'fail_row',
    date_format: given.date_format ?? found.date_format,
    create_tags: given.create_tags ?? false,
    default_status: given.default_status ?? 'subscribed',
    consent_text: (given.consent_text ?? '').toWellFormed(),
    consent_confirmed: given.consent_confirmed ?? false,
    send_confirmation: given.send_confirmation ?? false,
    delimiter: given.delimiter ?? found.delimiter,
  }
}

/**
 * Throws VALIDATION_FAILED when lists are given or mapped without consent_confirmed or send_confirmation
 * (docs/api/imports.md#options).
 */
export function requireConsent(
  { list_ids, consent_confirmed, send_confirmation }: SettledOptions,
  mapping: ColumnMapping = {},
): void {
  const subscribes = list_ids.length > 0 || Object.values(mapping).includes('lists')
  if (subscribes && !consent_confirmed && !send_confirmation) {
    throw invalid('/options/consent_confirmed', 'Lists need consent_confirmed: true or send_confirmation: true.')
  }
}

/** Fields that several columns may be: of what they say of a row, the strictest counts. */
export const STATUS_FIELDS: ReadonlySet<string> = new Set(['status', 'opted_out', 'bounced', 'complained'])

/** The field that a column is read as. */
export type Target =
  | { column: number; field: StandardField }
  | { column: number; field: `custom.${string}`; custom: FieldDefinition }

/** The mapping with its custom fields; throws VALIDATION_FAILED with a flaw for each wrong entry. */
export function requireMapping(mapping: ColumnMapping, columns: number, fields: readonly FieldDefinition[]): Target[] {
  const flaws: Flaw[] = []
  const targets: Target[] = []
  for (const [index, field] of Object.entries(mapping)) {
    const column = Number(index)
    const target = targetOf(column, field, fields)
    const flaw =
      column >= columns
        ? `The file has ${columns} ${columns === 1 ? 'column' : 'columns'}; the first is 0.`
        : !target
          ? `Expected ${STANDARD_FIELDS.join(', ')}, or custom.KEY of a custom field of the project.`
          : !STATUS_FIELDS.has(field) && targets.some((other) => other.field === field)
            ? `Another column is mapped to ${field}.`
            : null
    if (flaw) flaws.push({ path: `/mapping/${index}`, message: flaw })
    else targets.push(target!)
  }
  if (flaws.length === 0 && !targets.some(({ field }) => field === 'email'))
    flaws.push({ path: '/mapping', message: 'One column must be mapped to email.' })
  if (flaws.length > 0) throw invalidRequest(flaws)
  return targets
}

function targetOf(column: number, field: string, fields: readonly FieldDefinition[]): Target | null {
  const standard = STANDARD_FIELDS.find((name) => name === field)
  if (standard) return { column, field: standard }
  const custom = field.startsWith('custom.')
    ? fields.find(({ key }) => key === field.slice('custom.'.length))
    : undefined
  return custom ? { column, field: `custom.${custom.key}`, custom } : null
}

/** The columns whose cells are days or times. */
export function dateColumns(targets: readonly Target[]): number[] {
  return targets
    .filter((target) => target.field === 'consent_at' || ('custom' in target && target.custom.type === 'date'))
    .map(({ column }) => column)
}

/** The columns of a mapping that may hold days, before its fields are known. */
export function datedColumns(mapping: ColumnMapping): number[] {
  return Object.entries(mapping)
    .filter(([, field]) => field === 'consent_at' || field?.startsWith('custom.'))
    .map(([column]) => Number(column))
}
