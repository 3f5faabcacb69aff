import { type Static, Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { CONTACT_FIELDS } from '../../shared/contact-fields.ts'
import { type Flaw, invalidRequest, requireRoom } from '../../errors.ts'
import { newId, type ProjectId } from '../../ids.ts'
import { Id, line, name, obj, prose, requiredProse } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'
import { type AskedField, sign_up_forms } from '../../store/tables/sign-up-forms.ts'

/**
 * Forms on which people join lists. What they agree to is kept here, with every earlier text, so that the evidence of a
 * consent is the text that the person saw and not what a browser sent (docs/api/consent.md#sign-up-forms).
 */

const MAX_FORMS = 200
/** Each change of the wording keeps the text before it. */
const MAX_WORDINGS = 50

/** The standard fields that a form can ask for. */
const QUESTIONS = CONTACT_FIELDS.filter(({ question }) => question !== null).map(({ name }) => name)

const Asked = obj({
  field: Type.String({
    pattern: `^(${QUESTIONS.join('|')}|custom\\.[a-z0-9_]{1,40})$`,
    description: `${QUESTIONS.join(', ')} or custom.KEY.`,
  }),
  label: Type.Optional(line(100, { description: 'The usual word when left out.' })),
  required: Type.Optional(Type.Boolean({ default: false })),
})

/** The properties of a form in requests. */
export const SignUpFormFields = {
  name: name(100),
  title: name(200),
  text: Type.Optional(prose(2000, { description: 'Above the form.' })),
  consent_text: requiredProse(4000, 'What people agree to'),
  list_ids: Type.Array(Id, { minItems: 1, maxItems: 20, uniqueItems: true }),
  fields: Type.Optional(Type.Array(Asked, { maxItems: 20 })),
  button: Type.Optional(line(60, { description: 'The usual word when empty.' })),
  thanks_text: Type.Optional(prose(1000, { description: 'After signing up; the usual text when empty.' })),
  redirect_url: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^(https?://[^\\s/?#@]+([/?#]\\S*)?)?$',
      description: 'Where people go after signing up; empty for a page of this service.',
    }),
  ),
}
const Input = obj(SignUpFormFields)
type Input = Static<typeof Input>

export type SignUpForm = typeof sign_up_forms.$inferSelect

/** The form of a project with this id; null when there is none. */
export async function findSignUpForm(db: Reader, form_id: string): Promise<SignUpForm | null> {
  const [form] = await db.select().from(sign_up_forms).where(eq(sign_up_forms.id, form_id))
  return form ?? null
}

export async function listSignUpForms(db: Reader, project_id: ProjectId): Promise<SignUpForm[]> {
  return db
    .select()
    .from(sign_up_forms)
    .where(eq(sign_up_forms.project_id, project_id))
    .orderBy(asc(sign_up_forms.created_at), sql`rowid`)
}

/**
 * The first form of a project on which people join one of these lists; null without one. Anyone may have it looked up,
 * and the wordings of all forms can be megabytes, so they are not read.
 */
export async function formToJoin(
  db: Reader,
  project_id: ProjectId,
  list_ids: readonly number[],
): Promise<Pick<SignUpForm, 'id' | 'title'> | null> {
  const [form] = await db.all<Pick<SignUpForm, 'id' | 'title'>>(sql`
    SELECT id, title FROM sign_up_forms AS form
    WHERE project_id = ${project_id} AND EXISTS (
      SELECT 1 FROM json_each(form.list_ids) AS list
      WHERE list.value IN (SELECT value FROM json_each(${jsonText(list_ids)})))
    ORDER BY created_at, rowid LIMIT 1`)
  return form ?? null
}

