import { sql } from 'drizzle-orm'
import { FORGOTTEN } from '../oauth/kept-bodies.ts'
import type { Tx } from '../store/open.ts'
import { keptAddress, keptJson } from './kept-body.ts'

/**
 * What the request log of an app keeps of requests and answers (docs/api/platform.md#request-log). They may hold data
 * of people, so they go with the contact, the project, or the authorization of the app.
 */

/** The newest calls of an app of which bodies are kept: those that succeeded, and those that did not. */
export const KEPT = { done: 50, failed: 200 } as const

/** Those of them that are kept of one second, the newest: an app may make thousands of calls in it. */
const KEPT_AT_ONCE = { done: 10, failed: 50 } as const

/** A request and its answer, as they are held until the log is written. */
export interface Body {
  url: URL
  /** JSON; its beginning where it is long. */
  request: Uint8Array | string | null
  answer: string | null
  /** Null for a call without an access token. */
  authorization_id: string | null
}

interface Named {
  app_id: string
  status: number
}

/** The bodies of calls that wait to be written: of each app only those that would be kept. */
export interface Held<Call extends Named> {
  hold(call: Call, body: Body): void
  /** All bodies that are held, which are then forgotten. */
  take(): ReadonlyMap<Call, Body>
}

/** A longer text is copied, so that the whole of it does not stay in memory. */
const MAX_HELD = 64 * 1024
/** Characters of all bodies that are held. Bodies beyond it are not kept. */
const MAX_ALL_HELD = 8 * 1024 * 1024

export function createHeld<Call extends Named>(): Held<Call> {
  let bodies = new Map<Call, Body>()
  let queues = new Map<string, Call[]>()
  let characters = 0
  return {
    hold(call, given) {
      const body = { ...given, request: beginningOf(given.request), answer: beginningOf(given.answer) }
      const size = sizeOf(body)
      if (characters + size > MAX_ALL_HELD) return
      characters += size
      bodies.set(call, body)
      const outcome = call.status >= 400 ? 'failed' : 'done'
      const name = `${outcome} ${call.app_id}`
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      if (queue.push(call) <= KEPT_AT_ONCE[outcome]) return
      const oldest = queue.shift()!
      characters -= sizeOf(bodies.get(oldest)!)
      bodies.delete(oldest)
    },
    take() {
      const taken = bodies
      bodies = new Map()
      queues = new Map()
      characters = 0
      return taken
    },
  }
}

function beginningOf<T extends Body['request']>(text: T): T {
  if (text === null || text.length <= MAX_HELD) return text
  const isText = typeof text === 'string'
  return (isText ? Buffer.from(text.slice(0, MAX_HELD)).toString() : text.slice(0, MAX_HELD)) as T
}

function sizeOf({ request, answer }: Body): number {
  return (request?.length ?? 0) + (answer?.length ?? 0)
}

/** A row without anything that is kept. */
const NOTHING = { address: null, request: null, answer: null, authorization_id: null }

/** The columns of a row of the log. */
export function keptOf(body: Body | undefined) {
  if (!body) return NOTHING
  const { url, request, answer, authorization_id } = body
  const sent = typeof request === 'string' || request === null ? request : new TextDecoder().decode(request)
  return {
    address: keptAddress(url),
    request: sent === null || sent === '' ? null : keptJson(sent, 'request'),
    answer: answer === null ? null : keptJson(answer, 'answer'),
    authorization_id,
  }
}

/**
 * Forgets the bodies beyond the newest of each app. Of rows that were just written, it also forgets those whose
 * contact, project or authorization went while they waited.
 *
 * @param apps a JSON array of ids
 * @param written how many rows, the newest
 */
export async function pruneBodies(tx: Tx, apps: string, written: number): Promise<void> {
  for (const [failed, most] of [
    [0, KEPT.done],
    [1, KEPT.failed],
  ])
    await tx.run(sql`
      ${FORGOTTEN} WHERE id IN (
        SELECT surplus.id FROM json_each(${apps}) app, app_requests surplus
        WHERE surplus.address IS NOT NULL AND surplus.app_id = app.value AND (surplus.status >= 400) = ${failed}
          AND surplus.id <= (
            SELECT kept.id FROM app_requests kept
            WHERE kept.address IS NOT NULL AND kept.app_id = app.value AND (kept.status >= 400) = ${failed}
            ORDER BY kept.id DESC LIMIT 1 OFFSET ${most}))`)
  await tx.run(sql`
    ${FORGOTTEN} WHERE address IS NOT NULL AND id > (SELECT max(id) FROM app_requests) - ${written} AND (
      EXISTS (SELECT 1 FROM authorizations z WHERE z.id = authorization_id AND z.revoked_at IS NOT NULL)
      OR EXISTS (
        SELECT 1 FROM projects p WHERE p.public_id = project AND (
          p.deleted_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM erasures e WHERE e.project_id = p.id AND e.deleted_at >= at)
          OR (authorization_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM authorization_projects g
            WHERE g.authorization_id = app_requests.authorization_id AND g.project_id = p.id)))))`)
}
