import { AppError, invalid } from '../../errors.ts'
import { readBytes, type Sending } from './body.ts'

/** Room for the boundaries and headers of a form. */
const FORM_BYTES = 16 * 1024
const FORM = 'multipart/form-data'
export const ANY_TYPE = '*/*'

interface UploadedFile {
  bytes: Uint8Array<ArrayBuffer>
  /** The name that a form gives the file; empty without one. */
  name: string
}

/** Largest body of a request that carries a file of this size. */
export function bodyOf(file_bytes: number): number {
  return file_bytes + FORM_BYTES
}

/**
 * A file that is the whole body, or the part `file` of a form. Throws UNSUPPORTED_MEDIA_TYPE for a body of a type that
 * is not in `takes` (or any type, by ANY_TYPE), PAYLOAD_TOO_LARGE for a file of more than `max` bytes.
 */
export async function readFileBody(sending: Sending, takes: readonly string[], max: number): Promise<UploadedFile> {
  const given = sending.request.headers.get('content-type') ?? ''
  const type = given.split(';', 1)[0]!.trim().toLowerCase()
  if (type !== '' && !takes.includes(type) && !takes.includes(ANY_TYPE))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be one of ${takes.join(', ')}.`)
  const body = new Uint8Array(await readBytes(sending, bodyOf(max), 'known'))
  const file = type === FORM ? await partOf(body, given) : { bytes: body, name: '' }
  if (file.bytes.length === 0) throw invalid('/file', 'The file is empty.')
  if (file.bytes.length > max) throw new AppError('PAYLOAD_TOO_LARGE', `A file is at most ${max} bytes.`)
  return file
}

async function partOf(body: Uint8Array<ArrayBuffer>, type: string): Promise<UploadedFile> {
  const form = await new Response(body, { headers: { 'Content-Type': type } }).formData().catch((error: unknown) => {
    throw new AppError('VALIDATION_FAILED', 'The form cannot be read.', { cause: error })
  })
  const other = [...form.keys()].find((name) => name !== 'file')
  if (other !== undefined) throw invalid(`/${other}`, 'Unknown part: what is no file stands in the query.')
  const file = form.get('file')
  if (!(file instanceof File)) throw invalid('/file', 'A form has the file in its part "file".')
  return { bytes: await file.bytes(), name: file.name }
}
