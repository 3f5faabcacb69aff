import { eq, sql } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import { withdrawProject } from '../oauth/authorizations.ts'
import type { Project } from '../projects/projects.ts'
import type { Tx } from '../store/open.ts'
import { api_keys, invitations, members, projects } from '../store/tables/accounts.ts'
import { authorization_projects, authorizations } from '../store/tables/apps.ts'
import { connections } from '../store/tables/delivery.ts'
import { dkim_keys } from '../store/tables/dkim.ts'

/**
 * Deletes a project (docs/api/platform.md#deleting-a-project). From this transaction on nobody finds it, nothing is
 * served and nothing can be sent. The loop `maintenance`, to be woken after the commit, erases its rows in batches. The
 * row of the project stays without its name, because rows of the audit log refer to it.
 */
export async function deleteProject(tx: Tx, { id, public_id }: Project, now: number): Promise<void> {
  const apps = await tx
    .selectDistinct({ app_id: authorizations.app_id })
    .from(authorization_projects)
    .innerJoin(authorizations, eq(authorizations.id, authorization_projects.authorization_id))
    .where(eq(authorization_projects.project_id, id))
  for (const { app_id } of apps) await withdrawProject(tx, app_id, id, now)
  await tx.delete(members).where(eq(members.project_id, id))
  await tx.delete(invitations).where(eq(invitations.project_id, id))
  await tx.delete(api_keys).where(eq(api_keys.project_id, id))
  // Nothing is sent through a connection that is not verified. Reports of relays find none.
  await tx
    .update(connections)
    .set({ verified_at: null, password_sealed: null, webhook_token_hash: null, webhook_token_sealed: null })
    .where(eq(connections.project_id, id))
  // Receivers may still look up the selectors of old messages, so the keys keep those.
  await tx.update(dkim_keys).set({ private_key_sealed: null, disabled_at: now }).where(eq(dkim_keys.project_id, id))
  await tx
    .update(projects)
    .set({
      deleted_at: now,
      name: '',
      // No slug can be spelled like this, so the name is free for another project.
      slug: sql`':' || ${id}`,
      domain: null,
      domain_claim: null,
      domain_proven_at: null,
      domain_checked_at: null,
      domain_lost_at: null,
      updated_at: now,
    })
    .where(eq(projects.id, id))
  note(tx, { action: 'project-delete', target: `project:${public_id}`, project_id: id })
}
