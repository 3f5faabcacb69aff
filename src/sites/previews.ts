import type { Runtime } from '../runtime.ts'

/** How long the address of a preview works. */
const PREVIEW_MS = 7 * 86_400_000

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
