import type { RouteResponse } from '../api/calls.ts'
import { projectId } from '../api/data.ts'
import { ApiError } from '../api/errors.ts'
import { request } from '../api/request.ts'

/** A file of at most this size is checked in one call (docs/api/imports.md#large-files). */
export const SMALL_BYTES = 5 * 1024 * 1024
export const MAX_BYTES = 1024 ** 3
const PART_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 5 * 60_000

type Uploaded = RouteResponse<'POST /project/imports/upload'>

/** Uploads a large file part by part. Returns the id of its import. `onProgress` gets the bytes uploaded so far. */
export async function uploadParts(file: File, onProgress: (received: number) => void): Promise<number> {
  if (file.size === 0) throw new ApiError('VALIDATION_FAILED', 'The file is empty.', { status: 400 })
  let import_id: number | null = null
  for (let from = 0; from < file.size;) {
    const part: Blob = file.slice(from, from + PART_BYTES)
    const query = new URLSearchParams({ project_id: projectId() })
    if (import_id === null) query.set('filename', file.name)
    else query.set('import_id', String(import_id))
    const answer: Uploaded = await request<Uploaded>({
      method: 'POST',
      path: `/project/imports/upload?${query.toString()}`,
      body: part,
      headers: { 'Content-Range': `bytes ${from}-${from + part.size - 1}/${file.size}` },
      is_repeatable: false,
      timeout_ms: TIMEOUT_MS,
    })
    import_id = answer.import.id
    from = answer.received
    onProgress(from)
  }
  return import_id!
}
