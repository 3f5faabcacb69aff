import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { ParameterFormats, Parameters, Placement, ScriptType } from './scripts.ts'

/** The team of an app. Its creator belongs to it without a row. */
export const app_team = sqliteTable(
  'app_team',
  {
    app_id: text().notNull(),
    user_id: text().notNull(),
    added_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.app_id, table.user_id] })],
)

export const app_invitations = sqliteTable('app_invitations', {
  id: text().primaryKey(),
  app_id: text().notNull(),
  email: text().notNull(),
  email_key: text().notNull(),
  token_hash: text().notNull(),
  invited_by: text().notNull(),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
})

/** An app's presentation to site owners. */
export interface Listing {
  tagline: string
  description: string
  icon_url: string
  screenshots: string[]
  support_url: string
  privacy_url: string
  category: string
}

/** The app's reasons for its scopes, by scope. */
export type ScopeReasons = Record<string, string>

/** An app's description for users, and its redirect addresses. A version stores a copy that never changes. */
export interface AppIdentity {
  display_name: string
  description: string
  homepage: string
  redirect_uris: string[]
}

/** The developer's current draft, approved or not. An app without a row has no changes to the texts in force. */
export const app_drafts = sqliteTable('app_drafts', {
  app_id: text().primaryKey(),
  identity: text({ mode: 'json' }).$type<AppIdentity>(),
  scopes: text({ mode: 'json' }).$type<string[]>(),
  scope_reasons: text({ mode: 'json' }).$type<ScopeReasons>().notNull().default({}),
  listing: text({ mode: 'json' }).$type<Partial<Listing>>().notNull().default({}),
  /** The approved version that sites get; null while the app is in development. */
  live_version_id: integer(),
})

export const app_test_projects = sqliteTable(
  'app_test_projects',
  {
    app_id: text().notNull(),
    project_id: integer().$type<ProjectId>().notNull(),
    /** The user who turned the test on. */
    user_id: text().notNull(),
    added_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.app_id, table.project_id] })],
)

export const app_suspensions = sqliteTable('app_suspensions', {
  app_id: text().primaryKey(),
  user_id: text().notNull(),
  comment: text().notNull(),
  suspended_at: integer().notNull(),
})

/** The texts of a script that its developer edits. */
export interface ScriptText {
  name: string
  type: ScriptType
  placement: Placement
  code: string
  parameters: Parameters
  parameter_formats: ParameterFormats
}

/** The contents of a version, which never change. */
export interface VersionContents {
  identity: AppIdentity
  scripts: (ScriptText & { id: number })[]
  listing: Listing
  scopes: string[]
  scope_reasons: ScopeReasons
}

export const VERSION_STATUSES = ['draft', 'submitted', 'approved', 'rejected'] as const
export type VersionStatus = (typeof VERSION_STATUSES)[number]

export const app_versions = sqliteTable('app_versions', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  number: integer().notNull(),
  status: text({ enum: VERSION_STATUSES }).notNull(),
  notes: text().notNull().default(''),
  contents: text({ mode: 'json' }).$type<VersionContents>().notNull(),
  user_id: text().notNull(),
  created_at: integer().notNull(),
})

export const REVIEW_STATUSES = ['pending', 'approved', 'rejected', 'changes_requested', 'withdrawn'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

export const review_requests = sqliteTable('review_requests', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  version_id: integer().notNull(),
  status: text({ enum: REVIEW_STATUSES }).notNull(),
  comment: text().notNull().default(''),
  submitted_by: text().notNull(),
  decided_by: text(),
  created_at: integer().notNull(),
  decided_at: integer(),
})

export const app_requests = sqliteTable('app_requests', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  at: integer().notNull(),
  method: text().notNull(),
  route: text().notNull(),
  status: integer().notNull(),
  request_id: text().notNull(),
  duration_ms: integer().notNull(),
  /** The code of a refusal, as the answer carries it. */
  error: text(),
  /** The public id of the project that the request named. */
  project: text(),
  /** Path and query; null where nothing is kept of the call, and so are the next two. */
  address: text(),
  request: text(),
  answer: text(),
  authorization_id: text(),
})

/** How often an app called, by day: for projects and for none. */
export const app_days = sqliteTable(
  'app_days',
  {
    app_id: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    calls: integer().notNull(),
    /** Of these calls, those that were refused or failed. */
    errors: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.app_id, table.day] })],
)

/** How often an app called for a project, by day. */
export const app_calls = sqliteTable(
  'app_calls',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    app_id: text().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    calls: integer().notNull(),
    /** Of these calls, those that were refused or failed. */
    errors: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.app_id, table.day] })],
)
