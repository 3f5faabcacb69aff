import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Tx } from '../store/open.ts'

/**
 * The end of what the request logs of apps keep of requests and answers (docs/api/platform.md#request-log). The rows of
 * the log stay.
 */
export const FORGOTTEN = sql`UPDATE app_requests SET address = NULL, request = NULL, answer = NULL`

/** Forgets the bodies of all calls for a project, those of one app or of all. */
export async function forgetBodiesOfProject(tx: Tx, project_id: ProjectId, app_id?: string): Promise<void> {
  await tx.run(sql`
    ${FORGOTTEN} WHERE address IS NOT NULL AND project = (SELECT public_id FROM projects WHERE id = ${project_id})
      ${app_id === undefined ? sql`` : sql`AND app_id = ${app_id}`}`)
}

export async function forgetBodiesOfAuthorization(tx: Tx, authorization_id: string): Promise<void> {
  await tx.run(sql`${FORGOTTEN} WHERE address IS NOT NULL AND authorization_id = ${authorization_id}`)
}
