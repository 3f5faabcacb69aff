import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

/** A confidential client has one or two secrets that work; only their hashes are kept. */
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

/** What a user approved: fetched by the app with the code, once, within a minute. */
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
  /** What the first use gave; null until then. */
  authorization_id: text(),
})

export const refresh_tokens = sqliteTable('refresh_tokens', {
  token_hash: text().primaryKey(),
  authorization_id: text().notNull(),
  created_at: integer().notNull(),
  rotated_at: integer(),
  successor_hash: text(),
  /** The answer to the rotation, under a key made from the token itself: nobody opens it without the token. */
  sealed_answer: text(),
})

export const used_consent_tickets = sqliteTable('used_consent_tickets', {
  ticket_hash: text().primaryKey(),
  used_at: integer().notNull(),
})
