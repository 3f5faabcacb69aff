import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { exportAccount } from '../../src/accounts/export.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import { startAuthorization } from '../../src/oauth/authorizations.ts'
import { createApiKey } from '../../src/projects/api-keys.ts'
import { invite } from '../../src/projects/invitations.ts'
import { identities } from '../../src/store/tables/accounts.ts'
import { app_team, review_requests } from '../../src/store/tables/developer.ts'
import { devices, passkeys, totp_factors } from '../../src/store/tables/sign-in.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

/** A user with one thing in each section. */
async function fullUser(): Promise<string> {
  const project_id = await newProject()
  const user_id = await newUser({ first_name: 'Ann' }, [project_id, 'owner'])
  const [own, team] = [await newApp(user_id), await newApp(await newUser())]
  await write(async (tx) => {
    await startSession(tx, user_id, { address: '192.0.2.1', user_agent: 'Desk', ttl_hours: 1 }, NOW)
    const used = { created_at: NOW, last_used_at: NOW }
    await tx.insert(devices).values({ id: `dev_${user_id}`, user_id, token_hash: user_id, ...used })
    await tx.insert(totp_factors).values({ user_id, secret_sealed: 'sealed', last_step: 1, created_at: NOW })
    const key = { credential_id: user_id, public_key: 'x', counter: 0, transports: [], name: 'Key', created_at: NOW }
    await tx.insert(passkeys).values({ id: `psk_${user_id}`, user_id, ...key })
    await tx.insert(identities).values({ issuer: 'https://id.example', subject: user_id, user_id, ...used })
    await invite(tx, { project_id, email: `${user_id}@guest.example`, role: 'editor' }, { user_id, role: 'owner' }, NOW)
    await createApiKey(tx, project_id, { user_id, name: 'Script' }, NOW)
    await tx.insert(app_team).values({ app_id: team.id, user_id, added_at: NOW })
    await startAuthorization(tx, { app_id: team.id, user_id, scope: 'profile', project_ids: [project_id] }, NOW)
    const version = await tx.all<{ id: number }>(sql`
      INSERT INTO app_versions (app_id, number, status, notes, contents, user_id, created_at)
      VALUES (${own.id}, 1, 'draft', '', '{}', ${user_id}, ${NOW}) RETURNING id`)
    const request = { app_id: own.id, version_id: version[0]!.id, status: 'pending' as const, created_at: NOW }
    await tx.insert(review_requests).values({ ...request, submitted_by: user_id })
    await tx.run(sql`INSERT INTO audit_log (at, actor, action, outcome, hash)
      VALUES (${NOW}, ${`user:${user_id}`}, 'sign-in', 'done', '00')`)
  })
  return user_id
}

test('An export has each section of its user, nothing of another, and no credential.', async () => {
  const [user_id] = [await fullUser(), await fullUser()]
  const sections = await exportAccount(await sharedStore(), user_id)
  expect(Object.entries(sections).map(([name, rows]) => [name, rows.length])).toEqual(
    [
      ...['account', 'sessions', 'devices', 'passkeys', 'one_time_codes', 'identities', 'projects'],
      ...['invitations_sent', 'api_keys', 'apps', 'teams', 'connected_apps', 'reviews_submitted', 'actions'],
    ].map((name) => [name, 1]),
  )
  expect(sections.account![0]).toMatchObject({ id: user_id, first_name: 'Ann' })
  const rows: [string, Record<string, unknown>][] = [
    ['sessions', { created_at: NOW, last_used_at: NOW, expires_at: NOW + HOUR_MS, user_agent: 'Desk' }],
    ['devices', { created_at: NOW, last_used_at: NOW }],
    ['passkeys', { name: 'Key', created_at: NOW, last_used_at: null }],
    ['one_time_codes', { created_at: NOW }],
    ['identities', { subject: user_id, created_at: NOW, last_used_at: NOW }],
    ['projects', { name: 'Harbour News', role: 'owner', added_at: NOW }],
    ['invitations_sent', { email: `${user_id}@guest.example`, role: 'editor', expires_at: NOW + 7 * DAY_MS }],
    ['api_keys', { name: 'Script', project: 'Harbour News', created_at: NOW, last_used_at: null, revoked_at: null }],
    ['teams', { display_name: 'Lamp', added_at: NOW }],
    ['connected_apps', { app: 'Lamp', scope: 'profile', created_at: NOW, last_used_at: NOW, revoked_at: null }],
    ['reviews_submitted', { status: 'pending', created_at: NOW, decided_at: null }],
    ['actions', { action: 'sign-in', created_at: NOW }],
  ]
  for (const [name, row] of rows) expect(sections[name]).toMatchObject([row])
  expect(
    Object.fromEntries(Object.entries(sections).map(([name, [row]]) => [name, Object.keys(row!).join(' ')])),
  ).toEqual({
    account: 'id email first_name last_name admin created_at last_sign_in_at',
    sessions: 'created_at last_used_at expires_at address user_agent',
    devices: 'created_at last_used_at address user_agent',
    passkeys: 'name created_at last_used_at',
    one_time_codes: 'created_at',
    identities: 'issuer subject created_at last_used_at',
    projects: 'id name slug role added_at',
    invitations_sent: 'email role created_at expires_at',
    api_keys: 'id name hint project created_at last_used_at revoked_at role scopes expires_at',
    apps: 'id client_id display_name description homepage status created_at',
    teams: 'id display_name added_at',
    connected_apps: 'app scope created_at last_used_at revoked_at',
    reviews_submitted: 'id app_id version_id status created_at decided_at',
    actions: 'created_at action target ip outcome',
  })
  expect(JSON.stringify(sections)).not.toMatch(/hash|sealed|public_key|svc_/)
})
