import { eq } from 'drizzle-orm'
import { users } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { post, signIn } from '../http/signed-in.ts'
import { readyToSend, SAMPLE_DOCUMENT } from './campaigns.ts'
import type { World } from './world.ts'

/** `field` is whatever has a label: a box to write in, to choose from or to switch. */
type Kind = 'button' | 'link' | 'tab' | 'table' | 'field' | 'text'

/** The control that each task of docs/tasks.md starts with: its kind and its name. */
export const TASK_STARTS: Readonly<Record<string, readonly [Kind, string]>> = {
  'Make an account': ['button', 'Send the link'],
  'Make an app': ['button', 'New app'],
  'Make the first authorized call': ['button', 'Copy client id'],
  'Choose permissions and say why': ['field', 'Why it needs newsletter:read'],
  'Change redirect addresses': ['field', 'Redirect addresses'],
  'Rotate a secret': ['button', 'New secret'],
  'Write a script, try it, copy its ID': ['button', 'Copy ID'],
  'Try the drafts on a site': ['button', 'Put the drafts on its pages'],
  'See what a version changes': ['field', 'Side by side'],
  'Write the listing': ['field', 'In one line'],
  'Submit a version for review': ['button', 'Submit for review…'],
  'Read what a reviewer asks for': ['text', 'Say what it is for.'],
  'Roll back to an older version': ['button', 'Roll back to 1…'],
  'See where the app is installed': ['table', 'Installs'],
  'Find a failed call': ['field', 'Status'],
  'Work in a team': ['field', 'Invite by address'],
  'Make a project': ['button', 'Make the project'],
  'See what needs a person': ['link', 'New campaign'],
  'Write a letter': ['button', 'Review and send'],
  'Review and send it': ['button', 'Check again'],
  'Read its report': ['tab', 'Overview'],
  'Keep a template': ['button', 'New template'],
  'Find people and change many': ['field', 'Select all rows of this page'],
  "Show a person's consent": ['button', 'Copy as evidence'],
  'Ask a question once and keep it': ['link', 'New segment'],
  'Make a list and its sign-up form': ['button', 'New list'],
  'Let everybody read what was sent to a list': ['button', 'More to do with Tides'],
  'Bring people in from a file': ['link', 'Import contacts'],
  'Keep an address from being written to': ['button', 'Add address'],
  'Add a way to send, and its DNS records': ['link', 'Add connection'],
  'Say who writes': ['field', 'Company or organization'],
  'See how mailbox providers take the mail': ['field', 'Time'],
  'Look at kept messages': ['button', 'Empty the mailbox'],
  'Write a page of the site': ['field', 'Path'],
  'Put style sheets, pictures and fonts on the site': ['tab', 'Files'],
  'Write a post and publish it': ['field', 'State'],
  'Choose the look of posts on the site': ['tab', 'Look on the site'],
  'Keep a directory': ['button', 'New entry'],
  'Read, export and delete what forms sent': ['link', 'Export CSV'],
  'Choose who gets form entries by mail, and how long they stay': ['button', 'Change'],
  "Ask visitors before scripts run, in one's own words": ['field', 'Ask visitors before scripts run'],
  'Switch a script, remove an app': ['field', 'Tides: On'],
  'See who did what; try work again, or cancel it': ['tab', 'Who did what'],
  'Invite people and change roles': ['button', 'Invite'],
  'Make an API key': ['button', 'New key'],
  'Change name, address and domain; hand over; delete': ['button', 'Hand over'],
  'Decide on a version': ['button', 'Ask for changes'],
  'Suspend an app': ['button', 'Suspend… Test app'],
  'Limit a project': ['button', 'Set limits of Harbour News'],
  'Disable an account, end its sessions': ['button', 'Actions for member@example.com'],
  'See whether the service does its work': ['table', 'Loops'],
  'Back up': ['button', 'Back up now'],
  'Read the settings and their sources': ['table', 'Settings'],
  "Send the service's own test message": ['button', 'Send me a test'],
  "Change one's name and address": ['button', 'Save the name'],
  "Take one's data along, delete the account": ['link', 'Export my data'],
  'Change password, passkeys and one-time codes': ['button', 'Change the password'],
  'End sessions, forget devices': ['button', 'Sign out everywhere'],
  'End the access of an app': ['button', 'Disconnect… Test app'],
  'Find an approved app': ['field', 'Search'],
}

