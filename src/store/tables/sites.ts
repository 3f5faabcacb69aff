import { sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import { bytes } from './bytes.ts'

/** Offsets in a page's text at which scripts are inserted; see sites/insertion-points.ts. */
export interface InsertionPoints {
  /** Just before the end of the head. */
  head: number
  /** Just after the start of the body; null without a body, as in a frameset. */
  body_start: number | null
  /** Just before the end of the body. */
  body_end: number | null
  /** The page has no body tag: browsers start the body at `body_start`. */
  body_implied: boolean
}

export const pages = sqliteTable('pages', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  path: text().notNull(),
  title: text().notNull(),
  published: integer({ mode: 'boolean' }).notNull(),
  /** Counts the changes of `html`. */
  version: integer().notNull(),
  insertion_points: text({ mode: 'json' }).$type<InsertionPoints>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  html: text().notNull(),
})

/** Style sheets, pictures, fonts and the like, by path. */
export const site_files = sqliteTable('site_files', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  path: text().notNull(),
  type: text().notNull(),
  bytes: integer().notNull(),
  /** SHA-256 of the content. */
  hash: text().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  content: bytes().notNull(),
})

/** Texts of the consent banner besides its question and its two answers: names and purposes of the kinds of scripts. */
export const CONSENT_WORDS = [
  'choose',
  'save',
  'reopen',
  'privacy',
  'functional',
  'functional_purpose',
  'analytics',
  'analytics_purpose',
  'advertising',
  'advertising_purpose',
] as const
export type ConsentWords = Partial<Record<(typeof CONSENT_WORDS)[number], string>>

export const site_settings = sqliteTable('site_settings', {
  project_id: integer().$type<ProjectId>().primaryKey(),
  /** The product's own banner asks; otherwise the site's own code does, through `window.masthead.consent`. */
  consent_banner: integer({ mode: 'boolean' }).notNull(),
  /** Text of the banner; empty for the product's own. */
  consent_message: text().notNull(),
  consent_accept: text().notNull(),
  consent_decline: text().notNull(),
  /** Where the site says what it does with data; empty for nowhere. */
  consent_privacy_url: text().notNull(),
  consent_words: text({ mode: 'json' }).$type<ConsentWords>().notNull(),
  /** Signups and form entries need a proof of work; see sites/proof-of-work.ts. */
  proof_of_work: integer({ mode: 'boolean' }).notNull(),
  updated_at: integer().notNull(),
})

export const POST_STATUSES = ['draft', 'scheduled', 'published', 'archived'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

export const cms_posts = sqliteTable('cms_posts', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  title: text().notNull(),
  title_key: text().notNull(),
  slug: text().notNull(),
  status: text({ enum: POST_STATUSES }).notNull(),
  /** Null for drafts, and for archived posts that were never published; for a scheduled one when it will be. */
  published_at: integer(),
  author: text().notNull(),
  /** Its names in the order of the author. Triggers keep them in `cms_post_tags` as well. */
  tags: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  /** The first tag; empty without one. */
  category: text()
    .notNull()
    .generatedAlwaysAs(sql`coalesce(tags ->> 0, '')`),
  excerpt: text().notNull(),
  word_count: integer().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  content: text().notNull(),
})

export const TEMPLATE_KINDS = ['post', 'index'] as const
export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

/** A project's own HTML for its posts, in place of the product's. */
export const site_templates = sqliteTable(
  'site_templates',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    kind: text({ enum: TEMPLATE_KINDS }).notNull(),
    updated_at: integer().notNull(),
    html: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.kind] })],
)

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }
/** The owner of a site chooses what its directory items say. */
export type ItemFields = Record<string, JsonValue>

export const directory_items = sqliteTable('directory_items', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  directory: text().notNull(),
  title: text().notNull(),
  slug: text().notNull(),
  fields: text({ mode: 'json' }).$type<ItemFields>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export type EntryValue = string | number | boolean | string[]
export type EntryFields = Record<string, EntryValue>

/** The form of the settings that hold for every form without settings of its own. */
export const EVERY_OTHER_FORM = ''

/** Whoever owns the project, in `form_settings.notify`. */
export const OWNER = 'owner'

/** The settings of every form before anybody chooses. */
export const DEFAULT_FORM_SETTINGS = { form: EVERY_OTHER_FORM, notify: [OWNER], required: [], addresses: ['email'] }

export const form_settings = sqliteTable(
  'form_settings',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    form: text().notNull(),
    /** Public ids of the members who get entries by mail; OWNER stands for whoever owns the project. */
    notify: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Names of fields that must be filled in. */
    required: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Names of fields that hold an address when they are filled in. */
    addresses: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Days that entries stay; null keeps them. */
    keep_days: integer(),
    /** The first entry that the next mail tells of, and when it is due; null while there is none. */
    tell_from: integer(),
    tell_at: integer(),
    told_at: integer(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.form] })],
)

export const form_entries = sqliteTable('form_entries', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  form: text().notNull(),
  fields: text({ mode: 'json' }).$type<EntryFields>().notNull(),
  created_at: integer().notNull(),
})
