import type { RequestOf } from '../../api/calls.ts'

export type Reason = NonNullable<RequestOf<'suppressions/list'>['reason']>

export const REASON_CHOICES: readonly { value: Reason; label: string }[] = [
  { value: 'hard_bounce', label: 'Bounced' },
  { value: 'complaint', label: 'Complained' },
  { value: 'unsubscribe', label: 'Opted out' },
  { value: 'manual', label: 'By hand' },
]

/** The request for the address `/suppressions?q=example.com&reason=complaint&from=CURSOR`. */
export function suppressionsBody(query: Record<string, string>): RequestOf<'suppressions/list'> {
  const reason = REASON_CHOICES.find(({ value }) => value === query.reason)?.value
  return {
    order: 'newest',
    limit: 50,
    ...(query.q && { search: query.q }),
    ...(reason && { reason }),
    ...(query.from && { cursor: query.from }),
  }
}
