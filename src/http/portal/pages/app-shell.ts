import { NAVIGATION, type NavigationEntry, PLACE_NAMES } from '../../../../static/app/shell/navigation.ts'
import { ICONS } from '../../../../static/app/ui/icon-paths.ts'
import { hasRole } from '../../../access/permission.ts'
import type { DocumentData } from '../../../shared/app-document.ts'
import { type AppPage, findPage, type Place } from '../../../shared/app-pages.ts'
import { html, type Markup } from '../../core/markup.ts'

/** The content of the page frame that the server renders, visible before the script runs. */
export interface ShellContent {
  place: Place
  page: AppPage | null
  data: Pick<DocumentData, 'project' | 'scope' | 'sandbox'>
}

const SKELETON_LINES = 8

/**
 * The frame of a page as the server draws it: side bar, title, and lines in the place of the content. The script
 * replaces it by the same frame (`static/app/shell/shell.tsx`).
 */
export function appShell({ place, page, data }: ShellContent): Markup {
  const name = data.project?.name ?? PLACE_NAMES[place.name]
  const groups = NAVIGATION[place.name].map(({ label, entries }) => ({
    label,
    entries: entries.filter((entry) => isShown(entry, place, data)),
  }))
  return html`<div class="shell">
<aside class="side-bar"><div class="side-bar-head"><span class="button-plain">
<span class="word-mark" aria-hidden="true"></span><span class="place-name">${name}</span></span></div>
<nav aria-label="Pages">${groups.map(
    ({ label, entries }) =>
      entries.length > 0 &&
      html`<div class="side-bar-group">${label !== null && html`<h2>${label}</h2>`}
<ul>${entries.map((entry) => link(entry, page, data.scope))}</ul></div>`,
  )}</nav></aside>
<div class="shell-body"><header class="top-bar"><p class="top-bar-title" aria-hidden="true">${page?.title}</p></header>
<div class="shell-page">
<noscript>These pages need JavaScript. Signing in, and the pages for recipients, work without it.</noscript>
<div class="skeleton skeleton-rows" aria-hidden="true">
${Array.from({ length: SKELETON_LINES }, () => html`<div class="skeleton-line"></div>`)}</div></div></div></div>`
}

function isShown({ path, role }: NavigationEntry, place: Place, { project, sandbox }: ShellContent['data']): boolean {
  if (path === '/mailbox' && !sandbox) return false
  if (findPage(place.pages, path) === null) return false
  return role === undefined || (project !== null && hasRole(project.role, role))
}

function link({ path, label, icon }: NavigationEntry, page: AppPage | null, scope: string): Markup {
  return html`<li><a href="${path === '/' ? scope : scope + path}"${
    page?.path === path && html` aria-current="page"`
  }><svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${
    ICONS[icon]
  }"/></svg><span>${label}</span></a></li>`
}
