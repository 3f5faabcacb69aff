import type { ProjectId } from '../../ids.ts'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Id, line, nullable, obj, prose } from '../../schema.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { newsletter_settings } from '../../store/tables/delivery.ts'
import { Color } from '../email/colors.ts'
import { getConnection } from './connection.ts'
import { tidySender } from './sender.ts'

/** Sender, design and tracking of all of a project's messages. A campaign may override sender and tracking. */

const NOTHING = Type.Literal('')
/** One line, and ASCII before the @: other letters in From or Reply-To need SMTPUTF8 on every server (RFC 6532). */
const FOR_HEADERS = '^[\\u0020-\\u007E]+@[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$'

/** A sender's address, or an empty text for none. */
export const SenderAddress = Type.Union(
  [NOTHING, Type.String({ format: 'idn-email', maxLength: 320, pattern: FOR_HEADERS })],
  {
    description:
      'An address with nothing but ASCII before the @ (its domain may be in any script), or an empty text for none',
  },
)

/** A name of the IANA time zone database. */
export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  pattern: '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
  description: 'A name of the IANA time zone database',
})

const Settings = obj(
  {
    from_name: line(200),
    from_email: SenderAddress,
    reply_to: SenderAddress,
    company_name: line(200),
    postal_address: prose(500),
    default_connection_id: nullable(Id),
    timezone: TimeZone,
    locale: Type.String({
      format: 'locale',
      maxLength: 35,
      pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
      description: 'A BCP 47 language tag',
    }),
    footer_text: prose(2000),
    track_opens: Type.Boolean(),
    track_clicks: Type.Boolean(),
    confirmation_subject: line(300, { description: "Empty: the service's default text." }),
    confirmation_text: prose(5000),
    unsubscribe_mailto: {
      ...SenderAddress,
      description: 'An address whose messages reach the mime webhook, for List-Unsubscribe; empty for none.',
    },
    confirmations_held: Type.Boolean({
      description: 'No confirmation leaves. A restore without facts sets it; false releases them.',
    }),
    brand_color: Type.Union([NOTHING, Color], { description: '#rgb or #rrggbb, or an empty text for none' }),
    logo_url: Type.Union([NOTHING, Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/?#]+\\S*$' })], {
      description: 'An http or https address, or an empty text for none',
    }),
  },
  { $id: 'Settings' },
)
export type NewsletterSettings = Static<typeof Settings>

FormatRegistry.Set('time-zone', isTimeZone)
FormatRegistry.Set('locale', (text) => canonicalLocale(text) !== null)

/** The settings of a project that has never saved any. */
const DEFAULTS: NewsletterSettings = {
  from_name: '',
  from_email: '',
  reply_to: '',
  company_name: '',
  postal_address: '',
  default_connection_id: null,
  timezone: 'UTC',
  locale: 'en',
  footer_text: '',
  track_opens: true,
  track_clicks: true,
  confirmation_subject: '',
  confirmation_text: '',
  unsubscribe_mailto: '',
  confirmations_held: false,
  brand_color: '',
  logo_url: '',
}

const FIELDS = Object.keys(DEFAULTS) as (keyof NewsletterSettings)[]

/** A project's settings, the defaults where it has none. */
export async function getSettings(db: Reader, project_id: ProjectId): Promise<NewsletterSettings> {
  const [row] = await db.select().from(newsletter_settings).where(eq(newsletter_settings.project_id, project_id))
  if (!row) return DEFAULTS
  return Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as NewsletterSettings
}

export const showSettings = read({
  path: '/settings/get',
  scope: 'read',
  summary: 'Returns sender, design and tracking of all messages.',
  request: obj({}),
  response: obj({ settings: Settings }),
  async run(_, { db, project_id }) {
    return { settings: await getSettings(db, project_id) }
  },
})

export const updateSettings = mutation({
  path: '/settings/update',
  scope: 'admin',
  audit: { target: 'project', ids: { default_connection_id: 'default_connection_id' }, changes: true },
  summary: 'Changes some of the settings.',
  request: Type.Partial(Settings),
  response: obj({ settings: Settings }),
  async run(input, { tx, project_id, now }) {
    if (input.default_connection_id) await requireUsable(tx, project_id, input.default_connection_id)
    const locale = input.locale === undefined ? undefined : canonicalLocale(input.locale)!
    const changes = { ...input, ...tidySender(input), locale, updated_at: now }
    await tx
      .insert(newsletter_settings)
      .values({ project_id, ...changes })
      .onConflictDoUpdate({ target: newsletter_settings.project_id, set: changes })
    return { settings: await getSettings(tx, project_id) }
  },
})

/** Throws NOT_FOUND, or VALIDATION_FAILED for a connection that failed its test: nothing could leave through it. */
async function requireUsable(tx: Tx, project_id: ProjectId, default_connection_id: number): Promise<void> {
  const path = '/default_connection_id'
  const { name, verified_at, last_error } = await getConnection(tx, project_id, default_connection_id, path)
  if (verified_at !== null || last_error === null) return
  if ((await getSettings(tx, project_id)).default_connection_id === default_connection_id) return
  throw invalid(path, `The connection ${name} failed its test: ${last_error}`)
}

/** Intl also accepts an offset such as +01:00, which has no name and no daylight saving time. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

function canonicalLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}
