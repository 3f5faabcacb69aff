import type { PictureType } from '../store/tables/files.ts'
import type { Picture } from './picture.ts'

/** The path below which images are served, each under a hash of its owner and content. */
export const FILES_PATH = '/files'

const EXTENSIONS: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** The address of a picture of a project or an app, by the public id of its owner. */
export function addressOf(owner: string, { bytes }: Pick<Picture, 'bytes'>): string {
  return new Bun.CryptoHasher('sha256').update(`${owner}\n`).update(bytes).digest('hex').slice(0, 32)
}

interface Addressed {
  address: string
  type: PictureType
}

/** The last part of the URL of a picture. */
export function publicName({ address, type }: Addressed): string {
  return `${address}.${EXTENSIONS[type]}`
}

export function urlOf(base_url: string, picture: Addressed): string {
  return `${base_url}${FILES_PATH}/${publicName(picture)}`
}

/** The path of a picture that the service keeps. Null for others, since their hosts would see who looks at a page. */
export function ownPicture(base_url: string, address: string): string | null {
  return address.startsWith(`${base_url}${FILES_PATH}/`) ? address.slice(base_url.length) : null
}
