import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { recordWithdrawals } from '../../../src/newsletter/consent/withdrawals.ts'
import type { Tx } from '../../../src/store/open.ts'
import { newContact, newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('Each withdrawal is evidence with its source, and a fact of its own.', async () => {
  const project_id = await newProject()
  const list_id = await newList(project_id)
  const [ada, bo] = [await newContact(project_id, 'ada@x.example'), await newContact(project_id, 'bo@x.example')]
  const facts: unknown[] = []
  const noting = (tx: Tx) =>
    ({
      run: tx.run.bind(tx),
      ...{ facts: {}, beforeCommit: (_: unknown, entry: unknown[]) => void facts.push(...entry) },
    }) as unknown as Tx
  const by_page = { now: NOW, source: 'unsubscribe', address: '127.0.0.1', user_agent: 'Mail', campaign_id: 7 }
  await write(async (tx) => {
    await recordWithdrawals(noting(tx), [], by_page)
    await recordWithdrawals(noting(tx), [{ project_id, contact_id: ada, list_id }], by_page)
    await recordWithdrawals(noting(tx), [{ project_id, contact_id: bo, list_id: null }], {
      now: NOW + 1,
      source: 'api',
    })
  })
  const rows = await (
    await sharedStore()
  ).db.all(sql`
    SELECT contact_id, list_id, action, source, at, address, user_agent, campaign_id FROM consents
    WHERE project_id = ${project_id} ORDER BY id`)
  const withdrawn = { action: 'withdrawn' }
  expect(rows).toEqual([
    {
      ...{ ...withdrawn, contact_id: ada, list_id, source: 'unsubscribe', at: NOW },
      ...{ address: '127.0.0.1', user_agent: 'Mail', campaign_id: 7 },
    },
    {
      ...{ ...withdrawn, contact_id: bo, list_id: null, source: 'api', at: NOW + 1 },
      ...{ address: null, user_agent: null, campaign_id: null },
    },
  ])
  expect(facts).toEqual([
    { project_id, contact_id: ada, list_id, what: 'left', at: NOW },
    { project_id, contact_id: bo, list_id: null, what: 'left', at: NOW + 1 },
  ])
})
