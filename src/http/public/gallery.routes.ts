import { type Static, Type } from '@sinclair/typebox'
import { addressBlock } from '../../access/address.ts'
import { throttleBucket } from '../../accounts/throttle.ts'
import { iso } from '../../clock.ts'
import { type GalleryApp, getGalleryApp, listGallery } from '../../developer/gallery.ts'
import { Cursor, enumOf, Limit, nullable, obj, Timestamp } from '../../schema.ts'
import { PLACEMENTS, SCRIPT_TYPES } from '../../store/tables/scripts.ts'
import { type ReadContext, route } from '../core/route.ts'

const PATH = '/general/apps'
type Visit = Pick<ReadContext, 'limiter' | 'address' | 'config'>
const Search = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

const LISTED = {
  id: Type.String(),
  displayName: Type.String(),
  maker: nullable(Type.String({ description: 'The name of who registered it.' })),
  homepage: Type.String(),
  tagline: Type.String(),
  icon_url: Type.String(),
  category: Type.String(),
  projects: Type.Integer({ description: 'Projects that use the app now.' }),
  last_update: Timestamp,
}
const ListedApp = obj(LISTED)
const FullApp = obj({
  ...LISTED,
  description: Type.String(),
  listing_description: Type.String(),
  screenshots: Type.Array(Type.String()),
  support_url: Type.String(),
  privacy_url: Type.String(),
  scopes: Type.Array(Type.String()),
  scope_reasons: Type.Record(Type.String(), Type.String()),
  scripts: Type.Array(obj({ name: Type.String(), type: enumOf(SCRIPT_TYPES), placement: enumOf(PLACEMENTS) })),
  version: Type.Integer(),
})

/** The gallery: approved apps with their listings (docs/api/platform.md#gallery). */
export const galleryRoutes = [
  route({
    method: 'GET',
    path: PATH,
    summary: 'The approved apps, those with the newest version first.',
    auth: 'public',
    query: Type.Object({
      search: Search,
      category: Search,
      limit: Type.Optional(Limit),
      cursor: Type.Optional(Cursor),
    }),
    response: obj({ apps: Type.Array(ListedApp), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR', 'RATE_LIMITED'],
    async read(query, context) {
      await countVisit(context)
      const { store, keys } = context
      const { items, next_cursor } = await listGallery(store, keys, query)
      return { apps: items.map(listedApp), next_cursor }
    },
  }),

  route({
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'An approved app with its listing, scopes and scripts.',
    auth: 'public',
    response: obj({ app: FullApp }),
    errors: ['RATE_LIMITED'],
    async read({ id }, context) {
      await countVisit(context)
      const app = await getGalleryApp(context.db, id)
      const { description, screenshots, support_url, privacy_url } = app.listing
      const { scopes, scope_reasons, scripts, version } = app
      return {
        app: {
          ...listedApp(app),
          description: app.description,
          listing_description: description,
          screenshots,
          support_url,
          privacy_url,
          scopes,
          scope_reasons,
          scripts,
          version,
        },
      }
    },
  }),
]

/** RATE_LIMITED for an address that asks often: the gallery is for people. */
export function countVisit({ limiter, address, config }: Visit): Promise<void> {
  return throttleBucket(limiter, `gallery:address:${addressBlock(address)}`, config.public_requests_per_minute)
}

function listedApp({
  id,
  display_name,
  maker,
  homepage,
  listing,
  projects,
  approved_at,
}: GalleryApp): Static<typeof ListedApp> {
  const { tagline, icon_url, category } = listing
  return {
    id,
    displayName: display_name,
    maker,
    homepage,
    tagline,
    icon_url,
    category,
    projects,
    last_update: iso(approved_at),
  }
}
