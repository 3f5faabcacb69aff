import { iso } from '../../clock.ts'
import { SCOPES } from '../../oauth/scopes.ts'
import { html, type Markup } from '../core/markup.ts'

/** Parts that several pages of the portal share. */

/** The column heads of a table. Roles are explicit because CSS changes the display of small tables. */
export function columnHeads(titles: readonly (string | Markup)[]): Markup {
  const heads = titles.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)
  return html`<thead role="rowgroup"><tr role="row">${heads}</tr></thead>`
}

/** A cell; on a narrow screen its label stands before it. */
export function cell(label: string, content: string | Markup): Markup {
  return html`<td role="cell" data-label="${label}">${content}</td>`
}

/** The label of a control, with the name of its object for screen readers. */
export function labelFor(action: string, name: string): Markup {
  return html`${action}<span class="unseen"> ${name}</span>`
}

/** The outcome of a form. */
export interface Notice {
  kind: 'done' | 'refused'
  text: string
}

export function noticeLine(notice: Notice | null): Markup | null {
  if (!notice) return null
  return notice.kind === 'done'
    ? html`<p class="notice" role="status">${notice.text}</p>`
    : html`<p class="notice bad" role="alert">${notice.text}</p>`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day in UTC; the markup has the exact time. */
export function day(at_ms: number): Markup {
  return html`<time datetime="${iso(at_ms)}">${DAY.format(at_ms)}</time>`
}

const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** “Harbour News, Mountain Post and Trail Report” */
export function enumeration(names: readonly string[]): string {
  return AND.format(names)
}

/** What an app may do, as the consent page says it. */
export function permissions(scopes: readonly string[]): Markup {
  return html`<ul class="permissions">${scopes.map((name) => html`<li>${SCOPES[name]?.label ?? name}</li>`)}</ul>`
}

/** The maker and the homepage of an app. A maker whose name is the host of the homepage is not repeated. */
export function appOrigin({ homepage, maker }: { homepage: string; maker: string | null }): Markup | null {
  const host = hostOf(homepage)
  const madeBy = maker !== null && maker !== host && html`Made by ${maker}`
  if (!madeBy && host === null) return null
  const link =
    host !== null && html`<a href="${homepage}" rel="noopener noreferrer nofollow" target="_blank">${host}</a>`
  return html`<p class="quiet">${madeBy}${madeBy && link && ' · '}${link}</p>`
}

/** The host of a web address; null for another scheme, which a browser might run. */
function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

/** The name of a user as other members see it: the address without a name. */
export function personName({
  first_name,
  last_name,
  email,
}: {
  first_name: string
  last_name: string
  email: string
}): string {
  return `${first_name} ${last_name}`.trim() || email
}
