import { expect, test } from 'bun:test'
import { renderScript } from '../../src/scripts/render.ts'
import type { Parameters } from '../../src/store/tables/scripts.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'

const RUN = 'void(top.ran=1)'
const LINK = '<a href="{{a}}{{b}}">x</a>'

/** Code with an address, and values that would make the address a script or break out of a string in one. */
const ATTACKS: [code: string, parameters: Parameters][] = [
  ...[`javascript:${RUN}`, `JavaScript:${RUN}`, ` \tjava\nscript&colon;${RUN}`, `&#106;avascript:${RUN}`].flatMap(
    (u): [string, Parameters][] => [
      ['<a href="{{u}}">x</a>', { u }],
      ["<a href=' {{u}}'>x</a>", { u }],
      ['<a href="&#32;{{u}}">x</a>', { u }],
      ['<form action="{{u}}"><button>x</button></form>', { u }],
      ['<form><button formaction="{{u}}">x</button></form>', { u }],
      ['<iframe src="{{u}}"></iframe><object data="{{u}}"></object>', { u }],
      ['<svg><a xlink:href="{{u}}"><text y="20">x</text></a></svg>', { u }],
      ['<svg><a><set attributeName="href" to="{{u}}"/><text y="20">x</text></a></svg>', { u }],
      ['<svg><a><animate attributeName="href" values="x;{{u}}" dur="1s"/><text y="20">x</text></a></svg>', { u }],
    ],
  ),
  ['<a href={{u}}>x</a>', { u: `javascript:${RUN}` }],
  [LINK, { a: 'java', b: `script:${RUN}` }],
  [LINK, { a: 'javascript', b: `:${RUN}` }],
  [LINK, { a: 'javascript&', b: `colon;${RUN}` }],
  [LINK, { a: 'javascript&Tab', b: `;:${RUN}` }],
  [LINK, { a: 'java&#', b: `115;cript:${RUN}` }],
  ['<a href="javascript{{u}}">x</a>', { u: `:${RUN}` }],
  ['<a href="javascript&col{{u}}">x</a>', { u: `on;${RUN}` }],
  ['<a href="javascript&#5{{u}}">x</a>', { u: `8;${RUN}` }],
  ...[`');${RUN};('`, `%27);${RUN};(%27`, `&#39;);${RUN};(&#39;`].flatMap((u): [string, Parameters][] => [
    [`<a href="javascript:void('{{u}}')">x</a>`, { u }],
    [`<a href="javascript:1;{{a}}void('{{u}}')">x</a>`, { a: '', u }],
  ]),
]

test('Ordinary addresses stay byte for byte.', () => {
  for (const u of [
    'https://example.com/a:b?c=javascript&d=1&amp;e#f',
    'mailto:a@b.example?subject=x',
    '/p&q=1',
    'tel:1',
    '#',
  ]) {
    expect(renderScript('<a href="{{u}}">x</a>', { u })).toBe(`<a href="${u}">x</a>`)
    expect(renderScript('<img src={{u}}>', { u })).toBe(`<img src=${u}>`)
  }
  const u = 'javascript:x'
  expect(renderScript('<a href="/p?{{u}}" title="{{u}}">x</a>', { u })).toBe(`<a href="/p?${u}" title="${u}">x</a>`)
  expect(renderScript('<a href="javascript:go({{u}})">x</a>', { u: 'count_2' })).toBe(
    '<a href="javascript:go(count_2)">x</a>',
  )
})

test('The format html leaves an address as it is.', () => {
  expect(renderScript('<a href="{{u}}">x</a>', { u: 'javascript:<b>x</b>' }, { u: 'html' })).toBe(
    '<a href="javascript:<b>x</b>">x</a>',
  )
})

test.skipIf(!hasBrowser)('No value of the format text makes an address run a script in a browser.', async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    for (const [code, parameters] of ATTACKS) {
      const html = renderScript(code, parameters)
      // In a frame, because forms navigate. Clicks are followed in their order, so the last one is the end.
      const ran = await page.evaluate(async (document_html) => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        await new Promise((loaded) => {
          frame.onload = loaded
          frame.srcdoc = document_html
        })
        const links = [...frame.contentDocument!.querySelectorAll('a, button')]
        const end = document.createElement('a')
        const ended = new Promise((done) => Object.assign(window, { done }))
        end.href = 'javascript:void(done())'
        for (const link of links) link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
        document.body.append(end)
        end.click()
        await ended
        frame.remove()
        return (window as { ran?: number }).ran
      }, html)
      expect([html, ran]).toEqual([html, undefined])
    }
    await page.setContent(`<a href="javascript:${RUN}">x</a>`)
    await page.click('a')
    await page.waitForFunction('top.ran === 1')
  } finally {
    await browser.close()
  }
})
