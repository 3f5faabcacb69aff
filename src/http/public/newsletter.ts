import { AppError } from '../../errors.ts'
import {
  type Choice,
  choices,
  choose,
  confirm,
  findConfirming,
  findRecipient,
  isTestMessage,
  pendingLists,
  type Recipient,
} from '../../newsletter/consent/recipient.ts'
import { listsOfCampaign, unsubscribeThrough } from '../../newsletter/campaigns/unsubscribe.ts'
import { openConfirmationToken, openRecipientToken, type RecipientToken } from '../../newsletter/tracking/links.ts'
import type { Reader } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { apart, inARow, translationsFor } from '../../i18n/languages.ts'
import type { Words } from '../../i18n/translations.ts'
import { readText } from '../core/body.ts'
import { errorResponse, type Exchange, type Handler } from '../core/exchange.ts'
import { html, type Markup } from '../core/markup.ts'
import { type Look, publicPage } from '../core/pages.ts'

/**
 * Where the links of a message lead. The token in the path is the recipient's proof: there is no cookie, no login and no
 * limit. GET and HEAD only show, POST acts: programs that follow links (scanners of mail) change nothing.
 */
const MAX_FORM_BYTES = 64 * 1024

/** `GET, POST /general/newsletter/confirm/:token` */
export function confirmPage(runtime: Runtime): Handler {
  const { db } = runtime.store
  return asPages(runtime, {
    async show({ params }) {
      const token = known(openConfirmationToken(runtime.keys, params.token!))
      const recipient = await findConfirming(db, token)
      if (!recipient) return gone(runtime)
      const words = translationsFor(recipient.locale)
      const lists = await pendingLists(db, token)
      if (lists.length === 0) return notice(runtime, 200, lookOf(recipient), words.nothing_to_confirm)
      return publicPage(
        runtime,
        200,
        lookOf(recipient),
        words.confirm.title,
        html`
        <p>${words.confirm.text(
          inARow(
            words,
            lists.map(({ name }) => name),
          ),
          apart(words, masked(recipient.email)),
        )}</p>
        <form method="post"><button>${words.confirm.button}</button></form>
        <p class="quiet">${words.confirm.hint}</p>`,
      )
    },
    async act({ params, now, address, user_agent }) {
      const token = known(openConfirmationToken(runtime.keys, params.token!))
      const done = await runtime.store.write(async (tx) => {
        const recipient = await findConfirming(tx, token)
        if (!recipient) return null
        const lists = await pendingLists(tx, token)
        await confirm(tx, recipient, token.list_ids, { now, address, user_agent })
        return { recipient, lists }
      })
      if (!done) return gone(runtime)
      const words = translationsFor(done.recipient.locale)
      const [title, text] = words.confirmed
      if (done.lists.length === 0) return notice(runtime, 200, lookOf(done.recipient), words.nothing_to_confirm)
      return notice(runtime, 200, lookOf(done.recipient), [
        title,
        text(
          inARow(
            words,
            done.lists.map(({ name }) => name),
          ),
        ),
      ])
    },
  })
}

/**
 * `GET, POST /general/newsletter/unsubscribe/:token`. A POST leaves the lists that brought the message, or everything
 * when no list did or `scope=all` says so; that is also what a mail program's one click sends (RFC 8058).
 */
export function unsubscribePage(runtime: Runtime): Handler {
  return asPages(runtime, {
    async show({ params }) {
      const visit = await visitOf(runtime, runtime.store.db, params.token!)
      if (visit instanceof Response) return visit
      const { recipient, token, words } = visit
      if (recipient.global_status === 'unsubscribed') return left(runtime, visit, null)
      const lists = await activeListsBehind(runtime, recipient, token)
      return publicPage(
        runtime,
        200,
        lookOf(recipient),
        words.unsubscribe.title,
        html`
        <p>${words.unsubscribe.text(apart(words, masked(recipient.email)))}</p>
        ${lists && html`<form method="post"><button>${words.unsubscribe.lists(inARow(words, lists))}</button></form>`}
        ${leaveAllForm(words, lists !== null)}
        ${preferencesLink(visit)}`,
      )
    },
    async act({ params, request, now }) {
      const form = await formOf(request)
      const everything = form.get('scope') === 'all'
      const done = await runtime.store.write(async (tx) => {
        const visit = await visitOf(runtime, tx, params.token!)
        if (visit instanceof Response) return visit
        const lists = everything ? null : await listsOfCampaign(tx, visit.recipient.project_id, visit.token.campaign_id)
        await unsubscribeThrough(tx, visit.recipient, { message: visit.token, everything, now })
        return { visit, lists }
      })
      return done instanceof Response ? done : left(runtime, done.visit, done.lists?.map(({ name }) => name) ?? null)
    },
  })
}

