import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import { bytes } from './bytes.ts'

export const rate_windows = sqliteTable('rate_windows', {
  bucket: text().primaryKey(),
  started_at: integer().notNull(),
  count: integer().notNull(),
  granted: integer().notNull(),
})

export const receipts = sqliteTable('receipts', {
  id: integer().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  actor: text().notNull(),
  operation: text().notNull(),
  idempotency_key: text().notNull(),
  fingerprint: text().notNull(),
  state: text({ enum: ['pending', 'completed'] }).notNull(),
  status: integer(),
  /** The JSON of the response; a long one is in `response_zstd` instead. */
  response: text(),
  response_zstd: bytes(),
  created_at: integer().notNull(),
  completed_at: integer(),
})

export const secret_keys = sqliteTable('secret_keys', {
  id: integer().primaryKey({ autoIncrement: true }),
  key_id: text().notNull().unique(),
  check_value: text().notNull(),
  created_at: integer().notNull(),
})

export const workers = sqliteTable('workers', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  started_at: integer().notNull(),
  alive_until: integer().notNull(),
})
