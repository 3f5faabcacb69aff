import { expect, test } from 'bun:test'
import type { ProjectId } from '../../src/ids.ts'
import { safeHtmlTask } from '../../src/sites/safe-html.ts'

const safe = (html: string) => safeHtmlTask.run(null as never, { project_id: 1 as ProjectId, html })

test('Scripts, styles, frames, handlers and unsafe schemes do not reach other sites.', async () => {
  for (const html of [
    '<script>x</script>',
    '<style>p{}</style>',
    '<iframe src="https://a.example"></iframe>',
    '<p onclick="x" style="x" class="y" id="z">a</p>',
    '<a href="javascript:x">a</a>',
    '<img src="data:image/png,x">',
    '<img src="mailto:a">',
  ])
    expect(await safe(html)).not.toMatch(/script|style|frame|onclick|class|id=|data:|mailto|\bx\b/)
})

test('Text, links, pictures and tables stay, and open tags are closed.', async () => {
  for (const html of [
    '<p lang="de" dir="ltr">a <del>b</del> <ins>c</ins></p>',
    '<a href="mailto:a@b.example" title="x">a</a>',
    '<img src="https://a.example/x.png" alt="x" width="5" height="6" />',
    '<ol start="3" reversed><li>a</li></ol>',
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    '<time datetime="2026">a</time>',
  ])
    expect(await safe(html)).toBe(html)
  expect(await safe('<p><b>a')).toBe('<p><b>a</b></p>')
})

const TAGS =
  'a abbr address applet area article aside audio b base bdi bdo blockquote body br button canvas caption ' +
  'center cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset ' +
  'figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ' +
  'img input ins kbd label legend li link main map mark marquee math menu meta meter nav noscript object ol ' +
  'optgroup option output p param picture portal pre progress q rb rp rt rtc ruby s samp script search ' +
  'section select slot small source span strong style sub summary sup svg table tbody td template textarea ' +
  'tfoot th thead time title tr track u ul var video wbr xmp'
const ATTRIBUTES =
  'accesskey action allow alt async autofocus autoplay background bgcolor border charset cite class color ' +
  'cols colspan content contenteditable controls coords data data-x datetime decoding default dir download ' +
  'enctype fetchpriority for form formaction headers height href hreflang http-equiv id integrity is ismap ' +
  'itemprop kind label lang list loading loop media method name nonce onclick onerror onload open part ping ' +
  'placeholder popover poster preload referrerpolicy rel reversed role rowspan sandbox scope shape sizes ' +
  'slot span src srcdoc srclang srcset start style summary tabindex target title translate type usemap value ' +
  'width xlink:href xmlns'

test('Each element keeps only what is listed here, and no other element stays.', async () => {
  const given = ATTRIBUTES.split(' ').map((name) => `${name}="https://a.example/x"`)
  const shown = new Map<string, string[]>()
  for (const tag of TAGS.split(' ')) {
    const [, element = 'none', attributes = ''] =
      /^<([a-z0-9]+)([^>]*)>/.exec(await safe(`<${tag} ${given.join(' ')}>`)) ?? []
    expect(['none', tag]).toContain(element)
    const names = element === 'none' ? 'removed' : attributes.replaceAll('="https://a.example/x"', '').replace(' /', '')
    shown.set(names.trim(), [...(shown.get(names.trim()) ?? []), tag])
  }
  shown.delete('removed')
  expect(Object.fromEntries([...shown].map(([names, tags]) => [names, tags.join(' ')]))).toEqual({
    'alt dir height lang sizes src srcset title width': 'img',
    'colspan dir lang rowspan': 'td',
    'colspan dir lang rowspan scope': 'th',
    'datetime dir lang': 'time',
    'dir href hreflang lang title': 'a',
    'dir lang media sizes srcset type': 'source',
    'dir lang reversed start type': 'ol',
    'dir lang':
      'abbr address article aside b bdi bdo blockquote br caption cite code col colgroup data dd del dfn ' +
      'div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark ' +
      'menu nav p picture pre q rb rp rt rtc ruby s samp section small span strong sub sup table tbody ' +
      'tfoot thead tr u ul var wbr',
  })
})

test.each([
  ['http://a.example/x', true, true],
  ['https://a.example/x', true, true],
  ['mailto:a@a.example', true, false],
  ['tel:+471', true, false],
  ['ftp://a.example/x', false, false],
  ['sms:+471', false, false],
  ['data:text/html,x', false, false],
  ['vbscript:x', false, false],
  ['blob:https://a.example/x', false, false],
])('A link to %s stays: %p; a picture: %p.', async (url, isLink, isPicture) => {
  expect(await safe(`<a href="${url}">a</a>`)).toBe(isLink ? `<a href="${url}">a</a>` : '<a>a</a>')
  expect(await safe(`<img src="${url}">`)).toBe(isPicture ? `<img src="${url}" />` : '<img />')
})

test('Elements nest a hundred levels deep, and what is deeper stays without its elements.', async () => {
  const nested = (levels: number) => `${'<div>'.repeat(levels)}x${'</div>'.repeat(levels)}`
  expect(await safe(nested(100))).toBe(nested(100))
  expect(await safe(nested(101))).toBe(nested(100))
})
