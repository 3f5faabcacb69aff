import type { Reader } from '../../store/open.ts'
import { missingPaths, pathOnSite } from '../../sites/missing-paths.ts'
import { hasSite } from '../../sites/published.ts'
import { blocksOf, type EmailDocument } from '../email/document.ts'
import type { CompiledEmail } from '../email/render.ts'
import { isSamplePath } from '../email/samples.ts'
import { collectWarnings, type Warning } from '../email/warnings.ts'
import type { SendingProject } from './content.ts'

/** Links of a message to the project's own site that may be wrong. */
export interface SiteLinks {
  /** The addresses at which the site has nothing. */
  missing: string[]
  /** The addresses whose path a design of the gallery invented. */
  samples: string[]
}

/** Links of a message to its own site that are looked up. */
const MAX_LINKS = 100

/**
 * Looks up the links of a message to the project's own site. Addresses with placeholders are not judged. On the
 * domain of a project without a site, which another server may serve, only the links of a design are judged
 * (docs/api/campaigns.md).
 */
export async function siteLinks(
  db: Reader,
  { project, base_url }: Pick<SendingProject, 'project'> & { base_url: string },
  { links }: Pick<CompiledEmail, 'links'>,
): Promise<SiteLinks> {
  const { slug, domain } = project
  const named = links
    .filter((url) => !url.includes('{{'))
    .flatMap((url) => {
      const place = pathOnSite(url, { slug, domain, base_url })
      if (place === null) return []
      return [{ url, ...place, is_sample: isSamplePath(place.path + (URL.parse(url)?.search ?? '')) }]
    })
    .slice(0, MAX_LINKS)
  const absent = new Set(await missingPaths(db, project.id, [...new Set(named.map(({ path }) => path))]))
  const missing = named.filter(({ path }) => absent.has(path))
  const is_in_doubt = missing.some(({ on_domain, is_sample }) => on_domain && !is_sample)
  const is_elsewhere = is_in_doubt && !(await hasSite(db, project.id))
  return {
    missing: missing
      .filter(({ on_domain, is_sample }) => is_sample || !(on_domain && is_elsewhere))
      .map(({ url }) => url),
    samples: named.filter(({ is_sample }) => is_sample).map(({ url }) => url),
  }
}

export const missingWords = (url: string): string =>
  `A link leads to ${url.slice(0, MAX_SHOWN)}, which this site does not have.`

/** What `siteLinks` found as warnings of the blocks with these links. */
export function siteWarnings(document: EmailDocument, { missing, samples }: SiteLinks): Warning[] {
  const blocks = [...blocksOf(document)].filter(({ type }) => type !== 'columns')
  const { found, about } = collectWarnings()
  for (const url of new Set([...missing, ...samples])) {
    const written = JSON.stringify(url).slice(1, -1)
    const block = blocks.find(({ props }) => holds(props, [written, written.replaceAll('&', '&amp;')]))
    const warn = about(block?.id)
    if (missing.includes(url)) warn('missing_page', missingWords(url))
    if (samples.includes(url)) warn('sample_link', `A link to ${url.slice(0, MAX_SHOWN)} still comes from the design.`)
  }
  return found
}

/** Whether properties contain an address that ends there. */
function holds(props: unknown, addresses: readonly string[]): boolean {
  const text = JSON.stringify(props)
  return addresses.some((address) => ['"', '\\"', "'"].some((end) => text.includes(address + end)))
}

/** Characters of an address that are shown. */
const MAX_SHOWN = 200
