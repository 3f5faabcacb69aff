import { translationsFor } from '../../i18n/languages.ts'
import { findSignUpForm, openLists } from '../../newsletter/consent/sign-up-forms.ts'
import { html } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { deadLinkPage, publicPage } from './page.ts'
import { findProject } from './public-form.ts'
import { RECIPIENT_PAGE } from './recipient-visit.ts'
import { customFieldsOf, pageForm, SIGN_UP_PAGE } from './sign-up-form.ts'

/** The page of a sign-up form (docs/api/consent.md#sign-up-forms). */
export const signUpFormRoute = route({
  ...RECIPIENT_PAGE,
  method: 'GET',
  path: SIGN_UP_PAGE,
  summary: 'A form on which people join lists.',
  async respond(context) {
    const { db, params, base_url } = context
    const form = await findSignUpForm(db, params.id!)
    const project = form && (await findProject(context, form.project_id))
    if (!form || !project) return deadLinkPage(404)
    const { lang, gone } = translationsFor(project.locale)
    const branding = { ...project, lang }
    if ((await openLists(db, form)).length === 0)
      return publicPage({ status: 410, branding, title: gone[0], body: html`` })
    const custom = await customFieldsOf(db, form.project_id)
    return publicPage({
      status: 200,
      branding,
      title: form.title,
      body: html`${form.text !== '' && html`<p class="prose">${form.text}</p>`}
${pageForm({ base_url, project, form, custom })}`,
      leads_to: form.redirect_url,
      with_widget: project.proof_of_work,
    })
  },
})
