import type { ProjectId } from '../ids.ts'
import type { Runtime } from '../runtime.ts'

/** How long the address of a preview works. */
const PREVIEW_MS = 7 * 86_400_000

/** A token that shows a post in whatever status, and when it ends (docs/api/sites.md#previews). */
export function previewToken(
  { keys, clock }: Pick<Runtime, 'keys' | 'clock'>,
  project_id: ProjectId,
  post_id: number,
): { token: string; expires_at: number } {
  const expires_at = clock.now() + PREVIEW_MS
  return { token: keys.sign('post-preview', JSON.stringify([project_id, post_id, expires_at])), expires_at }
}

/** The post that a token shows on the site of a project; null for any other token and a spent one. */
export function readPreviewToken(
  { keys, clock }: Pick<Runtime, 'keys' | 'clock'>,
  project_id: ProjectId,
  token: string,
): number | null {
  const payload = keys.verify('post-preview', token)
  if (!payload) return null
  const [project, post_id, expires_at] = JSON.parse(payload.toString()) as [number, number, number]
  return project === project_id && clock.now() < expires_at ? post_id : null
}
