import { Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import type { ProjectId } from '../../../ids.ts'
import {
  createSignUpForm,
  deleteSignUpForm,
  listSignUpForms,
  type SignUpForm,
  SignUpFormFields,
  updateSignUpForm,
} from '../../../newsletter/consent/sign-up-forms.ts'
import type { Runtime } from '../../../runtime.ts'
import { Id, obj, Timestamp } from '../../../schema.ts'
import type { Reader } from '../../../store/open.ts'
import { route } from '../../core/route.ts'
import { optional, Success } from '../../core/schemas.ts'
import { findProject } from '../../public/public-form.ts'
import { customFieldsOf, embeddedForm, signUpUrl } from '../../public/sign-up-form.ts'

const FormRecord = obj(
  {
    id: Type.String(),
    name: Type.String(),
    title: Type.String(),
    text: Type.String(),
    consent_text: Type.String({ description: 'The newest wording.' }),
    version: Type.Integer({ minimum: 1, description: 'The number of that wording.' }),
    list_ids: Type.Array(Id),
    fields: Type.Array(obj({ field: Type.String(), label: Type.String(), required: Type.Boolean() })),
    button: Type.String(),
    thanks_text: Type.String(),
    redirect_url: Type.String(),
    url: Type.String({ description: "The form's own page." }),
    embed_html: Type.String({ description: 'The form for any page, to be pasted again after a change.' }),
    created_on: Timestamp,
    last_update: Timestamp,
  },
  { $id: 'SignUpForm' },
)
const FormId = Type.String({ maxLength: 64 })

/** `/project/sign-up-forms/…` (docs/api/consent.md#sign-up-forms). */
export const signUpFormRoutes = [
  route({
    method: 'POST',
    path: '/project/sign-up-forms/list',
    summary: 'The forms on which people join lists, oldest first.',
    auth: 'session',
    role: 'member',
    response: obj({ forms: Type.Array(FormRecord) }),
    async read(_, context) {
      const forms = await listSignUpForms(context.db, context.project_id)
      return { forms: await records(context, context.db, forms) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/sign-up-forms/create',
    summary: 'Creates a form with its page.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'form' } },
    body: obj(SignUpFormFields),
    response: obj({ form: FormRecord }),
    errors: ['INVALID_STATE'],
    async write(input, context) {
      const form = await createSignUpForm(context.tx, context.project_id, input, context.now)
      return { form: (await records(context, context.tx, [form]))[0]! }
    },
  }),

  route({
    method: 'POST',
    path: '/project/sign-up-forms/update',
    summary: 'Changes a form. Earlier wordings stay known, because pasted copies of the form show them.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'form', input: 'form_id' }, changes: true },
    body: obj({ form_id: FormId, ...optional(SignUpFormFields) }),
    response: obj({ form: FormRecord }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async write({ form_id, ...changes }, context) {
      const { tx, project_id, now } = context
      const form = await updateSignUpForm(tx, { project_id, form_id }, changes, now)
      return { form: (await records(context, tx, [form]))[0]! }
    },
  }),

  route({
    method: 'POST',
    path: '/project/sign-up-forms/delete',
    summary: 'Deletes a form. Its page and pasted copies of it sign nobody up any more; the evidence stays.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'form', input: 'form_id' } },
    body: obj({ form_id: FormId }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ form_id }, { tx, project_id }) => deleteSignUpForm(tx, project_id, form_id),
  }),
]

async function records(
  { base_url, project_id }: Pick<Runtime, 'base_url'> & { project_id: ProjectId },
  db: Reader,
  forms: readonly SignUpForm[],
) {
  const project = await findProject({ db }, project_id)
  const custom = await customFieldsOf(db, project_id)
  return forms.map((form) => {
    const { wordings, created_at, updated_at } = form
    return {
      ...pick(form),
      consent_text: wordings.at(-1)!,
      version: wordings.length,
      url: signUpUrl(base_url, form.id),
      embed_html: embeddedForm({ base_url, project: project!, form, custom }),
      created_on: iso(created_at),
      last_update: iso(updated_at),
    }
  })
}

function pick({ id, name, title, text, list_ids, fields, button, thanks_text, redirect_url }: SignUpForm) {
  return { id, name, title, text, list_ids, fields, button, thanks_text, redirect_url }
}
