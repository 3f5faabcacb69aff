import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { FieldType } from './audience.ts'
import { bytes } from './bytes.ts'

export const IMPORT_STATUSES = [
  'staged',
  'validated',
  'queued',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** What a row may say about its subscription, the one that allows least last (docs/api/imports.md#status). */
export const ROW_STATUSES = ['subscribed', 'pending', 'unsubscribed', 'bounced', 'complained'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]

export const DATE_FORMATS = ['iso', 'dmy', 'mdy'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** The encodings by which a file may be read, by their names in the Encoding Standard of the WHATWG. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-15',
  'iso-8859-16',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** A column of the file, shown so that people can choose its mapping. */
export interface FileColumn {
  index: number
  /** Empty where the file has no header. */
  header: string
  samples: string[]
  /** The field that the header suggests: a value for the mapping. */
  suggested_field: string | null
}

/** Fields by column index (docs/api/imports.md#mapping). */
export type ColumnMapping = Record<string, string>

/** Options with all defaults filled in (docs/api/imports.md#options). */
export interface SettledOptions {
  list_ids: number[]
  tag_ids: number[]
  update_existing: boolean
  on_invalid: 'skip' | 'abort'
  on_invalid_value: 'fail_row' | 'drop_value'
  date_format: DateFormat
  create_tags: boolean
  default_status: RowStatus
  consent_text: string
  consent_confirmed: boolean
  send_confirmation: boolean
  delimiter: Delimiter
}

/** The part of a custom field that reading the file depends on. */
export interface MappedField {
  key: string
  type: FieldType
  options: string[] | null
}

/** What a dry-run found (docs/api/imports.md#counters). */
export interface DryRunSummary {
  rows: number
  valid: number
  invalid: number
  new: number
  existing: number
  suppressed: number
  duplicates_in_file: number
}

/** Counts over the valid rows of a dry-run, beside its summary. */
export interface ImportFindings {
  /** New people whom the import subscribes or asks to confirm. */
  joining: number
  /** Rows that say their person unsubscribed, bounced or complained. */
  opted_out: number
  dropped_values: number
  /** Tags that the commit creates. */
  new_tags: number
  /** Tags of the file that the project does not have, and that are not created. */
  unknown_tags: number
  /** Rows with U+FFFD, which stands for a character that could not be read. */
  unreadable: number
  /** How many errors of rows there are of each kind and field, most first. */
  reasons: { code: (typeof ROW_ERROR_CODES)[number]; field: string | null; errors: number }[]
}

export const ROW_ERROR_CODES = [
  'email_missing',
  'email_invalid',
  'value_invalid',
  'value_dropped',
  'too_many_cells',
  'malformed',
  'too_long',
  'plan_limit',
] as const

/** Why a row or a value is not imported (docs/api/imports.md#row-errors). */
export interface ImportRowError {
  row: number
  /** Null for an error of the whole row. */
  field: string | null
  code: (typeof ROW_ERROR_CODES)[number]
  message: string
  /** The cell, shortened. */
  value: string | null
}

export const imports = sqliteTable('imports', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  filename: text().notNull().default(''),
  status: text({ enum: IMPORT_STATUSES }).notNull(),
  size_bytes: integer().notNull(),
  /** How many bytes an upload will have; null once they are there. */
  upload_total: integer(),
  delimiter: text({ enum: DELIMITERS }).notNull(),
  /** The encoding that an upload was found to have; null for a text that came as text. */
  encoding_found: text({ enum: ENCODINGS }),
  /** The encoding that a person chose; null to read the file as it was found. */
  encoding: text({ enum: ENCODINGS }),
  columns: text({ mode: 'json' }).$type<FileColumn[]>().notNull(),
  mapping: text({ mode: 'json' }).$type<ColumnMapping>(),
  options: text({ mode: 'json' }).$type<SettledOptions>(),
  /** The custom fields as the dry-run knew them. */
  fields: text({ mode: 'json' }).$type<MappedField[]>(),
  summary: text({ mode: 'json' }).$type<DryRunSummary>(),
  findings: text({ mode: 'json' }).$type<ImportFindings>(),
  row_errors: text({ mode: 'json' }).$type<ImportRowError[]>().notNull().default([]),
  processed: integer().notNull().default(0),
  created: integer().notNull().default(0),
  updated: integer().notNull().default(0),
  skipped: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  error: text(),
  job_id: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  finished_at: integer(),
})

/** The uploaded file in pieces, until the import is committed. */
export const import_texts = sqliteTable(
  'import_texts',
  {
    import_id: integer().notNull(),
    number: integer().notNull(),
    bytes: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.number] })],
)

/** The parsed rows of the dry-run, in pages. The job deletes each page in the transaction that writes its contacts. */
export const import_pages = sqliteTable(
  'import_pages',
  {
    import_id: integer().notNull(),
    /** The number of the last file row in the page. */
    last_row: integer().notNull(),
    rows: integer().notNull(),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    people: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.last_row] })],
)

/** Every row error of an import, in pages (docs/api/imports.md#row-errors). */
export const import_refusals = sqliteTable('import_refusals', {
  id: integer().primaryKey(),
  import_id: integer().notNull(),
  /** A JSON array of `[row, field, code, message, value]`. */
  errors: text().notNull(),
})
