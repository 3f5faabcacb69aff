import type { SuppressionReason } from '../../store/tables/audience.ts'
import { ROW_STATUSES, type RowStatus } from '../../store/tables/imports.ts'

/** The words for the status of a row, with those of other programs (docs/api/imports.md#status). */
const WORDS: Readonly<Record<RowStatus, readonly string[]>> = {
  subscribed: ['subscribed', 'active', 'enabled', 'confirmed', 'true', 'yes', 'y', '1'],
  pending: ['pending', 'unconfirmed'],
  unsubscribed: [
    'unsubscribed',
    'blocklisted',
    'blacklisted',
    'disabled',
    'inactive',
    'nonsubscribed',
    'transactional',
    'archived',
    'deleted',
    'false',
    'no',
    'n',
    '0',
    '2',
  ],
  bounced: ['bounced', 'cleaned', 'unreachable', 'hardbounce', 'hardbounced', '3'],
  complained: ['complained', 'complaint', 'spam', 'spamcomplaint', 'abuse', '4'],
}

const STATUS_OF_WORD: ReadonlyMap<string, RowStatus> = new Map(
  ROW_STATUSES.flatMap((status) => WORDS[status].map((word) => [word, status] as const)),
)

/** The status that a cell names; undefined for an unknown word. */
export function readStatus(cell: string): RowStatus | undefined {
  return STATUS_OF_WORD.get(cell.toLowerCase().replaceAll(/[\s_-]/g, ''))
}

const NO = new Set(['false', 'no', 'n', '0', 'off', 'never', 'null'])

/** Whether a cell of a column such as `email_disabled` or `UNSUB_TIME` says yes: anything but an empty cell or a no. */
export function saysYes(cell: string): boolean {
  return cell !== '' && !NO.has(cell.toLowerCase())
}

/** Of several statuses the one that allows least. */
export function strictest(one: RowStatus, other: RowStatus): RowStatus {
  return ROW_STATUSES.indexOf(one) > ROW_STATUSES.indexOf(other) ? one : other
}

/** The suppression that a status asks for; null where it asks for none. */
export const REASON_OF_STATUS: Readonly<Record<RowStatus, SuppressionReason | null>> = {
  subscribed: null,
  pending: null,
  unsubscribed: 'unsubscribe',
  bounced: 'hard_bounce',
  complained: 'complaint',
}
