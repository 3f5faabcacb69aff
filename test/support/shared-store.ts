import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emailKey } from '../../src/address.ts'
import { FixedClock } from '../../src/clock.ts'
import { EMPTY_DOCUMENT } from '../../src/newsletter/email/document.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { Keys, newMasterKey } from '../../src/secrets.ts'
import { migrationsFolder } from '../../src/service.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Store, type Tx } from '../../src/store/open.ts'
import { one } from '../../src/store/rows.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members, projects, users } from '../../src/store/tables/accounts.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { campaigns } from '../../src/store/tables/delivery.ts'
import { contacts, lists, memberships, tags } from '../../src/store/tables/audience.ts'

/**
 * A database without a service, for tests that call functions of the store directly. All test files of a process share
 * it, because each works in projects of its own.
 */
export const NOW = Date.UTC(2026, 0, 15, 9)

export const KEYS = new Keys(newMasterKey())

let shared: Promise<Store> | undefined

export function sharedStore(): Promise<Store> {
  return (shared ??= open())
}

async function open(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-shared-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const store = await openStore({ url: `file:${join(folder, 'masthead.db')}` })
  await migrate(store, migrationsFolder, new FixedClock(NOW))
  return store
}

/** Calls a function in a write transaction of its own. */
export async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await sharedStore()).write(work)
}

/** A new project without members. */
export function newProject(more: Partial<typeof projects.$inferInsert> = {}): Promise<ProjectId> {
  return write(async (tx) => {
    const public_id = newId('prj')
    const at = { created_at: NOW, updated_at: NOW }
    const values = { public_id, name: 'Harbour News', slug: public_id, ...at, ...more }
    return one(await tx.insert(projects).values(values).returning({ id: projects.id })).id
  })
}

/** A new user, who is a member of the project if there is one. */
export function newUser(
  more: Partial<typeof users.$inferInsert> = {},
  in_project?: [ProjectId, Role],
): Promise<string> {
  return write(async (tx) => {
    const id = newId('usr')
    const email = `${id}@example.com`
    await tx
      .insert(users)
      .values({ id, email, email_key: more.email ?? email, created_at: NOW, updated_at: NOW, ...more })
    if (in_project) {
      const [project_id, role] = in_project
      await tx.insert(members).values({ project_id, user_id: id, role, added_at: NOW })
    }
    return id
  })
}

/** A new approved app of a user, which is called Lamp. */
export function newApp(
  user_id: string,
  more: Partial<typeof apps.$inferInsert> = {},
): Promise<typeof apps.$inferSelect> {
  return write(async (tx) => {
    const values = {
      id: newId('app'),
      client_id: newId('app'),
      client_type: 'confidential' as const,
      display_name: 'Lamp',
      redirect_uris: ['https://lamp.example/back'],
      scopes: ['newsletter:read', 'newsletter:write'],
      status: 'approved' as const,
      user_id,
      created_at: NOW,
      updated_at: NOW,
    }
    return one(
      await tx
        .insert(apps)
        .values({ ...values, ...more })
        .returning(),
    )
  })
}

export function newList(project_id: ProjectId, more: Partial<typeof lists.$inferInsert> = {}): Promise<number> {
  return write(async (tx) => {
    const name = newId('req')
    const values = { project_id, name, name_key: name, created_at: NOW, updated_at: NOW, ...more }
    return one(await tx.insert(lists).values(values).returning({ id: lists.id })).id
  })
}

/** A campaign, a draft unless told otherwise. */
export function newCampaign(project_id: ProjectId, more: Partial<typeof campaigns.$inferInsert> = {}): Promise<number> {
  return write(async (tx) => {
    const values = {
      ...{ project_id, name: 'Tides', search_key: '', subject: 'Tides', status: 'draft' as const },
      ...{ editor_json: EMPTY_DOCUMENT, audience_spec: { include: [] }, track_opens: false, track_clicks: false },
      ...{ created_at: NOW, updated_at: NOW },
    }
    return one(
      await tx
        .insert(campaigns)
        .values({ ...values, ...more })
        .returning({ id: campaigns.id }),
    ).id
  })
}

export function newTag(project_id: ProjectId): Promise<number> {
  return write(async (tx) => {
    const name = newId('req')
    const values = { project_id, name, name_key: name, created_at: NOW, updated_at: NOW }
    return one(await tx.insert(tags).values(values).returning({ id: tags.id })).id
  })
}

/** A contact, subscribed unless told otherwise, with the status of its membership in each list. */
export function newContact(
  project_id: ProjectId,
  email: string,
  more: Partial<typeof contacts.$inferInsert> = {},
  joined: Record<number, 'pending' | 'subscribed' | 'unsubscribed'> = {},
): Promise<number> {
  return write(async (tx) => {
    const id = one(
      await tx
        .insert(contacts)
        .values({
          project_id,
          email,
          email_key: emailKey(email),
          search_key: email,
          global_status: 'subscribed',
          created_at: NOW,
          updated_at: NOW,
          ...more,
        })
        .returning({ id: contacts.id }),
    ).id
    for (const [list_id, status] of Object.entries(joined))
      await tx.insert(memberships).values({ contact_id: id, list_id: Number(list_id), status })
    return id
  })
}
