import { note } from '../audit/record.ts'
import type { ProjectId } from '../ids.ts'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { newId } from '../ids.ts'
import { disconnectScripts } from '../scripts/connections.ts'
import type { Tx } from '../store/open.ts'
import { members } from '../store/tables/accounts.ts'
import { authorization_projects, authorizations } from '../store/tables/apps.ts'
import { authorization_codes, refresh_tokens } from '../store/tables/oauth.ts'
import { notingScopes } from './events.ts'
import { forgetBodiesOfAuthorization, forgetBodiesOfProject } from './kept-bodies.ts'

/**
 * The grants of users to apps. Every token belongs to an authorization and is checked against it at each call, so a
 * change here applies to the next call.
 */

interface Approved {
  app_id: string
  user_id: string
  scope: string
  project_ids: ProjectId[]
}

/** Most active authorizations of one user for one app. A further one ends those that were used longest ago. */
const MAX_ACTIVE = 100

/** Creates an authorization for the approved projects of which the user is still a member; null when there are none. */
export async function startAuthorization(
  tx: Tx,
  { app_id, user_id, scope, project_ids }: Approved,
  now: number,
): Promise<string | null> {
  const own = await tx
    .select({ project_id: members.project_id })
    .from(members)
    .where(and(eq(members.user_id, user_id), inArray(members.project_id, project_ids)))
  if (own.length === 0) return null
  const others = await tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(
      and(eq(authorizations.user_id, user_id), eq(authorizations.app_id, app_id), isNull(authorizations.revoked_at)),
    )
    .orderBy(desc(authorizations.last_used_at))
    .limit(MAX_ACTIVE)
    .offset(MAX_ACTIVE - 1)
  for (const { id } of others) await endAuthorization(tx, id, now)
  const authorization_id = newId('aut')
  const granted = own.map(({ project_id }) => project_id)
  await notingScopes(tx, { app_id, project_ids: granted }, now, async () => {
    await tx.insert(authorizations).values({
      id: authorization_id,
      app_id,
      user_id,
      grant_type: 'authorization_code',
      scope,
      created_at: now,
      last_used_at: now,
    })
    await tx.insert(authorization_projects).values(granted.map((project_id) => ({ authorization_id, project_id })))
  })
  return authorization_id
}

/**
 * Ends an authorization with all its tokens, and disconnects the app's scripts from projects that no other
 * authorization of the app covers. False when it had already ended.
 */
export async function endAuthorization(tx: Tx, authorization_id: string, now: number): Promise<boolean> {
  const active = and(eq(authorizations.id, authorization_id), isNull(authorizations.revoked_at))
  const [ended] = await tx
    .select({ app_id: authorizations.app_id, user_id: authorizations.user_id })
    .from(authorizations)
    .where(active)
  if (!ended) return false
  const held = await tx
    .select({ project_id: authorization_projects.project_id })
    .from(authorization_projects)
    .where(eq(authorization_projects.authorization_id, authorization_id))
  const project_ids = held.map(({ project_id }) => project_id)
  await notingScopes(tx, { app_id: ended.app_id, project_ids }, now, () =>
    tx.update(authorizations).set({ revoked_at: now }).where(active),
  )
  await tx
    .update(refresh_tokens)
    .set({ sealed_answer: null })
    .where(eq(refresh_tokens.authorization_id, authorization_id))
  await forgetBodiesOfAuthorization(tx, authorization_id)
  for (const { project_id } of held) {
    await releaseProject(tx, ended.app_id, project_id)
    note(tx, {
      action: 'consent-revoke',
      target: `authorization:${authorization_id}`,
      project_id,
      details: { app_id: ended.app_id, user_id: ended.user_id },
    })
  }
  return true
}

/** As `endAuthorization`, but also false when the authorization is not this user's. */
export async function endOwnAuthorization(
  tx: Tx,
  authorization_id: string,
  user_id: string,
  now: number,
): Promise<boolean> {
  const own = await tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(and(eq(authorizations.id, authorization_id), eq(authorizations.user_id, user_id)))
  return own.length > 0 && endAuthorization(tx, authorization_id, now)
}

