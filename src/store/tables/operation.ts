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

/** Folders of facts that processes on this database append to (docs/operations.md#facts). */
export const fact_folders = sqliteTable('fact_folders', {
  id: text().primaryKey(),
  first_used_at: integer().notNull(),
  /** The number of the last heartbeat of the folder that the database knows. */
  beat: integer().notNull().default(0),
})

/** Which file the database was last used in; see src/store/place.ts. */
export const database_place = sqliteTable('database_place', {
  id: integer().primaryKey(),
  place: text().notNull(),
})

/** The status of a loop as its worker stores it. Times are milliseconds since 1970. */
export interface LoopRun {
  started_at: number
  /** Null while the loop runs. */
  ended_at: number | null
  /** The end of the last run that failed. */
  failed_at: number | null
  /** How late the next run is, in milliseconds; null for a loop that runs only when it is woken. */
  lag_ms: number | null
}
export type LoopRuns = Record<string, LoopRun>

export const workers = sqliteTable('workers', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  started_at: integer().notNull(),
  alive_until: integer().notNull(),
  loops: text({ mode: 'json' }).$type<LoopRuns>().notNull().default({}),
})

export const MILESTONES = [
  'backup',
  'restore_rehearsal',
  'database_check',
  'proven_backup',
  'failed_backup',
  'shipped_facts',
] as const
export type Milestone = (typeof MILESTONES)[number]

export const milestones = sqliteTable('milestones', {
  name: text({ enum: MILESTONES }).primaryKey(),
  at: integer().notNull(),
  details: text({ mode: 'json' }).$type<Record<string, string | number>>().notNull(),
})
