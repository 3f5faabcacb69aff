/**
 * How long a page of the web application takes until it is drawn, in Chromium with a four times slower processor,
 * 10 Mbit/s and 40 ms: `bun bench/web-ready.ts [PAGE…]`. Prints the median and the slowest of five loads with an empty
 * cache, in ms from the navigation to the mark that the script sets after its first drawing.
 */
import process from 'node:process'
import { buildApp } from '../bin/build-app.ts'
import { openBrowser } from '../test/sites/browser.ts'
import { createWorld, PASSWORD } from '../test/support/world.ts'

const LOADS = 5
const MBIT = 1_000_000 / 8
const PAGES = ['', '/campaigns', '/contacts', '/lists', '/sending', '/imports', '/templates']

await buildApp()
const world = await createWorld()
const lists = await world.ok('lists/create', { name: 'Weekly' })
for (let n = 0; n < 100; n++)
  await world.ok('contacts/upsert', {
    email: `person${n}@example.com`,
    consent_text: 'Yes.',
    list_ids: [lists.list.id],
  })
const browser = await openBrowser()
const asked = process.argv.slice(2)
for (const path of asked.length > 0 ? asked : PAGES) {
  const times: number[] = []
  for (let load = 0; load < LOADS; load++) times.push(await ready(path))
  times.sort((a, b) => a - b)
  console.log(`${(path || '/').padEnd(14)} median ${times[LOADS >> 1]} ms, slowest ${times.at(-1)} ms`)
}
await browser.close()
await world.close()
process.exit(0)

async function ready(path: string): Promise<number> {
  const context = await browser.newContext()
  await context.request.post(`${world.url}/user/login`, {
    data: { email: 'owner@example.com', password: PASSWORD },
    headers: { Origin: world.url },
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 10 * MBIT,
    uploadThroughput: 10 * MBIT,
  })
  await page.goto(`${world.url}/portal/projects/${world.project.slug}${path}`)
  await page.waitForFunction(() => performance.getEntriesByName('masthead-ready').length > 0)
  const at = await page.evaluate(() => performance.getEntriesByName('masthead-ready')[0]!.startTime)
  await context.close()
  return Math.round(at)
}
