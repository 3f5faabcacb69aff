import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { hasBrowser, openBrowser } from '../../sites/browser.ts'

/**
 * Six documents, compiled with mjml 5.4.1, look the same as an `html` block of a campaign as they look alone: the
 * position, size and colors of each text and image, in a browser, on a wide screen, on a phone and in dark mode.
 */

const FOLDER = join(import.meta.dir, 'mjml')
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.html'))
  .map((file) => file.slice(0, -'.html'.length))
const SCREENS = [
  { width: 680, colorScheme: 'light' },
  { width: 375, colorScheme: 'light' },
  { width: 680, colorScheme: 'dark' },
  { width: 375, colorScheme: 'dark' },
] as const

interface Seen {
  /** The text, or the alternative text of an image. */
  what: string
  x: number
  y: number
  width: number
  height: number
  /** Of a text. */
  color: string | null
  background: string
}

const asBlock = (html: string) =>
  compileEmail({
    document: checkDocument({ version: 1, settings: {}, blocks: [{ id: 'a', type: 'html', props: { html } }] }, ''),
    subject: 'News',
    brand: { project_name: 'Harbour' },
  })

/** Every text and image inside an element, seen from the corner of its content. */
const look = (page: Page, selector: string): Promise<{ width: number; seen: Seen[] }> =>
  page.evaluate((selector) => {
    const root = document.querySelector(selector)!
    const style = getComputedStyle(root)
    const left = root.getBoundingClientRect().left + parseFloat(style.paddingLeft)
    const top = root.getBoundingClientRect().top + parseFloat(style.paddingTop)
    const groundOf = (element: Element): string => {
      if (element === root) return 'none'
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? groundOf(element.parentElement!) : backgroundColor
    }
    const seen: Seen[] = []
    const add = (what: string, element: Element, box: DOMRect): void => {
      const [x, y, width, height] = [box.x - left, box.y - top, box.width, box.height].map(Math.round)
      const color = element instanceof HTMLImageElement ? null : getComputedStyle(element).color
      seen.push({ what, x: x!, y: y!, width: width!, height: height!, color, background: groundOf(element) })
    }
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (node instanceof HTMLImageElement) add(node.alt, node, node.getBoundingClientRect())
      if (node.nodeType !== Node.TEXT_NODE || !/\S/.test(node.nodeValue!)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      add(node.nodeValue!.trim(), node.parentElement!, range.getBoundingClientRect())
    }
    const width = root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    return { width, seen }
  }, selector)

async function onEachScreen<T>(page: Page, run: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (const [at, { width, colorScheme }] of SCREENS.entries()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    results.push(await run(at))
  }
  return results
}

const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200"/></svg>'

describe.skipIf(!hasBrowser)('MJML in a campaign', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage()
    await page.route('**', (route) =>
      route.request().resourceType() === 'image'
        ? route.fulfill({ contentType: 'image/svg+xml', body: IMAGE })
        : route.abort(),
    )
  })
  afterAll(() => browser.close())

  test.each(NAMES)('The document %s keeps its columns, sizes and colors on every screen.', async (name) => {
    const alone = readFileSync(join(FOLDER, `${name}.html`), 'utf8')
    const { html } = fillEmail(asBlock(alone), {})
    await page.setContent(html)
    const blocks = await onEachScreen(page, () => look(page, '.m-side'))
    await page.setContent(alone)
    const originals = await onEachScreen(page, async (at) => {
      await page.evaluate((width) => {
        document.documentElement.style.padding = `0 calc((100% - ${width}px)/2)`
      }, blocks[at]!.width)
      return look(page, 'body')
    })
    expect(blocks).toEqual(originals)
  })
})
