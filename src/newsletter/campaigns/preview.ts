import type { ProjectId } from '../../ids.ts'
import { and, eq } from 'drizzle-orm'
import { byContactField } from '../../shared/contact-fields.ts'
import { exactlyOneOf } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { contacts, custom_fields } from '../../store/tables/audience.ts'
import { checkDocument, type EmailDocument } from '../email/document.ts'
import { SAMPLE_VALUES } from '../../shared/merge-tags.ts'
import { type CompiledEmail, type FilledEmail, fillEmail } from '../email/render.ts'
import { findTemplate, type TemplateId } from '../templates/templates.operations.ts'
import type { SendingProject } from './content.ts'
import { type Addressee, commonValues, personalValues } from './merge-values.ts'
import { getCampaign } from './resource.ts'
import { oneOrNotFound } from '../../store/rows.ts'

interface Sample {
  contact_id: number | undefined
  /** The time zone of a scheduled campaign. */
  timezone: string | null
  now: number
}

/**
 * Fills a message for one contact of the project, or with sample values. Links to this service are samples in both
 * cases, so that no link in a preview unsubscribes a contact. Throws NOT_FOUND for a contact of another project.
 */
export async function fillSample(
  db: Reader,
  email: CompiledEmail,
  { contact_id, now, ...sender }: SendingProject & Sample,
): Promise<FilledEmail> {
  const contact = contact_id === undefined ? null : await getAddressee(db, sender.project.id, contact_id)
  return fillEmail(email, {
    ...SAMPLE_VALUES,
    ...commonValues(sender, now),
    ...(contact ? personalValues(contact) : {}),
  })
}

/** Properties that name the content to render; a request gives exactly one. */
export const PREVIEW_SOURCE = exactlyOneOf('campaign_id', 'template_id', 'editor_json')

interface PreviewContent {
  document: EmailDocument
  subject: string
  preheader: string
  timezone: string | null
  /** False for a design of the gallery as it is. */
  is_own: boolean
}

/** The content to render. Throws VALIDATION_FAILED unless the request names exactly one source. */
export async function previewOf(
  db: Reader,
  { project_id, base_url }: { project_id: ProjectId; base_url: string },
  request: { campaign_id?: number; template_id?: TemplateId; editor_json?: unknown },
): Promise<PreviewContent> {
  const source = PREVIEW_SOURCE.of(request)
  if ('campaign_id' in source) {
    const campaign = await getCampaign(db, project_id, source.campaign_id)
    const { editor_json: document, subject, preheader, timezone } = campaign
    return { document, subject, preheader, timezone, is_own: true }
  }
  if ('editor_json' in source)
    return { ...UNSENT, document: checkDocument(source.editor_json, '/editor_json'), subject: '', is_own: true }
  const template = await findTemplate(db, { project_id, base_url }, source.template_id)
  const is_own = typeof template.id === 'number'
  return { ...UNSENT, document: template.editor_json, subject: template.subject, is_own }
}

const UNSENT = { preheader: '', timezone: null }

/** The keys of the project's custom fields. */
export async function customFieldKeys(db: Reader, project_id: ProjectId): Promise<string[]> {
  const rows = await db
    .select({ key: custom_fields.key })
    .from(custom_fields)
    .where(eq(custom_fields.project_id, project_id))
  return rows.map(({ key }) => key)
}

/** The contact that a preview or a test shows. NOT_FOUND for one of another project. */
export async function getAddressee(db: Reader, project_id: ProjectId, contact_id: number): Promise<Addressee> {
  const { id, email, custom_fields } = contacts
  return oneOrNotFound(
    await db
      .select({ id, email, ...byContactField(({ name }) => contacts[name]), custom_fields })
      .from(contacts)
      .where(and(eq(id, contact_id), eq(contacts.project_id, project_id))),
    'contact',
    '/contact_id',
  )
}
