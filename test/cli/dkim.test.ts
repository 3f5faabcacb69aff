import { afterAll, expect, test } from 'bun:test'
import { masthead, scratchFolder } from './masthead.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())
const run = (...args: string[]) => masthead(scratch.path, args)
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

test('DKIM keys are made, listed, looked up and deleted on the command line.', async () => {
  await run('user', 'create', '--email', 'ada@harbour.example', '--password', '12345678')
  await run('project', 'create', '--name', 'Harbour', '--slug', 'harbour', '--owner', 'ada@harbour.example')
  const made = await json('dkim', 'create', 'harbour', 'Signed.INVALID', '--algorithm', 'ed25519-sha256')
  expect(made).toMatchObject({ domain: 'signed.invalid', name: 'mh1._domainkey.signed.invalid', signs: false })
  expect((await json('dkim', 'list', 'harbour')).dkim_keys).toEqual([made])
  const looked = await run('dkim', 'verify', 'harbour', 'signed.invalid', '--json')
  expect([looked.code, JSON.parse(looked.stdout).dkim_keys]).toMatchObject([1, [{ id: made.id, verified_at: null }]])
  expect(await run('dkim', 'create', 'harbour', 'no domain')).toMatchObject({ code: 2 })
  expect(await run('dkim', 'create', 'harbour', 'x.example', '--algorithm', 'dsa')).toMatchObject({ code: 2 })
  expect((await run('dkim', 'delete', 'harbour', String(made.id))).code).toBe(0)
  expect((await json('dkim', 'list', 'harbour')).dkim_keys).toEqual([])
})
