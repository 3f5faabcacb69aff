import { createCache } from '../../cache.ts'
import { FILES_PATH } from '../../files/address.ts'
import { getPublicPicture } from '../../files/public.ts'
import { createSharedWork } from '../../shared-work.ts'
import { cacheable } from '../core/document.ts'
import { route } from '../core/route.ts'
import { MAX_VALUE_BYTES } from '../../store/store.ts'

/** All readers of a letter request its pictures at about the same time. */
const contents = createCache<string, Uint8Array<ArrayBuffer>>({
  max_size: 32 * 1024 * 1024,
  largest: MAX_VALUE_BYTES,
  sizeOf: ({ length }) => length,
})

const YEAR_S = 31_536_000

const reading = createSharedWork<Uint8Array<ArrayBuffer>>()

/** Pictures of letters and pages (docs/api/files.md#addresses). The name is a hash of the content: it never changes. */
export const fileRoute = route({
  method: 'GET',
  path: `${FILES_PATH}/:name`,
  summary: 'A picture of a project or an app.',
  auth: 'public',
  response: 'file',
  media_type: 'image/*',
  async respond({ request, params, db }) {
    const name = params.name!
    const { type, read } = await getPublicPicture(db, name)
    const bytes = contents.get(name) ?? (await reading(name, read))
    contents.set(name, bytes)
    return cacheable(
      request,
      { bytes, version: name, effort: 'fast' },
      {
        'Content-Type': type,
        'Cache-Control': `public, max-age=${YEAR_S}, immutable`,
        // Mail programs and pages of other sites show it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
    )
  },
})