/** VALIDATION_FAILED for a list or custom field that the project does not have, INVALID_STATE beyond the limit. */
export async function createSignUpForm(
  tx: Tx,
  project_id: ProjectId,
  { consent_text, ...input }: Input,
  now: number,
): Promise<SignUpForm> {
  requireRoom(await tx.$count(sign_up_forms, eq(sign_up_forms.project_id, project_id)), MAX_FORMS, 'sign-up forms')
  await requireKnown(tx, project_id, input)
  const row = {
    text: '',
    button: '',
    thanks_text: '',
    redirect_url: '',
    ...input,
    name: input.name.trim(),
    title: input.title.trim(),
    fields: settled(input.fields ?? []),
    id: newId('frm'),
    project_id,
    wordings: [consent_text],
    created_at: now,
    updated_at: now,
  }
  return one(await tx.insert(sign_up_forms).values(row).returning())
}

/** Changes the given properties. A new wording is added to the earlier ones. NOT_FOUND, or as `createSignUpForm`. */
export async function updateSignUpForm(
  tx: Tx,
  { project_id, form_id }: { project_id: ProjectId; form_id: string },
  { consent_text, fields, ...input }: Partial<Input>,
  now: number,
): Promise<SignUpForm> {
  const before = oneOrNotFound(
    await tx.select().from(sign_up_forms).where(own(project_id, form_id)),
    'form',
    '/form_id',
  )
  await requireKnown(tx, project_id, { fields, ...input })
  const isNew = consent_text !== undefined && consent_text !== before.wordings.at(-1)
  if (isNew) requireRoom(before.wordings.length, MAX_WORDINGS, 'wordings in one form')
  const rows = await tx
    .update(sign_up_forms)
    .set({
      ...input,
      name: input.name?.trim(),
      title: input.title?.trim(),
      ...(fields === undefined ? {} : { fields: settled(fields) }),
      ...(isNew ? { wordings: [...before.wordings, consent_text] } : {}),
      updated_at: Math.max(now, before.updated_at + 1),
    })
    .where(own(project_id, form_id))
    .returning()
  return one(rows)
}

/** Deletes a form: its page ends, and pasted copies of it sign nobody up any more. The evidence stays. */
export async function deleteSignUpForm(tx: Tx, project_id: ProjectId, form_id: string): Promise<void> {
  const deleted = await tx.delete(sign_up_forms).where(own(project_id, form_id)).returning({ id: sign_up_forms.id })
  oneOrNotFound(deleted, 'form', '/form_id')
}

/** The lists of a form that people can still join. */
export async function openLists(
  db: Reader,
  { project_id, list_ids }: Pick<SignUpForm, 'project_id' | 'list_ids'>,
): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM lists WHERE project_id = ${project_id} AND archived_at IS NULL
      AND id IN (SELECT value FROM json_each(${jsonText(list_ids)}))`)
  return list_ids.filter((list_id) => rows.some(({ id }) => id === list_id))
}

function own(project_id: ProjectId, form_id: string) {
  return and(eq(sign_up_forms.project_id, project_id), eq(sign_up_forms.id, form_id))
}

function settled(fields: NonNullable<Input['fields']>): AskedField[] {
  return fields.map(({ field, label = '', required = false }) => ({ field, label, required }))
}

async function requireKnown(
  tx: Tx,
  project_id: ProjectId,
  { list_ids = [], fields = [] }: Pick<Partial<Input>, 'list_ids' | 'fields'>,
): Promise<void> {
  const open = await openLists(tx, { project_id, list_ids })
  const keys = await tx.all<{ key: string }>(sql`SELECT key FROM custom_fields WHERE project_id = ${project_id}`)
  const known = new Set<string>([...QUESTIONS, ...keys.map(({ key }) => `custom.${key}`)])
  const flaws: Flaw[] = [
    ...list_ids.flatMap((id, at) =>
      open.includes(id) ? [] : [{ path: `/list_ids/${at}`, message: 'There is no such list.' }],
    ),
    ...fields.flatMap(({ field }, at) =>
      known.has(field) ? [] : [{ path: `/fields/${at}/field`, message: 'The project has no such custom field.' }],
    ),
    ...fields.flatMap(({ field }, at) =>
      fields.findIndex((other) => other.field === field) < at
        ? [{ path: `/fields/${at}/field`, message: 'It is asked for twice.' }]
        : [],
    ),
  ]
  if (flaws.length > 0) throw invalidRequest(flaws)
}
