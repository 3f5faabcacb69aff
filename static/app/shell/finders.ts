import type { Place } from '../../../src/shared/app-pages.ts'
import { read, send } from '../api/calls.ts'
import { projectId } from '../api/data.ts'
import { letterName } from '../api/letter-name.ts'
import { link } from '../api/link.ts'
import { readEvery } from '../rules/every.ts'

export interface Found {
  label: string
  /** The kind of entry: Page, Action, Contact, Campaign. */
  kind: string
  href: string
}

/** Finds what a place holds by a text in small letters. */
type Finder = (text: string) => Promise<Found[]>

const FINDERS: Readonly<Record<Place['name'], () => Finder>> = {
  site: findInProject,
  developer: findOwnApps,
  operator: () => findInService,
  account: () => () => Promise.resolve([]),
}

/** The finder of a place. It asks once for what is few, and for the rest with each text. */
export function finderOf(name: Place['name']): Finder {
  return FINDERS[name]()
}

const FOUND_EACH = 5

const named = (entries: readonly Found[], text: string) =>
  entries.filter(({ label }) => label.toLowerCase().includes(text)).slice(0, FOUND_EACH)

/** Asks once. After a failure the next call asks again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask()
    asked.catch(() => (asked = undefined))
    return asked
  }
}

function findOwnApps(): Finder {
  const ownApps = once(async () => {
    const { apps } = await send('GET /user/developer/apps', {})
    return apps.map(({ id, displayName }) => ({ label: displayName, kind: 'App', href: link(`/apps/${id}`) }))
  })
  return async (text) => named(await ownApps(), text)
}

/** The lists of the operator, searched for it. */
async function findInService(search: string): Promise<Found[]> {
  const [apps, projects, people] = await Promise.all([
    send('POST /user/operator/apps/list', { search, limit: 3 }),
    send('POST /user/operator/projects/list', { search, limit: 3 }),
    send('POST /user/operator/users/list', { search, limit: 3 }),
  ])
  const found = (kind: string, path: string) => (label: string) => ({
    label,
    kind,
    href: link(path, { search: label }),
  })
  return [
    ...apps.items.map(({ displayName }) => displayName).map(found('App', '/apps')),
    ...projects.items.map(({ slug }) => slug).map(found('Project', '/projects')),
    ...people.items.map(({ email }) => email).map(found('Person', '/people')),
  ]
}

/** People, letters and posts can be many: the service searches them. */
function findInProject(): Finder {
  const few = once(fewOfProject)
  return async (search) => {
    const [contacts, campaigns, { posts }, others] = await Promise.all([
      read('contacts/list', { search, limit: FOUND_EACH }),
      read('campaigns/list', { search, order: 'newest', limit: FOUND_EACH }),
      send('POST /project/cms/posts/list', { project_id: projectId(), filters: { search }, limit: FOUND_EACH }),
      few(),
    ])
    return [
      ...contacts.items.map(({ id, email }) => ({
        label: email ?? '',
        kind: 'Contact',
        href: link(`/contacts/${id}`),
      })),
      ...campaigns.items.map(({ id, name, subject }) => ({
        label: letterName({ name, subject }),
        kind: 'Campaign',
        href: link(`/campaigns/${id}`),
      })),
      ...posts.map(({ id, title }) => ({ label: title, kind: 'Post', href: link(`/posts/${id}`) })),
      ...named(others, search),
    ]
  }
}

async function fewOfProject(): Promise<Found[]> {
  const of = { project_id: projectId() }
  const [segments, templates, lists, pages, directories] = await Promise.all([
    readEvery('segments/list', {}),
    readEvery('templates/list', {}),
    readEvery('lists/list', {}),
    send('POST /project/pages/list', of),
    send('POST /project/directory/list', of),
  ])
  return [
    ...lists.map(({ name }) => ({ label: name, kind: 'List', href: link('/lists', { search: name }) })),
    ...segments.map(({ id, name }) => ({ label: name, kind: 'Segment', href: link(`/segments/${id}`) })),
    ...templates.map(({ id, name }) => ({ label: name, kind: 'Template', href: link(`/templates/${id}`) })),
    ...pages.pages.map(({ id, title, path }) => ({
      label: title || path,
      kind: 'Page of the site',
      href: link(`/pages/${id}`),
    })),
    ...directories.directories.map(({ directory }) => ({
      label: directory,
      kind: 'Directory',
      href: link(`/directory/${encodeURIComponent(directory)}`),
    })),
  ]
}
