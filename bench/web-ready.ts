/**
 * How soon each page of the web application shows its content, in Chromium with a four times slower processor,
 * 10 Mbit/s and 40 ms, beside a static page of the same weight: the drawn page with its style sheets, whose scripts are
 * loaded and not run. `bun bench/web-ready.ts [WORD…]` prints for each page
 *
 * - the script in kB and the requests by the `load` event, as they come over the wire,
 * - the median of seven loads with an empty cache, in ms from the navigation: the first paint, the paint of the content
 *   (for the static page the later of its first paint and `load`), and the ratio of both contents,
 * - the layout shift.
 *
 * Loads of both kinds alternate. Words choose the pages whose address holds one of them.
 */
import process from 'node:process'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { buildApp } from '../bin/build-app.ts'
import { createSiteWorld } from '../test/http/site-world.ts'
import { openPortal } from '../test/support/portal.ts'
import { fillPages, type Stop, stops } from './pages-data.ts'

const LOADS = 7
const BYTES_PER_MBIT = 1_000_000 / 8
const GOAL_RATIO = 1.5

/** Times in ms since the navigation, sizes in bytes. */
interface Load {
  first_paint: number
  content: number
  script: number
  requests: number
  shift: number
}

/**
 * Notes the time when the application's content is on the screen: after the first frame that has it. A mutation is told
 * before that frame, and a task of its own runs when the frame has been handed over.
 */
const OBSERVE = `
  globalThis.seen = { drawn: 0, shift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => (seen.drawn = performance.now())
  const painted = () => requestAnimationFrame(() => port2.postMessage(null))
  const watch = new MutationObserver(() => {
    if (!document.querySelector('#app main:not([aria-busy])')) return
    watch.disconnect()
    painted()
  })
  watch.observe(document, { childList: true, subtree: true })
`
/** What the script above leaves in a page. */
declare const seen: { drawn: number; shift: number }

await buildApp()
const world = await createSiteWorld()
// The browser of the tests does not optimize code, which is cheaper there and slower here.
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
let static_page = ''
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) =>
    new URL(url).pathname === '/'
      ? new Response(Bun.gzipSync(static_page), {
          headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' },
        })
      : new Response(null, { status: 404 }),
})
let slow = 0
for (const stop of stops(world, await fillPages(world), process.argv.slice(2))) {
  static_page = await staticPage(stop)
  const own: Load[] = []
  const reference: Load[] = []
  for (let load = 0; load < LOADS; load++) {
    reference.push(await inTab(stop, (page, session) => measured(page, session, server.url.href)))
    own.push(await inTab(stop, (page, session) => measured(page, session, addressOf(stop))))
  }
  const ratio = median(own, 'content') / median(reference, 'content')
  if (ratio > GOAL_RATIO) slow++
  console.log(
    `${`${stop.place} ${stop.page.path}`.padEnd(40)} ${(median(own, 'script') / 1000).toFixed(1)} kB, ` +
      `${median(own, 'requests')} requests, first paint ${median(own, 'first_paint')}, ` +
      `content ${median(own, 'content')}, static ${median(reference, 'content')}, ratio ${ratio.toFixed(2)}, ` +
      `shift ${Math.max(...own.map(({ shift }) => shift)).toFixed(3)}`,
  )
}
console.log(`${slow} pages take longer than ${GOAL_RATIO} times the static page.`)
await browser.close()
process.exit(0)

function addressOf({ root, path }: Stop): string {
  return `${world.url}${root}${path === '/' ? '' : path}`
}

async function inTab<T>({ root }: Stop, run: (page: Page, session: CDPSession) => Promise<T>): Promise<T> {
  const { page, context, close } = await openPortal(browser, world, 'owner', { root })
  const result = await run(page, await context.newCDPSession(page))
  await close()
  return result
}

/** The drawn page as a document without a script of its own. What the page has loaded by `load` is loaded, too. */
async function staticPage(stop: Stop): Promise<string> {
  return inTab(stop, async (page) => {
    await page.goto(addressOf(stop), { waitUntil: 'load' })
    await page.waitForFunction(() => performance.getEntriesByName('masthead-ready').length > 0)
    await page.waitForTimeout(500)
    return page.evaluate(() => {
      const scripts = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href)
      const main = document.querySelector<HTMLScriptElement>('script[src]')!.src
      for (const element of document.querySelectorAll('script, link[rel=modulepreload]')) element.remove()
      for (const link of document.querySelectorAll<HTMLLinkElement>('head link')) link.setAttribute('href', link.href)
      for (const href of new Set([...scripts, main]))
        document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href }))
      return `<!doctype html>${document.documentElement.outerHTML}`
    })
  })
}

async function measured(page: Page, session: CDPSession, address: string): Promise<Load> {
  const loaded: { url: string; at: number; bytes: number }[] = []
  const byId = new Map<string, (typeof loaded)[number]>()
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    byId.set(requestId, { url: request.url, at: timestamp, bytes: 0 })
    loaded.push(byId.get(requestId)!)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = byId.get(requestId)
    if (entry) entry.bytes = encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 10 * BYTES_PER_MBIT,
    uploadThroughput: 10 * BYTES_PER_MBIT,
  })
  await page.addInitScript(OBSERVE)
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForFunction(() => seen.drawn > 0)
  await page.waitForTimeout(500)
  const { first_paint, load, drawn, shift } = await page.evaluate(() => ({
    first_paint: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    load: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventStart,
    ...seen,
  }))
  const by_load = loaded.filter(({ at }) => at <= loaded[0]!.at + load / 1000)
  const scripts = by_load.filter(({ url }) => new URL(url).pathname.endsWith('.js'))
  const isStatic = address === server.url.href
  return {
    first_paint: Math.round(first_paint),
    content: Math.round(isStatic ? Math.max(first_paint, load) : drawn),
    script: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: by_load.length,
    shift,
  }
}

function median(loads: readonly Load[], name: keyof Load): number {
  return loads.map((load) => load[name]).toSorted((a, b) => a - b)[loads.length >> 1]!
}