/** Ends everything that a user granted an app. */
export async function endGrantsTo(tx: Tx, app_id: string, user_id: string, now: number): Promise<void> {
  const granted = await tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(
      and(eq(authorizations.user_id, user_id), eq(authorizations.app_id, app_id), isNull(authorizations.revoked_at)),
    )
  for (const { id } of granted) await endAuthorization(tx, id, now)
}

/**
 * Removes a project from all authorizations of an app, those of every member, and deletes unused codes that name it.
 * False when there was nothing to remove.
 */
export async function withdrawProject(tx: Tx, app_id: string, project_id: ProjectId, now: number): Promise<boolean> {
  const ofApp = tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .where(and(eq(authorizations.app_id, app_id), isNull(authorizations.revoked_at)))
  const withdrawn = await notingScopes(tx, { app_id, project_ids: [project_id] }, now, () =>
    tx
      .delete(authorization_projects)
      .where(
        and(eq(authorization_projects.project_id, project_id), inArray(authorization_projects.authorization_id, ofApp)),
      )
      .returning({ project_id: authorization_projects.project_id }),
  )
  const codes = await tx
    .delete(authorization_codes)
    .where(
      and(
        eq(authorization_codes.app_id, app_id),
        isNull(authorization_codes.authorization_id),
        sql`EXISTS (SELECT 1 FROM json_each(${authorization_codes.project_ids}) WHERE value = ${project_id})`,
      ),
    )
    .returning({ code_hash: authorization_codes.code_hash })
  await releaseProject(tx, app_id, project_id)
  return withdrawn.length + codes.length > 0
}

/**
 * Removes a project from all authorizations of a user who is no longer a member. They do not get it back when they
 * join the project again.
 */
export async function withdrawMember(tx: Tx, project_id: ProjectId, user_id: string, now: number): Promise<void> {
  const theirs = and(eq(authorizations.user_id, user_id), isNull(authorizations.revoked_at))
  const held = await tx
    .selectDistinct({ app_id: authorizations.app_id })
    .from(authorizations)
    .innerJoin(authorization_projects, eq(authorization_projects.authorization_id, authorizations.id))
    .where(and(theirs, eq(authorization_projects.project_id, project_id)))
  for (const { app_id } of held) {
    const ofApp = tx
      .select({ id: authorizations.id })
      .from(authorizations)
      .where(and(theirs, eq(authorizations.app_id, app_id)))
    await notingScopes(tx, { app_id, project_ids: [project_id] }, now, () =>
      tx
        .delete(authorization_projects)
        .where(
          and(
            eq(authorization_projects.project_id, project_id),
            inArray(authorization_projects.authorization_id, ofApp),
          ),
        ),
    )
    await releaseProject(tx, app_id, project_id)
  }
}

/**
 * Disconnects the app's scripts once no active authorization by a present member covers the project
 * (docs/api/oauth.md#revocation), and forgets what the app's log keeps of its calls for the project.
 */
async function releaseProject(tx: Tx, app_id: string, project_id: ProjectId): Promise<void> {
  const covering = await tx
    .select({ id: authorizations.id })
    .from(authorizations)
    .innerJoin(authorization_projects, eq(authorization_projects.authorization_id, authorizations.id))
    .innerJoin(
      members,
      and(eq(members.project_id, authorization_projects.project_id), eq(members.user_id, authorizations.user_id)),
    )
    .where(
      and(
        eq(authorizations.app_id, app_id),
        eq(authorization_projects.project_id, project_id),
        isNull(authorizations.revoked_at),
      ),
    )
    .limit(1)
  if (covering.length > 0) return
  await disconnectScripts(tx, { app_id, project_id })
  await forgetBodiesOfProject(tx, project_id, app_id)
}
