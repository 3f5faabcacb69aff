import { nameList, translationsFor } from '../../i18n/languages.ts'
import { confirm, findConfirming, pendingLists } from '../../newsletter/consent/recipient.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { type ConfirmationToken, readConfirmationToken } from '../../newsletter/tracking/tokens.ts'
import type { Reader } from '../../store/open.ts'
import { html } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { deadLinkPage, noticePage, publicPage } from './page.ts'
import { brandingOf, maskedAddress, RECIPIENT_PAGE, requireToken } from './recipient-visit.ts'
import { waysOn } from './ways-on.ts'

const CONFIRM_PATH = `${PUBLIC_ROOT}/confirm/:token` as const

/** The page behind the link of a confirmation message (docs/api/consent.md#double-opt-in). */
export const confirmRoutes = [
  route({
    ...RECIPIENT_PAGE,
    method: 'GET',
    path: CONFIRM_PATH,
    summary: 'Asks the recipient to confirm a subscription.',
    async respond(context) {
      const token = requireToken(readConfirmationToken(context.keys, context.params.token!))
      const pending = pendingOrPage(await findPending(context.db, token))
      if (pending instanceof Response) return pending
      const { recipient, branding, translations, names } = pending
      const { title, text, button, hint } = translations.confirm
      return publicPage({
        status: 200,
        branding,
        title,
        body: html`
        <p>${text(names, maskedAddress(translations, recipient))}</p>
        <form method="post"><button>${button}</button></form>
        <p class="quiet">${hint}</p>`,
      })
    },
  }),

  route({
    ...RECIPIENT_PAGE,
    method: 'POST',
    path: CONFIRM_PATH,
    summary: 'Confirms the subscription to the lists that the token names.',
    async respond(context) {
      const { keys, store, params, now, address, user_agent } = context
      const token = requireToken(readConfirmationToken(keys, params.token!))
      const confirmed = await store.write(async (tx) => {
        const pending = await findPending(tx, token)
        if (pending) await confirm(tx, pending.recipient, token.list_ids, { keys, now, address, user_agent })
        return pending
      })
      const pending = pendingOrPage(confirmed)
      if (pending instanceof Response) return pending
      const [title, text] = pending.translations.confirmed
      const { project_id, locale } = pending.recipient
      return publicPage({
        status: 200,
        branding: pending.branding,
        title,
        body: html`<p role="status">${text(pending.names)}</p>
${await waysOn(context, { id: project_id, locale })}`,
      })
    },
  }),
]

/** The recipient of a confirmation message and the lists still to be confirmed; null for a deleted contact. */
async function findPending(db: Reader, token: ConfirmationToken) {
  const recipient = await findConfirming(db, token)
  return recipient && { recipient, lists: await pendingLists(db, token) }
}

/** What the pages show of a pending confirmation, or the page that says that there is none. */
function pendingOrPage(found: Awaited<ReturnType<typeof findPending>>) {
  if (!found) return deadLinkPage(410)
  const { recipient, lists } = found
  const [branding, translations] = [brandingOf(recipient), translationsFor(recipient.locale)]
  if (lists.length === 0) return noticePage(200, branding, translations.nothing_to_confirm)
  const names = nameList(
    translations,
    lists.map(({ name }) => name),
  )
  return { recipient, branding, translations, names }
}
