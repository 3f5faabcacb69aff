import type { ProjectId } from '../../ids.ts'
import { and, eq } from 'drizzle-orm'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { projects } from '../../store/tables/accounts.ts'
import { campaigns, deliveries } from '../../store/tables/delivery.ts'
import { ownLinkUrl, publicUrl } from '../tracking/links.ts'
import { storeLinks } from '../tracking/campaign-links.ts'
import type { Leased } from '../outbox/outbox.ts'
import { createRecipientToken, createViewToken, messageId, readViewToken } from '../tracking/tokens.ts'
import { type BodyPart, composeMessage, prepareMessage } from '../../mail/mime.ts'
import type { Composed } from '../outbox/outgoing.ts'
import type { Sender } from '../connections/sender.ts'
import { getSettings, type NewsletterSettings } from '../connections/settings.operations.ts'
import { tagsOf, trackingValues, withPixel } from '../tracking/tracking.ts'
import { type CompiledEmail, fillEmail } from '../email/render.ts'
import { newestPosts } from '../templates/posts.ts'
import { fillTemplate, type MergeValues, type Slot, type Template } from '../email/template.ts'
import { compileAside, type CompileInput } from './compile-task.ts'
import { listsOnly } from './audience-spec.ts'
import { listUnsubscribe } from './unsubscribe-mail.ts'
import { type Addressee, addressees, commonValues, linkValues, personalValues } from './merge-values.ts'
import { oneOrNotFound } from '../../store/rows.ts'

/** A project and its newsletter settings, which every message shows. */
export interface SendingProject {
  project: typeof projects.$inferSelect
  settings: NewsletterSettings
}

export async function sendingProject(db: Reader, project_id: ProjectId): Promise<SendingProject> {
  const project = oneOrNotFound(await db.select().from(projects).where(eq(projects.id, project_id)), 'project')
  return { project, settings: await getSettings(db, project_id) }
}

/** The rows that all messages of a campaign share, read once. */
export interface CampaignParts extends SendingProject {
  campaign: typeof campaigns.$inferSelect
  sender: Sender
}

/** A campaign rendered and encoded once. Composing a message fills in only the values of its recipient. */
export interface CampaignContent {
  sender: Sender
  messageId(delivery: Leased): string
  compose(delivery: Leased, addressee: Addressee, now: number): Composed
}

/** Throws SlowDocument. */
export async function campaignContent(runtime: Runtime, parts: CampaignParts): Promise<CampaignContent> {
  const { campaign, project, sender } = parts
  const { email, tracked } = await trackCampaign(runtime, parts)
  const html = split(email.html)
  const text = split(email.text)
  const prepared = prepareMessage({
    from: { email: sender.from_email, name: sender.from_name },
    reply_to: sender.reply_to ? { email: sender.reply_to } : null,
    headers: {
      'List-ID': listId(parts, new URL(runtime.base_url).hostname),
      'Feedback-ID': `c${campaign.id}:${project.public_id}:campaign:masthead`,
      Precedence: 'bulk',
    },
    text: text.parts,
    html: html.parts,
  })
  const common = commonValues({ ...parts, timezone: campaign.timezone }, campaign.started_at ?? runtime.clock.now())
  const hasViewLink = [...html.slots, ...text.slots].some(({ tag }) => tag === 'view_url')
  // The values that the web version of a message shows. Its links are not tracked, so they hold their own.
  const viewed = new Set([
    ...[...html.slots, ...split(email.subject).slots].map(({ tag }) => tag),
    ...email.tracked_urls.flatMap(tagsOf),
  ])
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
      const personal = personalValues(addressee)
      const token = createRecipientToken(runtime.keys, recipient)
      const links = linkValues(runtime.base_url, {
        token,
        view_token: hasViewLink ? createViewToken(runtime.keys, { ...recipient, values: pick(personal, viewed) }) : '',
      })
      const values = { ...common, ...personal, ...links }
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
            'List-Unsubscribe': listUnsubscribe(links.unsubscribe_url, token, parts.settings.unsubscribe_mailto),
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
          text_slots: fillSlots(text.slots, all),
          html_slots: fillSlots(html.slots, { ...all, ...tracked(recipient, all) }),
        }),
      }
    },
  }
}

/** Renders a campaign with tracked links and the pixel, and gives the function that fills those for each recipient. */
async function trackCampaign({ store, keys, base_url }: Runtime, parts: CampaignParts) {
  const { id, track_opens, track_clicks } = parts.campaign
  const email = await compileAside(store, { ...campaignMessage(parts), tracked: track_clicks })
  const urls = email.tracked_urls
  const links = (await storeLinks(store, id, urls)).map((position, index) => ({ url: urls[index]!, position }))
  return {
    email: track_opens ? { ...email, html: withPixel(email.html) } : email,
    tracked: trackingValues(keys, base_url, { opens: track_opens, links }),
  }
}

