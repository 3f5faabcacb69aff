import { html, type Markup } from '../core/markup.ts'
import { SCOPE_KINDS, SCOPES } from '../../shared/scopes.ts'
import { allCalls, type Reference } from './reference.ts'

/** Every scope: what it allows, the least role of the user who grants it, and the calls that it opens. */
export function scopesMarkup(reference: Reference): Markup {
  const calls = Map.groupBy(allCalls(reference), ({ call }) => call.scope ?? '')
  const names = Object.keys(SCOPES)
  const opened = (name: string) => calls.get(name) ?? []
  return html`<p class="lead">A scope is what a user grants to an app, or a member to an API key. Scopes are
independent: <code>newsletter:send</code> does not contain <code>newsletter:read</code>. None raises a role: each call
asks for the
present role of the user who granted it. API keys take the four scopes of the newsletter.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Scopes"><table>
<thead><tr><th>Scope</th><th>Kind</th><th>Allows</th><th>Least role</th><th>Calls</th></tr></thead>
<tbody>${names.map((name) => {
    const { kind, label, least_role } = SCOPES[name]!
    return html`<tr><th scope="row"><a href="#${name}"><code>${name}</code></a></th><td>${SCOPE_KINDS[kind]}</td>
<td>${label}</td><td>${asWord(least_role)}</td><td>${opened(name).length}</td></tr>`
  })}</tbody></table></div>
<p>A token without any scope may ask <a href="/docs/platform/oauth#get_general_api_v1_token_introspect">about itself</a>
and for <a href="/docs/platform/projects">its projects</a>.</p>
${names.map(
  (name) => html`<section id="${name}"><h2><a href="#${name}"><code>${name}</code></a></h2>
<p>${SCOPES[name]!.label}. ${SCOPES[name]!.risk ?? ''}</p>
<ul class="contents">${opened(name).map(
    ({ call, href }) => html`<li><a href="${href}"><code>${call.name}</code></a> <span>${call.summary}</span></li>`,
  )}</ul></section>`,
)}`
}

function asWord(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
