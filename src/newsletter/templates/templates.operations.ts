import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { type Changed, Editor, findEditor } from '../../access/editor.ts'
import { and, eq } from 'drizzle-orm'
import { assetUrl } from '../../assets.ts'
import { iso } from '../../clock.ts'
import { notFound, requireRoom } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, line, name, nullable, obj, Timestamp } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import type { Reader } from '../../store/open.ts'
import { isAfter, page } from '../../store/page.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'
import { projects } from '../../store/tables/accounts.ts'
import { templates } from '../../store/tables/templates.ts'
import { ExpectedUpdatedAt, requireUnchanged } from '../../operation/unchanged.ts'
import { nameKey } from '../names.ts'
import { checkDocument, EditorJson, EmailDocument } from '../email/document.ts'
import { designSlug, findDesign, GALLERY } from '../email/gallery'
import { siteAddress } from '../../sites/addresses.ts'

const MAX_TEMPLATES = 1000

const BuiltinId = Type.String({ pattern: '^builtin:[a-z0-9-]{1,40}$', description: 'A design of the gallery.' })
/** The number of a saved template, or the name of a design of the gallery. */
export const TemplateId = Type.Union([Id, BuiltinId])
export type TemplateId = Static<typeof TemplateId>

/** Reads the id that a campaign stores as text. */
export const templateIdOf = (stored: string): TemplateId => (/^\d+$/.test(stored) ? Number(stored) : stored)

const Subject = line(300, { description: 'A suggested subject for campaigns.' })
const TemplateSummary = obj(
  {
    id: Id,
    name: Type.String(),
    subject: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'TemplateSummary' },
)
const Template = obj(
  {
    id: TemplateId,
    name: Type.String(),
    subject: Type.String(),
    editor_json: EmailDocument,
    created_at: nullable(Timestamp),
    updated_at: nullable(Timestamp),
  },
  { $id: 'Template', description: 'The times are null for a design of the gallery.' },
)
const GalleryEntry = obj({
  id: BuiltinId,
  name: Type.String(),
  description: Type.String(),
  thumbnail_url: Type.String({ format: 'uri' }),
})

export const listTemplates = read({
  path: '/templates/list',
  scope: 'read',
  summary: 'Lists the saved templates without their documents, and the built-in designs.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({
    items: Type.Array(TemplateSummary),
    next_cursor: nullable(Type.String()),
    gallery: Type.Array(GalleryEntry),
  }),
  async run({ limit, cursor }, { db, keys, project_id, base_url }) {
    const { id, name, subject, created_at, updated_at } = templates
    const found = await page(
      { keys, operation: '/templates/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select({ id, name, subject, created_at, updated_at })
          .from(templates)
          .where(and(eq(templates.project_id, project_id), isAfter(after, templates)))
          .orderBy(templates.created_at, templates.id)
          .limit(most),
      templateSummary,
    )

    return {
      ...found,
      gallery: GALLERY.map(({ id, name, description }) => ({
        id,
        name,
        description,
        thumbnail_url: assetUrl(base_url, `gallery/${designSlug({ id })}.png`),
      })),
    }
  },
})

export const showTemplate = read({
  path: '/templates/get',
  scope: 'read',
  summary: 'Shows a saved template or a design of the gallery, with its document.',
  request: obj({ template_id: TemplateId }),
  response: obj({ template: obj({ ...Template.properties, updated_by: nullable(Editor) }) }),
  async run({ template_id }, { db, project_id, base_url }) {
    if (typeof template_id === 'string')
      return { template: { ...(await findTemplate(db, { project_id, base_url }, template_id)), updated_by: null } }
    const row = await getTemplate(db, project_id, template_id)
    return { template: { ...templateResource(row), updated_by: await findEditor(db, changeOf(row)) } }
  },
})

