/**
 * How long each page of the web application takes until it is drawn, in Chromium with a four times slower processor,
 * 10 Mbit/s and 40 ms: `bun bench/web-ready.ts [WORD…]`. Prints the median and the slowest of five loads with an empty
 * cache, in ms from the navigation to the mark that the script sets after its first drawing. Words choose the pages
 * whose address holds one of them.
 */
import process from 'node:process'
import { buildApp } from '../bin/build-app.ts'
import { createSiteWorld } from '../test/http/site-world.ts'
import { openBrowser } from '../test/sites/browser.ts'
import { openPortal } from '../test/support/portal.ts'
import { fillPages, type Stop, stops } from './pages-data.ts'

const LOADS = 5
const BYTES_PER_MBIT = 1_000_000 / 8
const GOAL_MS = 1000

await buildApp()
const world = await createSiteWorld()
const browser = await openBrowser()
let slow = 0
for (const stop of stops(world, await fillPages(world), process.argv.slice(2))) {
  const times: number[] = []
  for (let load = 0; load < LOADS; load++) times.push(await ready(stop))
  times.sort((a, b) => a - b)
  const median = times[LOADS >> 1]!
  if (median > GOAL_MS) slow++
  console.log(`${`${stop.place} ${stop.page.path}`.padEnd(50)} median ${median} ms, slowest ${times.at(-1)} ms`)
}
console.log(`${slow} pages take longer than ${GOAL_MS} ms.`)
process.exit(0)

async function ready({ root, path }: Stop): Promise<number> {
  const { page, context, close } = await openPortal(browser, world, 'owner', { root })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 10 * BYTES_PER_MBIT,
    uploadThroughput: 10 * BYTES_PER_MBIT,
  })
  await page.goto(`${world.url}${root}${path === '/' ? '' : path}`)
  await page.waitForFunction(() => performance.getEntriesByName('masthead-ready').length > 0)
  const at = await page.evaluate(() => performance.getEntriesByName('masthead-ready')[0]!.startTime)
  await close()
  return Math.round(at)
}
