import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const segments = sqliteTable('segments', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  /** A rule group as in the request. */
  rules: text({ mode: 'json' }).$type<unknown>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
