import { data } from './data.ts'

/** The address of a picture of this service in this page, or null for one from elsewhere. */
export function ownPicture(src: string): string | null {
  const prefix = `${data.base_url}/`
  return src.startsWith(prefix) ? src.slice(prefix.length - 1) : null
}
