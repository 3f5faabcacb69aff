import { Type } from '@sinclair/typebox'
import { translationsFor } from '../../i18n/languages.ts'
import { sendOwnLink } from '../../newsletter/consent/own-link.ts'
import { OWN_LINK_PATH } from '../../newsletter/tracking/links.ts'
import { checker, Email } from '../../schema.ts'
import { html } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { deadLinkPage, noticePage, publicPage } from './page.ts'
import { countRequest, findProject, type FormProject } from './public-form.ts'
import { readForm, RECIPIENT_PAGE } from './recipient-visit.ts'
import { requireFreeDisk } from '../../disk.ts'

/**
 * The page that sends the personal link of a subscription to the address that is entered there. Shared messages link to
 * it. Its answer is the same for every address (docs/api/consent.md#preferences).
 */
export const ownLinkRoutes = [
  route({
    ...RECIPIENT_PAGE,
    method: 'GET',
    path: OWN_LINK_PATH,
    summary: 'Asks for the address of a subscription.',
    async respond(context) {
      const project = await findProject(context, context.params.project!)
      return project ? askingPage(project) : deadLinkPage(404)
    },
  }),

  route({
    ...RECIPIENT_PAGE,
    method: 'POST',
    path: OWN_LINK_PATH,
    summary: 'Sends the personal link to the address, if it receives messages of the project.',
    errors: ['RATE_LIMITED', 'INSUFFICIENT_STORAGE'],
    async respond(context) {
      await countRequest(context)
      await requireFreeDisk(context)
      const project = await findProject(context, context.params.project!)
      if (!project) return deadLinkPage(404)
      const email = (await readForm(context)).get('email')?.trim() ?? ''
      if (!checker(Type.Object({ email: Email })).Check({ email })) return askingPage(project)
      const queued = await context.store.write((tx) => sendOwnLink(tx, { ...context, project_id: project.id }, email))
      if (queued) context.wake('delivery')
      const { lang, forms, own_link } = translationsFor(project.locale)
      return noticePage(200, { ...project, lang }, [forms.sent[0], own_link.sent])
    },
  }),
]

function askingPage(project: FormProject): Response {
  const { lang, own_link } = translationsFor(project.locale)
  const { title, text, email, button } = own_link
  return publicPage({
    status: 200,
    branding: { ...project, lang },
    title,
    body: html`
    <p>${text}</p>
    <form method="post">
      <label class="field" for="email">${email}</label>
      <input id="email" name="email" type="email" required autocomplete="email" dir="ltr">
      <button>${button}</button>
    </form>`,
  })
}
