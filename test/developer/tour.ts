import { eq } from 'drizzle-orm'
import { newId, type ProjectId } from '../../src/ids.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { access_tokens, authorization_projects, authorizations } from '../../src/store/tables/apps.ts'
import { messageLines, wordsOf } from '../support/tour-messages.ts'
import type { Person } from '../support/tour-requests.ts'
import type { Row } from '../support/tour-rows.ts'
import { createTour, type Tour } from '../support/tour.ts'
import type { World } from '../support/world.ts'

/** A tour of what developers, operators and apps do. What changes is written with the messages that tell of it. */
export interface DeveloperTour extends Tour {
  /** An access token of an app, granted by a person. */
  token(app_id: string, by: Person, scope: string, project_ids?: readonly ProjectId[]): Promise<string>
}

/** Columns that are no part of what is looked at here. */
const HIDDEN = new Set(['hash', 'password_hash', 'content', 'sealed', 'password_changed_at'])

export async function tourOf(
  world: World,
  tables: readonly string[],
  reviewer: Person = 'editor',
): Promise<DeveloperTour> {
  const { store } = world.service.runtime
  const begun = performance.now()
  /** How long a call took: less than the tour has. */
  const plausible = (duration_ms: number) =>
    duration_ms >= 0 && duration_ms <= performance.now() - begun ? 'short' : duration_ms
  const stable = (row: Row, table: string) => ({
    ...Object.fromEntries(Object.entries(row).filter(([column]) => !HIDDEN.has(column))),
    ...(table === 'app_requests' && { duration_ms: plausible(Number(row.duration_ms)) }),
  })
  const tour = createTour(world, tables, stable)
  const told = new Map<string, string>()
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users[reviewer])))
  await tour.signIn()

  const received = async () => {
    await world.service.drain('mail')
    // Those of one instant have no order.
    return (await tour.received()).sort((one, other) => one.to[0]!.localeCompare(other.to[0]!))
  }

  return {
    ...tour,
    async changes() {
      await tour.changes()
      for (const message of await received()) {
        const { project_id, from, to } = message
        const words = wordsOf(message)
        const before = told.get(words)
        tour.write(`mail: from ${from} to ${String(to)}, project ${project_id}`)
        // One is written whole, of those after it what they say.
        if (told.size === 0) tour.write(...messageLines([message], 'whole'))
        else
          tour.write(
            ...(before === undefined ? words.split('\n') : [`as that to ${before}`]).map((line) => `> ${line}`),
          )
        told.set(words, String(to))
      }
    },
    async skip() {
      await tour.skip()
      await received()
    },
    async token(app_id, by, scope, project_ids = [world.project.id]) {
      const token = newToken('svc_at_')
      const authorization_id = newId('aut')
      const created_at = world.clock.now()
      await store.write(async (tx) => {
        const held = { app_id, user_id: world.users[by], grant_type: 'authorization_code', scope, created_at }
        await tx.insert(authorizations).values({ id: authorization_id, ...held })
        if (project_ids.length > 0)
          await tx
            .insert(authorization_projects)
            .values(project_ids.map((project_id) => ({ authorization_id, project_id })))
        const expires_at = created_at + 1000 * 86_400_000
        await tx
          .insert(access_tokens)
          .values({ token_hash: tokenHash(token), authorization_id, scope, created_at, expires_at })
      })
      return token
    },
  }
}
