import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Browser, Page } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { ACCOUNT_PAGES } from '../../static/app/account/pages.ts'
import { OPERATOR_PAGES } from '../../static/app/operator/pages.ts'
import { SITE_PAGES } from '../../static/app/site/pages.ts'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { axeFindings, cutTexts, openPortal, SECOND_LOOK } from '../support/portal.ts'

/** How pages of all places take names of one long word, and how they show what has the focus. */

let world: SiteWorld
let browser: Browser
let addresses: string[]

/** As long as most names may be, in letters of which the widest is. */
const long = (start: string, most = 100): string => `${start}${'w'.repeat(most)}`.slice(0, most)

beforeAll(async () => {
  world = await createSiteWorld()
  const operator = { admin: true }
  await world.service.runtime.store.write((tx) => tx.update(users).set(operator).where(eq(users.id, world.users.owner)))
  addresses = await fillWithLongNames()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

const DESK = { colorScheme: 'light', viewport: { width: 1280, height: 800 } } as const
const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 700 } } as const

/** Pages that together have all kinds of parts: the dark colors are looked at on these. */
const IN_DARK = new Set([
  '/',
  '/contacts',
  '/campaigns',
  '/sending',
  '/settings',
  '/posts',
  '/activity',
  '/portal/account',
])

test.if(hasBrowser)(
  'Pages pass axe in both colors, are as wide as the window with long names, and show what has the focus.',
  async () => {
    const portal = await openPortal(browser, world, 'owner')
    const { page } = portal
    const found: string[] = []
    // To change colors and width draws everything anew, so that each page begins with the look of the one before it.
    let looks: readonly (typeof DESK | typeof PHONE)[] = [DESK, PHONE]
    for (const address of addresses) {
      await portal.follow(address)
      // What stands around each page is looked at on the first one.
      const part = address === addresses[0] ? '' : 'main'
      for (const [at, look] of looks.entries()) {
        if (at > 0 || address === addresses[0])
          await Promise.all([page.emulateMedia({ colorScheme: look.colorScheme }), page.setViewportSize(look.viewport)])
        await portal.settled()
        const seen = [await cutTexts(page), await beyondTheEdge(page)]
        if (look === DESK) seen.push(await axeFindings(page, part))
        // A phone leaves the least room beside what stays in place.
        else seen.push(await hiddenFocus(page))
        if (look === PHONE && IN_DARK.has(address)) seen.push(await axeFindings(page, part, SECOND_LOOK))
        const troubles = [...seen.flat(), ...portal.troubles.splice(0)]
        found.push(...troubles.map((trouble) => `${address} at ${look.viewport.width}: ${trouble}`))
      }
      looks = looks.toReversed()
    }
    await portal.close()
    expect(found).toEqual([])
  },
)

/** Controls of the page that reach beyond the edges of the window, but for those in a part that scrolls by itself. */
function beyondTheEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    return [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (left < -1 || right > innerWidth + 1) && !scrolls(element.parentElement)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })
}

/** Gives each control of the page the focus, as the Tab key does. Returns those that something else covers then. */
function hiddenFocus(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>('main :is(a, button, input, select, textarea, [tabindex])')
    return [...controls]
      .filter((control) => takesFocus(control) && isCovered(control))
      .map((control) => control.outerHTML.slice(0, 160))

    function takesFocus(control: HTMLElement): boolean {
      if (control.tabIndex < 0) return false
      control.focus()
      return document.activeElement === control
    }

    function isCovered(control: HTMLElement): boolean {
      const { left, top, width, height } = control.getBoundingClientRect()
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height]))
      return !points.some(([x, y]) => {
        const found = document.elementFromPoint(x!, y!)
        return found !== null && (control.contains(found) || found.contains(control) || isLabelOf(found, control))
      })
    }

    function isLabelOf(found: Element, control: HTMLElement): boolean {
      return [...((control as HTMLInputElement).labels ?? [])].some((label) => label.contains(found))
    }
  })
}

