import { hasRole } from '../../access/permission.ts'
import type { User } from '../../accounts/users.ts'
import type { Project } from '../../projects/projects.ts'
import type { OwnersConnection } from '../../scripts/connections.ts'
import type { Role } from '../../store/tables/accounts.ts'
import { html, type Markup } from '../core/markup.ts'
import { frame } from './pages.ts'
import {
  appOrigin,
  cell,
  columnHeads,
  day,
  enumeration,
  labelFor,
  type Notice,
  noticeLine,
  permissions,
} from './page-parts.ts'
import { ROLE_WITH_ARTICLE, ROLE_NAMES } from './role-names.ts'

/** The least role that changes what is connected with a project. */
export const CHANGES_FROM: Role = 'administrator'

/** An app that members have connected with the project. */
export interface AppOfProject {
  id: string
  display_name: string
  homepage: string
  maker: string | null
  /** The members who connected it, and when each did so last. */
  people: readonly { name: string; connected_at: number }[]
  /** The scopes of all their authorizations. */
  scopes: readonly string[]
  last_used_at: number | null
}

export interface ScriptOfProject extends OwnersConnection {
  /** Its present state on the pages. */
  state: 'on' | 'after_consent' | 'off' | 'not_running'
}

export const SECTIONS = ['apps', 'scripts', 'consent'] as const
export type Section = (typeof SECTIONS)[number]

/** A notice in the section of the form that it answers. */
export interface SectionNotice extends Notice {
  section: Section
}

export interface ProjectPage {
  user: User
  project: Project & { role: Role }
  /** The addresses of its pages. */
  addresses: readonly string[]
  apps: readonly AppOfProject[]
  scripts: readonly ScriptOfProject[]
  consent_required: boolean
  notice: SectionNotice | null
}

/** A project: its connected apps and scripts, and the consent of its visitors. */
export function projectPage(view: ProjectPage): Markup {
  const { user, project, addresses } = view
  const links = addresses.map((address) => html`<li><a href="${address}">${address}</a></li>`)
  return frame(
    project.name,
    html`
    <p class="up"><a href="/portal/">Your projects</a></p>
    <h1>${project.name}</h1>
    <dl class="facts">
      <dt>${addresses.length === 1 ? 'Address' : 'Addresses'}</dt><dd><ul>${links}</ul></dd>
      <dt>Your role</dt><dd>${ROLE_NAMES[project.role]}</dd>
    </dl>
    ${appSection(view)}
    ${scriptSection(view)}
    ${consentSection(view)}`,
    user,
    'projects',
  )
}

/** A section, with the notice of its form. */
function section(id: Section, title: string, { notice }: ProjectPage, content: Markup): Markup {
  return html`
    <section id="${id}" aria-labelledby="${id}-title">
      <h2 id="${id}-title">${title}</h2>
      ${notice?.section === id && noticeLine(notice)}${content}
    </section>`
}

/** The reason for missing buttons, for members who cannot change the project. */
function whyNot({ project: { role } }: ProjectPage, what: string): Markup | null {
  return hasRole(role, CHANGES_FROM)
    ? null
    : html`<p class="why">${what} takes an administrator or an owner; you are ${ROLE_WITH_ARTICLE[role]} here.</p>`
}

function appSection(view: ProjectPage): Markup {
  const { apps } = view
  return section(
    'apps',
    'Connected apps',
    view,
    apps.length === 0
      ? html`
      <p class="empty"><strong>No app has access to this project.</strong> A member connects an app
        and chooses the projects that it may use. Apps that may use this project are listed here.</p>`
      : html`
      <p>Members connected these apps. Each does what its member allowed, and never more than their own role allows.</p>
      ${whyNot(view, 'Removing an app')}
      <ul class="cards">${apps.map((app) => appCard(view, app))}
      </ul>`,
  )
}

function appCard(
  { project }: ProjectPage,
  { id, display_name, homepage, maker, people, scopes, last_used_at }: AppOfProject,
): Markup {
  const members = people.map(({ name, connected_at }) => html`<li>${name} ${day(connected_at)}</li>`)
  const path = `${projectPath(project)}/${id}/remove`
  const removeLink = html`<a class="button quiet" href="${path}">${labelFor('Remove', display_name)}</a>`
  return html`
        <li class="card">
          <div class="head">
            <div><h3>${display_name}</h3>${appOrigin({ homepage, maker })}</div>
            ${hasRole(project.role, CHANGES_FROM) && removeLink}
          </div>
          <div class="columns">
            <dl class="facts">
              <dt>Connected by</dt><dd><ul>${members}</ul></dd>
              <dt>Last used</dt><dd>${last_used_at === null ? 'Not yet' : day(last_used_at)}</dd>
            </dl>
            <div><h4>It may</h4>${permissions(scopes)}</div>
          </div>
        </li>`
}

