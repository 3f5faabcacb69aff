import { iso } from '../../clock.ts'
import { SCOPES } from '../../oauth/scopes.ts'
import { html, type Markup } from '../core/markup.ts'

/** Pieces that several pages of the portal are made of. */

/** What came of a form. */
export interface Notice {
  kind: 'done' | 'refused'
  words: string
}

export function noticeLine(notice: Notice | null): Markup | null {
  if (!notice) return null
  return notice.kind === 'done'
    ? html`<p class="notice" role="status">${notice.words}</p>`
    : html`<p class="notice bad" role="alert">${notice.words}</p>`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The day something happened (UTC); the minute is in the markup. */
export function day(at_ms: number): Markup {
  return html`<time datetime="${iso(at_ms)}">${DAY.format(at_ms)}</time>`
}

const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** “Harbour News, Mountain Post and Trail Report” */
export function enumeration(names: readonly string[]): string {
  return AND.format(names)
}

/** What an app may do, in the words of the page that asked for consent. */
export function permissions(scopes: readonly string[]): Markup {
  return html`<ul class="permissions">${scopes.map((name) => html`<li>${SCOPES[name]?.words ?? name}</li>`)}</ul>`
}

/** Who makes an app, and where it is at home: a line below its name. A maker without a name is known by that home. */
export function appOrigin({ homepage, maker }: { homepage: string; maker: string | null }): Markup | null {
  const host = hostOf(homepage)
  const madeBy = maker !== null && maker !== host && html`Made by ${maker}`
  if (!madeBy && host === null) return null
  return html`<p class="quiet">${madeBy}${madeBy && host !== null && ' · '}${host !== null && html`<a href="${homepage}" rel="noopener noreferrer nofollow" target="_blank">${host}</a>`}</p>`
}

/** Of a web address; null for one that a browser might run instead of opening. */
function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

/** Somebody as others of a project see them. */
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
