import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openStore } from '../../src/store/open.ts'
import { masthead, scratchFolder } from './masthead.ts'

const scratch = scratchFolder()
afterAll(() => scratch.remove())

test('An import for which the plan has no room is canceled, and its addresses are deleted.', async () => {
  const run = (...args: string[]) => masthead(scratch.path, args)
  const owner = 'owner@harbour.example'
  await run('user', 'create', '--email', owner, '--password', '12345678')
  await run('project', 'create', '--name', 'H', '--slug', 'harbour', '--owner', owner, '--contact-limit', '1')
  writeFileSync(join(scratch.path, 'two.csv'), 'email\nada@example.com\nbo@example.com\n')
  const { code, stderr } = await run('contacts', 'import', 'harbour', 'two.csv')
  expect([code, stderr]).toEqual([1, expect.stringContaining('The plan allows 1 contacts.')])
  const store = await openStore({ url: `file:${join(scratch.path, 'data/masthead.db')}` })
  expect(await store.db.all(sql`SELECT status, (SELECT count(*) FROM import_pages) AS pages FROM imports`)).toEqual([
    { status: 'cancelled', pages: 0 },
  ])
  await store.close()
})
