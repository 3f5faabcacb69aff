import type { GlobalStatus, MembershipStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { STATUS_OF_REASON } from '../suppressions/suppression.ts'

/**
 * The rule of consent: what happens when a person is to be subscribed. Every consent source asks it, and no other code
 * decides. It is pure; `subscribe.ts` carries out the plan (docs/api/consent.md#memberships).
 *
 * For a list, the first line that matches:
 *
 *   suppression               global status           membership     list     consent source    → decision
 *   complaint, hard_bounce,   any                     any            any      any               → skip: suppressed
 *     manual
 *   unsubscribe               any                     any            any      reverses not all  → skip: suppressed
 *   –                         unsubscribed, bounced,  any            any      reverses not all  → skip: that status
 *                               complained
 *   –                         –                       subscribed     any      any               → keep
 *   –                         –                       unsubscribed   any      reverses nothing  → skip: left_list
 *   –                         –                       any            double   asks              → ask
 *   –                         –                       any            any      any               → subscribe
 *
 * `double` is a double opt-in list. `ask` makes the membership pending and queues a confirmation message. Without a
 * list the same lines apply to the address itself: its contact takes the place of the membership, and no confirmation
 * is asked for.
 *
 * The global status afterwards: `subscribed` when anything was subscribed, or when an opted-out contact comes back and
 * is still subscribed to a list; else `pending` when a new or returning contact was asked to confirm; else unchanged.
 * A new contact that was skipped takes the status that its suppression implies (docs/api/consent.md#global-status).
 */
export interface ConsentSource {
  /** Stored with the consent. */
  readonly name: string
  /** Which opt-outs it reverses: none, the one from a list that it names, or the global one as well. */
  readonly reverses: 'nothing' | 'list' | 'everything'
  /** Whether double opt-in lists ask for confirmation. Not where the address is proven or the owner vouches for it. */
  readonly asks: boolean
  /** Whether anyone could have sent the request, so that what it causes has tighter limits. */
  readonly by_stranger?: true
  /** Whether an integration speaks for the person, so that the client address is not the person's. */
  readonly by_caller?: true
  /** The source in the evidence, where it says more than the name. */
  readonly evidence?: string
}

export const CONSENT_SOURCES = {
  upsert: { name: 'api', reverses: 'nothing', asks: true, by_caller: true },
  resubscribe: { name: 'api', reverses: 'everything', asks: true, by_caller: true },
  membership: { name: 'api', reverses: 'list', asks: true, by_caller: true },
  bulk: { name: 'bulk', reverses: 'nothing', asks: true, by_caller: true },
  import_asking: { name: 'import', reverses: 'nothing', asks: true, by_caller: true },
  import_vouched: { name: 'import', reverses: 'nothing', asks: false, by_caller: true },
  signup: { name: 'signup', reverses: 'nothing', asks: true, by_stranger: true, evidence: 'signup (unverified text)' },
  form: { name: 'form', reverses: 'nothing', asks: true, by_stranger: true },
  preferences: { name: 'preferences', reverses: 'everything', asks: false },
} as const satisfies Record<string, ConsentSource>

export const SKIP_REASONS = ['suppressed', 'unsubscribed', 'bounced', 'complained', 'left_list'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type Decision = { act: 'subscribe' | 'ask' | 'keep' } | { act: 'skip'; reason: SkipReason }

/** The subscription status of an address in a project; null where there is no contact, or no suppression. */
export interface AddressStatus {
  global_status: GlobalStatus | null
  suppression: SuppressionReason | null
}

/** A list that a person is to be subscribed to. */
export interface ListKind {
  id: number
  double_opt_in: boolean
}

export interface Plan {
  /** One for each list, or a single one without a list. */
  decisions: { list_id: number | null; decision: Decision }[]
  /** The global status afterwards. */
  global_status: GlobalStatus
  /** Whether the address's suppression, of reason `unsubscribe`, ends. */
  lifts_suppression: boolean
}

/** Decides about one person. `memberships` are the person's own, by list. */
export function plan(
  status: AddressStatus,
  memberships: ReadonlyMap<number, MembershipStatus>,
  lists: readonly ListKind[],
  source: ConsentSource,
): Plan {
  const decisions =
    lists.length === 0
      ? [{ list_id: null, decision: decideAddress(status, memberships.size > 0, source) }]
      : lists.map((list) => ({
          list_id: list.id,
          decision: decideList(status, memberships.get(list.id) ?? null, list, source),
        }))
  const acts = new Set(decisions.map(({ decision }) => decision.act))
  const allSkipped = acts.size === 1 && acts.has('skip')
  return {
    decisions,
    global_status: allSkipped
      ? (status.global_status ?? statusOfNew(status.suppression!, lists, source))
      : statusAfter(status.global_status, acts, [...memberships.values()].includes('subscribed')),
    lifts_suppression: status.suppression === 'unsubscribe' && !allSkipped,
  }
}

/**
 * The lists that ask a person who has not confirmed yet, as an import says; such a person is subscribed to no other.
 */
export function askingLists(lists: readonly ListKind[], source: ConsentSource): ListKind[] {
  return source.asks ? lists.filter(({ double_opt_in }) => double_opt_in) : []
}

/** Decides about a person who becomes a contact; `is_pending` says of one who has not confirmed yet. */
export function planNew(
  suppression: SuppressionReason | null,
  lists: readonly ListKind[],
  source: ConsentSource,
  is_pending = false,
): Plan {
  const status: AddressStatus = { global_status: null, suppression }
  if (!is_pending) return plan(status, new Map(), lists, source)
  const asking = askingLists(lists, source)
  if (asking.length > 0) return plan(status, new Map(), asking, source)
  const implied = suppression && STATUS_OF_REASON[suppression]
  return { decisions: [], global_status: implied ?? 'pending', lifts_suppression: false }
}

export function decideList(
  status: AddressStatus,
  membership: MembershipStatus | null,
  list: ListKind,
  source: ConsentSource,
): Decision {
  const reason = blockReason(status, source)
  if (reason) return { act: 'skip', reason }
  if (membership === 'subscribed') return { act: 'keep' }
  if (membership === 'unsubscribed' && source.reverses === 'nothing') return { act: 'skip', reason: 'left_list' }
  return { act: list.double_opt_in && source.asks ? 'ask' : 'subscribe' }
}

function decideAddress(status: AddressStatus, has_memberships: boolean, source: ConsentSource): Decision {
  const reason = blockReason(status, source)
  if (reason) return { act: 'skip', reason }
  if (status.global_status === 'subscribed') return { act: 'keep' }
  // A contact with pending memberships stays pending until it confirms one.
  if (status.global_status === 'pending' && has_memberships) return { act: 'keep' }
  return { act: 'subscribe' }
}

/** Why the source can subscribe the address to nothing at all, or null. */
function blockReason({ suppression, global_status }: AddressStatus, source: ConsentSource): SkipReason | null {
  const reversesAll = source.reverses === 'everything'
  if (suppression !== null && !(suppression === 'unsubscribe' && reversesAll)) return 'suppressed'
  return isBlocked(global_status) && !reversesAll ? global_status : null
}

function statusAfter(
  before: GlobalStatus | null,
  acts: ReadonlySet<Decision['act']>,
  on_a_list: boolean,
): GlobalStatus {
  const comesBack = isBlocked(before)
  if (acts.has('subscribe') || (comesBack && on_a_list)) return 'subscribed'
  return before === null || comesBack ? 'pending' : before
}

/** A `manual` suppression only blocks: the status is what it would be without it. */
function statusOfNew(suppression: SuppressionReason, lists: readonly ListKind[], source: ConsentSource): GlobalStatus {
  return (
    STATUS_OF_REASON[suppression] ??
    plan({ global_status: null, suppression: null }, new Map(), lists, source).global_status
  )
}

/** Whether a new contact's consent is stored. It is under a `manual` suppression, which blocks but is no opt-out. */
export function storesConsent({ decisions, global_status }: Plan): boolean {
  return global_status === 'subscribed' || decisions.some(({ decision }) => decision.act !== 'skip')
}

/** Whether a contact of this status gets no messages until it comes back explicitly. */
export function isBlocked(status: GlobalStatus | null): status is 'unsubscribed' | 'bounced' | 'complained' {
  return status === 'unsubscribed' || status === 'bounced' || status === 'complained'
}
