import { type ContactFieldName, isContactField } from '../../shared/contact-fields.ts'
import { type Flaw, invalid, invalidRequest } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { Tx } from '../../store/open.ts'
import type { AskedField } from '../../store/tables/sign-up-forms.ts'
import type { CustomValuesInput } from '../contacts/custom-values.ts'
import { CONSENT_SOURCES, type ConsentSource } from './consent-rule.ts'
import type { SignUp } from './sign-up.ts'
import { findSignUpForm, openLists } from './sign-up-forms.ts'

interface Filled extends Omit<SignUp, 'consent_text'> {
  form_id: string
  form_version: number | undefined
  consent_text?: string
}

/** A person as a form signs them up, and what the form's owner wants them to see afterwards. */
interface ThroughForm extends SignUp {
  by: ConsentSource
  after: { text: string; redirect_url: string }
}

/**
 * Completes what was filled into a sign-up form by what the form keeps: the lists, and the wording that was shown.
 * Answers to questions that it does not ask are left out. VALIDATION_FAILED for an unknown form or version, for a form
 * whose lists are all gone, and for a missing answer.
 */
export async function throughForm(tx: Tx, project_id: ProjectId, filled: Filled): Promise<ThroughForm> {
  const { form_id, form_version, ...given } = filled
  if (given.list_ids !== undefined) throw invalid('/list_ids', 'The form names the lists.')
  if (given.consent_text !== undefined) throw invalid('/consent_text', 'The form has the wording.')
  const form = await findSignUpForm(tx, form_id)
  if (form?.project_id !== project_id) throw invalid('/form_id', 'There is no such form.')
  const consent_text = form.wordings.at(form_version === undefined ? -1 : form_version - 1)
  if (consent_text === undefined) throw invalid('/form_version', 'The form has no such wording.')
  const list_ids = await openLists(tx, form)
  if (list_ids.length === 0) throw invalid('/form_id', 'The lists of this form are closed.')
  const version = form_version ?? form.wordings.length
  return {
    email: given.email,
    ...answersTo(form.fields, given),
    list_ids,
    consent_text,
    by: { ...CONSENT_SOURCES.signup, evidence: `sign-up form "${form.name}" (${form.id}, wording ${version})` },
    after: { text: form.thanks_text, redirect_url: form.redirect_url },
  }
}

type Answers = Pick<SignUp, ContactFieldName | 'custom_fields'>

function answersTo(fields: readonly AskedField[], given: Answers): Answers {
  const standard: Partial<Record<ContactFieldName, string>> = {}
  const custom = new Map<string, CustomValuesInput[string]>()
  const flaws: Flaw[] = []
  for (const { field, required } of fields) {
    if (isContactField(field)) {
      const answer = given[field]?.trim() ?? ''
      if (answer !== '') standard[field] = answer
      else if (required) flaws.push({ path: `/${field}`, message: 'Required.' })
      continue
    }
    const key = field.slice('custom.'.length)
    const values = given.custom_fields ?? {}
    const value = Object.hasOwn(values, key) ? values[key]! : null
    if (value !== null && value !== '') custom.set(key, value)
    else if (required) flaws.push({ path: `/custom_fields/${key}`, message: 'Required.' })
  }
  if (flaws.length > 0) throw invalidRequest(flaws)
  return { ...standard, ...(custom.size > 0 ? { custom_fields: Object.fromEntries(custom) } : {}) }
}
