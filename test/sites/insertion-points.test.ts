import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { outlineOf } from '../../src/sites/insertion-points.ts'
import { cut, splice } from '../../src/sites/splice.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { generatedPages, HAND_MADE, numbers, type OddPage } from './odd-pages.ts'

const PAGES: OddPage[] = [...HAND_MADE, ...generatedPages(1, 320)]

const script = (name: string) => `<script data-in="${name}">(window.ran ||= []).push("${name}")</script>`
const INSERTED = {
  head: script('h1') + script('h2'),
  body_start: script('s1') + script('s2'),
  body_end: script('e1') + script('e2'),
}

async function spliced(html: string, inserted = INSERTED): Promise<string> {
  const { points } = await outlineOf(html)
  return splice(cut(html, points), inserted).join('')
}

test('Insertion points are where the page opens and closes head and body.', async () => {
  const wrong = []
  for (const { name, html, expected = {} } of PAGES) {
    const { points } = await outlineOf(html)
    for (const [place, at] of Object.entries(expected) as [keyof typeof expected, number | null | undefined][]) {
      if (at !== undefined && points[place] !== at) wrong.push({ name, place, at, found: points[place], html })
    }
  }
  expect(wrong).toEqual([])
})

test('The rest of the page stays byte for byte.', async () => {
  for (const { html } of PAGES) {
    const { points } = await outlineOf(html)
    const text = splice(cut(html, points), { head: '\u0001', body_start: '\u0002', body_end: '\u0003' }).join('')
    expect(text.replace(points.body_implied ? '<body>\u0002' : '\u0002', '').replace(/[\u0001-\u0003]/g, '')).toBe(html)
    expect(await spliced(html, { head: '', body_start: '', body_end: '' })).toBe(html)
  }
})

test('The result does not depend on the size of the parsed pieces.', async () => {
  const next = numbers(7)
  for (const { html } of PAGES) {
    expect(await outlineOf(html, 1 + next(9))).toEqual(await outlineOf(html))
  }
})

test('The title is the one of the page, not of an SVG image.', async () => {
  expect((await outlineOf('<svg><title>no</title></svg><title> A &amp;\n B </title><title>C</title>')).title).toBe(
    'A & B',
  )
  expect((await outlineOf('<title>A</title><script></script><title>B</title>')).title).toBe('A')
  expect((await outlineOf('<p>x')).title).toBe('')
})

