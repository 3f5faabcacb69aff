import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { StoredDocument } from './email-document.ts'

export const templates = sqliteTable('templates', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  subject: text().notNull().default(''),
  editor_json: text({ mode: 'json' }).$type<StoredDocument>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
