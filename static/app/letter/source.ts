import { mutate, read, type ResponseOf } from '../api/calls.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import type { CampaignSummary, EmailDocument } from '../api/operations.d.ts'
import { keepAnswer } from '../api/query.ts'
import { changeDesign, type LetterDocument } from './document.ts'
import type { Content } from './editor.ts'

/** What is edited: a campaign or a template. A template has no audience. */
export interface Source {
  kind: 'campaign' | 'template'
  id: number
  /** The key in this browser's storage. */
  key: string
}

/** A letter as the service stores it. */
export interface Stored {
  content: Content
  updated_at: string
  /** Who saved it; null when unknown. */
  updated_by: { id: string; name: string } | null
}

export function campaignContent(campaign: ResponseOf<'campaigns/get'>['campaign']): Stored {
  const { name, subject, preheader, editor_json, updated_at, updated_by } = campaign
  return { content: { name, subject, preheader, document: editor_json as LetterDocument }, updated_at, updated_by }
}

/** A template keeps its preview text in its document. */
export function templateContent(template: ResponseOf<'templates/get'>['template']): Stored {
  const { name, subject, editor_json, updated_at, updated_by } = template
  const document = editor_json as LetterDocument
  const preheader = document.settings.preheader ?? ''
  return { content: { name, subject, preheader, document }, updated_at: updated_at!, updated_by }
}

export async function loadLetter({ kind, id }: Source): Promise<Stored> {
  return kind === 'campaign'
    ? campaignContent((await read('campaigns/get', { campaign_id: id })).campaign)
    : templateContent((await read('templates/get', { template_id: id })).template)
}

interface Save {
  /** What to save, and what is stored: only the differences are sent. */
  content: Content
  saved: Content
  expected_updated_at: string
}

/** Saves, unless another user has saved meanwhile (409 CONFLICT). Returns the new `updated_at`. */
export async function saveLetter(source: Source, { content, saved, expected_updated_at }: Save): Promise<string> {
  const document = documentOf(source, content)
  const changed = {
    ...(content.name === saved.name ? {} : { name: content.name }),
    ...(content.subject === saved.subject ? {} : { subject: content.subject }),
    ...(document === saved.document ? {} : { editor_json: document as EmailDocument }),
    expected_updated_at,
  }
  if (source.kind === 'template') {
    const { template } = await mutate('templates/update', { template_id: source.id, ...changed })
    return template.updated_at!
  }
  const preheader = content.preheader === saved.preheader ? {} : { preheader: content.preheader }
  const { campaign } = await mutate('campaigns/update', {
    campaign_id: source.id,
    ...changed,
    ...preheader,
    return: 'summary',
  })
  return (campaign as CampaignSummary).updated_at
}

/** The document that is saved and rendered. */
export function documentOf({ kind }: Source, { document, preheader }: Content): LetterDocument {
  if (kind === 'campaign' || preheader === (document.settings.preheader ?? '')) return document
  return changeDesign(document, { preheader: preheader === '' ? undefined : preheader })
}

/** Puts the saved version into the cached answer that the page began with, so that reopening the page shows it. */
export function keepSaved({ kind, id }: Source, { content, updated_at }: Pick<Stored, 'content' | 'updated_at'>): void {
  const { name, subject, preheader, document } = content
  const changed = { name, subject, updated_at, editor_json: document as EmailDocument }
  if (kind === 'campaign')
    keepAnswer<ResponseOf<'campaigns/get'>>(callKey('campaigns/get', { campaign_id: id }), (kept) => ({
      campaign: { ...kept!.campaign, ...changed, preheader },
    }))
  else
    keepAnswer<ResponseOf<'templates/get'>>(callKey('templates/get', { template_id: id }), (kept) => ({
      template: { ...kept!.template, ...changed },
    }))
}
