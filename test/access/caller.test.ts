import { expect, test } from 'bun:test'
import { actorOf, auditActor, type Caller } from '../../src/access/caller.ts'
import type { ProjectId } from '../../src/ids.ts'

const key: Caller = {
  kind: 'api_key',
  api_key_id: 'key_1',
  user_id: 'usr_1',
  project_id: 1 as ProjectId,
  project_public_id: 'prj_1',
  role: 'owner',
  scopes: null,
  use: { last_used_at: null },
}
const app: Caller = {
  kind: 'oauth',
  client_id: 'cli_one',
  authorization_id: 'aut_1',
  app_id: 'app_1',
  user_id: 'usr_1',
  scopes: new Set(),
  projects: new Map(),
}
const person: Caller = { kind: 'session', confirmed_at: 0, session_hash: 'a', user_id: 'usr_1' }

test('Two users of an app, two keys of a user and two users at the dashboard have receipts of their own.', () => {
  const others: Caller[] = [
    { ...key, api_key_id: 'key_2' },
    { ...app, user_id: 'usr_2' },
    { ...app, app_id: 'app_2' },
    { ...person, user_id: 'usr_2' },
  ]
  const actors = [key, app, person, ...others].map(actorOf)
  expect(new Set(actors).size).toBe(actors.length)
})

test('A refreshed token and a new session of the same user keep their receipts.', () => {
  expect(actorOf({ ...app, authorization_id: 'aut_2' })).toBe(actorOf(app))
  expect(actorOf({ ...person, session_hash: 'b' })).toBe(actorOf(person))
})

test('The audit log names the key, the app with its user, or the user.', () => {
  expect([key, app, person].map(auditActor)).toEqual(['key:key_1', 'app:cli_one for user:usr_1', 'user:usr_1'])
})
