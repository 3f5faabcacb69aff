import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

/** Secrets of confidential clients: one or two active ones, stored as hashes. */
export const app_secrets = sqliteTable('app_secrets', {
  id: text().primaryKey(),
  app_id: text().notNull(),
  secret_hash: text().notNull(),
  /** The last four characters, to tell secrets apart. */
  hint: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer(),
  revoked_at: integer(),
})

/** Authorization codes. An app exchanges a code once, within a minute. */
export const authorization_codes = sqliteTable('authorization_codes', {
  code_hash: text().primaryKey(),
  app_id: text().notNull(),
  user_id: text().notNull(),
  redirect_uri: text().notNull(),
  scope: text().notNull(),
  project_ids: text({ mode: 'json' }).$type<ProjectId[]>().notNull(),
  code_challenge: text(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  /** The authorization that the first use started; null until then. */
  authorization_id: text(),
})

export const refresh_tokens = sqliteTable('refresh_tokens', {
  token_hash: text().primaryKey(),
  authorization_id: text().notNull(),
  created_at: integer().notNull(),
  rotated_at: integer(),
  successor_hash: text(),
  /** The answer to the rotation, sealed with a key that is derived from the rotated token itself. */
  sealed_answer: text(),
})

export const used_consent_tickets = sqliteTable('used_consent_tickets', {
  ticket_hash: text().primaryKey(),
  used_at: integer().notNull(),
})

export const APP_EVENT_TYPES = ['connected', 'scopes_changed', 'disconnected', 'suspended', 'resumed'] as const
export type AppEventType = (typeof APP_EVENT_TYPES)[number]

export const app_events = sqliteTable('app_events', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  at: integer().notNull(),
  type: text({ enum: APP_EVENT_TYPES }).notNull(),
  /** Null for the app as a whole. */
  project_id: integer().$type<ProjectId>(),
  scope: text(),
  comment: text(),
})
