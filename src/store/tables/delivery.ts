import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ProjectId } from '../../ids.ts'
import type { EmailPost, StoredDocument } from './email-document.ts'
import type { DnsResult } from './dns-finding.ts'

export const PROVIDERS = ['smtp', 'ses', 'sendgrid', 'mailgun', 'postmark', 'resend', 'brevo', 'sandbox'] as const
export type Provider = (typeof PROVIDERS)[number]
export const SECURE = ['none', 'starttls', 'tls'] as const
export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'preparing',
  'sending',
  'sent',
  'paused',
  'cancelled',
  'failed',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]
const RECIPIENT_UPDATES = ['cancel', 'requeue', 'requeue_with_uncertain'] as const
export type RecipientUpdate = (typeof RECIPIENT_UPDATES)[number]
export const DELIVERY_STATUSES = [
  'queued',
  'leased',
  'sending',
  'sent',
  'uncertain',
  'failed',
  'bounced',
  'skipped',
  'cancelled',
] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
/** `link` carries the personal link of a subscription to a contact who asked for it. */
export const DELIVERY_KINDS = ['campaign', 'confirmation', 'test', 'link'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

export const newsletter_settings = sqliteTable('newsletter_settings', {
  project_id: integer().$type<ProjectId>().primaryKey(),
  from_name: text().notNull().default(''),
  from_email: text().notNull().default(''),
  reply_to: text().notNull().default(''),
  company_name: text().notNull().default(''),
  postal_address: text().notNull().default(''),
  default_connection_id: integer(),
  timezone: text().notNull().default('UTC'),
  locale: text().notNull().default('en'),
  footer_text: text().notNull().default(''),
  track_opens: integer({ mode: 'boolean' }).notNull().default(true),
  track_clicks: integer({ mode: 'boolean' }).notNull().default(true),
  confirmation_subject: text().notNull().default(''),
  confirmation_text: text().notNull().default(''),
  unsubscribe_mailto: text().notNull().default(''),
  /** Set by a restore that cannot know which confirmations were sent; no confirmation or link leaves. */
  confirmations_held: integer({ mode: 'boolean' }).notNull().default(false),
  brand_color: text().notNull().default(''),
  logo_url: text().notNull().default(''),
  updated_at: integer().notNull(),
})

/** Mailbox providers with limits of their own; each serves many domains. */
export const MAILBOX_PROVIDERS = ['gmail', 'outlook', 'yahoo'] as const
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number]
/** Messages a second, by mailbox provider or by a domain that names one. */
type MailboxLimits = Record<string, number>

export const connections = sqliteTable('connections', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  name_key: text().notNull(),
  provider: text({ enum: PROVIDERS }).notNull(),
  host: text().notNull().default(''),
  port: integer().notNull().default(0),
  secure: text({ enum: SECURE }).notNull().default('starttls'),
  username: text().notNull().default(''),
  password_sealed: text(),
  from_domain: text().notNull().default(''),
  max_per_second: real(),
  max_per_day: integer(),
  max_connections: integer().notNull().default(10),
  /** Whether people set it. The default is raised to what `max_per_second` needs. */
  max_connections_chosen: integer({ mode: 'boolean' }).notNull().default(false),
  mailbox_limits: text({ mode: 'json' }).$type<MailboxLimits>(),
  /** Postmark's stream for campaigns; empty for the default one. */
  message_stream: text().notNull().default(''),
  warm_up_started_at: integer(),
  webhook_secret_sealed: text(),
  bounce_domain: text().notNull().default(''),
  /** Names the connection in the address of its webhooks; null until that address is first asked for. */
  webhook_token_hash: text(),
  webhook_token_sealed: text(),
  /** The SNS topic of the first confirmed subscription; null before it. */
  webhook_topic: text(),
  /** When the provider last reported something, to the minute; null before it. */
  last_report_at: integer(),
  dns: text({ mode: 'json' }).$type<DnsResult>(),
  /** The selector that verify-dns was last given; empty without one. */
  dkim_selector: text().notNull().default(''),
  verified_at: integer(),
  last_error: text(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export const send_buckets = sqliteTable(
  'send_buckets',
  {
    connection_id: integer().notNull(),
    /** A mailbox provider; empty for the connection as a whole. */
    lane: text().notNull(),
    tokens: real().notNull(),
    refilled_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.connection_id, table.lane] })],
)

export const sending_hours = sqliteTable(
  'sending_hours',
  {
    project_id: integer().$type<ProjectId>().notNull(),
    connection_id: integer().notNull(),
    hour: integer().notNull(),
    sent: integer().notNull(),
    /** Of `sent`: kept in the sandbox mailbox. */
    in_sandbox: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.connection_id, table.hour] })],
)

export type AudienceEntry = { type: 'all' } | { type: 'list' | 'tag' | 'segment'; id: number }
export interface AudienceSpec {
  include: AudienceEntry[]
  exclude?: AudienceEntry[]
}

