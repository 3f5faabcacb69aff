import { NAVIGATION, type NavigationEntry, PLACE_NAMES } from '../../../../static/app/shell/navigation.ts'
import { ICONS } from '../../../../static/app/ui/icon-paths.ts'
import { hasRole } from '../../../access/permission.ts'
import type { DocumentData } from '../../../shared/app-document.ts'
import { type AppPage, findPage, type Place } from '../../../shared/app-pages.ts'
import { html, type Markup } from '../../core/markup.ts'
import { type OutlinePart, PAGE_OUTLINES } from './page-outlines.ts'
import { personName } from './page-parts.ts'

/** The content of the page frame that the server renders, visible before the script runs. */
export interface ShellContent {
  place: Place
  page: AppPage | null
  data: Pick<DocumentData, 'user' | 'project' | 'scope' | 'sandbox'>
}

const SKELETON_LINES = 8

/**
 * The frame of a page as the server draws it: side bar, top bar, title, and lines in the place of the content. The
 * script replaces it by the same frame (`static/app/shell/shell.tsx`). Its links work; what needs the script has no
 * role and cannot be focused.
 */
export function appShell(content: ShellContent): Markup {
  const { place, page } = content
  return html`<div class="shell">
${sideBar(content)}
<div class="shell-body">${topBar(content)}
<noscript>These pages need JavaScript. Signing in, and the pages for recipients, work without it.</noscript>
<main id="page" class="shell-page" aria-busy="true">
${page === null ? null : outline(page, PAGE_OUTLINES[place.name][page.path])}</main></div></div>`
}

function sideBar({ place, page, data }: ShellContent): Markup {
  const name = data.project?.name ?? PLACE_NAMES[place.name]
  const groups = NAVIGATION[place.name].map(({ label, entries }) => ({
    label,
    entries: entries.filter((entry) => isShown(entry, place, data)),
  }))
  return html`<aside class="side-bar"><div class="side-bar-head"><span class="button-plain">
<span class="word-mark" aria-hidden="true"></span><span class="place-name">${name}</span>
${icon('chevron-down')}</span></div>
<nav aria-label="Pages">${groups.map(
    ({ label, entries }) =>
      entries.length > 0 &&
      html`<div class="side-bar-group">${label !== null && html`<h2>${label}</h2>`}
<ul>${entries.map((entry) => link(entry, page, data.scope))}</ul></div>`,
  )}</nav></aside>`
}

function isShown({ path, role }: NavigationEntry, place: Place, { project, sandbox }: ShellContent['data']): boolean {
  if (path === '/mailbox' && !sandbox) return false
  if (findPage(place.pages, path) === null) return false
  return role === undefined || (project !== null && hasRole(project.role, role))
}

function link({ path, label, icon: name }: NavigationEntry, page: AppPage | null, scope: string): Markup {
  return html`<li><a href="${path === '/' ? scope : scope + path}"${
    page?.path === path && html` aria-current="page"`
  }>${icon(name)}<span>${label}</span></a></li>`
}

/** The keys of the search differ between systems, so only their room is kept. */
function topBar({ page, data }: ShellContent): Markup {
  const initial = personName(data.user).slice(0, 1).toUpperCase()
  return html`<header class="top-bar"><span class="top-bar-menu"><span class="icon-button">${icon('menu')}</span></span>
<p class="top-bar-title" aria-hidden="true">${page?.title}</p>
<span class="top-bar-search" aria-hidden="true">${icon('search')}<span>Search</span>
<kbd style="visibility:hidden">Ctrl K</kbd></span><span class="icon-button">${icon('code')}</span>${
    data.project && html`<span class="button-plain"><span class="tray">${icon('activity')}</span></span>`
  }<span class="button-plain" aria-hidden="true"><span class="avatar">${initial}</span></span></header>`
}

function outline(page: AppPage, parts: readonly OutlinePart[] | undefined): Markup | null {
  // The letter fills the page, and has no skeleton of its own.
  if (page.style === 'letter') return null
  if (parts === undefined)
    return html`<div class="skeleton" aria-hidden="true">
<div class="skeleton-line skeleton-title"></div>${lines(3)}</div>`
  const drawn = (wanted: readonly OutlinePart[]) =>
    parts.filter((part) => wanted.includes(part)).map((part) => DRAWN[part])
  return html`<header class="page-head"><div class="page-words"><h1 class="page-title">${page.title}</h1>${drawn([
    'lead',
    'long-lead',
  ])}</div>${drawn(['actions'])}</header>${drawn(['tabs', 'search', 'rows'])}`
}

const DRAWN: Readonly<Record<OutlinePart, Markup>> = {
  lead: lead('skeleton-lead'),
  'long-lead': lead('skeleton-lead skeleton-long'),
  actions: html`<div class="page-actions"><span class="skeleton-actions"></span></div>`,
  tabs: html`<div class="skeleton-tabs"></div>`,
  search: html`<div class="skeleton-search"></div>`,
  rows: html`<div class="skeleton skeleton-rows" aria-hidden="true">${lines(SKELETON_LINES)}</div>`,
}

function lead(look: string): Markup {
  return html`<p class="page-lead skeleton" aria-hidden="true"><span class="${look}"></span></p>`
}

function lines(count: number): Markup[] {
  return Array.from({ length: count }, () => html`<div class="skeleton-line"></div>`)
}

function icon(name: keyof typeof ICONS): Markup {
  return html`<svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
<path d="${ICONS[name]}"/></svg>`
}
