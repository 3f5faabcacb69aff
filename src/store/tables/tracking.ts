import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const campaign_links = sqliteTable(
  'campaign_links',
  {
    campaign_id: integer().notNull(),
    position: integer().notNull(),
    /** With merge tags that are filled in for each recipient. */
    url: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaign_id, table.position] })],
)

export const provider_events = sqliteTable(
  'provider_events',
  {
    connection_id: integer().notNull(),
    event_id: text().notNull(),
    seen_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connection_id, table.event_id] })],
)

export const soft_bounces = sqliteTable(
  'soft_bounces',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    email_key: text().notNull(),
    bounces: integer().notNull(),
    /** The newest message that bounced; null when the report named none. */
    last_delivery_id: integer(),
    last_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.email_key] })],
)
