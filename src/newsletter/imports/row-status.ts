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

const NO = new Set(['false', 'no', 'n', '0', 'off', 'never', 'null', 'non', 'nein', 'nee', 'não'])
/**
 * Whether a cell of a column such as `email_disabled` or `UNSUB_TIME` says yes: anything but an empty cell, a no, or
 * other channels than mail.
 */
export function saysYes(cell: string): boolean {
  const text = cell.toLowerCase()
  return cell !== '' && !NO.has(text) && !namesOtherChannels(text)
}

/** Whether a cell lists channels such as `sms_marketing`, and mail is not among them. */
function namesOtherChannels(text: string): boolean {
  const words = text.split(/\W/).filter((word) => word !== '')
  return words.length > 0 && words.every((word) => word.startsWith('sms') || word.startsWith('whatsapp'))
}

/** Of several statuses the one that allows least. */
export function strictest(one: RowStatus | undefined, other: RowStatus): RowStatus {
  return one && ROW_STATUSES.indexOf(one) > ROW_STATUSES.indexOf(other) ? one : other
}

/** The suppression that a status asks for; null where it asks for none. */
export const REASON_OF_STATUS: Readonly<Record<RowStatus, SuppressionReason | null>> = {
  subscribed: null,
  pending: null,
  unsubscribed: 'unsubscribe',
  bounced: 'hard_bounce',
  complained: 'complaint',
}