/**
 * A campaign's message with the brand and language of its project and the campaign's UTM tags.
 * @param posts defaults to the posts that were frozen with the audience; a draft passes the newest ones
 */
export function campaignMessage(
  { campaign, project, settings }: Pick<CampaignParts, 'campaign' | 'project' | 'settings'>,
  posts = campaign.posts ?? [],
): CompileInput {
  const { utm_source, utm_medium, utm_campaign } = campaign
  return {
    project_id: campaign.project_id,
    source: {
      posts,
      document: campaign.editor_json,
      subject: campaign.subject,
      preheader: campaign.preheader,
      brand: brandOf(project, settings),
      locale: settings.locale,
    },
    utm: { utm_source, utm_medium, utm_campaign },
  }
}

/** Compiles a campaign with the newest posts, as it would be sent now. */
export async function compileDraft(
  { store, base_url }: Pick<Runtime, 'store' | 'base_url'>,
  parts: Pick<CampaignParts, 'campaign' | 'project' | 'settings'>,
): Promise<CompiledEmail> {
  const posts = await newestPosts(store.db, parts.campaign.editor_json, { ...parts, base_url })
  const { source, ...message } = campaignMessage(parts, posts)
  return compileAside(store, { ...message, source: { ...source, find_samples: true } })
}

export function brandOf(project: Pick<SendingProject['project'], 'name'>, settings: NewsletterSettings) {
  const { company_name, postal_address, footer_text, brand_color, logo_url } = settings
  return { project_name: project.name, company_name, postal_address, footer_text, brand_color, logo_url }
}

/**
 * The HTML of a message for its recipient's "view in browser" link, with the values that were sent. The page may be
 * shared: its links to unsubscribe and to preferences lead to a page that asks for the address
 * (docs/api/delivery.md#links-and-tracking).
 * @returns `test` for a test message, `gone` when the recipient or the message was deleted, null for a token that this
 *   service did not make. A message of a deleted campaign stays readable.
 */
export async function browserView(runtime: Runtime, token: string): Promise<string | 'gone' | 'test' | null> {
  const named = readViewToken(runtime.keys, token)
  if (!named) return null
  const { db } = runtime.store
  const [row] = await db
    .select({ campaign: campaigns, project: projects, delivered: deliveries.created_at, kind: deliveries.kind })
    .from(campaigns)
    .innerJoin(projects, eq(projects.id, campaigns.project_id))
    .innerJoin(deliveries, eq(deliveries.id, named.delivery_id))
    .where(and(eq(campaigns.id, named.campaign_id), eq(deliveries.campaign_id, campaigns.id)))
  if (row?.kind === 'test') return 'test'
  const addressee = (await addressees(db, [named.contact_id])).get(named.contact_id)
  if (!row || !addressee) return 'gone'
  const settings = await getSettings(db, row.project.id)
  const email = await compileAside(runtime.store, campaignMessage({ ...row, settings }))
  const own_link = ownLinkUrl(runtime.base_url, row.project.public_id)
  return fillEmail(email, {
    ...commonValues({ ...row, settings, timezone: row.campaign.timezone }, row.campaign.started_at ?? row.delivered),
    ...(named.values ?? personalValues(addressee)),
    unsubscribe_url: own_link,
    preferences_url: own_link,
    view_url: publicUrl(runtime.base_url, 'view', token),
  }).html
}

/** Keeps the values whose merge tags occur in the message. */
function pick(values: Record<string, string>, tags: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([tag]) => tags.has(tag)))
}

function listId({ campaign, project }: CampaignParts, host: string): string {
  const [list_id, second] = listsOnly(campaign.audience_spec) ?? []
  const label = list_id !== undefined && second === undefined ? `list-${list_id}` : 'news'
  return `${project.name.replace(/[<>"\\]/g, ' ').trim()} <${label}.${project.slug}.${host}>`
}

function split(template: Template): { parts: BodyPart[]; slots: Slot[] } {
  const slots: Slot[] = []
  const parts = template.map((part): BodyPart => (typeof part === 'string' ? part : { slot: slots.push(part) - 1 }))
  return { parts, slots }
}

const fillSlots = (slots: readonly Slot[], values: MergeValues): string[] =>
  slots.map((slot) => fillTemplate([slot], values))
