import { customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'

export const GLOBAL_STATUSES = ['pending', 'subscribed', 'unsubscribed', 'bounced', 'complained'] as const
export type GlobalStatus = (typeof GLOBAL_STATUSES)[number]
export const MEMBERSHIP_STATUSES = ['pending', 'subscribed', 'unsubscribed'] as const
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number]
export const SUPPRESSION_REASONS = ['hard_bounce', 'complaint', 'unsubscribe', 'manual'] as const
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]
export const FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'select'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export type CustomValue = string | number | boolean
export type CustomValues = Record<string, CustomValue>

export const lists = sqliteTable('lists', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  description: text().notNull().default(''),
  double_opt_in: integer({ mode: 'boolean' }).notNull().default(false),
  public: integer({ mode: 'boolean' }).notNull().default(true),
  /** Everybody may read what was sent to it (docs/api/sites.md#sent-letters). */
  letters_public: integer({ mode: 'boolean' }).notNull().default(false),
  archived_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const tags = sqliteTable('tags', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  color: text().notNull().default(''),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const custom_fields = sqliteTable('custom_fields', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  key: text().notNull(),
  label: text().notNull(),
  type: text({ enum: FIELD_TYPES }).notNull(),
  options: text({ mode: 'json' }).$type<string[]>(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  /** The number of the column contacts.slot_1 … slot_12 that holds the values for rules; null when all were in use. */
  slot: integer(),
})

/** Column type of a slot: its custom field determines the type of the values. */
const slot = customType<{ data: string | number }>({ dataType: () => 'any' })

export const contacts = sqliteTable('contacts', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  email: text().notNull(),
  email_key: text().notNull(),
  first_name: text().notNull().default(''),
  last_name: text().notNull().default(''),
  /** Address and names in lower case: the text that `search` looks in. */
  search_key: text().notNull(),
  global_status: text({ enum: GLOBAL_STATUSES }).notNull(),
  /** A bounced contact had unsubscribed before; resetting the bounce returns it to unsubscribed. */
  opted_out: integer({ mode: 'boolean' }).notNull().default(false),
  custom_fields: text({ mode: 'json' }).$type<CustomValues>().notNull().default({}),
  /** The latest consent; the wording is null for an empty text. */
  consent_wording_id: integer(),
  consent_source: text().notNull().default(''),
  consent_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  /** The columns that segment rules compare; newsletter/contacts/rule-columns.ts writes them. */
  first_name_key: text().notNull().default(''),
  last_name_key: text().notNull().default(''),
  slot_1: slot(),
  slot_2: slot(),
  slot_3: slot(),
  slot_4: slot(),
  slot_5: slot(),
  slot_6: slot(),
  slot_7: slot(),
  slot_8: slot(),
  slot_9: slot(),
  slot_10: slot(),
  slot_11: slot(),
  slot_12: slot(),
  more_keys: text(),
})

const REQUESTED_MESSAGES = ['confirmation', 'link', 'test'] as const
export type RequestedMessage = (typeof REQUESTED_MESSAGES)[number]

export const message_requests = sqliteTable('message_requests', {
  id: integer().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  kind: text({ enum: REQUESTED_MESSAGES }).notNull(),
  mailbox_mark: text().notNull(),
  at: integer().notNull(),
  by_stranger: integer({ mode: 'boolean' }).notNull(),
})

export const memberships = sqliteTable(
  'memberships',
  {
    contact_id: integer().notNull(),
    list_id: integer().notNull(),
    status: text({ enum: MEMBERSHIP_STATUSES }).notNull(),
    subscribed_at: integer(),
    unsubscribed_at: integer(),
    confirmation_sent_at: integer(),
  },
  (table) => [primaryKey({ columns: [table.contact_id, table.list_id] })],
)

export const contact_tags = sqliteTable(
  'contact_tags',
  {
    contact_id: integer().notNull(),
    tag_id: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.contact_id, table.tag_id] })],
)

/** Texts that contacts agreed to, each stored once in a project; `hash` is the SHA-256 of the text. */
export const consent_wordings = sqliteTable('consent_wordings', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  hash: text().notNull(),
  text: text().notNull(),
})

export const CONSENT_ACTIONS = ['given', 'confirmed', 'withdrawn'] as const
export type ConsentAction = (typeof CONSENT_ACTIONS)[number]

/** Evidence of consent. Rows are only added. */
export const consents = sqliteTable('consents', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  contact_id: integer().notNull(),
  list_id: integer(),
  action: text({ enum: CONSENT_ACTIONS }).notNull().default('given'),
  wording_id: integer(),
  source: text().notNull(),
  at: integer().notNull(),
  /** The person's client address; null where it is unknown. */
  address: text(),
  user_agent: text(),
  /** The client address of the integration that reported the consent. */
  caller_address: text(),
  caller_user_agent: text(),
  /** The campaign whose message the person used to withdraw. */
  campaign_id: integer(),
})

/** Deleted contacts whose address is still in stored rows; see newsletter/contacts/erasure.ts. */
export const erasures = sqliteTable('erasures', {
  contact_id: integer().primaryKey(),
  project_id: integer().$type<ProjectId>().notNull(),
  email_key: text().notNull(),
  deleted_at: integer().notNull(),
})

/** The keys of the hashes that stand for addresses of deleted contacts. */
export const address_keys = sqliteTable('address_keys', {
  project_id: integer().$type<ProjectId>().primaryKey(),
  key: text().notNull(),
})

export const suppressions = sqliteTable('suppressions', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  /** Empty where the contact was deleted. */
  email: text().notNull(),
  /** A keyed hash where the contact was deleted; see newsletter/suppressions/address-marks.ts. */
  email_key: text().notNull(),
  reason: text({ enum: SUPPRESSION_REASONS }).notNull(),
  /** The person unsubscribed, even when `reason` is another one. */
  opted_out: integer({ mode: 'boolean' }).notNull().default(false),
  note: text().notNull().default(''),
  created_at: integer().notNull(),
})
