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

/**
 * - `no_report`: a message that is no report.
 * - `nobody`: a report about no message and no contact of the project.
 * - `unknown_event`: an event of a provider whose name is not known.
 */
export const UNREAD_REASONS = ['no_report', 'nobody', 'unknown_event'] as const

export const provider_events = sqliteTable(
  'provider_events',
  {
    connection_id: integer().notNull(),
    event_id: text().notNull(),
    seen_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connection_id, table.event_id] })],
)

export const unread_reports = sqliteTable(
  'unread_reports',
  {
    connection_id: integer().notNull(),
    reason: text({ enum: UNREAD_REASONS }).notNull(),
    /** The subject of a message, or the provider's name of an event. */
    about: text().notNull(),
    media_type: text().notNull(),
    sender_domain: text().notNull(),
    /** The size of the last such message in bytes. */
    bytes: integer().notNull(),
    last_at: integer().notNull(),
    times: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connection_id, table.reason, table.about, table.media_type, table.sender_domain] }),
  ],
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