export const createTemplate = mutation({
  path: '/templates/create',
  scope: 'write',
  audit: { target: { answer: 'template' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Creates a template.',
  request: obj({ name: name(200), editor_json: EditorJson, subject: Type.Optional(Subject) }),
  response: obj({ template: Template }),
  prepare: async ({ editor_json }) => checkDocument(editor_json, '/editor_json'),
  async run({ name, subject = '' }, { tx, project_id, now }, document) {
    requireRoom(await tx.$count(templates, eq(templates.project_id, project_id)), MAX_TEMPLATES, 'templates')
    const rows = await orConflict(
      tx
        .insert(templates)
        .values({
          project_id,
          name: name.trim(),
          name_key: nameKey(name),
          subject,
          editor_json: document,
          created_at: now,
          updated_at: now,
        })
        .returning(),
      { name_key: '/name' },
      NAME_IN_USE,
    )
    return { template: templateResource(one(rows)) }
  },
})

export const updateTemplate = mutation({
  path: '/templates/update',
  scope: 'write',
  audit: { target: { kind: 'template', input: 'template_id' }, changes: true },
  errors: ['CONFLICT'],
  summary: 'Changes a saved template. Campaigns created from it stay as they are.',
  request: obj({
    template_id: Id,
    name: Type.Optional(name(200)),
    editor_json: Type.Optional(EditorJson),
    subject: Type.Optional(Subject),
    expected_updated_at: Type.Optional(ExpectedUpdatedAt),
  }),
  response: obj({ template: Template }),
  prepare: async ({ editor_json }) =>
    editor_json === undefined ? undefined : checkDocument(editor_json, '/editor_json'),
  async run({ template_id, name, subject, expected_updated_at }, { tx, project_id, now }, document) {
    const before = await getTemplate(tx, project_id, template_id)
    await requireUnchanged(tx, expected_updated_at, changeOf(before))
    const rows = await orConflict(
      tx
        .update(templates)
        .set({
          ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
          subject: subject ?? before.subject,
          editor_json: document ?? before.editor_json,
          updated_at: Math.max(now, before.updated_at + 1),
        })
        .where(eq(templates.id, template_id))
        .returning(),
      { name_key: '/name' },
      NAME_IN_USE,
    )
    return { template: templateResource(one(rows)) }
  },
})

export const deleteTemplate = mutation({
  path: '/templates/delete',
  scope: 'write',
  audit: { target: { kind: 'template', input: 'template_id' } },
  summary: 'Deletes a saved template. Campaigns created from it stay as they are.',
  request: obj({ template_id: Id }),
  response: obj({ template: TemplateSummary }),
  async run({ template_id }, { tx, project_id }) {
    const template = await getTemplate(tx, project_id, template_id)
    await tx.delete(templates).where(eq(templates.id, template_id))
    return { template: templateSummary(template) }
  },
})

const NAME_IN_USE = 'Another template has this name.'

/**
 * A saved template of the project, or a design of the gallery with links to the project's site. Throws NOT_FOUND,
 * pointing at `/template_id`, for any other id.
 */
export async function findTemplate(
  db: Reader,
  { project_id, base_url }: { project_id: ProjectId; base_url: string },
  template_id: TemplateId,
): Promise<Static<typeof Template>> {
  if (typeof template_id === 'number') return templateResource(await getTemplate(db, project_id, template_id))
  const design = findDesign(template_id)
  const [project] = await db.select().from(projects).where(eq(projects.id, project_id))
  if (!design || !project) throw notFound('template', '/template_id')
  return {
    id: design.id,
    name: design.name,
    subject: design.subject,
    editor_json: design.document(siteAddress(project, base_url)),
    created_at: null,
    updated_at: null,
  }
}

type Row = typeof templates.$inferSelect

async function getTemplate(db: Reader, project_id: ProjectId, template_id: number): Promise<Row> {
  return oneOrNotFound(
    await db
      .select()
      .from(templates)
      .where(and(eq(templates.project_id, project_id), eq(templates.id, template_id))),
    'template',
    '/template_id',
  )
}

/** A template's last change, as the audit log knows it. */
function changeOf({ id, project_id, updated_at }: Row): Changed {
  return { project_id, target: `template:${id}`, updated_at }
}

function templateSummary({
  id,
  name,
  subject,
  created_at,
  updated_at,
}: Pick<Row, 'id' | 'name' | 'subject' | 'created_at' | 'updated_at'>): Static<typeof TemplateSummary> {
  return { id, name, subject, created_at: iso(created_at), updated_at: iso(updated_at) }
}

const templateResource = (row: Row): Static<typeof Template> => ({
  ...templateSummary(row),
  editor_json: row.editor_json,
})
