import { isolate, translationsFor } from '../../i18n/languages.ts'
import type { Translations } from '../../i18n/translations.ts'
import { findRecipient, isTestMessage, type Recipient } from '../../newsletter/consent/recipient.ts'
import { readRecipientToken, type RecipientToken } from '../../newsletter/tracking/tokens.ts'
import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Reader } from '../../store/open.ts'
import { readText, type Sending } from '../core/body.ts'
import { html, type Markup } from '../core/markup.ts'
import { type Branding, deadLinkPage, NO_BRANDING, noticePage, pageRefusal, publicPage } from './page.ts'

/*
 * Pages that a recipient opens from a message. The token in the path identifies the recipient: there is no cookie,
 * login or rate limit. GET and HEAD only show; only POST changes something, so link scanners change nothing.
 */

/** Properties of the declarations that all routes of these pages share. */
export const RECIPIENT_PAGE = {
  auth: 'public',
  audit: { rows: 'noted', ip: 'network' },
  response: 'page',
  refuse: pageRefusal,
  refuse_method: pageRefusal,
} as const

/** A recipient who opened a link of a message. */
export interface Visit {
  recipient: Recipient
  token: RecipientToken
  translations: Translations
  /** URL of the recipient's preferences, relative to all of these pages. */
  preferences: string
}

/** The recipient that a token names, or the page to answer with: for a deleted contact, and for a test message. */
export async function visitOf(runtime: Runtime, db: Reader, text: string): Promise<Visit | Response> {
  const token = requireToken(readRecipientToken(runtime.keys, text))
  const recipient = await findRecipient(db, token)
  const translations = translationsFor(recipient?.locale)
  if (await isTestMessage(db, token))
    return noticePage(200, recipient ? brandingOf(recipient) : NO_BRANDING, translations.test_message)
  if (!recipient) return deadLinkPage(410)
  return { recipient, token, translations, preferences: `../preferences/${text}` }
}

/** Throws NOT_FOUND for a token that could not be read. */
export function requireToken<T>(token: T | null): T {
  if (token === null) throw new AppError('NOT_FOUND', 'This link is not valid.')
  return token
}

export function brandingOf({ project_name, brand_color, logo_url, locale }: Recipient): Branding {
  return { name: project_name, brand_color, logo_url, lang: translationsFor(locale).lang }
}

/** The recipient's address with its local part shortened: a forwarded message must not reveal the whole address. */
export function maskedAddress(translations: Translations, { email }: Recipient): string {
  const at = email.lastIndexOf('@')
  return isolate(translations, `${[...email][0]}…${email.slice(at)}`)
}

export function preferencesLink({ translations, preferences }: Visit): Markup {
  return html`<p><a href="${preferences}">${translations.unsubscribe.preferences}</a></p>`
}

/** Confirms that the recipient was unsubscribed: from the named lists, or from everything when `lists` is null. */
export function unsubscribedPage(visit: Visit, lists: string | null): Response {
  const { recipient, translations, preferences } = visit
  const [title, text] = lists === null ? translations.unsubscribed : translations.unsubscribed_lists
  const everything = unsubscribeAllButton(translations.unsubscribe.everything)
  return publicPage({
    status: 200,
    branding: brandingOf(recipient),
    title,
    body: html`
    <p role="status">${text(lists ?? maskedAddress(translations, recipient))}</p>
    ${lists !== null && html`<form method="post" action="${preferences}">${everything}</form>`}
    ${preferencesLink(visit)}`,
  })
}

/** Unsubscribes from everything when its form is posted to the preferences. */
export function unsubscribeAllButton(text: string): Markup {
  return html`<button class="quiet" name="unsubscribe_all" value="1">${text}</button>`
}

const MAX_FORM_BYTES = 64 * 1024

/** The fields of a form that a browser or a mail program's one click sends; an unreadable body has no fields. */
export async function readForm(sending: Sending): Promise<URLSearchParams> {
  const type = sending.request.headers.get('content-type') ?? ''
  const text = await readText(sending, MAX_FORM_BYTES)
  if (!/^multipart\/form-data/i.test(type)) return new URLSearchParams(text)
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => new FormData())
  return new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}
