import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { emailKey } from '../address.ts'
import { addressKey, addressMark } from '../store/address-key.ts'
import { jsonText } from '../store/json-text.ts'
import type { CommitWork, Tx } from '../store/open.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../store/tables/audience.ts'
import { DELIVERY_KINDS, type DeliveryKind } from '../store/tables/delivery.ts'

/**
 * Facts: what cannot be undone, kept beside the database so that a restore forgets none of it
 * (docs/operations.md#facts). Each is a line: time, kind, project, keyed hash of the address, and what else names it.
 */

/** `taken-back`: the message was not handed over after all. `in-doubt`: the relay may or may not have it. */
const HANDOVERS = ['handed-over', 'taken-back', 'in-doubt'] as const

export interface Handover {
  what: (typeof HANDOVERS)[number]
  delivery_id: number
  kind: DeliveryKind
  contact_id: number | null
  /** The time of creation tells campaigns apart that got the same id before and after a restore. */
  campaign: { id: number; created_at: number } | null
}
interface Leaving {
  what: 'left'
  contact_id: number
  /** Null for everything. */
  list_id: number | null
}
interface Suppressing {
  what: 'suppressed'
  reason: SuppressionReason
  opted_out: boolean
}
/** The properties that every fact has. */
interface Known {
  at: number
  /** The public id of the project. */
  project: string
  /** The keyed hash of the address. */
  mark: string
}
export type KnownHandover = Known & Handover
export type Departure = Known & (Leaving | Suppressing)
export type Fact = KnownHandover | Departure

/** The line of a fact. */
export function factLine(fact: Fact): string {
  return [new Date(fact.at).toISOString(), fact.what, fact.project, fact.mark, ...restOf(fact)].join(' ')
}

function restOf(fact: Fact): (string | number)[] {
  if (fact.what === 'left') return [fact.contact_id, fact.list_id ?? NONE]
  if (fact.what === 'suppressed') return [fact.reason, fact.opted_out ? 'opted-out' : NONE]
  const { delivery_id, kind, contact_id, campaign } = fact
  return [delivery_id, kind, contact_id ?? NONE, campaign?.id ?? NONE, campaign?.created_at ?? NONE]
}

const NONE = '-'
const MARK = /^#[\w-]{43}$/

/** The fact of a line; null for a line that is damaged, such as one that a full disk cut off. */
export function readFact(line: string): Fact | null {
  const [time = '', what = '', project = '', mark = '', ...rest] = line.split(' ')
  const known = { at: Date.parse(time), project, mark }
  if (Number.isNaN(known.at) || !MARK.test(mark)) return null
  if (what === 'left' && rest.length === 2)
    return { ...known, what, contact_id: Number(rest[0]), list_id: numberOf(rest[1]!) }
  const reason = SUPPRESSION_REASONS.find((one) => one === rest[0])
  if (what === 'suppressed' && reason && rest.length === 2)
    return { ...known, what, reason, opted_out: rest[1] !== NONE }
  const handover = HANDOVERS.find((one) => one === what)
  const kind = DELIVERY_KINDS.find((one) => one === rest[1])
  if (!handover || !kind || rest.length !== 5) return null
  const [delivery_id = '', , contact_id = '', id = '', created_at = ''] = rest
  return {
    ...known,
    what: handover,
    delivery_id: Number(delivery_id),
    kind,
    contact_id: numberOf(contact_id),
    campaign: id === NONE ? null : { id: Number(id), created_at: Number(created_at) },
  }
}

const numberOf = (text: string): number | null => (text === NONE ? null : Number(text))

type NewFact = { project_id: ProjectId; at: number } & (
  | (Leaving & { email_key?: undefined })
  | (Suppressing & { email_key: string })
)

/** Appends facts about people who left or were suppressed, when the transaction commits. */
export function recordFacts(tx: Tx, facts: readonly NewFact[]): void {
  if (tx.facts && facts.length > 0) tx.beforeCommit(appendFacts, facts)
}

const appendFacts: CommitWork<readonly NewFact[]> = async (tx, entries) => {
  const facts = entries.flat()
  const signers = new Map<ProjectId, FactSigner>()
  for (const { project_id } of facts)
    if (!signers.has(project_id)) signers.set(project_id, await factSigner(tx, project_id))
  const contact_ids = facts.flatMap((fact) => (fact.what === 'left' ? [fact.contact_id] : []))
  const contacts = await tx.all<{ id: number; email_key: string }>(
    sql`SELECT id, email_key FROM contacts WHERE id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))`,
  )
  const key_of = new Map(contacts.map(({ id, email_key }) => [id, email_key]))
  const lines = facts.flatMap((fact) => {
    const email_key = fact.what === 'left' ? key_of.get(fact.contact_id) : fact.email_key
    return email_key === undefined ? [] : [signers.get(fact.project_id)!.line(fact, email_key)]
  })
  tx.facts!.append(facts[0]!.at, lines)
}

/** Writes the lines of one project's facts. */
interface FactSigner {
  line(fact: { at: number } & (Handover | Leaving | Suppressing), email: string): string
}

async function factSigner(tx: Tx, project_id: ProjectId): Promise<FactSigner> {
  const [row] = await tx.all<{ public_id: string }>(sql`SELECT public_id FROM projects WHERE id = ${project_id}`)
  return signerOf(row?.public_id ?? NONE, await addressKey(tx, project_id))
}

/** @param key of the project's hashes */
export function signerOf(project: string, key: string): FactSigner {
  return { line: (fact, email) => factLine({ ...fact, project, mark: addressMark(key, emailKey(email)) }) }
}
