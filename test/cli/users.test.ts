import { beforeEach, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { newId } from '../../src/ids.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
const PASSWORD = 'a password nobody guesses'
let data: DataFolder
beforeEach(async () => {
  data = await dataFolder(join(folder, newId('req')))
})
const row = async (text: string, ...params: unknown[]) =>
  (await data.withStore((store) => store.query(text, params)))[0]
const hashOf = async (id: string) =>
  String((await row('SELECT password_hash FROM users WHERE id = ?', id))!.password_hash)
/** Runs `work` as if standard input were a terminal. */
async function atTerminal<T>(work: () => Promise<T>): Promise<T> {
  const { isTTY } = process.stdin
  process.stdin.isTTY = true
  return work().finally(() => {
    process.stdin.isTTY = isTTY
  })
}

test('A user gets the given names and password, and administers the service only when that is said.', async () => {
  const { text, data: made } = await data.run(
    ...['user', 'create', '--email', 'ada@example.com', '--password', PASSWORD],
    ...['--first-name', 'Ada', '--last-name', 'Lovelace'],
  )
  const { id } = made as { id: string }
  const record = { id, email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', admin: false }
  expect([text, made as unknown]).toEqual([`Created ada@example.com (${id}).`, record])
  expect(await Bun.password.verify(PASSWORD, await hashOf(id))).toBe(true)
  const admin = await data.run('user', 'create', '--email', 'root@example.com', '--password', PASSWORD, '--admin')
  expect(admin.data).toMatchObject({ email: 'root@example.com', admin: true })
})

test('At a terminal without --password, a password is made and shown once.', async () => {
  const { text, data: made } = await atTerminal(() => data.run('user', 'create', '--email', 'gen@example.com'))
  const { id, password } = made as { id: string; password: string }
  expect(password).toMatch(/^[\w-]{20}$/)
  expect(text).toBe(`Created gen@example.com (${id}).\nPassword: ${password}`)
  expect(await Bun.password.verify(password, await hashOf(id))).toBe(true)
  const again = await atTerminal(() => data.run('user', 'set-password', '--email', 'GEN@example.com'))
  const { password: second } = again.data as { password: string }
  expect([again.text, again.data as unknown]).toEqual([
    `Set the password of gen@example.com.\nPassword: ${second}`,
    { id, email: 'gen@example.com', password: second },
  ])
  expect(second).not.toBe(password)
  expect(await Bun.password.verify(second, await hashOf(id))).toBe(true)
})

test('A password from standard input ends before its line break, and one of a flag is not shown.', async () => {
  const stdin = spyOn(Bun.stdin, 'text').mockResolvedValue(`${PASSWORD} \r\n`)
  const id = data.owner_id
  const outcome = await data.run('user', 'set-password', '--email', id)
  expect([outcome.text, outcome.data as unknown]).toEqual([
    'Set the password of owner@example.com.',
    { id, email: 'owner@example.com' },
  ])
  expect(await Bun.password.verify(`${PASSWORD} `, await hashOf(id))).toBe(true)
  stdin.mockResolvedValue('\n')
  await expect(data.run('user', 'set-password', '--email', id)).rejects.toThrow('Missing password.')
  stdin.mockRestore()
})

test('A list of the users shows their names and marks, and none that were deleted.', async () => {
  const create = (email: string, ...more: string[]) =>
    data.run('user', 'create', '--email', email, '--password', PASSWORD, ...more)
  await create('ada@example.com', '--first-name', 'Ada', '--last-name', 'Lovelace')
  await create('root@example.com', '--admin')
  await create('gen@example.com')
  await data.run('user', 'disable', '--email', 'root@example.com')
  await data.withStore((store) =>
    store.write((tx) => tx.script("UPDATE users SET deleted_at = 1 WHERE email = 'gen@example.com'")),
  )
  const { text, data: listed } = await data.run('user', 'list')
  const lines = text!.split('\n').map((line) => line.split(/ {2,}/))
  expect(lines.map(([, ...rest]) => rest.join('|').trim())).toEqual([
    'EMAIL|NAME',
    'owner@example.com',
    'ada@example.com|Ada Lovelace',
    'root@example.com|administrator, disabled',
  ])
  const { users } = listed as { users: Record<string, unknown>[] }
  expect(users[0]).toEqual({
    id: data.owner_id,
    email: 'owner@example.com',
    first_name: '',
    last_name: '',
    admin: false,
    disabled: false,
    created_on: '1970-01-01T00:00:00.000Z',
  })
  expect(users.map(({ disabled }) => disabled)).toEqual([false, false, true])
  expect(await row("SELECT target FROM audit_log WHERE action = 'user disable'")).toEqual({
    target: `user:${String(users[2]!.id)}`,
  })
})

test('A sign-out is of one user or of all, never of neither or both.', async () => {
  await expect(data.run('user', 'sign-out')).rejects.toThrow('either --email EMAIL or --all')
  const both = data.run('user', 'sign-out', '--email', 'ada@example.com', '--all')
  await expect(both).rejects.toThrow('either --email EMAIL or --all')
  expect((await data.run('user', 'sign-out', '--email', 'owner@example.com')).text).toBe(
    'Ended 0 sessions of owner@example.com.',
  )
  expect((await data.run('user', 'sign-out', '--all')).text).toBe('Ended 0 sessions.')
})
