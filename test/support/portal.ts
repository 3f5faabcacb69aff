import { readFileSync } from 'node:fs'
import { expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { findPage } from '../../src/shared/app-pages.ts'
import { PLACES } from '../../static/app/pages.ts'
import type { Role } from '../../src/shared/roles.ts'
import { newSession } from './session.ts'
import type { World } from './world.ts'

/** A signed-in person's browser, and what went wrong in it. */
export interface Portal {
  page: Page
  context: BrowserContext
  /** Console messages, failed scripts and calls to elsewhere, since the last look. */
  troubles: string[]
  /** Opens a page of the main project: `open('/campaigns')`. Waits until it is drawn. */
  open(path: string): Promise<void>
  /**
   * Goes to a page of the application as a link in the open page does, which costs far less than `open`, and waits
   * until the tab has its title. The path is that of `open`, or begins with `/portal/`. The first page is opened.
   */
  follow(path: string): Promise<void>
  /** Waits until nothing is asked for any more and what was answered is drawn. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface PortalOptions extends BrowserContextOptions {
  /** Below which address `open` looks; the main project unless said otherwise. */
  root?: string
}

const USER_AGENT = 'Chromium of the test'
const DESK = { width: 1280, height: 800 }

/** Signs a person of the world in, or nobody, and opens an empty tab. */
export async function openPortal(
  browser: Browser,
  world: World,
  role: Role | 'outsider' | null = 'owner',
  { root = `/portal/projects/${world.project.slug}`, ...options }: PortalOptions = {},
): Promise<Portal> {
  const context = await browser.newContext({ viewport: DESK, reducedMotion: 'reduce', ...options })
  if (role !== null) {
    const session = await newSession(world, role, { confirmed_at: world.clock.now(), user_agent: USER_AGENT })
    await context.addCookies([{ ...session, url: world.url, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => troubles.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${world.url}/`) && !url.startsWith('data:') && !url.startsWith('blob:'))
      troubles.push(`request to elsewhere: ${url}`)
  })
  let underway = 0
  page.on('request', () => underway++)
  page.on('requestfinished', () => underway--)
  page.on('requestfailed', () => underway--)
  const addressOf = (path: string) => root + (path === '/' ? '' : path)
  const open = async (address: string) => {
    await page.goto(world.url + address)
    await page.locator('main:not([aria-busy]) h1').first().waitFor()
  }
  return {
    page,
    context,
    troubles,
    open: (path) => open(addressOf(path)),
    async follow(path) {
      const address = path.startsWith('/portal/') ? path : addressOf(path)
      const title = titleOf(address)
      if (title === null) throw new Error(`${address} is no page of the application.`)
      if (titleOf(page.url()) === null) return open(address)
      await page.evaluate((href) => {
        const link = Object.assign(document.createElement('a'), { href })
        document.body.append(link)
        link.click()
        link.remove()
      }, address)
      await page.waitForFunction((wanted) => document.title.startsWith(`${wanted} ·`), title)
    },
    async settled() {
      do await page.evaluate(TWO_FRAMES)
      while (underway > 0)
    },
    close: () => context.close(),
  }
}

/** The title of a page of the application; null for one that the server draws. */
export function titleOf(address: string): string | null {
  const { pathname } = new URL(address, 'http://here')
  for (const { root, pages } of PLACES) {
    const start = new RegExp(`^${root.replace(':project', '[^/]+')}`).exec(pathname)?.[0]
    const found = start === undefined ? null : findPage(pages, pathname.slice(start.length))
    if (found) return found.page.title
  }
  return null
}

/** A promise for the second frame from now: an answer that has come is drawn, and what it leads to is asked for. */
const TWO_FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** What the script of axe leaves in a page. */
declare const axe: {
  run(context: { include: Element[]; exclude: Element[] }, options: object): Promise<{ violations: Violation[] }>
}

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * What axe finds on the page as it is now, one line for each element: in the element of a selector, else in the dialog
 * that holds the focus, behind which nothing can be reached, else everywhere. Rows of a table after the eighth are like
 * those before them. Options of axe choose among its rules.
 */
export async function axeFindings(page: Page, selector = '', rules: object = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE)
  const violations = await page.evaluate(
    async ([wanted, some]) => {
      const include = [...document.querySelectorAll(wanted || ':modal')].at(-1) ?? document.documentElement
      const exclude = [...include.querySelectorAll('tbody > tr:nth-child(n + 9)')]
      const options = { resultTypes: ['violations'], iframes: false, preload: false, ...some }
      return (await axe.run({ include: [include], exclude }, options)).violations
    },
    [selector, rules] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Elements whose text is cut, or that reach beyond the page. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { documentElement: root } = document
    const found: string[] = []
    if (root.scrollWidth > root.clientWidth + 1) found.push(`the page scrolls sideways: ${root.scrollWidth}`)
    for (const element of document.querySelectorAll<HTMLElement>('main *')) {
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut =
        overflowX === 'hidden' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1
      if (isCut && element.clientWidth > 1) found.push(element.outerHTML.slice(0, 120))
    }
    return found
  })
}

/** What is looked at. */
type Seen = Pick<Portal, 'page' | 'troubles'>

/** Expects of the page as it is now: nothing that axe finds, no trouble, no text that is cut. */
export async function checkPage(seen: Seen, rules: object = {}): Promise<void> {
  expect(await axeFindings(seen.page, '', rules)).toEqual([])
  await checkTexts(seen)
}

/** `checkPage` without axe, for a page that shows no more than axe saw elsewhere. */
export async function checkTexts({ page, troubles }: Seen): Promise<void> {
  expect(await cutTexts(page)).toEqual([])
  expect(troubles.splice(0)).toEqual([])
}

/** The rules of axe that another width asks again: names and roles are the same. */
const NARROW = { runOnly: ['scrollable-region-focusable', 'button-name', 'label'] }
/** Those that other colors ask, too. */
export const SECOND_LOOK = { runOnly: ['color-contrast', ...NARROW.runOnly] }

/**
 * `checkPage` on a desk, and in the dark colors on a phone of 360 pixels. Axe takes most of the time, so it compares
 * the dark colors on the kitchen page and on some pages of test/browser/layout.test.ts, and test/app/ui/tokens.test.ts
 * compares all of them. The page ends as it began.
 */
export async function checkLooks(portal: Seen, rules: object = NARROW): Promise<void> {
  const { page } = portal
  const begun = page.viewportSize() ?? DESK
  await checkPage(portal)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await checkPage(portal, rules)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(begun)
}
