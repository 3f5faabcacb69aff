import { isContactField } from '../../shared/contact-fields.ts'
import type { ColumnMapping, FileColumn, RowStatus } from '../../store/tables/imports.ts'
import { letters } from './columns.ts'
import { type StandardField, STATUS_FIELDS } from './mapping.ts'

/** How the exports of other programs map to fields (docs/operations.md#moving-in). */
interface Provider {
  /** Its name, as it writes it. */
  name: string
  /** Headers, by letters and digits alone, that all its exports have and no others. */
  signs: readonly string[]
  /** Fields by header, compared by letters and digits alone. Of two for a profile field the first one counts. */
  columns: Readonly<Record<string, StandardField>>
  /** Whether a further header says who opted out; it is given by letters and digits alone. */
  tellsOptOut?(header: string): boolean
  /** The status of all rows by the name of the file, where the program exports a file for each status. */
  files?: readonly (readonly [name: RegExp, status: RowStatus])[]
  /** Its exports call people subscribed who left a list, unless the name of the file says that they left. */
  unsaid?: string
}

const BY_FILE: Provider['files'] = [
  [/(un|non-?_?)subscribed|block-?list|black-?list/i, 'unsubscribed'],
  [/cleaned|bounce/i, 'bounced'],
  [/complain|spam/i, 'complained'],
  [/subscribed/i, 'subscribed'],
]

const NAMES = { firstname: 'first_name', lastname: 'last_name' } as const

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  listmonk: {
    name: 'listmonk',
    signs: ['uuid', 'attributes'],
    columns: { email: 'email', name: 'full_name', status: 'status' },
    files: BY_FILE,
    unsaid:
      'An export of listmonk calls everybody enabled who left a list without being blocklisted. Export the ' +
      'subscribers whose subscription to the list is unsubscribed as well, and name that file unsubscribed.csv.',
  },
  ghost: {
    name: 'Ghost',
    signs: ['subscribedtoemails', 'labels'],
    columns: {
      email: 'email',
      name: 'full_name',
      subscribedtoemails: 'status',
      deletedat: 'opted_out',
      labels: 'tags',
      createdat: 'consent_at',
    },
  },
  mailchimp: {
    name: 'Mailchimp',
    signs: ['leid', 'euid'],
    columns: {
      emailaddress: 'email',
      email: 'email',
      ...NAMES,
      fname: 'first_name',
      lname: 'last_name',
      status: 'status',
      unsubtime: 'opted_out',
      cleantime: 'bounced',
      confirmtime: 'consent_at',
      optintime: 'consent_at',
      confirmip: 'consent_ip',
      optinip: 'consent_ip',
      tags: 'tags',
    },
    files: BY_FILE,
  },
  mailtrain: {
    name: 'Mailtrain',
    signs: ['cid', 'hashemail'],
    columns: {
      email: 'email',
      ...NAMES,
      mergefirstname: 'first_name',
      mergelastname: 'last_name',
      mergename: 'full_name',
      status: 'status',
    },
  },
  keila: {
    name: 'Keila',
    signs: ['firstname', 'lastname', 'data', 'status'],
    columns: { email: 'email', ...NAMES, status: 'status' },
  },
  substack: {
    name: 'Substack',
    signs: ['activesubscription', 'emaildisabled'],
    columns: { email: 'email', name: 'full_name', emaildisabled: 'opted_out', createdat: 'consent_at' },
  },
  brevo: {
    name: 'Brevo',
    signs: ['addedtime', 'modifiedtime'],
    columns: {
      email: 'email',
      ...NAMES,
      prenom: 'first_name',
      nom: 'last_name',
      unsubscribed: 'opted_out',
      emailmarketing: 'status',
      addedtime: 'consent_at',
      subscriptionstatus: 'status',
    },
    tellsOptOut: (header) =>
      ['blocklist', 'blacklist'].some((word) => header.includes(word)) &&
      !['sms', 'whatsapp'].some((word) => header.includes(word)),
    files: BY_FILE,
  },
}

interface MoveIn {
  mapping: ColumnMapping
  /** Whether the file or its name says of each row whether the person still wants messages. */
  knows_status: boolean
}

/** The names are mapped by the columns of a provider alone, because `full_name` of some is both of them. */
function isFurtherField(field: string): boolean {
  return field.startsWith('custom.') || (isContactField(field) && field !== 'first_name' && field !== 'last_name')
}

/**
 * The mapping of a file of this provider; columns of further fields are mapped as their headers suggest.
 * @param status as the name of the file says it. People who left are not subscribed then, whatever a column says that
 * does not know of all of them
 */
export function mappingOf(
  { columns, tellsOptOut, unsaid }: Provider,
  found: readonly FileColumn[],
  status: RowStatus | null = null,
): MoveIn {
  const mapping: ColumnMapping = {}
  for (const [header, field] of Object.entries(columns)) {
    const column = found.find((candidate) => letters(candidate.header) === header)
    if (column && (STATUS_FIELDS.has(field) || !Object.values(mapping).includes(field))) mapping[column.index] ??= field
  }
  for (const { index, header } of found) if (tellsOptOut?.(letters(header))) mapping[index] ??= 'opted_out'
  for (const { index, suggested_field } of found)
    if (suggested_field && isFurtherField(suggested_field) && !Object.values(mapping).includes(suggested_field))
      mapping[index] ??= suggested_field
  const fields = Object.entries(mapping)
  return {
    mapping:
      unsaid === undefined || mayReceive(status)
        ? mapping
        : Object.fromEntries(fields.filter(([, field]) => field !== 'status')),
    knows_status: status !== null || fields.some(([, field]) => STATUS_FIELDS.has(field ?? '')),
  }
}

/** The status that the name of a file says of all its rows; null where it says none. */
export function statusOfFile({ files = [] }: Provider, name: string): RowStatus | null {
  return files.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** An uploaded file as the export of one program. */
interface FileOfProvider extends MoveIn {
  provider: string
  name: string
  /** The status that the name of the file says of all rows. */
  default_status: RowStatus | null
  /** Whether the headers are those of this program alone. */
  fits: boolean
  warning: string | null
}

/** How an import is read as an export of each program that the columns allow: those with a column of addresses. */
export function providersOf({
  columns,
  filename,
}: {
  columns: readonly FileColumn[]
  filename: string
}): FileOfProvider[] {
  const headers = new Set(columns.map(({ header }) => letters(header)))
  const found = Object.entries(PROVIDERS).map(([id, provider]): FileOfProvider => {
    const default_status = statusOfFile(provider, filename)
    return {
      provider: id,
      name: provider.name,
      ...mappingOf(provider, columns, default_status),
      default_status,
      fits: provider.signs.every((sign) => headers.has(sign)),
      warning: mayReceive(default_status) ? (provider.unsaid ?? null) : null,
    }
  })
  return found.filter(({ mapping }) => Object.values(mapping).includes('email'))
}

export function mayReceive(status: RowStatus | null): boolean {
  return status === null || status === 'subscribed'
}