/** Fills each kind of page with names of one long word. Returns the addresses of the project's pages. */
async function fillWithLongNames(): Promise<string[]> {
  const { ok } = world
  const inProject = async (path: string, body: Record<string, unknown>) => {
    const { status, body: answer } = await world.as('owner', path, body)
    expect([path, status]).toEqual([path, 200])
    return answer
  }
  const list = (await ok('lists/create', { name: long('List'), description: long('About') })).list.id
  const tag = (await ok('tags/create', { name: long('Tag', 60) })).tag.id
  await ok('custom-fields/create', { key: 'boats', label: long('Label'), type: 'text' })
  const { contact } = await ok('contacts/upsert', {
    email: `${'w'.repeat(64)}@${'w'.repeat(60)}.example`,
    first_name: long('First'),
    last_name: long('Last'),
    consent_text: long('Consent', 200),
    list_ids: [list],
    tag_ids: [tag],
    custom_fields: { boats: long('Value') },
  })
  const sandbox = (await ok('connections/create', { name: long('Sandbox'), provider: 'sandbox' })).connection.id
  await ok('settings/update', {
    from_name: long('From'),
    from_email: `${'w'.repeat(60)}@harbour.example`,
    postal_address: long('Quay'),
    default_connection_id: sandbox,
  })
  // The letter of the design leads to them.
  for (const path of ['/calendars', '/changelog'])
    await inProject('/project/pages/create', { path, title: path, html: '<h1>Soon</h1>', published: true })
  const audience_spec = { include: [{ type: 'list', id: list }], exclude: [] }
  const letter = {
    name: long('Letter'),
    subject: long('Subject'),
    audience_spec,
    template_id: 'builtin:product-update',
  }
  const { id: sent } = (await ok('campaigns/create', letter)).campaign
  await ok('campaigns/send', { campaign_id: sent })
  await world.settle()
  const { id: draft } = (await ok('campaigns/create', letter)).campaign
  const { editor_json } = (await ok('campaigns/get', { campaign_id: draft })).campaign
  const { template } = await ok('templates/create', { name: long('Template'), editor_json })
  const rules = { op: 'and', rules: [{ field: 'tag', operator: 'in', value: [tag] }] }
  const { segment } = await ok('segments/create', { name: long('Segment'), rules })
  await ok('suppressions/add', { email: `${'s'.repeat(64)}@${'w'.repeat(60)}.example`, reason: 'complaint' })
  const csv = `email,${long('column')}\nnora@example.com,${long('Nora')}\n`
  const { id: imported } = (await ok('imports/create', { filename: `${long('fair', 90)}.csv`, csv })).import
  const quay = { path: `/${long('quay')}`, title: long('Quay'), html: '<h1>High water</h1>', published: true }
  const { page } = await inProject('/project/pages/create', quay)
  const { post } = await inProject('/project/cms/posts/create', { title: long('Post'), category: long('Town') })
  await inProject('/project/directory/items/create', { directory: long('Shops', 60), title: long('Baker') })
  await inProject('/general/project/form/entry', {
    form: long('form', 60),
    fields: { [long('field', 60)]: long('Word') },
  })
  await inProject('/project/api-keys/create', { name: long('Key', 60) })
  const kept = await inProject('/project/mailbox/list', {})
  const known: Record<string, string> = {
    '/campaigns/:id': `/campaigns/${sent}`,
    '/campaigns/:id/review': `/campaigns/${draft}/review`,
    '/campaigns/:id/edit': `/campaigns/${draft}/edit`,
    '/templates/:id': `/templates/${template.id}`,
    '/contacts/:id': `/contacts/${contact.id}`,
    '/segments/:id': `/segments/${segment.id}`,
    '/lists/:id/form': `/lists/${list}/form`,
    '/sending/:id': `/sending/${sandbox}`,
    '/imports/:id': `/imports/${imported}`,
    '/pages/:id': `/pages/${page.id}`,
    '/posts/:id': `/posts/${post.id}`,
    '/directory/:name': `/directory/${long('Shops', 60)}`,
    '/mailbox/:id': `/mailbox/${kept.messages[0].id}`,
    '/forms/:name': `/forms/${long('form', 60)}`,
  }
  const pagesOf = (root: string, pages: typeof SITE_PAGES) =>
    pages.filter(({ path }) => !path.includes(':')).map(({ path }) => root + path)
  return [
    ...SITE_PAGES.flatMap(({ path }) => (path.includes(':') ? (known[path] ?? []) : path)),
    // A project without anything is led through its first steps.
    `/portal/projects/${world.other.slug}`,
    ...pagesOf('/portal/account', ACCOUNT_PAGES),
    '/portal/developer',
    ...pagesOf('/portal/operator', OPERATOR_PAGES),
  ]
}
