import type { User } from '../../../accounts/users.ts'
import type { Flaw } from '../../../errors.ts'
import type { Project } from '../../../projects/projects.ts'
import type { Role } from '../../../shared/roles.ts'
import { html, type Markup } from '../../core/markup.ts'
import { cell, columnHeads } from './page-parts.ts'
import type { Offer } from '../offers.ts'
import { ROLE_NAMES } from '../role-names.ts'

/** The values of a form. A refused form is shown with them again, except for passwords. */
export type FormValues = Record<string, string>

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete?: string
  hint?: string
  required?: boolean
  pattern?: string
}

const ACCOUNT: Field[] = [
  { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 8 characters.',
    required: true,
  },
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
]
const FIRST_PROJECT: Field[] = [
  { name: 'project_name', label: 'Name', hint: 'Leave it empty to go without.' },
  {
    name: 'project_slug',
    label: 'Short name for addresses (slug)',
    hint: 'a to z, 0 to 9 and hyphens, such as harbour-news. Leave it empty to have it made from the name.',
    pattern: '[a-z0-9\\-]{1,63}',
  },
]

const NOTHING = 'Nothing was created yet: please look at the fields marked below.'
export const NOTHING_CREATED = html`<p class="refusal" role="alert">${NOTHING}</p>`

export function setupPage(token: string, values: FormValues, flaws: Flaw[]): Markup {
  const first = firstToFill([...ACCOUNT, ...FIRST_PROJECT], values, flaws)
  const fieldset = (legend: string, fields: readonly Field[]) =>
    html`<fieldset>
      <legend>${legend}</legend>${fields.map((field) => input(field, values, flaws, field === first))}
    </fieldset>`
  return frame(
    'Set up Masthead',
    html`
    <h1>Set up Masthead</h1>
    <p>This makes the first account. It administers the whole instance.</p>
    ${flaws.length > 0 && NOTHING_CREATED}
    <form method="post" action="/portal/setup">
      <input type="hidden" name="token" value="${token}">
      ${fieldset('Your account', ACCOUNT)}
      ${fieldset('Your first project', FIRST_PROJECT)}
      <button>Create the account</button>
    </form>`,
  )
}

interface Home {
  user: User
  invitations: readonly Offer[]
  projects: readonly (Project & { role: Role })[]
  /** The apps of the user's teams. */
  apps: readonly { id: string; display_name: string }[]
  api_reference: string
  mailbox: string | null
  /** The form of a new project, as it was refused. */
  refused: RefusedProject | null
}

export interface RefusedProject {
  values: FormValues
  flaws: readonly Flaw[]
}

const NEW_PROJECT: Field = {
  name: 'name',
  label: 'Name',
  hint: 'Such as Harbour News. Its short name for addresses is made from it; both can be changed.',
  required: true,
}

/** The choices for a user without a project. */
function doors({ admin }: User): Markup {
  return html`
    <p>You are not a member of any project yet. Where do you want to go?</p>
    <ul class="doors">
      <li><a href="#new-project"><strong>Make a site or a newsletter</strong></a>
        <span>A project with pages, people and letters.</span></li>
      <li><a href="/portal/developer"><strong>Build an app</strong></a>
        <span>A program that others let into their projects, or try with one of your own.</span></li>
      ${
        admin &&
        html`<li><a href="/portal/operator/reviews"><strong>Look after the service</strong></a>
        <span>Reviews of apps, people, projects and health.</span></li>`
      }
    </ul>`
}

