import { afterAll, beforeAll, expect, test } from 'bun:test'
import { useTab } from '../support/tab.ts'
import { SITE_PAGES } from '../../static/app/site/pages.ts'
import { fillHarbour } from '../support/people.ts'
import { answeredBy } from '../support/service-tab.ts'
import { requireSound } from '../support/visit.ts'
import { createWorld, type World } from '../support/world.ts'

/** Every page of a project, as people of each role find it. */

const tab = useTab()
const root = '/portal/projects/harbour'
let world: World

beforeAll(async () => {
  world = await createWorld()
  await fillHarbour(world, 3)
})
afterAll(() => world.close())

for (const role of ['editor', 'member'] as const)
  test(`No page asks for what the role ${role} may not read, and each is drawn.`, async () => {
    const portal = await answeredBy(world, tab, role)
    for (const { path } of SITE_PAGES.filter((page) => !page.path.includes(':'))) {
      await portal.open(root + path)
      requireSound(tab)
      expect([path, portal.refused]).toEqual([path, []])
      expect([path, tab.all('h1').length]).toEqual([path, 1])
    }
  })

/** What a member is not offered, by the page. */
const NOT_FOR_MEMBERS = [
  ['', 'New campaign'],
  ['/campaigns', 'New campaign'],
  ['/templates', 'New template'],
  ['/imports', 'Import contacts'],
  ['/sending', 'Add connection'],
  ['/contacts', 'Add contact'],
] as const

test('A member is not offered what takes an editor or an administrator, and reads who may.', async () => {
  for (const role of ['administrator', 'member'] as const) {
    const portal = await answeredBy(world, tab, role)
    for (const [path, name] of NOT_FOR_MEMBERS) {
      await portal.open(root + path)
      expect([role, path, tab.has(name)]).toEqual([role, path, role === 'administrator'])
    }
  }
  const portal = await answeredBy(world, tab, 'member')
  await portal.open(`${root}/campaigns`)
  expect(tab.text()).toContain('Writing and sending takes an editor; you are a member here. Ask ')
  await portal.open(`${root}/campaigns/new`)
  expect(tab.text()).toContain('This page takes an editor; you are a member here.')
})
