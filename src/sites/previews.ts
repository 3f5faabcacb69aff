import { DAY_MS, HOUR_MS } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import type { Runtime } from '../runtime.ts'

/** The validity of a preview's address. */
const PREVIEW_MS = 7 * DAY_MS

/** A token that shows a post in whatever status, and when it ends (docs/api/sites.md#previews). */
export function previewToken(
  { keys, clock }: Pick<Runtime, 'keys' | 'clock'>,
  post_id: number,
): { token: string; expires_at: number } {
  const expires_at = clock.now() + PREVIEW_MS
  return { token: keys.sign('post-preview', JSON.stringify([post_id, expires_at])), expires_at }
}

/** The id of the post that a token shows; null for any other text and a spent token. */
export function readPreviewToken({ keys, clock }: Pick<Runtime, 'keys' | 'clock'>, token: string): number | null {
  const payload = keys.verify('post-preview', token)
  if (!payload) return null
  const [post_id, expires_at] = JSON.parse(payload.toString()) as [number, number]
  return clock.now() < expires_at ? post_id : null
}

const SCRIPT_PREVIEW_MS = HOUR_MS

/** A script that a preview shows on pages, switched off or not, or leaves out. */
export interface ScriptPreview {
  project_id: ProjectId
  connection_id: number
  shown: boolean
}

/** A token that shows the pages of a project with a script or without it (docs/api/scripts.md#previews). */
export function scriptPreviewToken(
  { keys, clock }: Pick<Runtime, 'keys' | 'clock'>,
  { project_id, connection_id, shown }: ScriptPreview,
): { token: string; expires_at: number } {
  const expires_at = clock.now() + SCRIPT_PREVIEW_MS
  const payload = JSON.stringify([project_id, connection_id, shown, expires_at])
  return { token: keys.sign('script-preview', payload), expires_at }
}

/** Reads a preview token; null for any other text and for one that has expired. */
export function readScriptPreviewToken(
  { keys, clock }: Pick<Runtime, 'keys' | 'clock'>,
  token: string,
): ScriptPreview | null {
  const payload = keys.verify('script-preview', token)
  if (!payload) return null
  const [project_id, connection_id, shown, expires_at] = JSON.parse(payload.toString()) as [
    ...[ProjectId, number, boolean, number],
  ]
  return clock.now() < expires_at ? { project_id, connection_id, shown } : null
}
