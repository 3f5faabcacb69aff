import { Type } from '@sinclair/typebox'
import type { SessionCaller } from '../../access/caller.ts'
import { MAX_UPLOAD_BYTES, type Picture, readPicture } from '../../files/picture.ts'
import { name } from '../../schema.ts'
import { PICTURE_TYPES } from '../../store/tables/files.ts'
import type { Sending } from '../core/body.ts'
import { readFileBody } from '../core/file-body.ts'

/** Media types of a body that is a picture. Its first bytes tell which. */
export const PICTURE_BODIES = ['multipart/form-data', 'application/octet-stream', ...PICTURE_TYPES]

const MAX_NAME = 200
/** The name of a file for people; without it the name that the form gives. */
export const UploadName = Type.Optional(name(MAX_NAME))

/** The picture of a request, encoded anew, and the name that its form gives. */
export async function readPictureBody(
  sending: Sending & { caller: SessionCaller },
): Promise<{ picture: Picture; name: string }> {
  const { bytes, name } = await readFileBody(sending, PICTURE_BODIES, MAX_UPLOAD_BYTES)
  return { picture: await readPicture(bytes, sending.caller.user_id), name: plainName(name) }
}

/** The name of a file without its folders and without control characters. */
function plainName(given: string): string {
  const plain = given
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .toWellFormed()
    .replace(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g, '')
    .trim()
  return plain.slice(0, MAX_NAME).toWellFormed() || 'picture'
}
