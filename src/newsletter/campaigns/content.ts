import { sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import type { projects } from '../../store/tables/accounts.ts'
import type { CustomValues } from '../../store/tables/audience.ts'
import type { campaigns } from '../../store/tables/delivery.ts'
import { keepLinks } from '../tracking/campaign-links.ts'
import type { Leased } from '../outbox/lease.ts'
import { messageId, preferencesUrl, recipientToken, unsubscribeUrl, viewUrl } from '../tracking/links.ts'
import { type BodyPart, composeMessage, prepareMessage } from '../../mail/mime.ts'
import type { Composed } from '../outbox/pump.ts'
import type { Sender } from '../connections/sender.ts'
import type { NewsletterSettings } from '../connections/settings.operations.ts'
import { linkTag, trackingValues, withPixel } from '../tracking/tracking.ts'
import { hasUtm, withUtm } from '../tracking/utm.ts'
import type { EmailDocument } from '../email/document.ts'
import type { EmailPost } from '../email/look.ts'
import { type CompiledEmail, compileEmail } from '../email/render.ts'
import { fillTemplate, type MergeValues, type Slot, type Template } from '../email/template.ts'
import { listsOnly } from './audience-spec.ts'

/** All that the messages of a campaign have in common, read once. */
export interface CampaignParts {
  campaign: typeof campaigns.$inferSelect
  project: typeof projects.$inferSelect
  settings: NewsletterSettings
  sender: Sender
}

/** What of a contact stands in a message. */
export interface Addressee {
  id: number
  email: string
  first_name: string
  last_name: string
  custom_fields: CustomValues
}

/** A campaign drawn and encoded once; a recipient costs only what is personal. */
export interface CampaignContent {
  sender: Sender
  messageId(delivery: Leased): string
  compose(delivery: Leased, addressee: Addressee, now: number): Composed
}

export async function campaignContent(runtime: Runtime, parts: CampaignParts): Promise<CampaignContent> {
  const { campaign, project, sender } = parts
  const { email, tracked } = await trackCampaign(runtime, parts)
  const html = split(email.html)
  const text = split(email.text)
  const host = new URL(runtime.base_url).hostname
  const prepared = prepareMessage({
    from: { email: sender.from_email, name: sender.from_name },
    reply_to: sender.reply_to ? { email: sender.reply_to } : null,
    headers: {
      'List-ID': listId(parts, host),
      'Feedback-ID': `c${campaign.id}:${project.id}:campaign:masthead`,
      Precedence: 'bulk',
    },
    text: text.parts,
    html: html.parts,
  })
  const common = commonValues(parts, campaign.started_at ?? runtime.clock.now())
  const messageIdOf = ({ id, contact_id }: Leased): string =>
    messageId(
      runtime.keys,
      { delivery_id: id, contact_id: contact_id ?? 0, campaign_id: campaign.id },
      sender.from_email,
    )

  return {
    sender,
    messageId: messageIdOf,
    compose(delivery, addressee, now) {
      const recipient = { delivery_id: delivery.id, contact_id: addressee.id, campaign_id: campaign.id }
      const token = recipientToken(runtime.keys, recipient)
      const values = { ...common, ...personalValues(addressee), ...linkValues(runtime.base_url, token) }
      const subject = fillTemplate(email.subject, values)
      const all: MergeValues = { ...values, 'campaign.subject': subject }
      const message_id = messageIdOf(delivery)
      return {
        envelope: { from: sender.from_email, to: delivery.email },
        message_id,
        message: composeMessage(prepared, {
          to: { email: delivery.email },
          subject,
          message_id,
          date_ms: now,
          headers: {
            'List-Unsubscribe': `<${values.unsubscribe_url}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          text_slots: fillSlots(text.slots, all),
          html_slots: fillSlots(html.slots, { ...all, ...tracked(recipient, all) }),
        }),
      }
    },
  }
}

/** A campaign drawn with its links and the pixel as it tracks them, and what fills those for one recipient after the other. */
async function trackCampaign({ store, keys, base_url }: Runtime, parts: CampaignParts) {
  const { id, track_opens, track_clicks } = parts.campaign
  const urls: string[] = []
  const rewriteLink = (url: string, index: number): string => {
    urls[index] = url
    return `{{ ${linkTag(index)} }}`
  }
  const email = compileCampaign(parts, undefined, track_clicks ? rewriteLink : undefined)
  const positions = await keepLinks(store, id, urls)
  const links = urls.map((url, index) => ({ url, position: positions[index]! }))
  return {
    email: track_opens ? { ...email, html: withPixel(email.html) } : email,
    tracked: trackingValues(keys, base_url, { opens: track_opens, links }),
  }
}

/**
 * A campaign's document as the renderer takes it: brand and language are the project's. `posts` are those frozen with
 * the audience unless others are given, as for a draft. Links carry the campaign's UTM tags, `rewriteLink` is given them so.
 */
export function compileCampaign(
  { campaign, project, settings }: Pick<CampaignParts, 'campaign' | 'project' | 'settings'>,
  posts = (campaign.posts ?? []) as EmailPost[],
  rewriteLink?: (url: string, index: number) => string,
): CompiledEmail {
  const tagged = hasUtm(campaign) ? (url: string) => withUtm(url, campaign) : null
  return compileEmail({
    posts,
    rewriteLink: rewriteLink ? (url, index) => rewriteLink(tagged?.(url) ?? url, index) : (tagged ?? undefined),
    document: campaign.editor_json as EmailDocument,
    subject: campaign.subject,
    preheader: campaign.preheader,
    brand: brandOf(project, settings),
    locale: settings.locale,
  })
}

export function brandOf(project: Pick<CampaignParts['project'], 'name'>, settings: CampaignParts['settings']) {
  const { company_name, postal_address, footer_text, brand_color, logo_url } = settings
  return { project_name: project.name, company_name, postal_address, footer_text, brand_color, logo_url }
}

/** Merge values that are the same for everybody. */
export function commonValues(
  { project, settings }: Pick<CampaignParts, 'project' | 'settings'>,
  now: number,
): Record<string, string> {
  return { 'project.name': project.name, date: localDate(now, settings.locale, settings.timezone) }
}

/** Merge values of one contact. */
export function personalValues(contact: Addressee): Record<string, string> {
  const values: Record<string, string> = {
    'contact.email': contact.email,
    'contact.first_name': contact.first_name,
    'contact.last_name': contact.last_name,
    'contact.full_name': `${contact.first_name} ${contact.last_name}`.trim(),
  }
  for (const [key, value] of Object.entries(contact.custom_fields)) values[`contact.custom.${key}`] = String(value)
  return values
}

export function linkValues(
  base_url: string,
  token: string,
): { unsubscribe_url: string; preferences_url: string; view_url: string } {
  return {
    unsubscribe_url: unsubscribeUrl(base_url, token),
    preferences_url: preferencesUrl(base_url, token),
    view_url: viewUrl(base_url, token),
  }
}

/** The contacts that some deliveries are for, by id; one that was deleted is missing. */
export async function addressees(db: Reader, contact_ids: readonly number[]): Promise<Map<number, Addressee>> {
  const rows = await db.all<Omit<Addressee, 'custom_fields'> & { custom_fields: string }>(sql`
    SELECT id, email, first_name, last_name, custom_fields FROM contacts WHERE id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))`)
  return new Map(rows.map((row) => [row.id, { ...row, custom_fields: JSON.parse(row.custom_fields) as CustomValues }]))
}

function listId({ campaign, project }: CampaignParts, host: string): string {
  const lists = listsOnly(campaign.audience_spec)
  const label = lists?.length === 1 ? `list-${lists[0]}` : 'news'
  return `${project.name.replace(/[<>"\\]/g, ' ').trim()} <${label}.${project.slug}.${host}>`
}

/** A day as people write it. */
export function localDate(now: number, locale: string, timezone: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezone }).format(now)
  } catch {
    return iso(now).slice(0, 10)
  }
}

function split(template: Template): { parts: BodyPart[]; slots: Slot[] } {
  const slots: Slot[] = []
  const parts = template.map((part): BodyPart => (typeof part === 'string' ? part : { slot: slots.push(part) - 1 }))
  return { parts, slots }
}

function fillSlots(slots: readonly Slot[], values: MergeValues): string[] {
  return slots.map((slot) => fillTemplate([slot], values))
}
