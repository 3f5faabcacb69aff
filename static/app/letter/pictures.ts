import { projectId } from '../api/data.ts'
import { send } from '../api/calls.ts'
import { request } from '../api/request.ts'
import type { RouteResponse } from '../api/calls.ts'

export type Picture = RouteResponse<'POST /project/files/upload'>['file']

/** Uploads a picture to the project's files. */
export async function uploadPicture(file: File): Promise<Picture> {
  const query = new URLSearchParams({ project_id: projectId(), name: file.name.slice(0, 200) })
  const answer = await request<RouteResponse<'POST /project/files/upload'>>({
    method: 'POST',
    path: `/project/files/upload?${query}`,
    body: file,
    // Uploading the same picture again stores nothing new.
    is_repeatable: true,
    timeout_ms: 120_000,
  })
  return answer.file
}

export function listPictures(): Promise<RouteResponse<'POST /project/files/list'>> {
  return send('POST /project/files/list', { project_id: projectId(), limit: 24 })
}
