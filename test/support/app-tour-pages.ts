import { afterAll, beforeAll, expect, mock, spyOn, test } from 'bun:test'
import { type Addresses, stops } from '../../bench/pages-data.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { appTour, changes, loadApplication, type Viewer } from './app-tour.ts'
import { fillTour } from './app-tour-world.ts'
import { createNamer, expectRecorded } from './recorded.ts'
import { useTab } from './tab.ts'
import { PLACES } from '../../static/app/pages.ts'

/** Queries of addresses that show another part of a page. */
const PARTS: Record<string, readonly string[]> = {
  '/campaigns': ['?status=sent'],
  '/campaigns/:id': ['?tab=people', '?tab=links', '?tab=events', '?tab=letter', '?tab=people&status=sent'],
  '/contacts': ['?q=person00', '?sort=email'],
  '/posts': ['?tab=look', '?status=draft'],
  '/pages': ['?tab=files'],
  '/suppressions': ['?reason=complaint', '?q=angry'],
  '/activity': ['?tab=people', '?tab=work'],
  '/segments/new': ['?name=Near'],
  '/sending/new': ['?provider=smtp', '?provider=sandbox', '?provider=ses'],
  '/sending/health': ['?days=7'],
  '/apps/:id/requests': ['?status=4'],
}
/** Pages with a control for each property of each block of a letter: what comes after a control is not tried. */
const SHALLOW = new Set(['/campaigns/:id/edit', '/templates/:id'])

/** What a process did before shows here, too. */
const LEFT_OUT = new Set(['operator/health'])

/**
 * Tests of pages of the application, drawn with the answers of a service that has something to show everywhere: the
 * whole page for an owner, what differs for others and with other queries, and what each control does.
 *
 * @param isShown chooses the pages, by `site/campaigns/:id`: the name of the place and the pattern of the address
 */
export function testPages(isShown: (name: string) => boolean): void {
  const tab = useTab()
  let world: SiteWorld
  let known: Addresses
  beforeAll(async () => {
    world = await createSiteWorld()
    known = await fillTour(world)
    // Hundreds of time zones are drawn slowly.
    spyOn(Intl, 'supportedValuesOf').mockReturnValue(['Europe/Oslo', 'Pacific/Auckland'])
    await loadApplication()
  })
  afterAll(() => world.close())
  afterAll(() => mock.restore())

  const pages = PLACES.flatMap(({ name, pages }) => pages.map(({ path }) => [name + path, name, path] as const))
  test.each(pages.filter(([name]) => isShown(name) && !LEFT_OUT.has(name)))(
    'The page %s shows and does what is recorded.',
    async (...page) => {
      const [title, place, pattern] = page
      const tour = appTour(tab, world, createNamer())
      const stop = stops(world, known, []).find((one) => one.place === place && one.page.path === pattern)!
      expect(stop).toBeDefined()
      const out: string[] = []
      const section = (heading: string, lines: readonly string[]) => out.push(`## ${heading}`, ...lines, '')

      const owner = await tour.show(stop)
      section('An owner', owner)
      const isSite = place === 'site'
      const others: Viewer[] = isSite ? ['editor', 'member', 'refused'] : ['refused']
      for (const viewer of others) section(VIEWERS[viewer]!, changes(owner, await tour.show(stop, viewer)))
      for (const part of PARTS[pattern] ?? [])
        section(part, changes(owner, await tour.show({ ...stop, path: stop.path + part })))
      if (isSite && !pattern.includes(':')) {
        const root = stop.root.replace(world.project.slug, world.other.slug)
        section('An owner of an empty project', await tour.show({ ...stop, root }))
      }
      section('Its controls', await tour.tryControls(stop, SHALLOW.has(pattern) ? 0 : 2))
      const file = title.replaceAll('/', '-').replaceAll(':', '').replace(/-$/, '')
      expectRecorded(`app/${file}.txt`, out.join('\n'))
    },
  )
}

const VIEWERS: Partial<Record<Viewer, string>> = {
  editor: 'An editor: what differs',
  member: 'A member: what differs',
  refused: 'An owner who is refused all answers: what differs',
}
