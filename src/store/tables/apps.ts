import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const APP_STATUSES = ['development', 'in_review', 'approved', 'rejected'] as const

export const apps = sqliteTable('apps', {
  id: text().primaryKey(),
  client_id: text().notNull(),
  client_type: text({ enum: ['confidential', 'public'] }).notNull(),
  display_name: text().notNull(),
  description: text().notNull().default(''),
  homepage: text().notNull().default(''),
  redirect_uris: text({ mode: 'json' }).$type<string[]>().notNull(),
  scopes: text({ mode: 'json' }).$type<string[]>().notNull(),
  status: text({ enum: APP_STATUSES }).notNull(),
  /** Public clients need PKCE in any case. */
  require_pkce: integer({ mode: 'boolean' }).notNull().default(false),
  /** Accepts only pushed authorization requests (RFC 9126). */
  require_par: integer({ mode: 'boolean' }).notNull().default(false),
  user_id: text().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

/** A user's grant to an app. Every token belongs to one and ends with it. */
export const authorizations = sqliteTable('authorizations', {
  id: text().primaryKey(),
  app_id: text().notNull(),
  user_id: text().notNull(),
  grant_type: text().notNull(),
  scope: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer(),
  revoked_at: integer(),
})

export const authorization_projects = sqliteTable(
  'authorization_projects',
  {
    authorization_id: text().notNull(),
    project_id: integer().$type<ProjectId>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.authorization_id, table.project_id] })],
)

export const access_tokens = sqliteTable('access_tokens', {
  token_hash: text().primaryKey(),
  authorization_id: text().notNull(),
  scope: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  revoked_at: integer(),
})
