import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { findEditor } from '../../src/access/editor.ts'
import type { ProjectId } from '../../src/ids.ts'
import { api_keys, users } from '../../src/store/tables/accounts.ts'
import { audit_log } from '../../src/store/tables/audit.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

let rows = 1_000_000
/** A row of the audit log, outside its chain. */
const note = (project_id: ProjectId, actor: string, more: Partial<typeof audit_log.$inferInsert> = {}) =>
  write((tx) =>
    tx.insert(audit_log).values({
      id: rows++,
      at: NOW,
      actor,
      action: 'update',
      target: 'campaign:5',
      outcome: 'done',
      project_id,
      hash: String(rows),
      ...more,
    } as typeof audit_log.$inferInsert),
  )
const editor = async (project_id: ProjectId, updated_at = NOW) =>
  findEditor((await sharedStore()).db, { project_id, target: 'campaign:5', updated_at })

test('The last change of a thing in its project names the member, key or app that made it.', async () => {
  const project = await newProject()
  const user = await newUser({ first_name: 'Ada', last_name: 'Lovelace' })
  const app = await newApp(user)
  expect(await editor(project)).toBeNull()
  await note(project, `user:${user}`)
  expect(await editor(project)).toEqual({ kind: 'user', id: user, name: 'Ada Lovelace' })
  await note(project, `app:${app.client_id} user:${user}`)
  expect(await editor(project)).toEqual({ kind: 'app', id: app.client_id, name: 'Lamp' })
  await write((tx) =>
    tx.insert(api_keys).values({
      id: `key_${user}`,
      project_id: project,
      user_id: user,
      name: 'Shop',
      key_hash: user,
      hint: 'abcd',
      created_at: NOW,
    }),
  )
  await note(project, `key:key_${user}`, { at: NOW - 1 })
  expect((await editor(project))!.kind).toBe('app')
  expect(await editor(project, NOW - 1)).toEqual({ kind: 'api_key', id: `key_${user}`, name: 'Shop' })
})

test('Changes of other things, refused ones, and those outside of the minute before do not count.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const user = await newUser()
  await note(other, `user:${user}`)
  await note(project, `user:${user}`, { target: 'campaign:50' })
  await note(project, `user:${user}`, { outcome: 'refused' })
  await note(project, `user:${user}`, { at: NOW - 60_001 })
  await note(project, `user:${user}`, { at: NOW + 1 })
  expect(await editor(project)).toBeNull()
  await note(project, `user:${user}`, { at: NOW - 60_000 })
  expect(await editor(project)).not.toBeNull()
})

test('A member without a name is called by the address, and one who is gone is nobody.', async () => {
  const project = await newProject()
  const user = await newUser()
  await note(project, `user:${user}`)
  expect(await editor(project)).toMatchObject({ name: user })
  await write((tx) => tx.update(users).set({ deleted_at: NOW }).where(eq(users.id, user)))
  expect(await editor(project)).toBeNull()
  await note(project, 'service')
  expect(await editor(project)).toBeNull()
})