function scriptSection(view: ProjectPage): Markup {
  const { scripts, project } = view
  const may = hasRole(project.role, CHANGES_FROM)
  return section(
    'scripts',
    'Connected scripts',
    view,
    scripts.length === 0
      ? html`
      <p class="empty"><strong>No app has put a script on the pages of this project.</strong> A connected app
        that may do so can add some, such as a counter or a chat window. Each of them is then listed here,
        with its code, and can be switched off.</p>`
      : html`
      <p>Connected apps put these into every page of this project.
        One that is switched off stays off, whatever its app does.</p>
      ${whyNot(view, 'Switching a script off or on')}
      <table class="stack" role="table">
        ${columnHeads([...SCRIPT_COLUMNS, ...(may ? [html`<span class="unseen">Change</span>`] : [])])}
        ${scripts.map((script) => scriptRows(project, script, may))}
      </table>`,
  )
}

const SCRIPT_COLUMNS = ['Script', 'App', 'Type', 'Placement', 'Connected on', 'Status']
const NOT_RUNNING = html`<p>
  Its app may not run here at the moment, or what it makes is too large or would swallow the page.
</p>`

function scriptRows(project: Project, script: ScriptOfProject, may: boolean): Markup {
  const { connection_id, name, app, type, placement, created_at, enabled, state, html: code } = script
  const [change, label] = enabled ? ['switch-off', 'Switch off'] : ['switch-on', 'Switch on']
  const switchForm = button(project, change, labelFor(label, `${name} of ${app.display_name}`), {
    section: 'scripts',
    connection_id,
  })
  return html`
        <tbody role="rowgroup">
          <tr role="row">
            <th class="name" scope="row" role="rowheader">${name}</th>
            <td class="name" role="cell" data-label="App">${app.display_name}</td>
            ${cell('Type', type)}
            ${cell('Placement', placement)}
            ${cell('Connected on', day(created_at))}
            ${cell('Status', STATES[state])}
            ${may && html`<td role="cell" class="act">${switchForm}</td>`}
          </tr>
          <tr role="row" class="more"><td role="cell" colspan="${may ? 7 : 6}">${state === 'not_running' && NOT_RUNNING}
            <details><summary>Code of ${name}</summary>
              <pre role="region" tabindex="0" aria-label="Code of ${name}"><code>${code}</code></pre>
            </details>
          </td></tr>
        </tbody>`
}

const STATES: Record<ScriptOfProject['state'], Markup> = {
  on: html`<span class="state on">On</span>`,
  after_consent: html`<span class="state on">After consent</span>`,
  off: html`<span class="state">Off</span>`,
  not_running: html`<span class="state held">Not running</span>`,
}

const ASKED = {
  state: 'Visitors are asked',
  effect:
    'Only Essential scripts run at once. Functional, Analytics and Advertising scripts wait until the visitor has ' +
    'agreed to them, and Advertising scripts stay away from browsers that send Global Privacy Control.',
  change: 'ask-no-more',
  label: 'Stop asking visitors',
}
const NOT_ASKED = {
  state: 'Visitors are not asked',
  effect:
    'Every script runs as soon as a page opens. When visitors are asked, only Essential scripts do; Functional, ' +
    'Analytics and Advertising scripts wait until the visitor has agreed to them.',
  change: 'ask-first',
  label: 'Ask visitors first',
}

function consentSection(view: ProjectPage): Markup {
  const { consent_required, project } = view
  const { state, effect, change, label } = consent_required ? ASKED : NOT_ASKED
  return section(
    'consent',
    'Visitors’ consent',
    view,
    html`
      <p class="set"><span class="state${consent_required && ' on'}">${state}</span></p>
      <p>${effect}</p>
      ${whyNot(view, 'Changing this')}
      ${hasRole(project.role, CHANGES_FROM) && button(project, change, label, { section: 'consent' })}`,
  )
}

/** A form of one button; its response leads back to its section. */
function button(
  project: Project,
  change: string,
  label: Markup | string,
  { section, connection_id }: { section: Section; connection_id?: number },
): Markup {
  const script = connection_id !== undefined && html`<input type="hidden" name="script" value="${connection_id}">`
  return html`<form method="post" action="${projectPath(project)}#${section}">${script}
    <button class="quiet" name="change" value="${change}">${label}</button>
  </form>`
}

interface Removal {
  user: User
  project: Project
  app: AppOfProject
  scripts: readonly string[]
}

/** Asks before an app loses the project, and says what ends with that. */
export function removePage({ user, project, app, scripts }: Removal): Markup {
  return frame(
    `Remove ${app.display_name}`,
    html`
    <h1>Remove ${app.display_name} from ${project.name}?</h1>
    <p>If you remove it now:</p>
    <ul>
      <li>Its access to this project ends at once,
        for everyone who connected it: ${enumeration(app.people.map(({ name }) => name))}.</li>
      ${scripts.length > 0 && html`<li>Its scripts leave the pages at once: ${enumeration(scripts)}.</li>`}
    </ul>
    <p>Its access to other projects stays. Members can connect it with this one again.</p>
    <form class="answer" method="post" action="${projectPath(project)}/${app.id}/remove#apps">
      <button class="danger">Remove</button>
      <a class="button quiet" href="${projectPath(project)}#apps">Keep it</a>
    </form>`,
    user,
    'projects',
  )
}

export function projectPath({ slug }: Project): string {
  return `/portal/projects/${slug}/apps`
}
