import { nameList } from '../../i18n/languages.ts'
import { listsOfCampaign, unsubscribeThrough } from '../../newsletter/campaigns/unsubscribe.ts'
import { isOnAnyList } from '../../newsletter/consent/unsubscribe.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import type { Reader } from '../../store/open.ts'
import { html } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { publicPage } from './page.ts'
import {
  brandingOf,
  maskedAddress,
  preferencesLink,
  readForm,
  RECIPIENT_PAGE,
  unsubscribedPage,
  type Visit,
  visitOf,
} from './recipient-visit.ts'

const UNSUBSCRIBE_PATH = `${PUBLIC_ROOT}/unsubscribe/:token` as const

/** The page behind the unsubscribe link of a message. */
export const unsubscribeRoutes = [
  route({
    ...RECIPIENT_PAGE,
    method: 'GET',
    path: UNSUBSCRIBE_PATH,
    summary: 'Offers to unsubscribe from the lists of the message, or from everything.',
    async respond(context) {
      const visit = await visitOf(context, context.db, context.params.token!)
      if (visit instanceof Response) return visit
      const { recipient, translations } = visit
      if (recipient.global_status === 'unsubscribed') return unsubscribedPage(visit, null)
      const lists = await offeredLists(context.db, visit)
      const { title, text, lists: fromLists, everything } = translations.unsubscribe
      const quiet = lists !== null && html` class="quiet"`
      return publicPage({
        status: 200,
        branding: brandingOf(recipient),
        title,
        body: html`
        <p>${text(maskedAddress(translations, recipient))}</p>
        ${lists && html`<form method="post"><button>${fromLists(nameList(translations, lists))}</button></form>`}
        <form method="post"><button${quiet} name="scope" value="all">${everything}</button></form>
        ${preferencesLink(visit)}`,
      })
    },
  }),

  /*
   * Unsubscribes from the lists of the message, or from everything with `scope=all` and for a message without a list.
   * Mail programs send the same request (RFC 8058, docs/api/delivery.md#one-click-unsubscribe).
   */
  route({
    ...RECIPIENT_PAGE,
    method: 'POST',
    path: UNSUBSCRIBE_PATH,
    summary: 'Unsubscribes from the lists of the message, or from everything.',
    async respond(context) {
      const everything = (await readForm(context)).get('scope') === 'all'
      const { now, address, user_agent } = context
      const act = { now, address, user_agent, source: 'unsubscribe_link' }
      const done = await context.store.write(async (tx) => {
        const visit = await visitOf(context, tx, context.params.token!)
        if (visit instanceof Response) return visit
        const { recipient, token } = visit
        const lists = await unsubscribeThrough(tx, recipient, { message: token, everything, act })
        return { visit, names: lists?.map(({ name }) => name) ?? null }
      })
      if (done instanceof Response) return done
      const { visit, names } = done
      return unsubscribedPage(visit, names && nameList(visit.translations, names))
    },
  }),
]

/**
 * Names of the message's lists that the recipient is still on; null when leaving them means everything anyway, as it
 * does without another list (docs/api/consent.md#leaving).
 */
async function offeredLists(db: Reader, { recipient, token }: Visit): Promise<string[] | null> {
  const lists = await listsOfCampaign(db, recipient.project_id, token.campaign_id)
  if (lists === null) return null
  const ids = lists.map(({ id }) => id)
  if (!(await isOnAnyList(db, recipient.id, ids))) return null
  const names = lists
    .filter(({ id }) =>
      recipient.memberships.some(({ list_id, status }) => list_id === id && status !== 'unsubscribed'),
    )
    .map(({ name }) => name)
  return names.length > 0 ? names : null
}
