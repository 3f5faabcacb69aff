import { findSession } from '../../access/session.ts'
import { type GalleryQuery, getGalleryApp, listGallery } from '../../developer/gallery.ts'
import type { Refuse } from '../core/exchange.ts'
import { html, type Markup } from '../core/markup.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { type PublicContext, route } from '../core/route.ts'
import { appBody, GALLERY_PATH, listBody, MAX_CHARACTERS } from './gallery-markup.ts'
import { countVisit } from './gallery.routes.ts'
import { NO_BRANDING, pageRefusal, publicPage } from './page.ts'

/** Leads from an app that is not listed to those that are. */
const refuse: Refuse = async (...refused) => {
  const page = await pageRefusal(...refused)
  if (page.status !== 404) return page
  return publicPage({
    status: 404,
    branding: NO_BRANDING,
    title: 'There is no app here',
    body: html`<p>The address is mistyped, or the app is not listed any more.</p>
<p><a href="${GALLERY_PATH}">All apps</a></p>`,
  })
}

const PAGE = { auth: 'public', response: 'page', refuse, refuse_method: pageRefusal } as const

/** The gallery as pages for everybody, without script (docs/api/platform.md#gallery). */
export const galleryPages = [
  route({
    ...PAGE,
    method: 'GET',
    path: GALLERY_PATH,
    summary: 'The approved apps, as a page.',
    async respond(context) {
      await countVisit(context)
      const { store, keys, url } = context
      const query = queryOf(url)
      const { items, next_cursor } = await listGallery(store, keys, query)
      return publicPage({
        status: 200,
        branding: NO_BRANDING,
        title: 'Apps',
        // Only the first page is for search engines: results of a search or cursor repeat what the apps' own pages
        // hold.
        for_search: url.search === '',
        body: html`${await wayBack(context)}${listBody(context, query, { items, next_cursor })}`,
      })
    },
  }),

  route({
    ...PAGE,
    method: 'GET',
    path: `${GALLERY_PATH}/:id`,
    summary: 'An approved app, as a page.',
    async respond(context) {
      await countVisit(context)
      const app = await getGalleryApp(context.db, context.params.id!)
      return publicPage({
        status: 200,
        branding: NO_BRANDING,
        title: app.display_name,
        for_search: true,
        body: html`${await wayBack(context)}${appBody(context, app)}`,
      })
    },
  }),
]

/** Leads a signed-in person, who came from the portal, back to it. */
async function wayBack(context: PublicContext): Promise<Markup | null> {
  const caller = await findSession(context, context.request.headers.get('cookie'), context.now)
  return caller && html`<p class="quiet"><a href="${PORTAL_PATH}">Your projects</a></p>`
}

function queryOf({ searchParams }: URL): GalleryQuery {
  const given = (name: string) => searchParams.get(name)?.trim().slice(0, MAX_CHARACTERS) || undefined
  return { search: given('search'), category: given('category'), cursor: searchParams.get('cursor') ?? undefined }
}
