import { beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { newId } from '../../src/ids.ts'
import { tokenHash } from '../../src/secrets.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
let data: DataFolder
beforeEach(async () => {
  data = await dataFolder(join(folder, newId('req')))
})
const rows = (text: string) => data.withStore((store) => store.query(text))
const noted = (action: string) =>
  rows(`SELECT target, project_id, details FROM audit_log WHERE action = '${action}' ORDER BY id DESC LIMIT 1`)

test('A key is shown when it is made, listed by its last characters, and ends when it is revoked.', async () => {
  const made = await data.run('api-key', 'create', '--project', 'harbour', '--user', data.owner_id, '--name', 'Site')
  const { id, key } = made.data as { id: string; key: string }
  expect(made.data).toEqual({ id, key, project_id: data.public_id, user_id: data.owner_id, name: 'Site' })
  expect(made.text).toBe(`${key}\nThe key is shown only once. Store it now.`)
  expect(await rows('SELECT key_hash, user_id, project_id FROM api_keys')).toEqual([
    { key_hash: tokenHash(key), user_id: data.owner_id, project_id: data.project_id },
  ])
  expect(await noted('api-key create')).toEqual([
    { target: `api_key:${id}`, project_id: data.project_id, details: `{"user_id":"${data.owner_id}"}` },
  ])

  const listed = {
    id,
    project_id: data.public_id,
    user_id: data.owner_id,
    name: 'Site',
    hint: key.slice(-4),
    role: null,
    scopes: null,
    expires_on: null,
    created_on: expect.stringMatching(/^20\d\d-/),
    last_used_on: null,
  }
  const never = await data.run('api-key', 'list')
  expect(never.data).toEqual({ api_keys: [listed] })
  expect(
    never
      .text!.split('\n')[1]!
      .split(/ {2,}/)
      .map((cell) => cell.trim()),
  ).toEqual([...[id, data.public_id, 'Site', `…${key.slice(-4)}`, data.owner_id, 'own', 'all', 'never', 'never']])
  await data.withStore((store) => store.write((tx) => tx.script('UPDATE api_keys SET last_used_at = 86400000')))
  const used = await data.run('api-key', 'list', '--project', 'harbour')
  expect(used.data).toEqual({ api_keys: [{ ...listed, last_used_on: '1970-01-02T00:00:00.000Z' }] })
  expect(used.text).toEndWith('1970-01-02T00:00:00.000Z')
  await data.run('project', 'create', '--name', 'B', '--slug', 'other', '--owner', data.owner_id)
  expect((await data.run('api-key', 'list', '--project', 'other')).data).toEqual({ api_keys: [] })

  const revoked = await data.run('api-key', 'revoke', '--id', id)
  expect([revoked.text, revoked.data as unknown]).toEqual([`Revoked ${id}.`, { id, revoked: true }])
  expect(await noted('api-key revoke')).toEqual([
    { target: `api_key:${id}`, project_id: data.project_id, details: null },
  ])
  await expect(data.run('api-key', 'revoke', '--id', id)).rejects.toThrow('No such API key.')
})

test('A key is made with a lower role, scopes and an end, and a wrong one is refused before.', async () => {
  const make = (...more: string[]) =>
    data.run('api-key', 'create', '--project', 'harbour', '--user', data.owner_id, '--name', 'Limited', ...more)
  const { id } = (
    await make('--role', 'member', '--scopes', 'newsletter:read,newsletter:send', '--expires', '2099-01-31')
  ).data as { id: string }
  const { api_keys } = (await data.run('api-key', 'list')).data as { api_keys: { id: string }[] }
  expect(api_keys.find((key) => key.id === id)).toMatchObject({
    role: 'member',
    scopes: ['newsletter:read', 'newsletter:send'],
    expires_on: '2099-01-31T00:00:00.000Z',
  })
  await expect(make('--role', 'king')).rejects.toThrow('--role is one of owner, administrator, editor, member.')
  await expect(make('--expires', '2099-02-31')).rejects.toThrow('--expires is a day')
  await expect(make('--expires', '2001-01-01')).rejects.toThrow()
})
