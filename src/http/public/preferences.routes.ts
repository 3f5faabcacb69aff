import { unsubscribeThrough } from '../../newsletter/campaigns/unsubscribe.ts'
import { CONSENT_SOURCES } from '../../newsletter/consent/consent-rule.ts'
import { type Choice, choices, choose } from '../../newsletter/consent/recipient.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import type { Runtime } from '../../runtime.ts'
import { html, type Markup } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { publicPage } from './page.ts'
import {
  brandingOf,
  unsubscribeAllButton,
  maskedAddress,
  readForm,
  RECIPIENT_PAGE,
  unsubscribedPage,
  type Visit,
  visitOf,
} from './recipient-visit.ts'

const PREFERENCES_PATH = `${PUBLIC_ROOT}/preferences/:token` as const

/** The page on which recipients choose their lists (docs/api/consent.md#preferences). */
export const preferencesRoutes = [
  route({
    ...RECIPIENT_PAGE,
    method: 'GET',
    path: PREFERENCES_PATH,
    summary: 'Shows the public lists and the ones that the recipient is subscribed to.',
    async respond(context) {
      const visit = await visitOf(context, context.db, context.params.token!)
      return visit instanceof Response ? visit : preferencesPage(context, visit)
    },
  }),

  route({
    ...RECIPIENT_PAGE,
    method: 'POST',
    path: PREFERENCES_PATH,
    summary: 'Saves the chosen lists, or unsubscribes from everything.',
    async respond(context) {
      const { params, keys, store, db, now, address, user_agent } = context
      const form = await readForm(context)
      const list_ids = new Set(form.getAll('list_ids').map(Number))
      const everything = form.get('unsubscribe_all') === '1'
      const done = await store.write(async (tx) => {
        const visit = await visitOf(context, tx, params.token!)
        if (visit instanceof Response) return visit
        if (!everything)
          return {
            visit,
            all_joined: await choose(
              tx,
              visit.recipient,
              { ticked: list_ids, message: visit.token },
              { keys, now, address, user_agent },
            ),
          }
        const act = { now, address, user_agent, source: CONSENT_SOURCES.preferences.name }
        await unsubscribeThrough(tx, visit.recipient, { message: visit.token, everything, act })
        return { visit, all_joined: true }
      })
      if (done instanceof Response) return done
      if (everything) return unsubscribedPage(done.visit, null)
      const { saved, blocked } = done.visit.translations.preferences
      const visit = await visitOf(context, db, params.token!)
      return visit instanceof Response ? visit : preferencesPage(context, visit, done.all_joined ? saved : blocked)
    },
  }),
]

/** @param notice the outcome of saving, shown above the form */
async function preferencesPage(
  runtime: Runtime,
  { recipient, translations }: Visit,
  notice?: string,
): Promise<Response> {
  const lists = await choices(runtime.store.db, recipient)
  const { title, text, unsubscribed, none, unsubscribe_all, legend, save, pending } = translations.preferences
  const isUnsubscribed = recipient.global_status === 'unsubscribed'
  return publicPage({
    status: 200,
    branding: brandingOf(recipient),
    title,
    body: html`
    ${notice && html`<p class="notice" role="status">${notice}</p>`}
    <p>${text(maskedAddress(translations, recipient))}</p>
    ${isUnsubscribed && html`<p class="notice">${unsubscribed}</p>`}
    ${
      lists.length === 0
        ? html`<p>${none}</p>`
        : html`
    <form method="post">
      <fieldset><legend>${legend}</legend>
      ${lists.map((list) => listBox(list, pending))}</fieldset>
      <button>${save}</button>
    </form>`
    }
    ${!isUnsubscribed && html`<form method="post">${unsubscribeAllButton(unsubscribe_all)}</form>`}`,
  })
}

const CHECKED = html` checked`

function listBox({ id, name, description, status }: Choice, pending: string): Markup {
  const hints = [
    description !== '' && html`<small dir="auto">${description}</small>`,
    status === 'pending' && html`<small>${pending}</small>`,
  ]
  const checked = status === 'subscribed' && CHECKED
  const box = html`<input type="checkbox" name="list_ids" value="${id}"${checked}>`
  return html`<label>${box} <span><bdi>${name}</bdi>${hints}</span></label>
      `
}
