import { translationsFor } from '../../i18n/languages.ts'
import type { Keys } from '../../secrets.ts'
import type { NewsletterSettings } from '../connections/settings.operations.ts'
import { publicUrl } from '../tracking/links.ts'
import { createConfirmationToken, createRecipientToken, type RecipientToken } from '../tracking/tokens.ts'
import { actionMessage, type ActionSender } from './action-message.ts'

/** The parameters that confirmation and link messages share. */
interface Parts extends ActionSender {
  settings: ActionSender['settings'] & Pick<NewsletterSettings, 'confirmation_subject' | 'confirmation_text' | 'locale'>
  keys: Keys
  base_url: string
}

interface Confirming {
  contact_id: number
  email: string
  lists: { id: number; name: string }[]
}

/**
 * The message that asks a contact to confirm memberships: what they confirm, the project's own text and one link
 * (docs/api/consent.md#double-opt-in).
 */
export function confirmationMessage(parts: Parts, { contact_id, email, lists }: Confirming) {
  const { project, settings, keys, base_url } = parts
  const { lang, confirmation } = translationsFor(settings.locale)
  const list_ids = lists.map(({ id }) => id)
  const names = lists.map(({ name }) => name)
  const what = namesOf(names, project.name)
  return actionMessage(parts, {
    lang,
    subject: settings.confirmation_subject || confirmation.subject(what),
    heading: what,
    request: settings.confirmation_text || confirmation.request(project.name),
    // The heading has them all, unless there are many.
    names: names.length > MAX_NAMED ? names : [],
    url: publicUrl(base_url, 'confirm', createConfirmationToken(keys, { contact_id, email, list_ids })),
    button: confirmation.button,
    closing: confirmation.closing,
  })
}

/** Lists that subject and heading name, and the most characters of each name. */
const MAX_NAMED = 3
const MAX_CHARACTERS = 60

/** The lists and their project in one line, such as `Weekly, Offers (Harbour News)`. */
function namesOf(names: readonly string[], project: string): string {
  const others = names.filter((name) => name.trim().toLowerCase() !== project.trim().toLowerCase())
  if (others.length === 0) return project
  const named = others.slice(0, MAX_NAMED).map((name) => {
    const characters = [...name]
    return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : name
  })
  return `${named.join(', ')}${others.length > MAX_NAMED ? ', …' : ''} (${project})`
}

/** The message with the personal link of a subscription (docs/api/consent.md#preferences). */
export function linkMessage(parts: Parts, recipient: RecipientToken) {
  const { project, settings, keys, base_url } = parts
  const { lang, own_link, preferences } = translationsFor(settings.locale)
  return actionMessage(parts, {
    lang,
    subject: own_link.subject(project.name),
    request: own_link.request(project.name),
    names: [],
    url: publicUrl(base_url, 'preferences', createRecipientToken(keys, recipient)),
    button: preferences.title,
    closing: own_link.closing,
  })
}
