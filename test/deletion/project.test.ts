import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { notesOf } from '../../src/audit/record.ts'
import { deleteProject } from '../../src/deletion/project.ts'
import type { ProjectId } from '../../src/ids.ts'
import { getProject } from '../../src/projects/projects.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const rows = async (text: string, ...params: unknown[]) => (await sharedStore()).query(text, params)

/** A project with everything that ends at once, and apps that several members let in. */
async function filled(domain: string) {
  const id = await newProject({
    domain,
    domain_claim: `new.${domain}`,
    domain_proven_at: 1,
    domain_checked_at: 2,
    domain_lost_at: 3,
  })
  const [owner, member] = [await newUser({}, [id, 'owner']), await newUser({}, [id, 'member'])]
  const app = await newApp(owner)
  await write(async (tx) => {
    for (const user_id of [owner, member]) {
      const grant = `g${user_id}`
      await tx.run(sql`
        INSERT INTO authorizations (id, app_id, user_id, grant_type, scope, created_at)
        VALUES (${grant}, ${app.id}, ${user_id}, 'authorization_code', 'newsletter:read', 0)`)
      await tx.run(sql`INSERT INTO authorization_projects VALUES (${grant}, ${id})`)
    }
    await tx.run(sql`
      INSERT INTO invitations (id, project_id, email, email_key, role, token_hash, invited_by, created_at, expires_at)
      VALUES (${domain}, ${id}, 'x', 'x', 'member', ${domain}, ${owner}, 0, 0)`)
    await tx.run(sql`
      INSERT INTO api_keys (id, project_id, user_id, name, key_hash, hint, created_at)
      VALUES (${domain}, ${id}, ${owner}, 'Key', ${domain}, 'hint', 0)`)
    await tx.run(sql`
      INSERT INTO connections (project_id, name, name_key, provider, password_sealed, webhook_token_hash,
        webhook_token_sealed, verified_at, created_at, updated_at)
      VALUES (${id}, 'Relay', 'relay', 'smtp', 'sealed', ${domain}, 'sealed', 1, 0, 0)`)
    await tx.run(sql`
      INSERT INTO dkim_keys (project_id, domain, selector, algorithm, private_key_sealed, public_key, created_at)
      VALUES (${id}, ${domain}, 'one', 'rsa-sha256', 'sealed', 'public', 0)`)
  })
  return { id, app_id: app.id }
}

const ends = async (id: ProjectId) => ({
  members: (await rows('SELECT 1 FROM members WHERE project_id = ?', id)).length,
  invitations: (await rows('SELECT 1 FROM invitations WHERE project_id = ?', id)).length,
  keys: (await rows('SELECT 1 FROM api_keys WHERE project_id = ?', id)).length,
  grants: (await rows('SELECT 1 FROM authorization_projects WHERE project_id = ?', id)).length,
  connections: await rows(
    `SELECT verified_at, password_sealed, webhook_token_hash, webhook_token_sealed
     FROM connections WHERE project_id = ?`,
    id,
  ),
  dkim: await rows('SELECT selector, private_key_sealed, disabled_at FROM dkim_keys WHERE project_id = ?', id),
})

test('A deleted project has nobody and nothing that acts for it, and another one keeps all of that.', async () => {
  const [gone, other] = [await filled('gone.example'), await filled('other.example')]
  const before = await ends(other.id)
  const { public_id, slug } = await write((tx) => getProject(tx, gone.id))
  const noted = await write(async (tx) => {
    await deleteProject(tx, await getProject(tx, slug), NOW + 5)
    return notesOf(tx)
  })
  expect(await ends(gone.id)).toEqual({
    members: 0,
    invitations: 0,
    keys: 0,
    grants: 0,
    connections: [{ verified_at: null, password_sealed: null, webhook_token_hash: null, webhook_token_sealed: null }],
    dkim: [{ selector: 'one', private_key_sealed: null, disabled_at: NOW + 5 }],
  })
  expect(await ends(other.id)).toEqual(before)
  expect(before).toMatchObject({ members: 2, invitations: 1, keys: 1, grants: 2 })
  expect(await rows('SELECT * FROM projects WHERE id = ?', gone.id)).toEqual([
    {
      id: gone.id,
      public_id,
      name: '',
      slug: expect.stringMatching(/^:/),
      domain: null,
      domain_claim: null,
      domain_proven_at: null,
      domain_checked_at: null,
      domain_lost_at: null,
      monthly_limit: null,
      contact_limit: null,
      deleted_at: NOW + 5,
      erased_at: null,
      created_at: NOW,
      updated_at: NOW + 5,
    },
  ])
  expect(noted).toEqual([{ action: 'project-delete', target: `project:${public_id}`, project_id: gone.id }])
  // The app is told once, whoever let it in.
  expect(await rows('SELECT type, project_id FROM app_events WHERE app_id = ?', gone.app_id)).toEqual([
    { type: 'disconnected', project_id: gone.id },
  ])
  await expect(write((tx) => getProject(tx, gone.id))).rejects.toThrow('There is no project')
})
