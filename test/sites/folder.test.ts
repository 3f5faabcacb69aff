import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { siteImport } from '../../src/cli/site.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../http/site-world.ts'
import { scratchFolder } from '../support/folder.ts'
import { liveByMachineTime } from '../support/machine-time.ts'
import { png } from '../support/pictures.ts'
import { axeFindings } from '../support/portal.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** A site from a folder, with posts, as visitors see it (docs/api/sites.md#files-of-a-site, #posts-on-the-site). */

const FOLDER: Readonly<Record<string, string | Uint8Array>> = {
  'index.html':
    '<!doctype html><html lang="en"><head><title>Harbour</title><link rel="stylesheet" href="css/site.css"></head>' +
    '<body><h1>Harbour</h1><img src="pictures/boat.png" alt="A boat"><img src="pictures/buoy.svg" alt="A buoy">' +
    '<a href="about.html">About</a> <a href="posts">News</a></body></html>',
  'about.html':
    '<!doctype html><html lang="en"><head><title>About</title><link rel="stylesheet" href="css/site.css"></head>' +
    '<body><h1>About</h1></body></html>',
  'css/site.css': 'h1 { color: rgb(1, 2, 3) }',
  'pictures/boat.png': png(30, 20),
  'pictures/buoy.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" fill="red"/></svg>',
  'robots.txt': 'User-agent: *',
  'favicon.ico': Buffer.from([0, 0, 1, 0, 0, 0]),
}

let world: SiteWorld
let browser: Browser
beforeAll(async () => {
  if (!hasBrowser) return
  const folder = scratchFolder()
  for (const [path, content] of Object.entries(FOLDER)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  ;[world, browser] = await Promise.all([createSiteWorld(), openBrowser()])
  await liveByMachineTime(world)
  const settings = { flags: { data_dir: world.folder }, file: undefined }
  const { code } = await siteImport.run({ flags: {}, args: [world.project.slug, folder], settings, json: false })
  expect(code).toBe(0)
  for (const title of ['Ferries', 'Gales', 'Tides'])
    await world.edit('/project/cms/posts/create', { title, status: 'published', content: `<p>Of ${title}.</p>` })
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const addresses: [string, () => string][] = [
  ['on its own domain', () => `http://${DOMAIN}:${new URL(world.url).port}`],
  ['below /sites', () => `${world.url}/sites/harbour-news`],
]

describe.if(hasBrowser)('A site from a folder', () => {
  test.each(addresses)('A site from a folder shows its style sheet, pictures and posts %s.', async (_, address) => {
    const page = await browser.newPage()
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    page.on('response', (response) => {
      if (response.status() >= 400) troubles.push(response.url())
    })
    await page.goto(`${address()}/`)
    expect(await page.evaluate(() => [...document.images].map(({ naturalWidth }) => naturalWidth))).toEqual([30, 9])
    expect(await colorOfHeading(page)).toBe('rgb(1, 2, 3)')
    await follow(page, 'About')
    expect([await page.title(), await colorOfHeading(page)]).toEqual(['About', 'rgb(1, 2, 3)'])
    await page.goBack()
    await follow(page, 'News')
    expect(await page.locator('h2').allTextContents()).toEqual(['Tides', 'Gales', 'Ferries'])
    expect(await axeFindings(page)).toEqual([])
    await follow(page, 'Gales')
    expect(await page.locator('article p').last().textContent()).toBe('Of Gales.')
    expect(await axeFindings(page)).toEqual([])
    const host = new URL(page.url()).host
    const read = async (path: string) => (await fetch(new URL(path, world.url), { headers: { Host: host } })).text()
    const feed = await read((await page.locator('link[type="application/atom+xml"]').getAttribute('href'))!)
    expect([...feed.matchAll(/<title>(Tides|Gales|Ferries)</g)].map(([, title]) => title)).toEqual([
      'Tides',
      'Gales',
      'Ferries',
    ])
    const map = await read(new URL('sitemap.xml', `${address()}/`).pathname)
    const listed = [...map.matchAll(/<loc>([^<]+)/g)].map(([, found]) => new URL(found!))
    expect(new Set(listed.map(({ hostname }) => hostname))).toEqual(new Set([DOMAIN]))
    expect(listed.map(({ pathname }) => pathname).toSorted()).toEqual([
      '/',
      '/about',
      '/posts/ferries',
      '/posts/gales',
      '/posts/tides',
    ])
    expect(troubles).toEqual([])
    await page.close()
  })
})

/** Clicks a link, and waits until its page is loaded with its style sheets. */
async function follow(page: Page, text: string): Promise<void> {
  const before = page.url()
  await page.click(`text=${text}`)
  await page.waitForURL(({ href }) => href !== before)
}

function colorOfHeading(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.querySelector('h1')!).color)
}
