import { findSession } from '../../access/session.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError } from '../../errors.ts'
import { listProjectsOf } from '../../projects/projects.ts'
import type { CallGroup } from '../../shared/calls.ts'
import { SECTIONS } from '../../shared/chapter-list.ts'
import { cacheable, type Content, contentOf } from '../core/document.ts'
import type { Markup } from '../core/markup.ts'
import { type PublicContext, type Route, route } from '../core/route.ts'
import { pageRefusal } from '../public/page.ts'
import { groupMarkup } from './call-markup.ts'
import { errorsMarkup } from './errors-page.ts'
import { GUIDES, guideMarkup, SERVICE } from './guides.ts'
import { docsPage, docsPolicy, type NavSection } from './page.ts'
import type { Reader } from './quick-start.ts'
import { chaptersOf, makeReference, type Reference } from './reference.ts'
import { scopesMarkup } from './scopes-page.ts'
import { searchIndex } from './search-index.ts'
import { startMarkup } from './start-page.ts'
import { typedClient } from './typed-client.ts'

/** The documentation of the given routes and of the operations (docs/api/conventions.md#reference). */
export function docsRoutes(routes: readonly Route[]): Route[] {
  const kept = keptDocuments(routes)
  const page = <Path extends string>(path: Path, summary: string) =>
    route({ method: 'GET', path, summary, auth: 'public', response: 'page', refuse: pageRefusal, respond: kept.page })
  const file = <Path extends string>(path: Path, summary: string, respond: typeof kept.client) =>
    route({ method: 'GET', path, summary, auth: 'public', response: 'file', respond })
  return [
    page('/docs', 'The documentation: a quick start, guides, operations and routes.'),
    page('/docs/scopes', 'Every scope with what it opens.'),
    page('/docs/errors', 'Every error with what to do.'),
    page('/docs/guides/:guide', 'A guide.'),
    page('/docs/api/:resource', 'The operations on a resource.'),
    page('/docs/platform/:group', 'The other routes of a group.'),
    file('/docs/search.json', 'What the search of the documentation finds.', kept.search),
    file('/docs/masthead.ts', 'The typed client.', kept.client),
  ] as Route[]
}

const KEPT = 'public, max-age=300'

/** Serves what is made with its first request and does not change after that, but for the first page of a reader. */
function keptDocuments(routes: readonly Route[]) {
  const made = new Map<string, Content>()
  let reference: Reference | undefined
  const withReference = () => (reference ??= makeReference(routes))
  const keep = async (name: string, make: () => string | Promise<string>): Promise<Content> => {
    const known = made.get(name)
    if (known) return known
    const content = contentOf(await make())
    made.set(name, content)
    return content
  }

  return {
    async page(context: PublicContext): Promise<Response> {
      const { request, url, base_url } = context
      const path = url.pathname
      const reader = path === '/docs' ? await readerOf(context) : null
      const text = () => pageOf(path, withReference(), { base_url, reader })
      const content = reader ? { ...contentOf(text()), effort: 'fast' as const } : await keep(path, text)
      return cacheable(request, content, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': docsPolicy(),
        'Cache-Control': reader ? 'private, no-cache' : KEPT,
        'Referrer-Policy': 'same-origin',
        ...(path === '/docs' ? { Vary: 'Cookie' } : {}),
      })
    },

    async search({ request }: PublicContext): Promise<Response> {
      const content = await keep('search', () => JSON.stringify(searchIndex(withReference())))
      return cacheable(request, content, { 'Content-Type': 'application/json', 'Cache-Control': KEPT })
    },

    async client({ request }: PublicContext): Promise<Response> {
      const content = await keep('client', () => typedClient(withReference().documents))
      return cacheable(request, content, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': KEPT })
    },
  }
}

/** Who reads, where the browser brings a session. */
async function readerOf(context: PublicContext): Promise<Reader | null> {
  const { db, request, now } = context
  const caller = await findSession(context, request.headers.get('cookie'), now)
  if (!caller) return null
  const [user, own] = await Promise.all([getUser(db, caller.user_id), listProjectsOf(db, caller.user_id)])
  return {
    name: [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email,
    projects: own.map(({ public_id, slug, name, role }) => ({ id: public_id, slug, name, role })),
  }
}

interface Shown {
  base_url: string
  reader: Reader | null
}

function pageOf(path: string, reference: Reference, { base_url, reader }: Shown): string {
  const navigation = navigationOf(reference)
  const [, , kind = '', name = ''] = path.split('/')
  const show = (title: string, body: Markup) =>
    docsPage({ title, href: path, body, navigation }).replaceAll(SERVICE, Bun.escapeHTML(base_url))
  const guide = kind === 'guides' ? GUIDES.get(name) : undefined
  if (guide) return show(guide.title, guideMarkup(guide))
  if (kind === 'errors') return show('Errors', errorsMarkup(reference))
  if (kind === 'scopes') return show('Scopes', scopesMarkup(reference))
  if (kind === '') return show('Build with Masthead', startMarkup(reference, reader))
  const group = kind === 'api' ? reference.api.get(name) : reference.platform.get(name)
  if (!group || kind === 'guides') throw new AppError('NOT_FOUND', 'There is no such page of the documentation.')
  return show(group.title, groupMarkup(group, base_url))
}

function navigationOf(reference: Reference): NavSection[] {
  const links = (chapters: readonly CallGroup[]) => chapters.map(({ href, title }) => ({ href, label: title }))
  const guides = [...GUIDES].map(([name, { title }]) => ({ href: `/docs/guides/${name}`, label: title }))
  const [client, ...others] = guides
  return [
    {
      title: 'Start',
      links: [
        { href: '/docs', label: 'Quick start' },
        client!,
        { href: '/docs/scopes', label: 'Scopes' },
        { href: '/docs/errors', label: 'Errors' },
      ],
    },
    { title: 'Guides', links: others },
    ...[...chaptersOf(reference)].map(([section, chapters]) => ({
      ...{ title: SECTIONS[section], links: links(chapters), folded: section === 'portal' },
    })),
  ]
}
