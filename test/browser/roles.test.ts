import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { join } from 'node:path'
import { SITE_PAGES } from '../../static/app/site/pages.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { checkPage, checkTexts, openPortal, titleOf } from '../support/portal.ts'
import { fillHarbour } from '../support/people.ts'
import { TASK_STARTS, thingsForTasks } from '../support/task-starts.ts'
import { createWorld, type World } from '../support/world.ts'

/** Every page of a project, as an editor and a member find it; and the page of every task, as who does it finds it. */

let world: World
let browser: Browser

beforeAll(async () => {
  world = await createWorld({ sign_up: 'open' })
  await fillHarbour(world, 3)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const PAGES = SITE_PAGES.filter(({ path }) => !path.includes(':'))

for (const role of ['editor', 'member'] as const)
  test.if(hasBrowser)(`No page asks for what the role ${role} may not read, and each is drawn.`, async () => {
    const portal = await openPortal(browser, world, role)
    const refused: string[] = []
    portal.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    for (const { path } of PAGES) {
      await portal.follow(path)
      await portal.settled()
      // A member is shown a part of what an editor is.
      await (role === 'member' ? checkTexts : checkPage)(portal)
      expect([path, refused.splice(0)]).toEqual([path, []])
    }
    await portal.close()
  })

/** What a member is not offered, by the page. */
const NOT_FOR_MEMBERS = [
  ['/', 'New campaign'],
  ['/campaigns', 'New campaign'],
  ['/templates', 'New template'],
  ['/imports', 'Import contacts'],
  ['/sending', 'Add connection'],
  ['/contacts', 'Add contact'],
] as const

test.if(hasBrowser)('A member is not offered what takes an editor, and reads who may.', async () => {
  const portal = await openPortal(browser, world, 'member')
  for (const [path, name] of NOT_FOR_MEMBERS) {
    await portal.follow(path)
    await portal.settled()
    expect([path, await portal.page.getByRole('link', { name }).count()]).toEqual([path, 0])
    expect([path, await portal.page.getByRole('button', { name }).count()]).toEqual([path, 0])
  }
  await portal.follow('/campaigns')
  await portal.page.getByText('Writing and sending takes an editor; you are a member here. Ask owner').waitFor()
  await portal.follow('/campaigns/new')
  await portal.page.getByText('This page takes an editor; you are a member here.').waitFor()
  await portal.close()
})

const TASKS = [
  ...(await Bun.file(join(import.meta.dir, '../../docs/tasks.md')).text()).matchAll(/^\| (.+?) \| `(\/[^`]*)`/gm),
].map(([, task, page]) => ({ task: task!, page: page! }))

test.if(hasBrowser)('Each task of docs/tasks.md starts with a control of its page.', async () => {
  expect(TASKS.map(({ task }) => task)).toEqual(Object.keys(TASK_STARTS))
  const addressOf = await thingsForTasks(world)
  const author = await openPortal(browser, world, 'outsider', { root: '' })
  const owner = await openPortal(browser, world, 'owner', { root: '' })
  for (const { task, page } of TASKS) {
    const portal = page.startsWith('/portal/developer') ? author : owner
    const address = addressOf({ task, page })
    if (titleOf(address) === null) await portal.open(address)
    else await portal.follow(address)
    const [role, name] = TASK_STARTS[task]!
    const control = portal.page.getByRole(role, role === 'paragraph' ? {} : { name, exact: true })
    const found = role === 'paragraph' ? control.filter({ hasText: name }) : control
    await found
      .first()
      .waitFor()
      .catch(() => expect.unreachable(`${task}: no ${role} ${name} on ${address}`))
  }
  await author.close()
  await owner.close()
})
