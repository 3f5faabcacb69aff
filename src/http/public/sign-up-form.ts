import { CONTACT_FIELDS } from '../../shared/contact-fields.ts'
import { questionWord } from '../../i18n/form-questions.ts'
import { sql } from 'drizzle-orm'
import { translationsFor } from '../../i18n/languages.ts'
import type { SignUpForm } from '../../newsletter/consent/sign-up-forms.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { assetUrl } from '../../assets.ts'
import type { Reader } from '../../store/open.ts'
import type { FieldType } from '../../store/tables/audience.ts'
import { html, type Markup } from '../core/markup.ts'

export const SIGN_UP_PAGE = `${PUBLIC_ROOT}/forms/:id` as const

/** The address of a form's own page. */
export function signUpUrl(base_url: string, form_id: string): string {
  return base_url + SIGN_UP_PAGE.replace(':id', form_id)
}

interface CustomField {
  key: string
  label: string
  type: FieldType
  options: string | null
}

interface Drawing {
  base_url: string
  project: { public_id: string; locale: string | null; proof_of_work: boolean }
  form: SignUpForm
  custom: readonly CustomField[]
}

export function customFieldsOf(db: Reader, project_id: SignUpForm['project_id']): Promise<CustomField[]> {
  return db.all(sql`SELECT key, label, type, options FROM custom_fields WHERE project_id = ${project_id}`)
}

/** A form's HTML for its own page. */
export function pageForm(drawing: Drawing): Markup {
  const { project, base_url } = drawing
  const trap = html`<p class="trap" aria-hidden="true">${TRAP}</p>`
  return html`${project.proof_of_work && widgetScript(base_url)}${formOf(drawing, trap)}`
}

/** A form's HTML for any page of any site. It needs no script, unless the project asks for a proof of work. */
export function embeddedForm(drawing: Drawing): string {
  const { project, base_url } = drawing
  const trap = html`<p style="position:absolute;top:-9999px" aria-hidden="true">${TRAP}</p>`
  return html`${project.proof_of_work && widgetScript(base_url)}${formOf(drawing, trap)}`.text
}

/** Only bots fill it in (docs/api/consent.md#signup). */
const TRAP = html`<label>Website <input name="website" tabindex="-1" autocomplete="off"></label>`
const REQUIRED = html` required`

function formOf({ base_url, project, form, custom }: Drawing, trap: Markup): Markup {
  const { lang, sign_up, own_link } = translationsFor(project.locale)
  const field = (name: string) => `${form.id}-${name}`
  const lines = form.wordings.at(-1)!.split(/\r?\n/)
  return html`<form method="post" action="${base_url}${PUBLIC_ROOT}/signup">
  <input type="hidden" name="project_id" value="${project.public_id}">
  <input type="hidden" name="form_id" value="${form.id}">
  <input type="hidden" name="form_version" value="${form.wordings.length}">
  ${trap}
  <p><label class="field" for="${field('email')}">${own_link.email}</label>
  <input id="${field('email')}" name="email" type="email" required autocomplete="email" dir="ltr"></p>
  ${form.fields.map(({ field: asked, label, required }) => {
    const known = custom.find(({ key }) => asked === `custom.${key}`)
    const standard = CONTACT_FIELDS.find(({ name }) => name === asked)
    if (standard?.question) {
      const { name, question: how } = standard
      return html`<p><label class="field" for="${field(name)}">${label || questionWord(name, lang)}</label>
  <input id="${field(name)}" name="${name}" maxlength="${how.max_length}" autocomplete="${how.autocomplete}"
    ${required && REQUIRED}></p>
  `
    }
    return known && question(known, { id: field(known.key), label: label || known.label, required })
  })}<p>${lines.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>
  ${project.proof_of_work && widget(base_url, project.public_id)}<button>${form.button || sign_up.button}</button>
</form>`
}

function question(
  { key, type, options }: CustomField,
  { id, label, required }: { id: string; label: string; required: boolean },
): Markup {
  const name = `custom_fields[${key}]`
  const must = required && REQUIRED
  if (type === 'boolean')
    return html`<p><label for="${id}">
    <input id="${id}" name="${name}" type="checkbox" value="true"${must}> ${label}</label></p>
  `
  const choices = options === null ? [] : (JSON.parse(options) as string[])
  const control =
    type === 'select'
      ? html`<select id="${id}" name="${name}"${must}><option value=""></option>${choices.map(
          (choice) => html`<option>${choice}</option>`,
        )}</select>`
      : html`<input id="${id}" name="${name}" type="${INPUT_TYPES[type]}"${type === 'number' && ANY_STEP}${must}>`
  return html`<p><label class="field" for="${id}">${label}</label>
  ${control}</p>
  `
}

const INPUT_TYPES = { text: 'text', number: 'number', date: 'date' }
const ANY_STEP = html` step="any"`

function widgetScript(base_url: string): Markup {
  return html`<script src="${assetUrl(base_url, 'public/altcha.js')}" defer></script>
`
}

function widget(base_url: string, project_id: string): Markup {
  const challenge = `${base_url}/general/project/form/challenge?project_id=${project_id}`
  return html`<altcha-widget challenge="${challenge}"></altcha-widget>
  `
}
