import { nameList, translationsFor } from '../../i18n/languages.ts'
import { confirm, findConfirming, pendingLists } from '../../newsletter/consent/recipient.ts'
import { PUBLIC_ROOT } from '../../newsletter/tracking/links.ts'
import { readConfirmationToken } from '../../newsletter/tracking/tokens.ts'
import { html } from '../core/markup.ts'
import { route } from '../core/route.ts'
import { deadLinkPage, noticePage, publicPage } from './page.ts'
import { brandingOf, maskedAddress, RECIPIENT_PAGE, requireToken } from './recipient-visit.ts'

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
      const recipient = await findConfirming(context.db, token)
      if (!recipient) return deadLinkPage(context, 410)
      const translations = translationsFor(recipient.locale)
      const lists = await pendingLists(context.db, token)
      if (lists.length === 0) return noticePage(context, 200, brandingOf(recipient), translations.nothing_to_confirm)
      const { title, text, button, hint } = translations.confirm
      const names = nameList(
        translations,
        lists.map(({ name }) => name),
      )
      return publicPage(context, {
        status: 200,
        branding: brandingOf(recipient),
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
        const recipient = await findConfirming(tx, token)
        if (!recipient) return null
        const lists = await pendingLists(tx, token)
        await confirm(tx, recipient, token.list_ids, { now, address, user_agent })
        return { recipient, lists }
      })
      if (!confirmed) return deadLinkPage(context, 410)
      const { recipient, lists } = confirmed
      const translations = translationsFor(recipient.locale)
      if (lists.length === 0) return noticePage(context, 200, brandingOf(recipient), translations.nothing_to_confirm)
      const [title, text] = translations.confirmed
      const names = nameList(
        translations,
        lists.map(({ name }) => name),
      )
      return noticePage(context, 200, brandingOf(recipient), [title, text(names)])
    },
  }),
]
