import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const AUDIT_OUTCOMES = ['done', 'refused'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

export const audit_log = sqliteTable('audit_log', {
  id: integer().primaryKey(),
  at: integer().notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  target: text(),
  ip: text(),
  request_id: text(),
  project_id: integer().$type<ProjectId>(),
  outcome: text({ enum: AUDIT_OUTCOMES }).notNull(),
  /** JSON as it was hashed. */
  details: text(),
  hash: text().notNull(),
})

export const audit_chain = sqliteTable('audit_chain', {
  id: integer().primaryKey(),
  last_id: integer().notNull(),
  last_hash: text().notNull(),
  anchor_id: integer().notNull(),
  anchor_hash: text().notNull(),
  seal: text().notNull(),
})
