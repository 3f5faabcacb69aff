import { data } from './data.ts'

/** The path of a picture that this service hosts, or null for a picture from another host. */
export function ownPicture(src: string): string | null {
  const prefix = `${data.base_url}/`
  return src.startsWith(prefix) ? src.slice(prefix.length - 1) : null
}
