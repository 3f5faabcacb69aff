import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import { packedRows, valuesOf, withRows } from '../../store/rows.ts'
import type { ContactRow } from '../contacts/contact.ts'
import type { ConsentSource } from './consent-rule.ts'
import { wordingIds, type Wordings } from './wordings.ts'

/** A consent: its text, time and origin. It is stored with every subscription (docs/api/consent.md#evidence). */
export interface Consent {
  keys: Keys
  project_id: ProjectId
  /** Empty when an import has no wording. */
  text: string
  source: ConsentSource
  now: number
  address: string
  user_agent: string
  /** The stored text, where the caller has looked it up already; null for an empty text. */
  wording_id?: number | null
}

/** Consent given elsewhere, as an integration reported it. Parts left out are those of the call's own consent. */
export interface ToldConsent {
  at?: number
  text?: string
  ip?: string
  user_agent?: string
  source?: string
}

/** The values that are stored as evidence of one person's consent. */
export interface Evidence {
  at: number
  text: string
  /** The source that the contact shows. */
  source: string
  /** The source that its evidence names. */
  named: string
  address: string | null
  user_agent: string | null
  /** The integration that reported the consent, when it was not the person. */
  caller_address: string | null
  caller_user_agent: string | null
}

const NOBODY = { address: null, user_agent: null }

/**
 * The evidence to store: what the integration reported about this person, with the call's own consent for missing
 * parts.
 */
export function evidenceOf(consent: Consent, told: ToldConsent = {}): Evidence {
  const { source, address, user_agent } = consent
  const call = { address, user_agent }
  const [person, caller] = source.by_caller ? [NOBODY, call] : [call, NOBODY]
  return {
    at: told.at ?? consent.now,
    text: told.text ?? consent.text,
    source: told.source ?? source.name,
    named: told.source ?? source.evidence ?? source.name,
    address: told.ip ?? person.address,
    user_agent: told.user_agent ?? person.user_agent,
    caller_address: caller.address,
    caller_user_agent: caller.user_agent,
  }
}

/** The memberships that one person's consent covers. */
interface Agreement {
  contact: ContactRow
  /** Lists newly subscribed or newly asked for; null is the address itself, without a list. */
  fresh: readonly { list_id: number | null }[]
  /** Lists that were subscribed already; null is the address itself. */
  again: readonly (number | null)[]
  evidence: Evidence
  told?: ToldConsent
}

/** Whether a repeated consent may hold something new: another wording, or a reported time and place. */
function saysMore({ contact, evidence, told }: Agreement): boolean {
  return told !== undefined || (contact.consent_text !== evidence.text && evidence.text !== '')
}

/** The ids of the texts that evidence will refer to; stores those that the project does not have. */
export async function wordingsOf(
  tx: Tx,
  steps: readonly Agreement[],
  { project_id, text, wording_id }: Consent,
): Promise<Wordings> {
  const needed = steps
    .filter((step) => step.fresh.length > 0 || (step.again.length > 0 && saysMore(step)))
    .map(({ evidence }) => evidence.text)
  return wordingIds(tx, project_id, needed, new Map(wording_id ? [[text, wording_id]] : []))
}

/**
 * Adds a row for each new subscription; for an existing one, a row for each wording that is not stored yet, and one for
 * each consent that was told of.
 */
export async function writeEvidence(
  tx: Tx,
  steps: readonly Agreement[],
  wordings: Wordings,
  { project_id }: Consent,
): Promise<void> {
  const row = ({ contact, evidence }: Agreement, list_id: number | null) => {
    const { text, named, at, address, user_agent, caller_address, caller_user_agent } = evidence
    const wording_id = wordings.get(text) ?? null
    return [contact.id, list_id, wording_id, named, at, address, user_agent, caller_address, caller_user_agent]
  }
  const fresh = steps.flatMap((step) => step.fresh.map(({ list_id }) => row(step, list_id)))
  const repeated = steps.flatMap((step) =>
    saysMore(step)
      ? step.again.map((list_id) => [...row(step, list_id), step.told ? 1 : 0, step.told?.at === undefined ? 0 : 1])
      : [],
  )
  const columns = sql`project_id, contact_id, list_id, wording_id, source, at, address, user_agent, caller_address,
    caller_user_agent`
  if (fresh.length > 0) {
    const { with_rows, values, from } = packedRows(fresh)
    await tx.later(sql`${with_rows} INSERT INTO consents (${columns}) SELECT ${project_id}, ${values} ${from}`)
  }
  if (repeated.length > 0)
    await tx.later(sql`
      ${withRows(repeated)} INSERT INTO consents (${columns}) SELECT ${project_id}, ${valuesOf(0, 9)} FROM r
      WHERE NOT EXISTS (
        SELECT 1 FROM consents known
        WHERE known.contact_id = v->>0 AND known.list_id IS v->>1 AND known.wording_id IS v->>2
        AND known.source = v->>3 AND known.action = 'given'
        AND (v->>9 = 0 OR known.address IS v->>5) AND (v->>10 = 0 OR known.at = v->>4))`)
}
