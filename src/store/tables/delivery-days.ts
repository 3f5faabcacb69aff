import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

/**
 * Counts of messages and their outcomes by mailbox provider and day; newsletter/outbox/delivery-days.ts adds to them.
 */
export const delivery_days = sqliteTable(
  'delivery_days',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    /** Days since 1970, UTC. */
    day: integer().notNull(),
    provider: text().notNull(),
    sent: integer().notNull(),
    bounced: integer().notNull(),
    soft_bounced: integer().notNull(),
    complained: integer().notNull(),
    unsubscribed: integer().notNull(),
    opened: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.day, table.provider] })],
)

/** The last event that is in `delivery_days`. */
export const delivery_days_position = sqliteTable('delivery_days_position', {
  id: integer().primaryKey(),
  event_id: integer().notNull(),
})
