import { html, type Markup } from '../core/markup.ts'
import { SECTIONS } from '../../shared/chapter-list.ts'
import { GUIDES } from './guides.ts'
import { quickStart, type Reader } from './quick-start.ts'
import { chaptersOf, type Reference } from './reference.ts'

/** The first page: the quick start, the ways on from it, how calls work, and every chapter. */
export function startMarkup(reference: Reference, reader: Reader | null): Markup {
  return html`<p class="lead">Everything that Masthead does can be done by a program. These pages are made by the
service that you read them on, so they describe exactly this version.</p>
${quickStart(reader)}
<h2 id="ways">Where to go from here</h2>
<ul class="cards">
<li><a href="/docs/guides/typed-client">The typed client</a> <span>One TypeScript file without dependencies, with the
types of every call. <a href="/docs/masthead.ts">masthead.ts</a></span></li>
<li><a href="/docs/guides/oauth">OAuth for apps</a> <span>Work for many projects, each with its users’ consent.
Complete examples with openid-client, simple-oauth2 and Authlib.</span></li>
<li><a href="/docs/scopes">Scopes</a> <span>What each opens, and who may grant it.</span></li>
<li><a href="/docs/errors">Errors</a> <span>What each means, what to do, and an answer with it.</span></li>
<li><a href="/portal/developer/api">Try a call</a> <span>With your own session, in the portal.</span></li>
</ul>
<h2 id="conventions">How calls work</h2>
<ul>
<li>Operations are <code>POST</code> requests with a JSON body below <code>/general/api/v1/newsletter</code>. They
answer <code>data</code> and <code>request_id</code>.</li>
<li>A program of your own sends an API key: <code>Authorization: $MASTHEAD_KEY</code>. The key belongs to one project.
An app sends <code>Authorization: Bearer $MASTHEAD_TOKEN</code>, and <code>project_id</code> in the body.</li>
<li>What changes something needs an <a href="/docs/guides/idempotency">idempotency key</a>, so that it can be sent
again.</li>
<li>Lists take <code>limit</code> and <code>cursor</code>, and answer <code>next_cursor</code>, which is null at the
end.</li>
<li>600 reads and 120 changes a minute are usual; <code>RateLimit-Remaining</code> says how many are left, and a 429
when to come again.</li>
<li>The same as OpenAPI 3.1: <a href="/general/api/v1/newsletter/openapi.json">operations</a>,
<a href="/general/api/v1/openapi.json">all other routes</a>.</li>
</ul>
<h2 id="guides">Guides</h2>
<ul class="cards">${[...GUIDES].map(([name, { title }]) => {
    return html`<li><a href="/docs/guides/${name}">${title}</a></li>`
  })}</ul>
${[...chaptersOf(reference)].map(
  ([section, chapters]) => html`<h2 id="${section}">${SECTIONS[section]}</h2>
<ul class="cards">${chapters.map(
    ({ href, title, calls }) =>
      html`<li><a href="${href}">${title}</a> <span>${
        calls.length === 1 ? '1 call' : `${calls.length} calls`
      }</span></li>`,
  )}</ul>`,
)}`
}