export function homePage({ user, invitations, projects, apps, api_reference, mailbox, refused }: Home): Markup {
  return frame(
    'Your projects',
    html`
    <h1>${projects.length === 0 ? 'Welcome' : 'Your projects'}</h1>
    ${invitations.map(
      (invitation) => html`
    <form class="invitation" method="post" action="/portal/invitation">
      <input type="hidden" name="id" value="${invitation.id}">
      <p>${invitation.inviter} invites you to <strong>${invitation.name}</strong>, as ${invitation.place}.</p>
      <button>Join ${invitation.name}</button>
    </form>`,
    )}
    ${
      projects.length === 0
        ? doors(user)
        : html`
    <table class="stack" role="table">
      ${columnHeads(['Project', 'Your role', 'Domain', 'Project id'])}
      <tbody role="rowgroup">${projects.map(
        ({ public_id, name, slug, domain, role }) => html`
        <tr role="row">
          <th class="name" scope="row" role="rowheader">
            <a href="/portal/projects/${slug}">${name}</a><br><span class="quiet">${slug}</span>
          </th>
          ${cell('Your role', ROLE_NAMES[role])}
          ${cell('Domain', domain ?? '–')}
          ${cell('Project id', html`<code>${public_id}</code>`)}
        </tr>`,
      )}
      </tbody>
    </table>`
    }
    ${
      apps.length > 0 &&
      html`
    <section aria-labelledby="your-apps">
      <h2 id="your-apps">Your apps</h2>
      <ul>${apps.map(
        ({ id, display_name }) => html`<li><a href="/portal/developer/apps/${id}">${display_name}</a></li>`,
      )}</ul>
    </section>`
    }
    <section class="new-project" aria-labelledby="new-project">
      <h2 id="new-project">New project</h2>
      <p>A site with its people, letters and apps. You become its owner.</p>
      <form method="post" action="/portal/projects">
        ${input(NEW_PROJECT, refused?.values ?? {}, refused?.flaws ?? [])}
        <button>Make the project</button>
      </form>
    </section>
    <section aria-labelledby="for-programs">
      <h2 id="for-programs">For programs</h2>
      <ul>
      <li><a href="${api_reference}">The newsletter API as an OpenAPI 3.1 document</a></li>
      ${mailbox && html`<li><a href="${mailbox}">The sandbox mailbox</a>: messages stored, not sent</li>`}
      </ul>
    </section>`,
    { header: navigation(user) },
  )
}

function navigation({ email, admin }: User): Markup {
  return html`
    <nav aria-label="Portal">
      <a href="/portal/" aria-current="true">Projects</a>
      <a href="/portal/developer">Developer</a>
      ${admin && html`<a href="/portal/operator/reviews">Operator</a>`}
      <a href="/portal/account/apps">Connected apps</a>
      <a href="/portal/account">Account</a>
    </nav>
    <form method="post" action="/portal/logout">
      <span>${email}</span><button class="quiet">Sign out</button>
    </form>`
}

/** @param onward the link below the notice; to the user's projects when left out */
export function noticePage(
  title: string,
  sentence: string,
  onward: { text: string; path: string } = { text: 'To your projects', path: '/portal/' },
): Markup {
  return frame(
    title,
    html`<h1>${title}</h1><p>${sentence}</p><p class="onward"><a href="${onward.path}">${onward.text}</a></p>`,
  )
}

/** A page of the portal without scripts. `sheet` is a style sheet beside the portal's own. */
export function frame(title: string, main: Markup, more: { header?: Markup; sheet?: string } = {}): Markup {
  const sheets = ['/portal/portal.css', ...(more.sheet === undefined ? [] : [more.sheet])]
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Masthead</title>
  <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">${sheets.map(
    (sheet) => html`
  <link rel="stylesheet" href="${sheet}">`,
  )}
</head>
<body>
  <header><a class="name" href="/portal/">Masthead</a>${more.header}</header>
  <main>${main}
  </main>
</body>
</html>
`
}

/** The fields of a form; the cursor stands in the first one to fill in. */
export function inputs(fields: readonly Field[], values: FormValues = {}, flaws: readonly Flaw[] = []): Markup {
  const first = firstToFill(fields, values, flaws)
  return html`${fields.map((field) => input(field, values, flaws, field === first))}`
}

/** The first field that was refused, else the first that is empty. */
function firstToFill(fields: readonly Field[], values: FormValues, flaws: readonly Flaw[]): Field | undefined {
  const refused = fields.find(({ name }) => flaws.some(({ path }) => path === `/${name}`))
  return refused ?? fields.find(({ name, type }) => type === 'password' || !values[name])
}

export function input(
  { name, label, type = 'text', autocomplete, hint, required, pattern }: Field,
  values: FormValues,
  flaws: readonly Flaw[],
  hasFocus = false,
): Markup {
  const flaw = flaws.find(({ path }) => path === `/${name}`)
  const value = type === 'password' ? '' : values[name]
  const notes = [hint && `${name}-hint`, flaw && `${name}-flaw`].filter(Boolean).join(' ')
  const attributes = [
    attribute('autocomplete', autocomplete),
    attribute('pattern', pattern),
    attribute('aria-describedby', notes),
    flaw && html` aria-invalid="true"`,
    hasFocus && html` autofocus`,
    required && html` required`,
  ]
  return html`
      <div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="${type}" value="${value}"${attributes}>
        ${hint && html`<small id="${name}-hint">${hint}</small>`}
        ${flaw && html`<small class="flaw" id="${name}-flaw">${flaw.message}</small>`}
      </div>`
}

function attribute(name: string, value: string | undefined): Markup | null {
  return value ? html` ${name}="${value}"` : null
}
