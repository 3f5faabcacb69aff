import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { appeared, useTab } from '../support/tab.ts'
import { answeredBy } from '../support/service-tab.ts'
import { TASK_STARTS, thingsForTasks } from '../support/task-starts.ts'
import { createWorld, type World } from '../support/world.ts'

/** The page of every task, as who does it finds it. */

const tab = useTab()
let world: World
let addressOf: Awaited<ReturnType<typeof thingsForTasks>>

beforeAll(async () => {
  world = await createWorld({ sign_up: 'open' })
  addressOf = await thingsForTasks(world)
})
afterAll(() => world.close())

const TASKS = [
  ...(await Bun.file(join(import.meta.dir, '../../docs/tasks.md')).text()).matchAll(/^\| (.+?) \| `(\/[^`]*)`/gm),
].map(([, task, page]) => ({ task: task!, page: page! }))

/** Throws when the page does not show it. */
function requireShown(kind: string, name: string): void {
  if (kind === 'field') tab.field(name)
  else if (kind === 'text') expect(tab.text()).toContain(name)
  else if (kind === 'table') expect(tab.all('table').map((table) => table.getAttribute('aria-label'))).toContain(name)
  else tab.button(name)
}

test('Each task of docs/tasks.md starts with a control of its page.', async () => {
  expect(TASKS.map(({ task }) => task)).toEqual(Object.keys(TASK_STARTS))
  const missing: string[] = []
  for (const person of ['outsider', 'owner'] as const) {
    const portal = await answeredBy(world, tab, person)
    for (const { task, page } of TASKS) {
      if (page.startsWith('/portal/developer') !== (person === 'outsider')) continue
      const address = addressOf({ task, page })
      await portal.open(address)
      try {
        await appeared(() => requireShown(...TASK_STARTS[task]!))
      } catch (error) {
        missing.push(`${task}, ${address}: ${String(error)}`)
      }
    }
  }
  expect(missing).toEqual([])
})
