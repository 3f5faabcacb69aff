import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { blocksOf } from '../../src/newsletter/email/document.ts'
import { GALLERY } from '../../src/newsletter/email/gallery.ts'
import { sanitizeHtml } from '../../src/newsletter/email/sanitize.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'

/** What the editor makes of HTML, read and written by its own code in a page. */

let browser: Browser
let page: Page

beforeAll(async () => {
  if (!hasBrowser) return
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '../support/letter-text-in-page.ts')],
    target: 'browser',
    format: 'iife',
  })
  browser = await openBrowser()
  page = await browser.newPage()
  await page.addScriptTag({ content: await outputs[0]!.text() })
})
afterAll(() => browser?.close())

const readAndWrite = (html: string): Promise<string> => page.evaluate(`readAndWrite(${JSON.stringify(html)})`)
const pasted = (html: string): Promise<string> => page.evaluate(`pasted(${JSON.stringify(html)})`)

test.if(hasBrowser)('Every text of the gallery is drawn the same after it went through the editor.', async () => {
  const texts = GALLERY.flatMap((design) => [...blocksOf(design.document('https://harbour.example'))]).flatMap(
    (block) => (block.type === 'text' ? [block.props.html] : []),
  )
  expect(texts.length).toBeGreaterThan(20)
  for (const html of texts) expect(plain(sanitizeHtml(await readAndWrite(html)))).toBe(plain(sanitizeHtml(html)))
})

/** Without what means the same: white space between elements, other names of bold and italic. */
function plain(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/> (?=<(?:\/?(?:p|ul|ol|li|h\d|div|blockquote))\b)/g, '>')
    .replaceAll(/<(\/?)b>/g, '<$1strong>')
    .replaceAll(/<(\/?)i>/g, '<$1em>')
    .replaceAll('&middot;', '·')
}

const KEPT: readonly string[] = [
  '<p style="text-align:center;color:#123456" dir="rtl" lang="he">x</p>',
  '<h4 title="t">Small</h4>',
  '<p>a<br>b <a href="https://example.com/?a=1&amp;b={{ contact.custom.x }}" title="t">link <strong>b</strong></a></p>',
  '<ol start="3"><li>one<ul><li>inner</li></ul></li><li><p>spaced</p><p>twice</p></li></ol>',
  '<blockquote><p>quoted</p></blockquote><hr><pre>one\n  two</pre>',
  '<p><span style="color:#aa0000">red</span> <font color="#00aa00" size="4">green</font></p>',
  '<p>x<sup>2</sup> <u>u</u> <s>s</s></p>',
  '<table><tbody><tr><td style="padding:4px">cell {{ date }}</td></tr></tbody></table>',
  '<div style="padding:8px"><p>in a box</p><div>a line of its own</div></div>',
  '<p><img src="https://example.com/a.png" alt="A" width="40" style="border-radius:4px"></p>',
  '<p>{{ contact.first_name | default: “dear reader” }} &lt;b&gt; &amp;amp; a&nbsp;b</p>',
  '<dl><dt>t</dt><dd>d</dd></dl>',
]

test.each(hasBrowser ? KEPT : [])('The text of a letter keeps what the sanitizer keeps: %s.', async (html) => {
  const written = await readAndWrite(html)
  expect(sanitizeHtml(written)).toBe(sanitizeHtml(html).replace('“dear reader”', 'dear reader'))
  expect(await readAndWrite(written)).toBe(written)
})

test.if(hasBrowser)('An empty text is empty.', async () => {
  expect(await readAndWrite('')).toBe('')
  expect(await readAndWrite('<p></p>')).toBe('')
})

const WORD = `<html xmlns:o="urn:x"><head><style>p{color:red}</style></head><body>
<p class="MsoNormal" style="margin:0;font-family:Calibri">A <b>bold</b> word<o:p></o:p></p>
<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·</span>one</p>
<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·</span>two</p>
</body></html>`
const DOCS = `<meta charset="utf-8"><b style="font-weight:normal" id="docs-internal-guid-1">
<p dir="ltr" style="line-height:1.38"><span style="font-weight:700;color:#000">Bold</span>
<span style="font-style:italic">slanted</span></p></b>`
const WEB = `<div class="nav"><script>alert(1)</script><h2 onclick="x()">Title</h2>
<p>Read <a href="javascript:x()">this</a> and <a href="https://example.com" class="c" target="_blank">that</a>
<img src="data:image/png;base64,AAAA"></p></div>`

const PASTES: readonly [from: string, html: string, text: string][] = [
  ['Word', WORD, '<p>A <strong>bold</strong> word</p><ul><li>one</li><li>two</li></ul>'],
  ['Docs', DOCS, '<p dir="ltr"><strong>Bold</strong> <em>slanted</em></p>'],
  ['a web page', WEB, '<div><h2>Title</h2><p>Read this and <a href="https://example.com">that</a></p></div>'],
  [
    'a text with merge tags',
    '<p>Hi {{contact.first_name|default:you}}</p>',
    '<p>Hi {{ contact.first_name | default: you }}</p>',
  ],
  [
    'a table that only places things',
    '<table><tr><td><p>One</p></td></tr><tr><td>Two</td></tr></table>',
    '<div><p>One</p></div><div>Two</div>',
  ],
]

test.each(hasBrowser ? PASTES : [])('A paste from %s is cleaned.', async (_, html, text) => {
  expect(await pasted(html)).toBe(text)
})
