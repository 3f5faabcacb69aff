import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { ColumnMapping, Encoding, SettledOptions } from './imports.ts'
import type { RuleGroup } from './segments.ts'

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export const JOB_KINDS = ['bulk', 'import', 'segment_materialize', 'campaign_prepare', 'import_examine'] as const
export type JobKind = (typeof JOB_KINDS)[number]

export const BULK_ACTIONS = [
  'add_to_list',
  'remove_from_list',
  'add_tags',
  'remove_tags',
  'unsubscribe',
  'delete',
] as const

/** What a job stores of the request that started it, by kind of job. */
export interface JobPayloads {
  bulk: {
    action: (typeof BULK_ACTIONS)[number]
    contact_ids?: number[]
    filter?: RuleGroup
    /** Narrows the filter. */
    search?: string
    list_id?: number
    tag_ids?: number[]
    consent_text?: string
    address: string
    user_agent: string
  }
  import: { import_id: number; address: string; user_agent: string }
  /** The dry-run of a large file. */
  import_examine: {
    import_id: number
    mapping: ColumnMapping
    options: SettledOptions
    has_header: boolean
    /** As in the import; missing in jobs of earlier releases. */
    encoding?: Encoding | null
  }
  segment_materialize: { segment_id: number; tag_id: number }
  /** `after_created_at` is the creation time of the last contact that was read. */
  campaign_prepare: { campaign_id: number; after_created_at?: number }
}

export const jobs = sqliteTable('jobs', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  kind: text({ enum: JOB_KINDS }).notNull(),
  status: text({ enum: JOB_STATUSES }).notNull(),
  payload: text({ mode: 'json' }).$type<JobPayloads[JobKind]>().notNull(),
  /** Where the job continues after a crash; its meaning depends on the kind of job. */
  position: integer().notNull().default(0),
  processed: integer().notNull().default(0),
  total: integer(),
  error: text(),
  attempts: integer().notNull().default(0),
  next_attempt_at: integer().notNull(),
  worker_id: text(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
