import { networkOf } from '../../access/address.ts'
import { auditActor, type Caller } from '../../access/caller.ts'
import { recordCall } from '../../audit/call.ts'
import { auditedStore, notesOf, type Origin, record } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import type { Runtime } from '../../runtime.ts'
import type { Store, Tx } from '../../store/open.ts'
import type { Exchange } from './exchange.ts'
import type { Route } from './route.ts'

/** The audit log of the routes (docs/api/audit.md). The pipeline of serve.ts calls it; handlers only add notes. */
interface Call {
  runtime: Runtime
  route: Route
  exchange: Exchange
}

/**
 * The store of a handler without an authenticated caller. Its writes leave rows by a `visitor`, unless they note more.
 * A request that only reads leaves a row only when a write notes one, such as the sign-in that a redirect completes.
 */
export function storeOf({ runtime, route, exchange }: Call): Store {
  // The pipeline of the newsletter operations writes rows of its own.
  if (route.auth === 'api') return runtime.store
  const reads = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
  return auditedStore(
    runtime.store,
    () => originOf({ runtime, route, exchange }, 'visitor'),
    !reads && route.audit.rows === 'all',
  )
}

interface Change {
  caller: Caller
  /** The project that the caller is admitted to, if the route has one. */
  project?: { project_id: ProjectId; project_public_id: string } | null
  input: unknown
  answer: unknown
  /** Whether it is the transaction of the route itself, whose row stands beside those that it notes. */
  is_own: boolean
}

/** Adds the row of an authenticated caller's change to its transaction. */
export function recordChange(tx: Tx, call: Call, { caller, project, input, answer, is_own }: Change): void {
  const { audit } = call.route
  const origin = { ...originOf(call, auditActor(caller)), project_id: project?.project_id ?? null }
  const noted = notesOf(tx)
  if (!is_own && (noted.length > 0 || audit.rows === 'noted')) return record(tx, origin, noted)
  const { user_id } = caller
  recordCall(tx, origin, { rule: audit, input, answer, project: project?.project_public_id ?? null, user_id })
}

function originOf({ runtime, route, exchange }: Call, actor: string): Origin {
  const { address, now, request_id, request } = exchange
  return {
    keys: runtime.keys,
    at: now,
    actor,
    action: `${request.method} ${route.path}`,
    ip: route.audit.ip === 'network' ? networkOf(address) : address,
    request_id,
  }
}
