import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { notesOf } from '../../src/audit/record.ts'
import { accountDeletion, deleteAccount } from '../../src/deletion/account.ts'
import type { ProjectId } from '../../src/ids.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members, users } from '../../src/store/tables/accounts.ts'
import { apps } from '../../src/store/tables/apps.ts'
import { KEYS, newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const db = async () => (await sharedStore()).db
const rows = async (text: string, ...params: unknown[]) => (await sharedStore()).query(text, params)
const join = (project_id: ProjectId, user_id: string, role: Role) =>
  write((tx) => tx.insert(members).values({ project_id, user_id, role, added_at: NOW }))
const publicId = async (id: ProjectId) => (await rows('SELECT public_id FROM projects WHERE id = ?', id))[0]!.public_id
const sender = { keys: KEYS, base_url: 'https://masthead.example', now: NOW + 5 }
const end = (user_id: string) =>
  write(async (tx) => {
    await deleteAccount(tx, sender, user_id)
    return notesOf(tx)
  })

test('The plan says what becomes of each project, by who else is in it.', async () => {
  const user = await newUser()
  const [other, disabled] = [await newUser(), await newUser({ disabled_at: NOW })]
  const named = async (name: string, role: Role, others: [string, Role][]) => {
    const id = await newProject({ name })
    await join(id, user, role)
    for (const [who, as] of others) await join(id, who, as)
    return { id: (await publicId(id)) as string, name }
  }
  const alone = await named('alone', 'owner', [])
  const held = await named('held', 'owner', [[other, 'administrator']])
  const shared = await named('shared', 'owner', [[other, 'owner']])
  const kept = await named('kept', 'owner', [[disabled, 'owner']])
  const lesser = await named('lesser', 'editor', [[disabled, 'owner']])
  const last = await named('last', 'member', [])
  expect(await accountDeletion(await db(), user)).toEqual({
    deletes_projects: [alone],
    blocked_by: [held, kept],
    leaves_projects: [shared, lesser, last],
    deletes_apps: [],
    hands_over_apps: [],
    is_last_administrator: false,
  })
  await expect(end(user)).rejects.toThrow('You are the only owner of “held”, “kept”.')
  expect(await rows('SELECT deleted_at FROM users WHERE id = ?', user)).toEqual([{ deleted_at: null }])
})

test('An app passes to the enabled member who has been in its team for longest, or is deleted.', async () => {
  const [user, disabled, first, second] = [
    await newUser(),
    await newUser({ disabled_at: NOW }),
    await newUser(),
    await newUser(),
  ]
  const [passed, gone, ended] = [await newApp(user), await newApp(user), await newApp(user)]
  const foreign = await newApp(second)
  const enter = (app_id: string, user_id: string, at: number) =>
    write((tx) => tx.run(sql`INSERT INTO app_team (app_id, user_id, added_at) VALUES (${app_id}, ${user_id}, ${at})`))
  await enter(passed.id, second, 3)
  await enter(passed.id, first, 2)
  await enter(passed.id, disabled, 1)
  await enter(ended.id, disabled, 1)
  await enter(foreign.id, user, 1)
  const plan = await accountDeletion(await db(), user)
  expect(plan.hands_over_apps).toEqual([{ id: passed.id, display_name: 'Lamp', to: first }])
  expect(plan.deletes_apps.map(({ id }) => id).sort()).toEqual([gone.id, ended.id].sort())
  await end(user)
  const team = (app_id: string) => rows('SELECT user_id FROM app_team WHERE app_id = ? ORDER BY added_at', app_id)
  expect(await team(passed.id)).toEqual([{ user_id: disabled }, { user_id: second }])
  expect(await team(foreign.id)).toEqual([])
  const left = await (
    await db()
  )
    .select()
    .from(apps)
    .where(sql`id IN (${passed.id}, ${gone.id}, ${ended.id})`)
  expect(left.map(({ id, user_id, updated_at }) => [id, user_id, updated_at])).toEqual([[passed.id, first, NOW + 5]])
  expect((await rows('SELECT user_id FROM apps WHERE id = ?', foreign.id))[0]!.user_id).toBe(second)
})

/** Rows of each table that refers to a person, by the columns that have to be filled in. */
const PERSONAL: Record<string, string> = {
  sessions: `(token_hash, user_id, created_at, last_used_at, expires_at) VALUES ('s' || ?1, ?1, 0, 0, 0)`,
  devices: `(id, user_id, token_hash, created_at, last_used_at) VALUES ('d' || ?1, ?1, 'd' || ?1, 0, 0)`,
  passkeys: `(id, user_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES ('p' || ?1, ?1, 'c' || ?1, 'k', 0, '[]', 'Key', 0)`,
  totp_factors: `(user_id, secret_sealed, last_step, created_at) VALUES (?1, 'x', 0, 0)`,
  recovery_codes: `(user_id, code_hash) VALUES (?1, 'x')`,
  identities: `(issuer, subject, user_id, created_at, last_used_at) VALUES ('i', 'u' || ?1, ?1, 0, 0)`,
  password_resets: `(token_hash, user_id, created_at, expires_at) VALUES ('r' || ?1, ?1, 0, 0)`,
  email_changes: `(user_id, token_hash, email, created_at, expires_at) VALUES (?1, 'e' || ?1, 'x@example.com', 0, 0)`,
  app_test_projects: `(app_id, project_id, user_id, added_at) VALUES (?2, ?3, ?1, 0)`,
  api_keys: `(id, project_id, user_id, name, key_hash, hint, created_at)
    VALUES ('k' || ?1, ?3, ?1, 'Key', 'h' || ?1, 'hint', 0)`,
  authorization_codes: `(code_hash, app_id, user_id, redirect_uri, scope, project_ids, created_at, expires_at)
    VALUES ('a' || ?1, ?2, ?1, 'https://x', '', '[]', 0, 0)`,
  authorizations: `(id, app_id, user_id, grant_type, scope, created_at) VALUES ('g' || ?1, ?2, ?1, 'x', '', 0)`,
  invitations: `(id, project_id, email, email_key, role, token_hash, invited_by, created_at, expires_at)
    VALUES ('n' || ?1, ?3, 'x', 'x' || ?1, 'member', 'n' || ?1, ?1, 0, 0)`,
  app_invitations: `(id, app_id, email, email_key, token_hash, invited_by, created_at, expires_at)
    VALUES ('b' || ?1, ?2, 'x', 'x' || ?1, 'b' || ?1, ?1, 0, 0)`,
  account_messages: `(kind, recipient, state, next_attempt_at, expires_at, created_at)
    SELECT 'security_notice', email, 'sent', 0, 0, 0 FROM users WHERE id = ?1`,
}

test('Everything about a person goes with the account, and nothing of anyone else.', async () => {
  const [shared, owned] = [await newProject(), await newProject()]
  const user = await newUser({ first_name: 'Ada', last_name: 'Lovelace', password_hash: 'x' }, [shared, 'editor'])
  await join(owned, user, 'owner')
  const other = await newUser({}, [shared, 'owner'])
  const fill = async (user_id: string) => {
    const app = await newApp(other)
    for (const [table, insert] of Object.entries(PERSONAL))
      await write((tx) =>
        tx.run(
          sql.raw(
            `INSERT INTO ${table} ${insert}`
              .replaceAll('?1', `'${user_id}'`)
              .replaceAll('?2', `'${app.id}'`)
              .replaceAll('?3', String(shared)),
          ),
        ),
      )
    await write((tx) => tx.run(sql`INSERT INTO authorization_projects VALUES (${`g${user_id}`}, ${shared})`))
  }
  const [{ email }] = (await rows('SELECT email FROM users WHERE id = ?', user)) as [{ email: string }]
  const [{ email: theirs }] = (await rows('SELECT email FROM users WHERE id = ?', other)) as [{ email: string }]
  await fill(user)
  await fill(other)
  const counts = async (user_id: string, address: string) => {
    const found: Record<string, number> = {}
    for (const table of Object.keys(PERSONAL)) {
      const column = { invitations: 'invited_by', app_invitations: 'invited_by', account_messages: 'recipient' }[table]
      const value = table === 'account_messages' ? address : user_id
      const [row] = await rows(`SELECT count(*) AS n FROM ${table} WHERE ${column ?? 'user_id'} = ?`, value)
      found[table] = Number(row!.n)
    }
    return found
  }
  const one = Object.fromEntries(Object.keys(PERSONAL).map((table) => [table, 1]))
  expect(await counts(user, email)).toEqual(one)
  const noted = await end(user)
  // The authorization stays, revoked, for the audit log; the message says that the account was deleted.
  const none = Object.fromEntries(Object.keys(PERSONAL).map((table) => [table, 0]))
  expect(await counts(user, email)).toEqual({ ...none, authorizations: 1, account_messages: 1 })
  expect(await counts(other, theirs)).toEqual(one)
  expect(await rows('SELECT revoked_at FROM authorizations WHERE user_id = ?', user)).toEqual([{ revoked_at: NOW + 5 }])
  expect(await rows('SELECT revoked_at FROM authorizations WHERE user_id = ?', other)).toEqual([{ revoked_at: null }])
  expect(await rows('SELECT project_id FROM authorization_projects WHERE authorization_id = ?', `g${user}`)).toEqual([])
  expect(await rows('SELECT user_id FROM members WHERE project_id = ?', shared)).toEqual([{ user_id: other }])
  expect(await rows('SELECT id, deleted_at FROM projects WHERE id IN (?, ?)', shared, owned)).toEqual([
    { id: shared, deleted_at: null },
    { id: owned, deleted_at: NOW + 5 },
  ])
  expect((await (await db()).select().from(users).where(eq(users.id, user)))[0]).toEqual({
    id: user,
    email: '',
    email_key: user,
    password_hash: null,
    first_name: '',
    last_name: '',
    admin: false,
    confirmed_at: null,
    disabled_at: NOW + 5,
    deleted_at: NOW + 5,
    last_sign_in_at: null,
    created_at: NOW,
    updated_at: NOW + 5,
  })
  expect(noted.map(({ action, target, project_id }) => [action, target, project_id])).toEqual([
    ['project-delete', `project:${String(await publicId(owned))}`, owned],
    ['project-leave', `user:${user}`, shared],
    ['account-delete', `user:${user}`, undefined],
  ])
})

test('The last enabled administrator of the service stays.', async () => {
  const [admin, another] = [await newUser({ admin: true }), await newUser({ admin: true })]
  await newUser({ admin: true, disabled_at: NOW })
  const undo = new Error('undone')
  // Other tests of the process may have administrators of their own.
  const work = write(async (tx) => {
    await tx.run(sql`UPDATE users SET admin = 0 WHERE disabled_at IS NULL AND id NOT IN (${admin}, ${another})`)
    const isLast = async (user_id: string) => (await accountDeletion(tx, user_id)).is_last_administrator
    expect([await isLast(admin), await isLast(another)]).toEqual([false, false])
    await deleteAccount(tx, sender, admin)
    expect(await isLast(another)).toBe(true)
    await expect(deleteAccount(tx, sender, another)).rejects.toThrow('the last administrator')
    throw undo
  })
  await expect(work).rejects.toBe(undo)
  await write((tx) => tx.run(sql`UPDATE users SET admin = 0 WHERE id IN (${admin}, ${another})`))
})