/** `GET, POST /general/newsletter/preferences/:token` */
export function preferencesPage(runtime: Runtime): Handler {
  return asPages(runtime, {
    async show({ params }) {
      const visit = await visitOf(runtime, runtime.store.db, params.token!)
      return visit instanceof Response
        ? visit
        : preferences(runtime, visit, await choices(runtime.store.db, visit.recipient))
    },
    async act({ params, request, now, address, user_agent }) {
      const form = await formOf(request)
      const done = await runtime.store.write(async (tx) => {
        const visit = await visitOf(runtime, tx, params.token!)
        if (visit instanceof Response) return visit
        if (form.get('unsubscribe_all') === '1') {
          await unsubscribeThrough(tx, visit.recipient, { message: visit.token, everything: true, now })
          return { visit, left: true, all_joined: true }
        }
        const all_joined = await choose(tx, visit.recipient, new Set(form.getAll('list_ids').map(Number)), {
          now,
          address,
          user_agent,
        })
        return { visit, left: false, all_joined }
      })
      if (done instanceof Response) return done
      if (done.left) return left(runtime, done.visit, null)
      const { words } = done.visit
      const visit = await visitOf(runtime, runtime.store.db, params.token!)
      return visit instanceof Response
        ? visit
        : preferences(
            runtime,
            visit,
            await choices(runtime.store.db, visit.recipient),
            done.all_joined ? words.preferences.saved : words.preferences.blocked,
          )
    },
  })
}

interface Visit {
  recipient: Recipient
  token: RecipientToken
  words: Words
  /** The address of their preferences, from any of these pages. */
  preferences: string
}

/** Who opens the link; the answer instead when there is nobody, or the message was only a test. */
async function visitOf(runtime: Runtime, db: Reader, text: string): Promise<Visit | Response> {
  const token = known(openRecipientToken(runtime.keys, text))
  const recipient = await findRecipient(db, token)
  const words = translationsFor(recipient?.locale)
  if (await isTestMessage(db, token))
    return notice(runtime, 200, recipient ? lookOf(recipient) : nobody, words.test_message)
  if (!recipient) return gone(runtime)
  return { recipient, token, words, preferences: `../preferences/${text}` }
}

/** Names of the lists behind the message that the recipient is still on; null when leaving means everything anyway. */
async function activeListsBehind(
  runtime: Runtime,
  recipient: Recipient,
  token: RecipientToken,
): Promise<string[] | null> {
  const lists = await listsOfCampaign(runtime.store.db, recipient.project_id, token.campaign_id)
  const names = lists
    ?.filter(({ id }) =>
      recipient.memberships.some(({ list_id, status }) => list_id === id && status !== 'unsubscribed'),
    )
    .map(({ name }) => name)
  return names && names.length > 0 ? names : null
}

function left(runtime: Runtime, { recipient, words, preferences }: Visit, lists: string[] | null): Response {
  const [title, text] = lists ? words.left : words.unsubscribed
  return publicPage(
    runtime,
    200,
    lookOf(recipient),
    title,
    html`
    <p role="status">${text(lists ? inARow(words, lists) : apart(words, masked(recipient.email)))}</p>
    ${lists && html`<form method="post" action="${preferences}"><button class="quiet" name="unsubscribe_all" value="1">${words.unsubscribe.everything}</button></form>`}
    ${preferencesLink({ words, preferences })}`,
  )
}

