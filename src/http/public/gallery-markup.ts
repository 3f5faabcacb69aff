import type { FullGalleryApp, GalleryApp, GalleryQuery } from '../../developer/gallery.ts'
import { ownPicture } from '../../files/address.ts'
import { SCOPES } from '../../shared/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import type { Placement } from '../../store/tables/scripts.ts'
import { html, type Markup } from '../core/markup.ts'

export const GALLERY_PATH = '/apps'
/** The most characters of a search text. */
export const MAX_CHARACTERS = 200
const PLACES: Record<Placement, string> = {
  'HTML Head': 'in the head of each page',
  'HTML Body start': 'at the start of each page',
  'HTML Body end': 'at the end of each page',
}

type Base = Pick<Runtime, 'base_url'>

interface Listed {
  items: readonly GalleryApp[]
  next_cursor: string | null
}

/** The list of the gallery, with its search. */
export function listBody(base: Base, { search, category }: GalleryQuery, { items, next_cursor }: Listed): Markup {
  const isFiltered = search !== undefined || category !== undefined
  return html`<p>What others have made for the projects here. Each was reviewed before it was listed.</p>
<form method="get" action="${GALLERY_PATH}" role="search">
<input type="search" name="search" value="${search}" maxlength="${MAX_CHARACTERS}"
  aria-label="Search" placeholder="What should it do?">
${category !== undefined && html`<input type="hidden" name="category" value="${category}">`}
<button>Search</button>
</form>
${isFiltered && html`<p>${category !== undefined && `In ${category}. `}<a href="${GALLERY_PATH}">Show all apps</a></p>`}
${
  items.length === 0
    ? html`<p role="status">${isFiltered ? 'No app matches.' : 'No app is listed yet.'}</p>`
    : html`<ul class="apps">${items.map((app) => entry(base, app))}</ul>`
}
${next_cursor !== null && html`<p><a href="${address({ search, category, cursor: next_cursor })}">More apps</a></p>`}`
}

function entry(base: Base, { id, display_name, maker, listing, projects }: GalleryApp): Markup {
  return html`<li>
${icon(base, listing.icon_url)}
<div>
<h2><a href="${GALLERY_PATH}/${id}">${display_name}</a></h2>
${listing.tagline && html`<p>${listing.tagline}</p>`}
<p class="quiet">${madeBy(maker)}${categoryLink(listing.category)}${listing.category && ' · '}${used(projects)}</p>
</div>
</li>`
}

/** The body of an app's page in the gallery. */
export function appBody(base: Base, app: FullGalleryApp): Markup {
  const { listing, homepage, scopes, scope_reasons, scripts, projects } = app
  const home = webAddress(homepage)
  const text = listing.description || app.description
  const pictures = listing.screenshots.flatMap((address) => ownPicture(base.base_url, address) ?? [])
  return html`
<div class="about">${icon(base, listing.icon_url)}${listing.tagline && html`<p>${listing.tagline}</p>`}</div>
${
  home
    ? html`<p><a class="button" href="${home.href}" rel="noopener noreferrer nofollow">Connect at ${home.host}</a></p>
<p class="quiet">The app then asks you here which projects it may act in.</p>`
    : html`<p class="quiet">Its team names no homepage, so there is nowhere to connect it yet.</p>`
}
${text && html`<p class="prose">${text}</p>`}
${pictures.map((src, index) => html`<img class="shot" src="${src}" alt="Screenshot ${index + 1}" loading="lazy">`)}
<h2>It may ask to</h2>
${
  scopes.length === 0
    ? html`<p>Nothing.</p>`
    : html`<ul>${scopes.map(
        (scope) =>
          html`<li>${SCOPES[scope]?.label ?? scope}${
            scope_reasons[scope] && html`<br><span class="quiet">${scope_reasons[scope]}</span>`
          }</li>`,
      )}</ul>`
}
${
  scripts.length > 0 &&
  html`<h2>Its scripts on pages</h2>
<ul>${scripts.map(
    ({ name, type, placement }) => html`<li>${name}: ${type.toLowerCase()}, ${PLACES[placement]}</li>`,
  )}</ul>`
}
<p class="quiet">${madeBy(app.maker)}${categoryLink(listing.category)}${listing.category && ' · '}${used(projects)}</p>
${outLink('Support', listing.support_url)}${outLink('Privacy', listing.privacy_url)}
<p><a href="${GALLERY_PATH}">All apps</a></p>`
}

function madeBy(maker: string | null): string {
  return maker === null ? '' : `By ${maker} · `
}

function categoryLink(category: string): Markup | null {
  return category === '' ? null : html`<a href="${address({ category })}">${category}</a>`
}

function used(projects: number): string {
  return projects === 0 ? 'Not used by a project yet' : `Used by ${projects} ${projects === 1 ? 'project' : 'projects'}`
}

function address(query: GalleryQuery): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${GALLERY_PATH}?${new URLSearchParams(given).toString()}`
}

function icon(base: Base, address_of_icon: string): Markup | null {
  const src = ownPicture(base.base_url, address_of_icon)
  return src === null ? null : html`<img class="icon" src="${src}" alt="" width="48" height="48">`
}

function outLink(label: string, text: string): Markup | null {
  const url = webAddress(text)
  return url && html`<p><a href="${url.href}" rel="noopener noreferrer nofollow">${label}: ${url.host}</a></p>`
}

function webAddress(text: string): URL | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : null
}
