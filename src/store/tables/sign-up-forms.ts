import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

/** A question of a form beside the address. */
export interface AskedField {
  /** A standard field (src/shared/contact-fields.ts) or `custom.KEY`. */
  field: string
  /** Empty for the product's own word, or that of the custom field. */
  label: string
  required: boolean
}

export const sign_up_forms = sqliteTable('sign_up_forms', {
  id: text().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  title: text().notNull(),
  text: text().notNull(),
  /** The texts that people agree to, oldest first: a pasted form names the one that it shows by its place. */
  wordings: text({ mode: 'json' }).$type<string[]>().notNull(),
  list_ids: text({ mode: 'json' }).$type<number[]>().notNull(),
  fields: text({ mode: 'json' }).$type<AskedField[]>().notNull(),
  button: text().notNull(),
  thanks_text: text().notNull(),
  redirect_url: text().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})
