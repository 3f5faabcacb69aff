import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { LoopContext } from '../../runtime.ts'
import { addressKey } from '../../store/address-key.ts'
import { one } from '../../store/rows.ts'
import { type Handover, signerOf } from '../facts.ts'
import type { Leased } from './outbox.ts'
import type { Outcome } from './outcome.ts'

/** Appends the facts of one batch, so that a restored database repeats no message (docs/operations.md#facts). */
export interface HandoverFacts {
  /** To be called right before the message is handed over. Throws when the fact cannot be written. */
  begin(message: Leased): void
  /** To be called with the outcome of a message, whether or not it was handed over. */
  end(message: Leased, outcome: Outcome): void
}

const NOWHERE: HandoverFacts = { begin: () => undefined, end: () => undefined }

export async function handoverFacts(
  { store, clock }: Pick<LoopContext, 'store' | 'clock'>,
  { project_id, campaign_id }: { project_id: ProjectId; campaign_id: number | null },
): Promise<HandoverFacts> {
  const { facts } = store
  if (!facts) return NOWHERE
  const { project, known_key, created_at } = one(
    await store.db.all<{ project: string; known_key: string | null; created_at: number | null }>(sql`
      SELECT project.public_id AS project, known.key AS known_key,
        (SELECT created_at FROM campaigns WHERE id = ${campaign_id}) AS created_at
      FROM projects project LEFT JOIN address_keys known ON known.project_id = project.id
      WHERE project.id = ${project_id}`),
  )
  const { line } = signerOf(project, known_key ?? (await store.write((tx) => addressKey(tx, project_id))))
  const campaign = campaign_id === null || created_at === null ? null : { id: campaign_id, created_at }
  /** Messages whose fact says that they were handed over. */
  const begun = new Set<number>()

  const append = (what: Handover['what'], { id, kind, contact_id, email }: Leased): void => {
    const at = clock.now()
    facts.append(at, [line({ at, what, delivery_id: id, kind, contact_id, campaign }, email)])
  }
  return {
    begin(message) {
      append('handed-over', message)
      begun.add(message.id)
    },
    end(message, { status }) {
      if (!begun.delete(message.id) || status === 'sent') return
      append(status === 'uncertain' ? 'in-doubt' : 'taken-back', message)
    },
  }
}
