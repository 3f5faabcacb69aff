import { encodedPath } from './paths.ts'

/** The path below which the sites of all projects are served on the service's own hosts. */
export const SITES_PATH = '/sites'

/** The path of a site's posts. */
export const POSTS_PATH = '/posts'

/** The path of a site's archive of letters, which were sent to lists with a public archive. */
export const LETTERS_PATH = '/letters'

/** The parameter of an address that holds the token of a script's preview. */
export const SCRIPT_PREVIEW = 'script-preview'

/** The address of a path on a project's site, below the address of the service. */
export function addressBySlug(base_url: string, slug: string, path: string): string {
  return `${base_url}${SITES_PATH}/${slug}${encodedPath(path)}`
}

/** The address of a project's site, without a slash at the end. */
export function siteAddress({ slug, domain }: { slug: string; domain: string | null }, base_url: string): string {
  return domain ? `https://${domain}` : `${base_url}${SITES_PATH}/${slug}`
}