describe('a costly page', () => {
  const details = async (html: string) =>
    outlineOf(html).then(
      () => null,
      (error: { details?: { path: string }[] }) => error.details?.[0]?.path,
    )

  test('A costly page is refused when its elements nest too deep.', async () => {
    expect(await details('<div>'.repeat(511))).toBe('/html')
    expect(await details('<div>'.repeat(510))).toBeNull()
  })

  test('A costly page is refused when it reopens formatting in many paragraphs.', async () => {
    const formatting = Array.from({ length: 400 }, (_, index) => `<b a=${index}>`).join('')
    expect(await details(`<p>${formatting}</p>${'<p>x</p>'.repeat(5000)}`)).toBe('/html')
  })

  test('A costly page of five megabytes is parsed while other work continues.', async () => {
    const html =
      `<!doctype html><title>x</title><body>` +
      `${'<div class="a"><p>Hello <b>world</b> &amp; so on</p></div>\n'.repeat(90_000)}</body>`
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const { points } = await outlineOf(html)
    clearInterval(timer)
    expect(points.body_end).toBe(html.length - '</body>'.length)
    expect(turns).toBeGreaterThan(20)
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  test('Scripts run in order at their insertion point, and nothing else moves.', async () => {
    const texts = await Promise.all(PAGES.map(async ({ html }) => [html, await spliced(html)] as const))
    const found = await page.evaluate(inBrowser, texts)
    const wrong = found.flatMap((outcome, index) => {
      const flaws = flawsOf(PAGES[index]!, outcome)
      return flaws.length === 0 ? [] : [{ name: PAGES[index]!.name, flaws, page: texts[index]![1] }]
    })
    expect(wrong).toEqual([])
  })
})

type Outcome = Awaited<ReturnType<typeof inBrowser>>[number]

function flawsOf({ html }: OddPage, outcome: Outcome): string[] {
  const flaws: string[] = []
  const expected = outcome.frameset ? 'h1 h2' : 'h1 h2 s1 s2 e1 e2'
  if (outcome.ran !== expected) flaws.push(`ran: ${outcome.ran}`)
  if (!outcome.in_head) flaws.push('h1, h2 are not in the head')
  // Browsers move elements between </head> and the body into the head.
  if (outcome.after_head.length > 0 && !/<\/head/i.test(html)) flaws.push(`in the head after h2: ${outcome.after_head}`)
  // An element left open in the head of a page without a body ends up inside the added body tag.
  const moves = outcome.original.endsWith('<body></body></html>') && outcome.after_body.length > 0
  if (!moves && outcome.rest !== outcome.original) flaws.push(`was: ${outcome.original}\nis: ${outcome.rest}`)
  if (outcome.frameset) return flaws
  if (!outcome.first_in_body) flaws.push('s1 is not the first in the body')
  if (!outcome.in_body) flaws.push('e1, e2 are not in the body')
  const lastly = html.endsWith('</') ? outcome.after_body.filter((name) => name !== '#text') : outcome.after_body
  if (lastly.length > 0 && !/<\/(body|html)/i.test(html) && !lastly.every((name) => LEFT_OPEN.test(name)))
    flaws.push(`after e2: ${outcome.after_body}`)
  return flaws
}

/** Elements at the end of a page in which scripts do not run, so that scripts are inserted before them. */
const LEFT_OPEN = /^(svg|math|select|template|script|style|title|textarea|xmp|plaintext|#comment)\b/

/** Runs in the browser: parses each page with and without scripts in a frame, and reports where the scripts are. */
function inBrowser(texts: readonly (readonly [string, string])[]) {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  const window_ = frame.contentWindow as unknown as { ran?: string[] }
  const parse = (html: string) => {
    const tree = frame.contentDocument!
    window_.ran = []
    tree.open()
    // Browsers remove the byte order mark while decoding; `write` does not decode.
    tree.write(html.replace(/^\uFEFF/, ''))
    tree.close()
    return tree
  }
  const following = (node: Node, within: Node): Node[] => {
    const found: Node[] = []
    for (let at: Node | null = node; at && at !== within; at = at.parentNode) {
      for (let next = at.nextSibling; next; next = next.nextSibling) found.push(next)
    }
    return found.filter((node_) => node_.nodeName !== '#text' || node_.textContent!.trim() !== '')
  }
  return texts.map(([html, scripts]) => {
    const whole = (document_: Document) => {
      document_.normalize()
      const nodes = [...document_.childNodes].map((node) =>
        node.nodeType === 1 ? (node as Element).outerHTML : `${node.nodeName} ${node.nodeValue ?? ''}`,
      )
      return `${document_.compatMode} ${document_.doctype?.publicId ?? '-'} ${nodes.join('')}`
    }
    const original = whole(parse(html))
    const tree = parse(scripts)
    const all = (start: string) =>
      [...tree.querySelectorAll(`script[data-in^="${start}"]`)].filter(
        (element) => element.namespaceURI === 'http://www.w3.org/1999/xhtml',
      )
    const [heads, starts, ends] = [all('h'), all('s'), all('e')]
    const frameset = tree.body?.nodeName === 'FRAMESET'
    const outcome = {
      frameset,
      ran: window_.ran!.join(' '),
      in_head: heads.length === 2 && heads.every((element) => element.parentNode === tree.head),
      after_head: heads[1] ? following(heads[1], tree.head).map((node) => node.nodeName.toLowerCase()) : [],
      first_in_body: !frameset && starts.length === 2 && tree.body.firstChild === starts[0],
      in_body: !frameset && ends.length === 2 && ends.every((element) => tree.body.contains(element)),
      after_body: ends[1] ? following(ends[1], tree.body).map((node) => node.nodeName.toLowerCase()) : [],
      rest: '',
      original,
    }
    for (const element of [...heads, ...starts, ...ends]) element.remove()
    outcome.rest = whole(tree)
    return outcome
  })
}
