import { expect, test } from 'bun:test'
import { subjectOf } from '../../src/audit/call.ts'

const subject = (path: string, input: unknown, answer: unknown = null, more: object = {}) =>
  subjectOf({ path, input, answer, details: [], names_fields: false, otherwise: 'project:1', ...more })

test('The thing in the answer is the target, then the id of the path, then one of the body.', () => {
  const input = { app_id: 'app_1', scriptId: 7 }
  const path = '/apps/:appId/scripts/:scriptId'
  expect(subject(path, input, { script: { id: 9 } })).toEqual({
    target: 'script:9',
    details: { app_id: 'app_1', script_id: 7 },
  })
  expect(subject(path, input)).toEqual({ target: 'script:7', details: { app_id: 'app_1' } })
  expect(subject('/scripts', input).target).toBe('app:app_1')
  expect(subject('/scripts', {}).target).toBe('project:1')
  expect(subject('/scripts', { name: 'x' }).target).toBe('project:1')
  expect(subject('/scripts', { name: 'x', app_id: 'app_1' }).target).toBe('app:app_1')
})

test('An id behind a plural is one of a thing of that kind, and the target is no detail.', () => {
  expect(subject('/user/passkeys/:id', { id: 'x' })).toEqual({ target: 'passkey:x', details: {} })
  expect(subject('/user/connected-apps/:id', { id: 'x' }).target).toBe('connected_app:x')
  expect(subject('/user', { id: 'x' }).target).toBe('thing:x')
  expect(subject('/x', { connectedAppId: 5 }).target).toBe('connected_app:5')
  expect(subject('/apps/:id', { id: 5 }, { app: { id: 5 } })).toEqual({ target: 'app:5', details: {} })
})

test('The connection of a script is told from one that sends letters.', () => {
  expect(subject('/scripts/connections/update', { connection_id: 3 }).target).toBe('script_connection:3')
  expect(subject('/connections/update', { connection_id: 3 }).target).toBe('connection:3')
  expect(subject('/project/scripts/switch', { script_id: 3 }).target).toBe('script:3')
})

test('Lists of ids and things without an id are no target.', () => {
  expect(subject('/x', { list_id: [1], list_ids: [1] }).target).toBe('project:1')
  expect(subject('/x', null, { contact: { id: null }, list: { id: 'l' } }).target).toBe('list:l')
  expect(subject('/x', [1], [{ id: 1 }]).target).toBe('project:1')
})

test('Details have the declared values, and the names of the other properties where they are wanted.', () => {
  const input = { contact_id: 1, role: 'editor', email: 'ada@example.com', name: undefined }
  expect(subject('/x', input, null, { details: ['role', 'name'] }).details).toEqual({ role: 'editor' })
  expect(subject('/x', input, null, { names_fields: true }).details).toEqual({ fields: ['role', 'email', 'name'] })
  expect(subject('/x', { contact_id: 1 }, null, { names_fields: true }).details).toEqual({})
})
