import type { SuppressionReason } from '../../store/tables/audience.ts'

/**
 * The rank of each suppression reason. Of two reasons the one with the higher rank stays
 * (docs/api/consent.md#suppressions).
 */
export const STRENGTH: Readonly<Record<SuppressionReason, number>> = {
  manual: 0,
  unsubscribe: 1,
  hard_bounce: 2,
  complaint: 3,
}

export function strongest(one: SuppressionReason, other: SuppressionReason): SuppressionReason {
  return STRENGTH[one] > STRENGTH[other] ? one : other
}
