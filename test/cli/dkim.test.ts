import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import { UsageError } from '../../src/cli/command.ts'
import { type DataFolder, dataFolder } from '../support/command-line.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
let data: DataFolder
beforeAll(async () => {
  data = await dataFolder(join(folder, 'data'))
})
const dkim = (...words: string[]) => data.run('dkim', ...words)
const listed = async () => ((await dkim('list', 'harbour')).data as { dkim_keys: Record<string, any>[] }).dkim_keys
const cells = (text: string | undefined) => text!.split('\n').map((line) => line.split(/ {2,}/))

test('DKIM keys are made, listed, looked up and deleted on the command line.', async () => {
  const { data: answer, text } = await dkim('create', 'harbour', 'Signed.INVALID', '--algorithm', 'ed25519-sha256')
  const made = answer as Record<string, any>
  expect(made).toEqual({
    ...{ id: expect.any(Number), domain: 'signed.invalid', selector: 'mh1', algorithm: 'ed25519-sha256' },
    ...{ name: 'mh1._domainkey.signed.invalid', value: expect.stringMatching(/^v=DKIM1; k=ed25519; p=/) },
    ...{ signs: false, verified_at: null },
  })
  expect(text!.split('\n')).toEqual(['Publish this TXT record, then run masthead dkim verify:', made.name, made.value])
  expect((await dkim('create', 'harbour', 'other.invalid')).data).toMatchObject({ algorithm: 'rsa-sha256' })
  expect((await listed()).find(({ id }) => id === made.id)).toEqual(made)
  const [head, ...lines] = cells((await dkim('list', 'harbour')).text)
  expect(head).toEqual(['ID', 'NAME', 'ALGORITHM', 'SIGNS', 'VERIFIED', 'RECORD'])
  expect(lines).toContainEqual([String(made.id), made.name, 'ed25519-sha256', 'no', 'never', made.value])

  const looked = await dkim('verify', 'harbour', 'SIGNED.invalid')
  const [found] = (looked.data as { dkim_keys: Record<string, any>[] }).dkim_keys
  expect([looked.code, found]).toEqual([1, { ...made, found: expect.stringMatching(/^(missing|no_answer)$/) }])
  expect(cells(looked.text)[1]!.at(-1)).toBe(found!.found)

  expect(await dkim('delete', 'harbour', String(made.id))).toEqual({ text: 'Deleted.', data: { id: made.id } })
  expect((await listed()).map(({ domain }) => domain)).not.toContain('signed.invalid')
  const rows = await data.withStore((store) =>
    store.query("SELECT action, target, project_id FROM audit_log WHERE action IN ('dkim create', 'dkim delete')"),
  )
  const of = { target: `dkim_key:${made.id}`, project_id: data.project_id }
  expect(rows).toContainEqual({ action: 'dkim create', ...of })
  expect(rows).toContainEqual({ action: 'dkim delete', ...of })
})

test('A key is signed with once its record was found, and shows since when.', async () => {
  const { id, name, value } = (await dkim('create', 'harbour', 'found.invalid')).data as Record<string, any>
  const at = Date.UTC(2026, 0, 15, 9)
  await data.withStore((store) =>
    store.write((tx) => tx.run(`UPDATE dkim_keys SET verified_at = ${at} WHERE id = ${id}`)),
  )
  const time = '2026-01-15T09:00:00.000Z'
  expect((await listed()).find((key) => key.id === id)).toMatchObject({ signs: true, verified_at: time })
  expect(cells((await dkim('list', 'harbour')).text)).toContainEqual([
    ...[String(id), name, 'rsa-sha256', 'yes', time, value],
  ])
})

test('A domain, an algorithm and a key that do not exist are refused.', async () => {
  for (const words of [
    ['create', 'harbour', 'no domain'],
    ['verify', 'harbour', 'no domain'],
    ['create', 'harbour', 'x.example', '--algorithm', 'dsa'],
  ])
    await expect(dkim(...words)).rejects.toBeInstanceOf(UsageError)
  await expect(dkim('create', 'harbour', 'x.example', '--algorithm', 'dsa')).rejects.toThrow(
    '--algorithm expects rsa-sha256 or ed25519-sha256.',
  )
  await expect(dkim('create', 'harbour', 'no domain')).rejects.toThrow('no domain is not a domain.')
  await expect(dkim('delete', 'harbour', '999')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(dkim('list', 'nobody')).rejects.toThrow('There is no project nobody')
})
