import { expect, test } from 'bun:test'
import { FixedClock } from '../../../src/clock.ts'
import { handoverFacts } from '../../../src/newsletter/outbox/handover-facts.ts'
import { newProject, NOW, sharedStore } from '../../support/shared-store.ts'

const message = (id: number) => ({ id, kind: 'campaign', contact_id: 7, email: 'ada@example.com' }) as never

test('A fact says that a message is handed over, and another that it was not after all or is in doubt.', async () => {
  const project_id = await newProject()
  const { db, write } = await sharedStore()
  const lines: string[] = []
  const store = { db, write, facts: { append: (_: number, added: string[]) => void lines.push(...added) } } as never
  const facts = await handoverFacts({ store, clock: new FixedClock(NOW) }, { project_id, campaign_id: null })
  const told = () => lines.splice(0).map((line) => line.split(' ')[1])
  for (const [id, status] of [
    [1, 'sent'],
    [2, 'retry'],
    [3, 'uncertain'],
    [4, 'bounced'],
  ] as const) {
    facts.begin(message(id))
    facts.end(message(id), { status } as never)
  }
  expect(told()).toEqual([
    'handed-over',
    'handed-over',
    'taken-back',
    'handed-over',
    'in-doubt',
    'handed-over',
    'taken-back',
  ])
  // What was not begun, or ended already, needs no fact.
  facts.end(message(9), { status: 'skipped' } as never)
  facts.end(message(2), { status: 'retry' } as never)
  expect(told()).toEqual([])
})

test('Without a folder of facts nothing is written.', async () => {
  const { db, write } = await sharedStore()
  const facts = await handoverFacts(
    { store: { db, write } as never, clock: new FixedClock(NOW) },
    { project_id: 1 as never, campaign_id: null },
  )
  expect(() => facts.begin(message(1))).not.toThrow()
})
