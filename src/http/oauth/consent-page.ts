import type { User } from '../../accounts/users.ts'
import type { ProjectChoice } from '../../oauth/granting.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import type { AuthorizationRequest } from '../../oauth/request.ts'
import { SCOPE_KINDS, SCOPES } from '../../shared/scopes.ts'
import { html, type Markup } from '../core/markup.ts'
import { frame } from '../portal/pages/pages.ts'
import { ROLE_WITH_ARTICLE } from '../portal/role-names.ts'

interface Consent {
  request: AuthorizationRequest
  user: User
  choices: readonly ProjectChoice[]
  /** The app's reasons for its scopes, by scope name. */
  reasons: Readonly<Record<string, string>>
  maker: string | null
  /** Scopes that the user granted the app before; empty for a new app. */
  granted: ReadonlySet<string>
  /** The authorization request as received; the form sends it back. */
  query: string
  ticket: string
  /** The path of the app's icon. */
  icon: string | null
  /** The form was sent without a project. */
  is_none_chosen: boolean
  /** Where to sign in as another user. */
  again: string
}

const STYLED = { sheet: '/general/oauth/consent.css' }

/** The consent page: what the app asks for, the projects to choose, and the decision. Works without scripts. */
export function consentPage({
  request,
  user,
  choices,
  reasons,
  maker,
  granted,
  query,
  ticket,
  again,
  icon,
  is_none_chosen,
}: Consent): Markup {
  const { app, redirect_uri, scopes } = request
  const mark = icon !== null && html`<img class="icon" src="${icon}" alt="" width="48" height="48"> `
  const open = choices.filter(({ lacks }) => lacks === null)
  const rel = 'noopener noreferrer nofollow'
  const homepage = html`<a href="${app.homepage}" rel="${rel}" target="_blank">${app.homepage}</a>`
  const refuse = open.length > 0 ? 'Refuse' : `Back to ${app.display_name}`
  const isNew = (scope: string): boolean => granted.size > 0 && !granted.has(scope)
  return frame(
    `Connect ${app.display_name}`,
    html`
    <h1>${mark}Connect ${app.display_name}?</h1>
    ${app.description !== '' && html`<p>${app.description}</p>`}
    <dl>
      ${maker !== null && html`<dt>Made by</dt><dd>${maker}</dd>`}
      ${isWebAddress(app.homepage) && html`<dt>Homepage</dt><dd>${homepage}</dd>`}
      <dt>Takes you back to</dt><dd>${destination(redirect_uri)}</dd>
      <dt>You are</dt><dd>${user.email} <a href="${again}">Someone else?</a></dd>
      <dt>Status</dt><dd>${app.status === 'approved' ? REVIEWED : IN_DEVELOPMENT}</dd>
    </dl>
    <form method="post" action="${OAUTH_PATHS.authorize}">
      <input type="hidden" name="request" value="${query}">
      <input type="hidden" name="ticket" value="${ticket}">
      <section>
        <h2>It will be able to</h2>
        ${kindsOf(scopes).map(
          ([kind, names]) => html`<h3>${kind}</h3>
        <ul class="scopes">${names.map((name) => scopeItem(name, isNew(name), reasons[name]))}</ul>`,
        )}
      </section>
      ${
        choices.length === 0
          ? note(html`You are not a member of any project, so there is nothing to connect it with.
            <a href="/portal/">Make a project</a>, or ask to be invited to one,
            then begin again at ${app.display_name}.`)
          : html`
      <fieldset>
        <legend>In these projects</legend>
        ${is_none_chosen && html`<p class="refusal" role="alert">Choose a project.</p>`}
        ${choices.map((choice) => projectBox(choice, open.length === 1))}
      </fieldset>
      ${open.length === 0 && note('Your role is too low in every project. Ask an administrator to connect it.')}`
      }
      <div class="decision">
        <button name="decision" value="approve"${open.length === 0 && html` disabled`}>Connect</button>
        <button class="quiet" name="decision" value="deny">${refuse}</button>
      </div>
      <p class="small">The app can never do more than your role in a project allows. You can end this at any time.</p>
    </form>`,
    STYLED,
  )
}

/** The page of an authorization request that cannot be redirected back to the app. */
export function refusalPage(sentence: string): Markup {
  const title = 'This app cannot be connected'
  return frame(
    title,
    html`<h1>${title}</h1><p role="alert">${sentence}</p><p><a href="/portal/">To your projects</a></p>`,
    STYLED,
  )
}

const IN_DEVELOPMENT = 'In development. Only its own team can connect it.'
const REVIEWED = html`<span class="quiet">Reviewed</span>`

function note(text: string | Markup): Markup {
  return html`<p class="refusal" role="note">${text}</p>`
}

function scopeItem(name: string, isNew: boolean, reason: string | undefined): Markup {
  const mark = isNew && html`<strong>New:</strong> `
  const why = reason !== undefined && html`<small>“${reason}”</small>`
  const { label, risk } = SCOPES[name]!
  return html`<li>${mark}${label} <code>${name}</code>${why}${risk && html`<strong class="risk">${risk}</strong>`}</li>`
}

/** The scopes under the names of what they let an app do. */
function kindsOf(scopes: readonly string[]): [kind: string, names: string[]][] {
  const found = Map.groupBy(scopes, (name) => SCOPES[name]!.kind)
  return Object.entries(SCOPE_KINDS).flatMap(([kind, title]) => {
    const names = found.get(kind as keyof typeof SCOPE_KINDS)
    return names ? [[title, names] satisfies [string, string[]]] : []
  })
}

function projectBox({ project, role, lacks }: ProjectChoice, checked: boolean): Markup {
  const id = project.public_id
  const address = html`<span class="quiet">${project.domain ?? project.slug}</span>`
  if (lacks === null) {
    const box = html`<input type="checkbox" name="project_ids" value="${id}"${checked && html` checked`}>`
    return html`<label class="choice">${box}<span>${project.name} ${address}</span></label>`
  }
  const reason = `You are ${ROLE_WITH_ARTICLE[role]} here. What this app asks for needs ${ROLE_WITH_ARTICLE[lacks]}.`
  const box = html`<input type="checkbox" disabled aria-describedby="why-${id}">`
  const why = html`<small id="why-${id}">${reason}</small>`
  return html`<label class="choice">${box}<span>${project.name} ${address}${why}</span></label>`
}

/** The host, or the scheme of an app's own. Nothing more, so that the user can recognize it. */
function destination(redirect_uri: string): string {
  const { host, protocol } = new URL(redirect_uri)
  return isWebAddress(redirect_uri) ? host : `${protocol} (an app on this device)`
}

function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '')
}
