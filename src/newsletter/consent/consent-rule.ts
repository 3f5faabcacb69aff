import type { GlobalStatus, MembershipStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { STATUS_OF_REASON } from '../suppressions/suppression.ts'

/**
 * The one rule of consent: what becomes of a person who is to be subscribed. Every way in asks it; nothing else
 * decides it. It is pure: what it needs to know is handed in, what is to happen comes out, `subscribe.ts` does it.
 *
 * For a list, the first line that fits:
 *
 *   suppression                      global status             membership      list    way in                → what happens
 *   complaint, hard_bounce, manual   any                       any             any     any                   → skip: suppressed
 *   unsubscribe                      any                       any             any     not taking back all   → skip: suppressed
 *   –                                unsubscribed, bounced,    any             any     not taking back all   → skip: that status
 *                                    complained
 *   –                                –                         subscribed      any     any                   → keep
 *   –                                –                         unsubscribed    any     taking back nothing   → skip: left_list
 *   –                                –                         any             double  one that asks         → ask
 *   –                                –                         any             any     any                   → subscribe
 *
 * `double` is a double opt-in list; `ask` makes the membership pending and queues a confirmation message. An
 * address that is to be subscribed without a list (contract-details 15a) goes through the same lines, its contact
 * standing for the membership; nobody is asked there.
 *
 * The global status afterwards: `subscribed` when anything was subscribed, or when somebody comes back who is on a
 * list all the while; else `pending` when anything was asked of somebody new or coming back; else what it was.
 * Somebody new who was skipped begins with what the suppression says (contract-details 15c).
 */
export interface WayIn {
  /** Kept with the consent as where it came from. */
  readonly source: string
  /** Which opt-outs it takes back: none, that from a list it names, or the global one as well. */
  readonly takes_back: 'nothing' | 'list' | 'everything'
  /** Whether a double opt-in list asks for confirmation; not where the address is proven or the owner vouches for it. */
  readonly asks: boolean
}

export const WAYS_IN = {
  upsert: { source: 'api', takes_back: 'nothing', asks: true },
  resubscribe: { source: 'api', takes_back: 'everything', asks: true },
  membership: { source: 'api', takes_back: 'list', asks: true },
  bulk: { source: 'bulk', takes_back: 'nothing', asks: true },
  import_asking: { source: 'import', takes_back: 'nothing', asks: true },
  import_vouched: { source: 'import', takes_back: 'nothing', asks: false },
  signup: { source: 'signup', takes_back: 'nothing', asks: true },
  form: { source: 'form', takes_back: 'nothing', asks: true },
  preferences: { source: 'preferences', takes_back: 'everything', asks: false },
} as const satisfies Record<string, WayIn>

export const SKIP_REASONS = ['suppressed', 'unsubscribed', 'bounced', 'complained', 'left_list'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type Decision = { act: 'subscribe' | 'ask' | 'keep' } | { act: 'skip'; reason: SkipReason }

/** How a person stands in the project; null where there is no contact, or no suppression. */
export interface Standing {
  global_status: GlobalStatus | null
  suppression: SuppressionReason | null
}

/** A list that somebody is to be subscribed to. */
export interface ListKind {
  id: number
  double_opt_in: boolean
}

export interface Plan {
  /** One for each list, or a single one without a list. */
  decisions: { list_id: number | null; decision: Decision }[]
  /** The global status afterwards. */
  global_status: GlobalStatus
  /** Whether the suppression of the address, an `unsubscribe`, ends with it. */
  lifts_suppression: boolean
}

/** What becomes of one person. `memberships` are those they have, by list. */
export function plan(
  standing: Standing,
  memberships: ReadonlyMap<number, MembershipStatus>,
  lists: readonly ListKind[],
  way: WayIn,
): Plan {
  const decisions =
    lists.length === 0
      ? [{ list_id: null, decision: decideAddress(standing, memberships.size > 0, way) }]
      : lists.map((list) => ({
          list_id: list.id,
          decision: decideList(standing, memberships.get(list.id) ?? null, list, way),
        }))
  const acts = new Set(decisions.map(({ decision }) => decision.act))
  const allSkipped = acts.size === 1 && acts.has('skip')
  return {
    decisions,
    global_status: allSkipped
      ? (standing.global_status ?? statusOfNew(standing.suppression!, lists, way))
      : statusAfter(standing.global_status, acts, [...memberships.values()].includes('subscribed')),
    lifts_suppression: standing.suppression === 'unsubscribe' && !allSkipped,
  }
}

export function decideList(
  standing: Standing,
  membership: MembershipStatus | null,
  list: ListKind,
  way: WayIn,
): Decision {
  const barred = bar(standing, way)
  if (barred) return { act: 'skip', reason: barred }
  if (membership === 'subscribed') return { act: 'keep' }
  if (membership === 'unsubscribed' && way.takes_back === 'nothing') return { act: 'skip', reason: 'left_list' }
  return { act: list.double_opt_in && way.asks ? 'ask' : 'subscribe' }
}

function decideAddress(standing: Standing, has_memberships: boolean, way: WayIn): Decision {
  const barred = bar(standing, way)
  if (barred) return { act: 'skip', reason: barred }
  if (standing.global_status === 'subscribed') return { act: 'keep' }
  // Whoever only waits for confirmations goes on waiting for them.
  if (standing.global_status === 'pending' && has_memberships) return { act: 'keep' }
  return { act: 'subscribe' }
}

/** Why nothing at all may be subscribed, or null. */
function bar({ suppression, global_status }: Standing, way: WayIn): SkipReason | null {
  const takesBackAll = way.takes_back === 'everything'
  if (suppression !== null && !(suppression === 'unsubscribe' && takesBackAll)) return 'suppressed'
  return isOut(global_status) && !takesBackAll ? global_status : null
}

function statusAfter(
  before: GlobalStatus | null,
  acts: ReadonlySet<Decision['act']>,
  on_a_list: boolean,
): GlobalStatus {
  const comesBack = isOut(before)
  if (acts.has('subscribe') || (comesBack && on_a_list)) return 'subscribed'
  return before === null || comesBack ? 'pending' : before
}

/** `manual` only blocks: the status is what it would have been without it. */
function statusOfNew(suppression: SuppressionReason, lists: readonly ListKind[], way: WayIn): GlobalStatus {
  return (
    STATUS_OF_REASON[suppression] ??
    plan({ global_status: null, suppression: null }, new Map(), lists, way).global_status
  )
}

/** Whether the consent that somebody new came with is kept: also under a manual suppression, which blocks without being an opt-out. */
export function keepsConsent({ decisions, global_status }: Plan): boolean {
  return global_status === 'subscribed' || decisions.some(({ decision }) => decision.act !== 'skip')
}

/** Whether nothing may be sent to somebody of this status, and only coming back explicitly changes it. */
export function isOut(status: GlobalStatus | null): status is 'unsubscribed' | 'bounced' | 'complained' {
  return status === 'unsubscribed' || status === 'bounced' || status === 'complained'
}