/**
 * What the tasks are done with: a letter, a person, a page, a post, an entry of a form, and an app with versions. The
 * outsider makes the app, and the owner operates the service. Answers the address of a task's page with the ids in it.
 */
export async function thingsForTasks(world: World): Promise<(of: { task: string; page: string }) => string> {
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users.owner)))
  const cookies = { owner: await signIn(world, 'owner'), outsider: await signIn(world, 'outsider') }
  const asked = async (person: keyof typeof cookies, path: string, body: object = {}): Promise<any> => {
    const answer = await post(world, path, body, { cookie: cookies[person] })
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const project_id = world.project.public_id
  const inProject = (path: string, body: object) => asked('owner', `/project/${path}`, { project_id, ...body })
  const { list_id } = await readyToSend(world)
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May letter',
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  const { contact } = await world.ok('contacts/upsert', { email: 'ada@quay.example', consent_text: 'Yes' })
  const { page } = await inProject('pages/create', { path: '/', title: 'Home', html: '<p>Tides</p>' })
  const { post: written } = await inProject('cms/posts/create', { title: 'Tides', slug: 'tides' })
  await post(world, '/general/project/form/entry', { project_id, form: 'contact', fields: { name: 'Ada' } })

  const app = `/user/developer/apps/${world.app_id}`
  await asked('outsider', '/project/create', { name: 'Tide Lab' })
  const script = { name: 'Tides', type: 'Analytics', placement: 'HTML Head', code: '<i>1</i>' }
  const { script: made } = await asked('outsider', `${app}/scripts`, script)
  const submit = async (app_id: string) => {
    const { version } = await asked('outsider', `/user/developer/apps/${app_id}/versions`, { notes: '' })
    const body = { app_id, version_id: version.id }
    return { version, review: (await asked('outsider', '/user/review-requests', body)).review_request }
  }
  const decide = (review: { id: number }, decision: string, body = {}) =>
    asked('owner', `/user/review-requests/${review.id}/${decision}`, body)
  await decide((await submit(world.app_id)).review, 'approve')
  await asked('outsider', `${app}/scripts`, { ...script, name: 'Waves' })
  const { version, review: second } = await submit(world.app_id)
  await decide(second, 'approve')
  await decide((await submit(world.app_id)).review, 'request-changes', { comment: 'Say what it is for.' })
  const other = {
    displayName: 'Winds',
    client_type: 'confidential',
    redirect_uris: ['https://winds.example/'],
    scopes: [],
  }
  const { app: waiting } = await asked('outsider', '/user/developer/apps', other)
  const { review } = await submit(waiting.id)
  await post(
    world,
    '/general/api/v1/scripts/embed',
    { scriptId: made.id, project_id },
    { Authorization: `Bearer ${await world.token('owner')}` },
  )
  await store.write((tx) => tx.update(authorizations).set({ last_used_at: world.clock.now() }))

  const ids: Record<string, string | number> = {
    'campaigns/:id': campaign.id,
    'contacts/:id': contact.id,
    'pages/:id': page.id,
    'posts/:id': written.id,
    'reviews/:id': review.id,
    'scripts/:scriptId': made.id,
    'versions/:version': version.id,
    'forms/:name': 'contact',
    'projects/:slug': 'harbour',
  }
  // The way to the first call stands on the page of an app that made none.
  const appOf = (task: string) => (task === 'Make the first authorized call' ? waiting.id : world.app_id)
  return ({ task, page: address }) =>
    address.replace(/\w+\/:\w+/g, (named) => {
      const id = named === 'apps/:id' ? appOf(task) : ids[named]
      return `${named.split('/')[0]}/${id}`
    })
}
