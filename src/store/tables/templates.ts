import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const templates = sqliteTable('templates', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  subject: text().notNull().default(''),
  editor_json: text({ mode: 'json' }).$type<unknown>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
