import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import { ROLES } from '../../shared/roles.ts'

export const users = sqliteTable('users', {
  id: text().primaryKey(),
  email: text().notNull(),
  email_key: text().notNull(),
  password_hash: text(),
  first_name: text().notNull().default(''),
  last_name: text().notNull().default(''),
  admin: integer({ mode: 'boolean' }).notNull().default(false),
  confirmed_at: integer(),
  disabled_at: integer(),
  /** The account is deleted; the row holds nothing about the person. */
  deleted_at: integer(),
  last_sign_in_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const sessions = sqliteTable('sessions', {
  token_hash: text().primaryKey(),
  user_id: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer().notNull(),
  expires_at: integer().notNull(),
  /** When the user last proved to be present, by signing in or by a confirmation. */
  confirmed_at: integer().notNull().default(0),
  device_id: text(),
  user_agent: text().notNull().default(''),
  address: text().notNull().default(''),
})

export const setup_links = sqliteTable('setup_links', {
  token_hash: text().primaryKey(),
  created_at: integer().notNull(),
  used_at: integer(),
})

export const projects = sqliteTable('projects', {
  /** Inside the service only; requests and answers carry `public_id`. */
  id: integer().$type<ProjectId>().primaryKey({ autoIncrement: true }),
  public_id: text().notNull(),
  name: text().notNull(),
  slug: text().notNull(),
  /** The domain at which the service serves the project: verified, or set by the operator. */
  domain: text(),
  /** Set by a member and not proven; it replaces `domain` once it is. */
  domain_claim: text(),
  /** Null for a domain that the operator set: its record is never looked up. */
  domain_proven_at: integer(),
  domain_checked_at: integer(),
  /** Since when look-ups do not find the record. */
  domain_lost_at: integer(),
  monthly_limit: integer(),
  contact_limit: integer(),
  /** The time of deletion. From then on every look-up treats the project as missing. */
  deleted_at: integer(),
  /** When the removal of the project's data was complete. */
  erased_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const members = sqliteTable(
  'members',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    user_id: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    added_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.user_id] })],
)

export const USAGE_KINDS = [
  'contacts',
  'suppressions',
  'pages',
  'posts',
  'directory_items',
  'form_entries',
  'files',
  'site_files',
] as const
export type UsageKind = (typeof USAGE_KINDS)[number]

export const project_usage = sqliteTable(
  'project_usage',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    kind: text({ enum: USAGE_KINDS }).notNull(),
    rows: integer().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.kind] })],
)

const MESSAGE_KINDS = [
  'password_reset',
  'password_changed',
  'invitation',
  'app_notice',
  'domain_notice',
  'security_notice',
  'project_notice',
  'email_change',
  'sign_up',
  'form_notice',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const account_messages = sqliteTable('account_messages', {
  id: integer().primaryKey({ autoIncrement: true }),
  kind: text({ enum: MESSAGE_KINDS }).notNull(),
  recipient: text().notNull(),
  /** The content; null until it is written, and after the message is sent or failed. */
  content_sealed: text(),
  state: text({ enum: ['queued', 'sent', 'failed'] }).notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: integer().notNull(),
  /** The message is not sent later than this, because its link has expired. */
  expires_at: integer().notNull(),
  last_error: text(),
  created_at: integer().notNull(),
  /** The user who invites, in an invitation. */
  asked_by: text(),
})

export const password_resets = sqliteTable('password_resets', {
  token_hash: text().primaryKey(),
  user_id: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
})

export const email_changes = sqliteTable('email_changes', {
  user_id: text().primaryKey(),
  token_hash: text().notNull(),
  email: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
})

export const sign_ups = sqliteTable('sign_ups', {
  token_hash: text().primaryKey(),
  email: text().notNull(),
  email_key: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
  /** The operator who invited the address; null where it asked by itself. */
  invited_by: text(),
})

export const invitations = sqliteTable('invitations', {
  id: text().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  email: text().notNull(),
  email_key: text().notNull(),
  role: text({ enum: ROLES }).notNull(),
  token_hash: text().notNull(),
  invited_by: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
})

export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    user_id: text().notNull(),
    created_at: integer().notNull(),
    last_used_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
)

export const api_keys = sqliteTable('api_keys', {
  id: text().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  user_id: text().notNull(),
  name: text().notNull(),
  key_hash: text().notNull(),
  hint: text().notNull(),
  created_at: integer().notNull(),
  last_used_at: integer(),
  revoked_at: integer(),
  /** The highest role it acts with, where its creator has a higher one; null without such a limit. */
  role: text().$type<(typeof ROLES)[number]>(),
  /** Null: everything that its role may. */
  scopes: text({ mode: 'json' }).$type<string[]>(),
  expires_at: integer(),
})