function preferences(runtime: Runtime, { recipient, words }: Visit, lists: readonly Choice[], said?: string): Response {
  const say = words.preferences
  const isOut = recipient.global_status === 'unsubscribed'
  return publicPage(
    runtime,
    200,
    lookOf(recipient),
    say.title,
    html`
    ${said && html`<p class="notice" role="status">${said}</p>`}
    <p>${say.text(apart(words, masked(recipient.email)))}</p>
    ${isOut && html`<p class="notice">${say.out}</p>`}
    ${
      lists.length === 0
        ? html`<p>${say.none}</p>`
        : html`
    <form method="post">
      <fieldset><legend>${say.legend}</legend>
      ${lists.map(
        (
          list,
        ) => html`<label><input type="checkbox" name="list_ids" value="${list.id}"${list.status === 'subscribed' && CHECKED}> <span><bdi>${list.name}</bdi>${hintOf(list, say.pending)}</span></label>
      `,
      )}</fieldset>
      <button>${say.save}</button>
    </form>`
    }
    ${!isOut && html`<form method="post"><button class="quiet" name="unsubscribe_all" value="1">${say.leave}</button></form>`}`,
  )
}

const CHECKED = html` checked`

function hintOf({ description, status }: Choice, pending: string): Markup {
  return html`${description !== '' && html`<small dir="auto">${description}</small>`}${status === 'pending' && html`<small>${pending}</small>`}`
}

function leaveAllForm({ unsubscribe }: Words, isSecond: boolean): Markup {
  const button = isSecond
    ? html`<button class="quiet" name="scope" value="all">`
    : html`<button name="scope" value="all">`
  return html`<form method="post">${button}${unsubscribe.everything}</button></form>`
}

function preferencesLink({ words, preferences }: Pick<Visit, 'words' | 'preferences'>): Markup {
  return html`<p><a href="${preferences}">${words.unsubscribe.preferences}</a></p>`
}

/** Whoever got the message passed on need not learn the whole address. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0]}…${email.slice(at)}`
}

function lookOf({ project_name, brand_color, locale }: Recipient): Look {
  return { name: project_name, brand_color, lang: translationsFor(locale).lang }
}

const nobody: Look = { name: '', lang: 'en' }

function known<T>(token: T | null): T {
  if (token === null) throw new AppError('NOT_FOUND', 'There is no such link.')
  return token
}

/** 410: the token is one of ours, and whom it meant was deleted (contract-details 42). */
function gone(runtime: Runtime): Response {
  return notice(runtime, 410, nobody, translationsFor('en').gone)
}

function notice(runtime: Runtime, status: number, look: Look, [title, text]: readonly [string, string]): Response {
  return publicPage(runtime, status, look, title, html`<p role="status">${text}</p>`)
}

/** The fields of a form, as a browser or a mail program's one click sends them; what cannot be read has none. */
async function formOf(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(request, MAX_FORM_BYTES)
  if (!/^multipart\/form-data/i.test(type)) return new URLSearchParams(text)
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => new FormData())
  return new URLSearchParams([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

interface PublicRoute {
  show: Handler
  act: Handler
}

/** One route for all methods; refusals are pages, too, because people read them. */
function asPages(runtime: Runtime, { show, act }: PublicRoute): Handler {
  return async (exchange: Exchange) => {
    try {
      const { method } = exchange.request
      if (method === 'POST') return await act(exchange)
      if (method === 'GET' || method === 'HEAD') return await show(exchange)
      throw new AppError('METHOD_NOT_ALLOWED', 'This address is opened or posted to.', {
        headers: { Allow: 'GET, HEAD, POST' },
      })
    } catch (error) {
      const refusal = errorResponse(runtime, error, exchange.request_id, 'platform')
      const words = translationsFor('en')
      const response = notice(runtime, refusal.status, nobody, refusal.status === 404 ? words.not_found : words.failed)
      const allow = refusal.headers.get('Allow')
      if (allow) response.headers.set('Allow', allow)
      return response
    }
  }
}
