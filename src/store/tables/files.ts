import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import { bytes } from './bytes.ts'

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

export const files = sqliteTable('files', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  /** A hash of the project and the content: the file's public name. */
  address: text().notNull(),
  name: text().notNull(),
  alt: text().notNull(),
  type: text({ enum: PICTURE_TYPES }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  bytes: integer().notNull(),
  created_at: integer().notNull(),
  content: bytes().notNull(),
})

/** Images shown in the public listing of an app. */
export const app_images = sqliteTable('app_images', {
  id: integer().primaryKey({ autoIncrement: true }),
  app_id: text().notNull(),
  /** A hash of the app and the content: the picture's public name. */
  address: text().notNull(),
  name: text().notNull(),
  type: text({ enum: PICTURE_TYPES }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  bytes: integer().notNull(),
  created_at: integer().notNull(),
  content: bytes().notNull(),
})
