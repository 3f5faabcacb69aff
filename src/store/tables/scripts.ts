import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const SCRIPT_TYPES = ['Essential', 'Functional', 'Analytics', 'Advertising'] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]
export const PLACEMENTS = ['HTML Head', 'HTML Body start', 'HTML Body end'] as const
export type Placement = (typeof PLACEMENTS)[number]

/** Values for a script's placeholders. A connection's values override the script's defaults. */
type Parameter = string | number | boolean | null
export type Parameters = Record<string, Parameter>

export const PARAMETER_FORMATS = ['text', 'html'] as const
/** How values are inserted into markup, by key; `text` for keys without one. */
export type ParameterFormat = (typeof PARAMETER_FORMATS)[number]
export type ParameterFormats = Record<string, ParameterFormat>

/** The developer's text of scripts. */
export const scripts = sqliteTable('scripts', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  name: text().notNull(),
  type: text({ enum: SCRIPT_TYPES }).notNull(),
  placement: text({ enum: PLACEMENTS }).notNull(),
  code: text().notNull(),
  parameters: text({ mode: 'json' }).$type<Parameters>().notNull().default({}),
  parameter_formats: text({ mode: 'json' }).$type<ParameterFormats>().notNull().default({}),
  /** A version holds the script, so it can be removed but not deleted: a rollback may need it. */
  versioned: integer({ mode: 'boolean' }).notNull().default(false),
  removed_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

/** What sites get: the developer's text while the app is in development, then the approved version. */
export const published_scripts = sqliteTable('published_scripts', {
  script_id: integer().primaryKey(),
  name: text().notNull(),
  type: text({ enum: SCRIPT_TYPES }).notNull(),
  placement: text({ enum: PLACEMENTS }).notNull(),
  code: text().notNull(),
  parameters: text({ mode: 'json' }).$type<Parameters>().notNull(),
  parameter_formats: text({ mode: 'json' }).$type<ParameterFormats>().notNull().default({}),
})

export const script_connections = sqliteTable('script_connections', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  script_id: integer().notNull(),
  parameters: text({ mode: 'json' }).$type<Parameters>().notNull().default({}),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

/** Scripts that the project's owner switched off. The switch outlives the connection. */
export const switched_off_scripts = sqliteTable(
  'switched_off_scripts',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    script_id: integer().notNull(),
    switched_off_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.script_id] })],
)

export const script_settings = sqliteTable('script_settings', {
  project_id: integer().$type<ProjectId>().primaryKey(),
  consent_required: integer({ mode: 'boolean' }).notNull().default(false),
  updated_at: integer().notNull(),
})
