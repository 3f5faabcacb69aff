import { AppError } from '../../errors.ts'
import { cacheable, type Content, contentOf } from '../core/document.ts'
import { html, type Markup } from '../core/markup.ts'
import { type PublicContext, type Route, route } from '../core/route.ts'
import { pageRefusal } from '../public/page.ts'
import type { CallGroup } from '../../shared/calls.ts'
import { groupMarkup } from './call-markup.ts'
import { errorsMarkup, GUIDES, guideMarkup } from './guides.ts'
import { docsPage, type NavSection, styleOfDocs } from './page.ts'
import { makeReference, type Reference } from './reference.ts'

/** The reference of the given routes and of the operations, and the guides (docs/api/conventions.md#reference). */
export function docsRoutes(routes: readonly Route[]): Route[] {
  const pages = keptPages(routes)
  const page = <Path extends string>(path: Path, summary: string) =>
    route({ method: 'GET', path, summary, auth: 'public', response: 'page', refuse: pageRefusal, respond: pages })
  return [
    page('/docs', 'The reference: guides, operations and routes.'),
    page('/docs/errors', 'Every error with what to do.'),
    page('/docs/guides/:guide', 'A guide.'),
    page('/docs/api/:resource', 'The operations on a resource.'),
    page('/docs/platform/:group', 'The other routes of a group.'),
  ] as Route[]
}

/** Serves the pages. Each is made with its first request and does not change after that. */
function keptPages(routes: readonly Route[]) {
  const made = new Map<string, Content>()
  let reference: Reference | undefined
  return ({ request, url, base_url }: PublicContext): Promise<Response> => {
    const path = url.pathname
    let content = made.get(path)
    if (!content) {
      reference ??= makeReference(routes)
      content = contentOf(pageOf(path, reference, base_url))
      made.set(path, content)
    }
    return cacheable(request, content, headers())
  }
}

function pageOf(path: string, reference: Reference, base_url: string): string {
  const navigation = navigationOf(reference)
  const [, , kind = '', name = ''] = path.split('/')
  const show = (title: string, body: Markup) => docsPage({ title, href: path, body, navigation })
  const guide = kind === 'guides' ? GUIDES.get(name) : undefined
  if (guide) return show(guide.title, guideMarkup(guide, base_url))
  if (kind === 'errors') return show('Errors', errorsMarkup())
  if (kind === '') return show('Reference', startMarkup(reference))
  const group = kind === 'api' ? reference.api.get(name) : reference.platform.get(name)
  if (!group || kind === 'guides') throw new AppError('NOT_FOUND', 'There is no such page of the reference.')
  return show(titleOf(group), groupMarkup(group, base_url))
}

function navigationOf({ api, platform }: Reference): NavSection[] {
  const links = (groups: Iterable<CallGroup>) =>
    [...groups].map((group) => ({ href: group.href, label: titleOf(group) }))
  return [
    {
      title: 'Guides',
      links: [...GUIDES].map(([name, { title }]) => ({ href: `/docs/guides/${name}`, label: title })),
    },
    { title: 'Operations', links: [...links(api.values()), { href: '/docs/errors', label: 'Errors' }] },
    { title: 'Platform', links: links(platform.values()) },
  ]
}

/** The name of a group as words: "Custom fields". */
function titleOf({ name }: CallGroup): string {
  const words = name.replaceAll('-', ' ')
  return words === 'oauth' ? 'OAuth' : words.charAt(0).toUpperCase() + words.slice(1)
}

function startMarkup({ api, platform }: Reference): Markup {
  const list = (groups: Iterable<CallGroup>) =>
    [...groups].map(
      (group) => html`<section><h3><a href="${group.href}">${titleOf(group)}</a></h3>
<ul class="contents">${group.calls.map(
        ({ anchor, name, summary }) =>
          html`<li><a href="${group.href}#${anchor}"><code>${name}</code></a> <span>${summary}</span></li>`,
      )}</ul></section>`,
    )
  return html`<p>Everything that Masthead does can be done by a program. This reference is made from the service that
you read it on, so it describes exactly this version.</p>
<h2>Guides</h2>
<ul>${[...GUIDES].map(([name, { title }]) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>
<h2>Before you begin</h2>
<p>Operations are <code>POST</code> requests with a JSON body below
<code>/general/api/v1/newsletter</code>. Make an API key under Keys in your project, and keep it in the variable
<code>KEY</code>; the examples read it from there. What changes something needs an
<a href="/docs/guides/idempotency">idempotency key</a>. The same as OpenAPI 3.1:
<a href="/general/api/v1/newsletter/openapi.json">operations</a>,
<a href="/general/api/v1/openapi.json">platform routes</a>. <a href="/portal/developer/api">Try a call</a> with your
own session.</p>
<h2>Operations by resource</h2>${list(api.values())}
<h2>Platform and OAuth routes</h2>${list(platform.values())}`
}

function headers(): Record<string, string> & { 'Content-Type': string } {
  const hash = new Bun.CryptoHasher('sha256').update(styleOfDocs()).digest('base64')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; ` +
      `frame-ancestors 'none'`,
    'Cache-Control': 'public, max-age=300',
    'Referrer-Policy': 'same-origin',
  }
}
