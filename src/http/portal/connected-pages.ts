import type { User } from '../../accounts/users.ts'
import type { Authorization } from '../../oauth/connected.ts'
import { scopeNames } from '../../oauth/scopes.ts'
import type { Project } from '../../projects/projects.ts'
import { html, type Markup } from '../core/markup.ts'
import { frame } from './pages.ts'
import { appOrigin, day, enumeration, labelFor, type Notice, noticeLine, permissions } from './page-parts.ts'

/** An authorization of the user. */
export interface Grant extends Authorization {
  /** The projects that the user is still a member of. */
  projects: readonly Project[]
  maker: string | null
}

interface ConnectedApps {
  user: User
  grants: readonly Grant[]
  notice: Notice | null
}

/** The apps that act in the user's name, and what each of them may do. */
export function connectedAppsPage({ user, grants, notice }: ConnectedApps): Markup {
  return frame(
    'Connected apps',
    html`
    <h1>Connected apps</h1>
    <p class="lead">These apps act in your name, within what you allowed them
      and never beyond your own role in a project.</p>
    ${noticeLine(notice)}
    ${
      grants.length === 0
        ? html`
    <p class="empty"><strong>No app acts in your name.</strong> An app that wants to asks you first:
      it sends you to a page of this service, where you see what it would do and choose the projects.
      What you allow there is listed here, and ends here whenever you like.</p>`
        : html`
    <ul class="cards">${grants.map(grantCard)}
    </ul>`
    }`,
    user,
    'apps',
  )
}

function grantCard(grant: Grant): Markup {
  const { authorization_id, app, projects, scope, created_at, last_used_at, maker } = grant
  return html`
      <li class="card">
        <div class="head">
          <div><h2>${app.display_name}</h2>${appOrigin({ homepage: app.homepage, maker })}</div>
          <a class="button quiet" href="${endPath(authorization_id)}">${labelFor('Disconnect', app.display_name)}</a>
        </div>
        <div class="columns">
          <dl class="facts">
            <dt>Projects</dt><dd>${projectLinks(projects)}</dd>
            <dt>Connected on</dt><dd>${day(created_at)}</dd>
            <dt>Last used</dt><dd>${last_used_at === null ? 'Not yet' : day(last_used_at)}</dd>
          </dl>
          <div><h3>It may</h3>${permissions(scopeNames(scope))}</div>
        </div>
      </li>`
}

function projectLinks(projects: readonly Project[]): Markup | string {
  if (projects.length === 0) return 'No project any more, so there is nothing it can do.'
  const links = projects.map(({ name, slug }) => html`<li><a href="/portal/projects/${slug}">${name}</a></li>`)
  return html`<ul>${links}</ul>`
}

/** An app's scripts in a project, and whether they stay. */
export interface ScriptsLeft {
  project: Project
  scripts: readonly string[]
  /** Another connection of the app with the project keeps its scripts. */
  stay: boolean
}

interface Ending {
  user: User
  grant: Grant
  /** Other connections of the same person with the same app. */
  others: number
  left: readonly ScriptsLeft[]
}

/** Asks before a connection ends, and says what ends with it. */
export function endPage({
  user,
  grant: { authorization_id, app, projects, created_at },
  others,
  left,
}: Ending): Markup {
  const name = app.display_name
  const to = projects.length === 0 ? '' : `to ${enumeration(projects.map((project) => project.name))} `
  return frame(
    `Disconnect ${name}`,
    html`
    <h1>Disconnect ${name}?</h1>
    <p>You connected it on ${day(created_at)}. If you disconnect it now:</p>
    <ul>
      <li>Its access ${to}in your name ends at once.</li>
      ${left.map(
        ({ project, scripts, stay }) =>
          html`<li>${
            stay
              ? `Its scripts stay on the pages of ${project.name} by another connection: ${enumeration(scripts)}.`
              : `Its scripts leave the pages of ${project.name} at once: ${enumeration(scripts)}.`
          }</li>`,
      )}
    </ul>
    ${
      others > 0 &&
      html`<p>You connected this app ${
        others === 1
          ? 'another time. That connection stays until you end it as well.'
          : `${others} more times. Those connections stay until you end them as well.`
      }</p>`
    }
    <p>If you want it back, connect it again from the app.</p>
    <form class="answer" method="post" action="${endPath(authorization_id)}">
      <button class="danger">Disconnect</button>
      <a class="button quiet" href="/portal/connected-apps">Keep it</a>
    </form>`,
    user,
    'apps',
  )
}

function endPath(authorization_id: string): string {
  return `/portal/connected-apps/${authorization_id}/disconnect`
}
