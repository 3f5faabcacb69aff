import { AppError } from '../../errors.ts'

/** How the reason begins of a campaign that a restore paused (docs/operations.md#facts). */
export const PAUSED_BY_RESTORE = 'Paused by a restore.'
/** How the reason begins of one that was paused before. */
export const PAUSED_BEFORE_RESTORE = 'Paused before a restore.'

/**
 * Throws NOT_READY for a campaign that may write to people a second time, because a restore cannot know what was sent,
 * unless the caller says that it knows.
 */
export function requireAcknowledged(failure: { reason: string } | null, acknowledged: boolean): void {
  const reason = failure?.reason ?? ''
  if (acknowledged || ![PAUSED_BY_RESTORE, PAUSED_BEFORE_RESTORE].some((begin) => reason.startsWith(begin))) return
  throw new AppError(
    'NOT_READY',
    `The database was restored, so some recipients may get the campaign twice. Resume it with acknowledge_doubles: ` +
      `true. ${reason}`,
    { details: { checks: [], required: 'acknowledge_doubles' } },
  )
}