/** The checks of a campaign's readiness in the order of the response (docs/api/campaigns.md#readiness). */
export const CHECK_CODES = [
  'subject',
  'content',
  'sender',
  'connection_verified',
  'postal_address',
  'unsubscribe_link',
  'audience',
  'plan_limit',
  'provider_limit',
  'spf',
  'dkim',
  'dmarc',
  'size',
  'text_ratio',
  'links',
] as const

/** Why a campaign failed or was paused automatically. */
interface CampaignFailure {
  reason: string
  /** The failed checks of a scheduled campaign. */
  checks?: { code: (typeof CHECK_CODES)[number]; ok: boolean; severity: 'error' | 'warning'; message: string }[]
}

export const campaigns = sqliteTable('campaigns', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  name: text().notNull(),
  search_key: text().notNull(),
  subject: text().notNull(),
  preheader: text().notNull().default(''),
  editor_json: text({ mode: 'json' }).$type<StoredDocument>().notNull(),
  audience_spec: text({ mode: 'json' }).$type<AudienceSpec>().notNull(),
  connection_id: integer(),
  from_name: text().notNull().default(''),
  from_email: text().notNull().default(''),
  reply_to: text().notNull().default(''),
  track_opens: integer({ mode: 'boolean' }).notNull(),
  track_clicks: integer({ mode: 'boolean' }).notNull(),
  utm_source: text().notNull().default(''),
  utm_medium: text().notNull().default(''),
  utm_campaign: text().notNull().default(''),
  status: text({ enum: CAMPAIGN_STATUSES }).notNull(),
  scheduled_at: integer(),
  timezone: text(),
  started_at: integer(),
  finished_at: integer(),
  failure: text({ mode: 'json' }).$type<CampaignFailure>(),
  /** The id of a template, or `builtin:NAME`. */
  template_id: text(),
  /** The posts in the document, frozen with the audience. */
  posts: text({ mode: 'json' }).$type<EmailPost[]>(),
  /** A change of all recipients that is still being made; see newsletter/campaigns/recipient-updates.ts. */
  recipient_update: text({ enum: RECIPIENT_UPDATES }),
  recipient_update_after: integer().notNull().default(0),
  /** Messages handed to the relay, without temporary refusals. */
  handed_over: integer().notNull().default(0),
  /** The severity of complaints and bounces above which the campaign is paused; see campaigns/reputation.ts. */
  tolerated: real().notNull().default(1),
  deleted_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

/** What a confirmation message asks the recipient to confirm. */
export interface ConfirmationContent {
  list_ids: number[]
}

/** A test message carries the campaign's content as of the moment when the test was requested. */
export interface TestContent {
  subject: string
  preheader: string
  editor_json: StoredDocument
  posts: EmailPost[]
}

export const deliveries = sqliteTable('deliveries', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  kind: text({ enum: DELIVERY_KINDS }).notNull(),
  campaign_id: integer(),
  contact_id: integer(),
  email: text().notNull(),
  status: text({ enum: DELIVERY_STATUSES }).notNull(),
  attempts: integer().notNull().default(0),
  next_attempt_at: integer().notNull(),
  worker_id: text(),
  lease_id: text(),
  message_id: text(),
  last_error: text(),
  sent_at: integer(),
  /** Whether the sandbox mailbox kept it: then nobody got it. */
  in_sandbox: integer({ mode: 'boolean' }).notNull().default(false),
  /** The content of a confirmation or a test; null for a message of a campaign. */
  content: text({ mode: 'json' }).$type<ConfirmationContent | TestContent>(),
  created_at: integer().notNull(),
})

/** The event types that campaigns/events reports. */
export const CAMPAIGN_EVENT_TYPES = [
  'sent',
  'failed',
  'uncertain',
  'open',
  'click',
  'unsubscribe',
  'bounce',
  'complaint',
  'skipped',
] as const

export const EVENT_TYPES = [
  ...CAMPAIGN_EVENT_TYPES,
  'subscribed',
  'confirmation_sent',
  'confirmed',
  'resubscribed',
  'left_list',
  'suppressed',
  'unsuppressed',
  'address_changed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const events = sqliteTable('events', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>().notNull(),
  type: text({ enum: EVENT_TYPES }).notNull(),
  campaign_id: integer(),
  delivery_id: integer(),
  contact_id: integer(),
  list_id: integer(),
  email: text().notNull().default(''),
  at: integer().notNull(),
  url: text(),
  user_agent: text(),
  machine: integer({ mode: 'boolean' }).notNull().default(false),
  detail: text(),
})

export const sandbox_messages = sqliteTable('sandbox_messages', {
  id: integer().primaryKey({ autoIncrement: true }),
  project_id: integer().$type<ProjectId>(),
  sender: text().notNull(),
  recipient: text().notNull(),
  recipient_key: text().notNull(),
  raw: text().notNull(),
  received_at: integer().notNull(),
})
