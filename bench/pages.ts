/**
 * Looks at every page of the web application in every state: `bun bench/pages.ts [--out FOLDER] [WORD…]`. Prints what
 * axe finds, console messages, requests to elsewhere, and texts that are cut, and writes screenshots of each page;
 * words choose the pages whose address holds one of them. Ends with 1 where anything was found. It takes some minutes:
 * `bin/test` looks at each page in fewer states.
 *
 * - full: light at 1280 pixels, dark at 390; then texts of twice the length, from right to left, and at 200 percent
 * - empty: a project without anything
 * - failing: every read is answered with 500
 * - loading: no read is answered
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Page as Tab, Route } from 'playwright-core'
import { buildApp } from '../bin/build-app.ts'
import { createSiteWorld, type SiteWorld } from '../test/http/site-world.ts'
import { openBrowser } from '../test/sites/browser.ts'
import { axeFindings, cutTexts, openPortal, type Portal } from '../test/support/portal.ts'
import { type Addresses, fillPages, type Stop, stops } from './pages-data.ts'

const { values: options, positionals: words } = parseArgs({
  options: { out: { type: 'string' } },
  allowPositionals: true,
})
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** A desk of 1280 by 800 pixels at 200 percent. */
const ZOOMED = { width: 640, height: 400 }

const FAILURE = JSON.stringify({
  success: false,
  request_id: 'req_0',
  error: { code: 'INTERNAL', message: 'Something failed inside.', retryable: true },
})
const isRead = (url: URL): boolean => /^\/(general|project|user)\//.test(url.pathname)

let found = 0
if (options.out) mkdirSync(options.out, { recursive: true })
await buildApp()
const browser = await openBrowser()
const full = await createSiteWorld()
const addresses = await fillPages(full)
await walk(full, addresses, ['full', 'failing', 'loading'])
await full.close()
const empty = await createSiteWorld()
await walk(empty, {}, ['empty'])
await empty.close()
console.log(found === 0 ? 'Nothing was found.' : `${found} findings.`)
process.exit(found === 0 ? 0 : 1)

async function walk(world: SiteWorld, known: Addresses, states: readonly string[]): Promise<void> {
  for (const [root, found] of Map.groupBy(stops(world, known, words), ({ root }) => root)) {
    if (found[0]!.place === 'operator' && states.includes('empty')) continue
    const portal = await openPortal(browser, world, 'owner', { root })
    for (const stop of found) for (const state of states) await inState(portal, { ...stop, state })
    await portal.close()
  }
}

interface Look extends Stop {
  state: string
}

async function inState(portal: Portal, look: Look): Promise<void> {
  const { page: tab, troubles } = portal
  troubles.length = 0
  await tab.emulateMedia({ colorScheme: 'light' })
  await tab.setViewportSize(DESK)
  if (look.state === 'full' || look.state === 'empty') {
    await portal.open(look.path)
    await portal.settled()
    await see(portal, look, 'light')
    await tab.emulateMedia({ colorScheme: 'dark' })
    await picture(tab, look, 'dark')
    await tab.setViewportSize(PHONE)
    await see(portal, look, 'dark-phone')
    await tab.emulateMedia({ colorScheme: 'light' })
    await picture(tab, look, 'light-phone')
    if (look.state === 'full') await stretch(portal, look)
    return
  }
  // The page is reached from another one, so that its first answers do not come with the document.
  await portal.open(look.before)
  await portal.settled()
  const refuse = (route: Route): Promise<void> | undefined =>
    look.state === 'loading'
      ? undefined
      : route.fulfill({ status: 500, contentType: 'application/json', body: FAILURE })
  await tab.route(isRead, refuse)
  await portal.follow(look.path)
  // Skeletons wait for 200 ms, so that quick answers do not flicker.
  // A read without an answer is asked for again twice, after half a second and two more.
  await tab.waitForTimeout(look.state === 'loading' ? 400 : 3_200)
  await see(portal, look, 'light')
  await tab.emulateMedia({ colorScheme: 'dark' })
  await tab.setViewportSize(PHONE)
  await see(portal, look, 'dark-phone')
  await tab.unroute(isRead, refuse)
}

/** The page with texts of twice the length, in both directions, and at 200 percent. */
async function stretch(portal: Portal, look: Look): Promise<void> {
  const { page: tab } = portal
  await tab.emulateMedia({ colorScheme: 'light' })
  await tab.setViewportSize(ZOOMED)
  await report(look, 'at 200 percent', await cutTexts(tab))
  await picture(tab, look, 'zoomed')
  await tab.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode as Text
      if (/[a-z]/i.test(text.data) && !text.parentElement!.closest('code, pre, option, script, .cm-editor, .block'))
        text.data = `${text.data} ${text.data}`
    }
  })
  for (const dir of ['ltr', 'rtl'])
    for (const viewport of [DESK, PHONE]) {
      await tab.evaluate((value) => document.documentElement.setAttribute('dir', value), dir)
      await tab.setViewportSize(viewport)
      await report(look, `doubled ${dir} ${viewport.width}`, await cutTexts(tab))
      await picture(tab, look, `doubled-${dir}-${viewport.width}`)
    }
}

async function see({ page: tab, troubles }: Portal, look: Look, name: string): Promise<void> {
  await report(look, name, [...(await axeFindings(tab)), ...(await cutTexts(tab))])
  const expected = look.state === 'failing' ? / 500 / : /^$/
  await report(
    look,
    name,
    troubles.splice(0).filter((trouble) => !expected.test(trouble)),
  )
  await picture(tab, look, name)
}

async function report({ place, path, state }: Look, name: string, findings: string[]): Promise<void> {
  for (const finding of findings) console.log(`${place} ${path} [${state}, ${name}] ${finding}`)
  found += findings.length
}

async function picture(tab: Tab, { place, page, state }: Look, name: string): Promise<void> {
  if (!options.out) return
  const file = `${place}${page.path.replace(/[^a-z]+/gi, '-')}-${state}-${name}.png`
  await tab.screenshot({ path: join(options.out, file), fullPage: state === 'full' && !name.startsWith('doubled') })
}
