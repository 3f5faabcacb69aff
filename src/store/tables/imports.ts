import { customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

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

export const imports = sqliteTable('imports', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  filename: text().notNull().default(''),
  status: text({ enum: IMPORT_STATUSES }).notNull(),
  size_bytes: integer().notNull(),
  delimiter: text().notNull(),
  columns: text({ mode: 'json' }).$type<unknown>().notNull(),
  mapping: text({ mode: 'json' }).$type<unknown>(),
  options: text({ mode: 'json' }).$type<unknown>(),
  /** The custom fields as the dry-run knew them. */
  fields: text({ mode: 'json' }).$type<unknown>(),
  summary: text({ mode: 'json' }).$type<unknown>(),
  row_errors: text({ mode: 'json' }).$type<unknown>().notNull().default([]),
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

const bytes = customType<{ data: Uint8Array; driverData: ArrayBuffer | Uint8Array }>({
  dataType: () => 'blob',
  fromDriver: (value) => new Uint8Array(value),
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

/** What the dry-run read, in pages. The job deletes each page in the transaction that writes its contacts. */
export const import_pages = sqliteTable(
  'import_pages',
  {
    import_id: integer().notNull(),
    /** The last row of the file that the page covers. */
    last_row: integer().notNull(),
    rows: integer().notNull(),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    people: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.last_row] })],
)
