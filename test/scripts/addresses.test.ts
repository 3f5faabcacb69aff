import { expect, test } from 'bun:test'
import { type AddressPart, addressParts, escapeInAddress, isAddress } from '../../src/scripts/addresses.ts'
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

test.each<[string, (AddressPart | null)[]]>([
  ['Q', ['scheme']],
  ['java\u0000 Qscript', ['scheme']],
  ['https:Q', [null]],
  ['/Q', [null]],
  ['?Q', [null]],
  ['#Q', [null]],
  ['&#Q', ['scheme']],
  ['&colQ', ['scheme']],
  ['JavaScript:Q', ['script']],
  ['vbscript:Q', ['script']],
  ['\u0000 java\nscript:Q', ['script']],
  ['x?javascript:Q', [null]],
  ['javascript/:Q', [null]],
  ['x:1;Q', ['scheme']],
  ['x;javascript:Q', ['script']],
  ['https://y.example/;javascript:Q', ['script']],
  ['x;https://y.example/;Q', ['scheme']],
  ['x;y:1Q', [null]],
  ['javascript:1;Q', ['script']],
  ['QQ:Q', ['scheme', 'scheme', null]],
  ['javaQscript:Q', ['scheme', 'script']],
])('In the address %j the places of values are told.', (address, parts) => {
  expect(addressParts(address, 'Q')).toEqual(parts)
})

test.each([
  ['javascript:x', '', 'javascript%3Ax'],
  ['VBScript:x', '', 'VBScript%3Ax'],
  ['\u0000\u0001 javascript:x', '', '\u0000\u0001 javascript%3Ax'],
  ['java\ts\ncri\rpt:x', '', 'javascript%3Ax'],
  [':x', 'java script', '%3Ax'],
  ['a:javascript:x', '', 'a:javascript%3Ax'],
  ['https://x.example/?a=1&b=2&amp;c', '', 'https://x.example/?a=1&b=2&amp;c'],
  ['javascript&colon;x', '', 'javascript&amp;colon;x'],
  ['java&#115;cript', '', 'java&amp;#115;cript'],
  ['x&', '', 'x&amp;'],
  ['x&col', '', 'x&amp;col'],
  ['on;x', 'javascript&col', '%6Fn;x'],
  ['8;x', 'javascript&#5', '%38;x'],
  ['#58;x', 'javascript&', '%2358;x'],
  [';x', '&Tab', '%3Bx'],
  ['/x', '&Tab', '/x'],
  ['on;x', 'a=1&b=2/', 'on;x'],
])('The value %j behind %j completes no scheme of a script.', (value, before, written) => {
  expect(escapeInAddress(value, 'scheme', before)).toBe(written)
})

test('Inside an address that is a script, only letters, digits and plain signs stay.', () => {
  expect(escapeInAddress('aZ_09 .-', 'script', '')).toBe('aZ_09 .-')
  expect(escapeInAddress("');%&é", 'script', '')).toBe('\\u0027\\u0029\\u003b\\u0025\\u0026\\u00e9')
})

test('Addresses are the attributes that browsers follow or animate, and no others.', () => {
  const names = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data', 'to', 'from', 'by', 'values']
  expect([names.filter((name) => !isAddress(name)), ['title', 'value', 'srcdoc'].filter(isAddress)]).toEqual([[], []])
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
