import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { Reader } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import type { Connection } from '../connections/connection.ts'
import { beyondLimit, dailyLimit, withinLimits } from './quota.ts'

/** Why no confirmation can leave a project now (docs/api/consent.md#double-opt-in). */
export const BLOCK_REASONS = ['no_connection', 'connection_untested', 'no_sender', 'limit', 'held'] as const
type BlockReason = (typeof BLOCK_REASONS)[number]

/** Why a project cannot send through a connection as this sender, or null. */
export function sendingBlock(
  connection: Pick<Connection, 'verified_at'> | null,
  from_email: string,
): Exclude<BlockReason, 'limit' | 'held'> | null {
  if (!connection) return 'no_connection'
  if (connection.verified_at === null) return 'connection_untested'
  return from_email === '' ? 'no_sender' : null
}

type Known = Pick<Connection, 'id' | 'provider' | 'verified_at' | 'max_per_day' | 'warm_up_started_at'>

/** Why no confirmation can leave the project now, or null. One statement, unless there are limits. */
async function confirmationBlock(db: Reader, project_id: ProjectId, now: number): Promise<BlockReason | null> {
  const { from_email, default_connection_id, confirmations_held, monthly_limit, packed } = one(
    await db.all<{
      from_email: string | null
      default_connection_id: number | null
      confirmations_held: 0 | 1 | null
      monthly_limit: number | null
      packed: string
    }>(sql`
      SELECT settings.from_email, settings.default_connection_id, settings.confirmations_held, project.monthly_limit, (
        SELECT json_group_array(json_object('id', connection.id, 'provider', connection.provider,
          'verified_at', connection.verified_at, 'max_per_day', connection.max_per_day,
          'warm_up_started_at', connection.warm_up_started_at))
        FROM connections connection WHERE connection.project_id = project.id) AS packed
      FROM projects project LEFT JOIN newsletter_settings settings ON settings.project_id = project.id
      WHERE project.id = ${project_id}`),
  )
  if (confirmations_held) return 'held'
  const all = JSON.parse(packed) as Known[]
  // As `connectionOf` chooses: the default, else the only one.
  const usable = default_connection_id === null ? all : all.filter(({ id }) => id === default_connection_id)
  const connection = usable.length === 1 ? usable[0]! : null
  const block = sendingBlock(connection, from_email ?? '')
  if (block || !connection) return block
  const max_per_day = beyondLimit(dailyLimit(connection, now))
  const in_sandbox = connection.provider === 'sandbox'
  const limits = { project_id, connection_id: connection.id, campaign_id: null, max_per_day, monthly_limit, in_sandbox }
  return (await withinLimits(db, limits, 1, now)) === 0 ? 'limit' : null
}

/** The part of an answer about confirmations: how many messages are queued, and which lists wait until a block ends. */
interface ConfirmationOutcome {
  confirmations_queued: number
  confirmations_blocked?: { list_id: number; reason: BlockReason }[]
}

/** The parts for contacts of a project, in their order. */
export async function confirmationOutcomes(
  db: Reader,
  { project_id, now }: { project_id: ProjectId; now: number },
  contacts: readonly {
    /** The named lists whose membership is pending. */
    waiting: readonly number[]
    confirms: boolean
  }[],
): Promise<ConfirmationOutcome[]> {
  const isWaited = contacts.some(({ waiting }) => waiting.length > 0)
  const reason = isWaited ? await confirmationBlock(db, project_id, now) : null
  return contacts.map(({ waiting, confirms }) =>
    reason !== null && waiting.length > 0
      ? { confirmations_queued: 0, confirmations_blocked: waiting.map((list_id) => ({ list_id, reason })) }
      : { confirmations_queued: confirms ? 1 : 0 },
  )
}
