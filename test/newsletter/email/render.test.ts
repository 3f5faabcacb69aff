import { describe, expect, test } from 'bun:test'
import { contrast } from '../../../src/shared/contrast.ts'
import { checkDocument, type EmailDocument } from '../../../src/newsletter/email/document.ts'
import { SAMPLE_VALUES } from '../../../src/shared/merge-tags.ts'
import {
  CLIP_BYTES,
  compileEmail,
  type EmailSource,
  fillEmail,
  sizeBytes,
} from '../../../src/newsletter/email/render.ts'
import type { MergeValues } from '../../../src/newsletter/email/template.ts'
import { dangersIn, type Element, elementsOf, hostileFragment, seeded } from './dom.ts'

type Block = [type: string, props: Record<string, unknown>]

const documentOf = (blocks: Block[], settings: EmailDocument['settings'] = {}): EmailDocument =>
  checkDocument(
    { version: 1, settings, blocks: blocks.map(([type, props], at) => ({ id: `b${at}`, type, props })) },
    '',
  )

const BRAND = {
  project_name: 'Atelier',
  company_name: 'Atelier Ltd',
  postal_address: '12 Harbour Lane\nBristol',
  footer_text: null,
  brand_color: null,
  logo_url: null,
}

const compile = (blocks: Block[], more: Partial<EmailSource> & { settings?: EmailDocument['settings'] } = {}) =>
  compileEmail({ document: documentOf(blocks, more.settings), subject: 'News', brand: BRAND, ...more })

const VALUES: MergeValues = {
  ...SAMPLE_VALUES,
  unsubscribe_url: 'https://n.example/u/1?a=1&b=2',
  preferences_url: 'https://n.example/p/1',
}
const render = (blocks: Block[], more: Parameters<typeof compile>[1] = {}, values = VALUES) =>
  fillEmail(compile(blocks, more), values)
const text = (html: string): Block => ['text', { html }]
const codes = (blocks: Block[], more: Parameters<typeof compile>[1] = {}) =>
  compile(blocks, more).warnings.map(({ code, block_id }) => [code, block_id])

const found = (html: string, name: string) => elementsOf(html).elements.filter((element) => element.name === name)
const pathOf = (element: Element): string =>
  [...element.parents, element].map(({ name, attributes }) => `${name} ${JSON.stringify(attributes)}`).join('\n')
/** The position of the unsubscribe link. */
const wayOut = (html: string): string =>
  pathOf(found(html, 'a').find(({ attributes }) => attributes['href'] === VALUES['unsubscribe_url'])!)

const EVERYTHING: Block[] = [
  ['heading', { text: 'Hello {{ contact.first_name | default: you }}', level: 1 }],
  text(
    '<p>One <a href="https://a.example/1">first</a></p><img src="https://a.example/x.png" alt="A ' +
      'cat"><ul><li>x</li></ul>',
  ),
  ['html', { html: '<table width="100%"><tr><td style="background:#ffeeaa">Imported</td></tr></table>' }],
  ['button', { text: 'Go', href: 'https://a.example/2?c={{ contact.email }}' }],
  ['image', { src: 'https://a.example/y.png', alt: 'A dog', width: 200, href: 'https://a.example/1' }],
  ['divider', {}],
]

describe('the document', () => {
  const { html } = render(EVERYTHING, { preheader: 'Preview', locale: 'de-CH' })

  test('The document declares language and direction, also on the first element that mail programs keep.', () => {
    expect(html).toStartWith('<!DOCTYPE html>\n<html lang="de-CH" dir="ltr"')
    const body = elementsOf(html).elements.find(({ parents }) => parents.at(-1)?.name === 'body')!
    expect(body.attributes).toMatchObject({ lang: 'de-CH', dir: 'ltr' })
    expect(html).toContain('>Abmelden</a>')
  })

  test('A rendered document is a presentational layout of the given width, with a table for Outlook.', () => {
    expect(found(html, 'table').map(({ attributes }) => attributes['role'])).not.toContain(undefined)
    expect(html).toContain(
      '<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" border="0" width="600" ' +
        'align="center"><tr><td><![endif]-->',
    )
    expect(html.match(/<!--\[if mso\]>/g)!.length).toBe(html.match(/<!\[endif\]-->/g)!.length)
    expect(render(EVERYTHING, { settings: { content_width: 480 } }).html).toContain('max-width:480px')
  })

  test('A rendered document has a title, a viewport, and styles for dark mode and small screens.', () => {
    expect(found(html, 'title')[0]!.text).toBe('News')
    for (const part of [
      'name="viewport"',
      'name="color-scheme" content="light dark"',
      'name="supported-color-schemes"',
      'prefers-color-scheme:dark',
      'max-width:624px',
    ])
      expect(html).toContain(part)
  })

  test('A rendered document gives every image an alternative text and a width that stays in the column.', () => {
    for (const image of found(html, 'img')) {
      expect(image.attributes).toHaveProperty('alt')
      expect(image.attributes['style']).toContain('max-width:')
    }
    expect(html).toContain('width="200"')
  })

  test('A rendered document has real headings.', () => {
    expect(found(html, 'h1').map(({ text }) => text)).toEqual(['Hello Ada'])
    expect(found(render([['heading', { text: 'T', level: 3 }]]).html, 'h3')).toHaveLength(1)
  })

  test('A rendered document begins with the hidden preheader, that of the campaign if it has one.', () => {
    const first = elementsOf(html).elements.find(({ parents }) => parents.at(-1)?.attributes['role'] === 'article')!
    expect(first.attributes['style']).toContain('display:none')
    expect(first.text).toStartWith('Preview\u034F\u200C\u00A0')
    const settings = { preheader: 'Of {{ project.name }}' }
    expect(render([text('x')], { settings }, { 'project.name': 'A&B' }).html).toContain('>Of A&amp;B\u034F')
    expect(render([text('x')], { settings, preheader: 'Mine' }).html).not.toContain('>Of ')
    for (const preheader of ['', ' ', null])
      expect(render([text('x')], { settings, preheader }).html).toMatch(/>Of \u034F/)
    expect(render([text('x')]).html).not.toContain('display:none')
    expect(render([text('x')], { settings: { preheader: ' ' } }).html).not.toContain('display:none')
  })

  test('A rendered document is the same at every rendering.', () => {
    const again = compile(EVERYTHING, { preheader: 'Preview', locale: 'de-CH' })
    expect(again).toEqual(compile(EVERYTHING, { preheader: 'Preview', locale: 'de-CH' }))
    expect(fillEmail(again, VALUES).html).toBe(html)
  })
})

test.each(['ar', 'he-IL', 'fa', 'ur_PK', 'ku-Arab', 'pa-Arab-PK'])(
  'A message in %s runs from right to left.',
  (locale) => {
    const { html } = render([text('<ul><li>x</li></ul>')], { locale })
    expect(html).toMatch(/<html lang="[\w-]+" dir="rtl"/)
    expect(html).toContain('padding-right:24px')
    expect(html).toContain('text-align:right')
  },
)

test.each(['en', 'de-DE', 'ku-Latn', 'zh-Hant', 'nonsense"><script>', '', null])(
  'A message in %p runs from left to right.',
  (locale) => {
    expect(render([text('x')], { locale }).html).toMatch(/<html lang="[\w-]+" dir="ltr"/)
  },
)

describe('the footer', () => {
  const golden = wayOut(render([text('<p>x</p>')]).html)

  test('The footer is added with sender, postal address and both links.', () => {
    const { html, text: plain } = render([text('<p>x</p>')], {
      brand: { ...BRAND, footer_text: 'You <asked> for it\nonce' },
    })
    for (const part of [
      '<strong>Atelier Ltd</strong><br>12 Harbour Lane<br>Bristol',
      'You &lt;asked&gt; for it<br>once',
      'href="https://n.example/u/1?a=1&amp;b=2"',
      'href="https://n.example/p/1"',
    ]) {
      expect(html).toContain(part)
    }
    expect(plain).toEndWith(
      '---\n\nYou <asked> for it\nonce\n\nAtelier Ltd\n12 Harbour Lane\nBristol\n\n' +
        'Unsubscribe: https://n.example/u/1?a=1&b=2\nPreferences: https://n.example/p/1\n',
    )
  })

  test("The footer occurs once when the document has its own, with the author's text.", () => {
    for (const blocks of [
      [text('<p>x</p>'), ['footer', { text: 'Bye & {{ contact.first_name }}' }]],
      [['footer', { text: 'Bye & {{ contact.first_name }}' }], text('<p>x</p>')],
    ] as Block[][]) {
      const { html, text: plain } = render(blocks)
      expect(html.split(VALUES['preferences_url']!)).toHaveLength(2)
      expect(plain.split(VALUES['preferences_url']!)).toHaveLength(2)
      expect(html).toContain('Bye &amp; Ada')
      expect(plain).toContain('Bye & Ada\n\nAtelier Ltd\n12 Harbour Lane')
    }
  })

  test('The footer is complete without a brand or any content.', () => {
    const { html, text: plain } = render([], { brand: { project_name: 'P' } })
    expect(html).toContain('https://n.example/u/1')
    expect(plain).toBe('---\n\nUnsubscribe: https://n.example/u/1?a=1&b=2\nPreferences: https://n.example/p/1\n')
  })

  test('The footer is independent of the markup before it.', () => {
    const random = seeded(7)
    const attacks = [
      '<!--',
      '<style>',
      '<div style="display:none">',
      '<table><tr><td>',
      '</td></tr></table></div><div style="display:none">',
      '<textarea>',
      '<td>',
      '<table><table></table></table>',
      '<noscript>',
      '<plaintext>',
      '<!--[if mso]>',
      '<script>',
      '<title>',
      '<select>',
      '<details>',
      '<a href="',
      "<b title='",
      '<svg><style>',
      '<iframe>',
      '<![CDATA[',
    ]
    for (const html of [
      ...attacks,
      ...Array.from({ length: 300 }, () => hostileFragment(random).replaceAll('\u0000', '')),
    ]) {
      const type = random() < 0.5 ? 'text' : 'html'
      const filled = render(
        [
          [type, { html }],
          ['heading', { text: 'After', level: 2 }],
        ],
        {},
        { ...VALUES, 'contact.first_name': '</td></tr></table><!--<style>' },
      ).html
      expect({ html, path: wayOut(filled) }).toEqual({ html, path: golden })
      expect(elementsOf(filled).text).toContain('12 Harbour Lane')
      expect(found(filled, 'script')).toEqual([])
    }
  })

  test('The footer is readable on any background and with any colors of the author.', () => {
    for (const ground of ['#000', '#fff', '#777777', '#8a8a8a', '#c00', '#ff0', '#0000ff', '#666670']) {
      const { html } = render([['footer', { text: 'x' }]], {
        settings: { background_color: ground, text_color: ground, link_color: ground },
      })
      const link = found(html, 'a').find(({ attributes }) => attributes['href'] === VALUES['unsubscribe_url'])!
      const ink = /color:(#\w{6})/.exec(link.attributes['style']!)![1]!
      const long = ground.length === 4 ? ground.replace(/[0-9a-f]/g, '$&$&') : ground
      expect(contrast(ink, long)).toBeGreaterThanOrEqual(4.5)
    }
  })
})

test('Content is sanitized in text and in html blocks.', () => {
  for (const type of ['text', 'html']) {
    const { html } = render([[type, { html: '<p onclick="x()">a<script>b</script><a href="javascript:c">d</a></p>' }]])
    expect(html).not.toMatch(/onclick|<script|javascript:/)
  }
})

test('Content of plain fields is text.', () => {
  const evil = '"><img src=x onerror=y> & {{ contact.first_name }}'
  const { html } = render(
    [
      ['heading', { text: evil, level: 1 }],
      ['button', { text: evil, href: 'https://a.example' }],
      ['image', { src: 'https://a.example/x.png', alt: evil }],
      ['footer', { text: evil }],
    ],
    {
      subject: evil,
      preheader: evil,
      brand: {
        ...BRAND,
        project_name: evil,
        company_name: evil,
        postal_address: evil,
        footer_text: evil,
        logo_url: 'https://a.example/"><script>',
      },
    },
    { 'contact.first_name': '</title><script>' },
  )
  expect(found(html, 'script')).toEqual([])
  for (const { attributes } of found(html, 'img')) expect(attributes).not.toHaveProperty('onerror')
  expect(html.match(/<\/title>/g)).toHaveLength(1)
  const body = html
    .slice(html.indexOf('<body'), html.indexOf('</body>'))
    .replace(/<!--\[if mso\]>.*?<!\[endif\]-->/g, '')
  expect(dangersIn(body).filter((danger) => !/^class$|display:none/.test(danger) && danger !== '<body>')).toEqual([])
})

test("Content gets typography that the author's own style overrules.", () => {
  const { html } = render([text('<p style="margin:0;color:#f00">x</p><a href="https://a.example/">y</a>')], {
    settings: { link_color: '#00c' },
  })
  expect(html).toContain('<p style="margin:0 0 16px;margin:0;color:#f00" class="')
  expect(html).toContain('color:#0000cc;text-decoration:underline')
})

test('Content has the logo above it, unless the content shows it already.', () => {
  const brand = { ...BRAND, logo_url: 'https://a.example/logo.png?a=1&b=2' }
  expect(found(render([text('x')], { brand }).html, 'img')[0]!.attributes).toMatchObject({
    src: brand.logo_url,
    alt: 'Atelier Ltd',
  })
  expect(
    found(render([text('<img src="https://a.example/logo.png?a=1&amp;b=2" alt="">')], { brand }).html, 'img'),
  ).toHaveLength(1)
  expect(found(render([text('x')], { brand: { ...BRAND, logo_url: 'javascript:x' } }).html, 'img')).toEqual([])
})

test('Content has buttons in the brand color.', () => {
  const button: Block = ['button', { text: 'Go', href: 'https://a.example' }]
  expect(render([button], { brand: { ...BRAND, brand_color: '#fd0' } }).html).toContain('bgcolor="#ffdd00"')
  // Too pale for a button on white.
  expect(render([button], { brand: { ...BRAND, brand_color: '#ffe' } }).html).not.toContain('bgcolor="#ffffee"')
  for (const brand_color of ['#fd0', '#ffe', '#000', '#777'])
    expect(codes([button], { brand: { ...BRAND, brand_color } })).toEqual([])
})

test('Links are listed once each in order, only those to other sites.', () => {
  const { links } = compile([
    ...EVERYTHING,
    text(
      '<a href="mailto:a@b.example">m</a><a href="#x">x</a><a href="{{ contact.custom.site }}">c</a>' +
        '<a href="https://n.example/?u={{ unsubscribe_url }}">u</a><a href="{{ view_url }}">v</a><a ' +
        'href="https://a.example/3?d=1&amp;e=2">3</a>',
    ),
  ])
  expect(links).toEqual([
    'https://a.example/1',
    'https://a.example/2?c={{ contact.email }}',
    'https://a.example/3?d=1&e=2',
  ])
})

test('Links can be replaced in the HTML; the plain text keeps the originals.', () => {
  const seen: [string, number][] = []
  const compiled = compile(EVERYTHING, {
    rewriteLink: (url, index) => (seen.push([url, index]), `https://t.example/${index}/{{ delivery.token }}`),
  })
  expect(seen).toEqual([
    ['https://a.example/1', 0],
    ['https://a.example/2?c={{ contact.email }}', 1],
    ['https://a.example/1', 0],
  ])
  const { html, text: plain } = fillEmail(compiled, { ...VALUES, 'delivery.token': 'T' })
  expect(found(html, 'a').map(({ attributes }) => attributes['href'])).toEqual([
    'https://t.example/0/T',
    'https://t.example/1/T',
    'https://t.example/0/T',
    VALUES['unsubscribe_url']!,
    VALUES['preferences_url']!,
  ])
  expect(plain).toContain('https://a.example/2?c=ada%40example.com')
  expect(compiled.warnings).toEqual([])
})

test('Links to other sites are tagged in both parts, those to the service in none.', () => {
  const post = { title: 'Tide', slug: 'tide', url: 'https://a.example/tide', excerpt: '', category: '', date: '' }
  const blocks: Block[] = [
    text('<p><a href="https://a.example/">a</a> <a href="{{ view_url }}">b</a> <a href="mailto:a@b.example">c</a></p>'),
    ['button', { text: 'Go', href: 'https://a.example/go' }],
    ['cms_posts', {}],
  ]
  const compiled = compile(blocks, { posts: [post], tagLink: (url) => `${url}?t=1` })
  expect(compiled.links).toEqual(['https://a.example/', 'https://a.example/go', 'https://a.example/tide'])
  const { html, text: plain } = fillEmail(compiled, { view_url: 'https://n.example/v' })
  expect(found(html, 'a').map(({ attributes }) => attributes['href'])).toEqual([
    'https://a.example/?t=1',
    'https://n.example/v',
    'mailto:a@b.example',
    'https://a.example/go?t=1',
    'https://a.example/tide?t=1',
    'https://a.example/tide?t=1',
    '#',
    '#',
  ])
  expect(plain).toStartWith(
    'a: https://a.example/?t=1 b (https://n.example/v) c (a@b.example)\n\nGo: https://a.example/go?t=1\n\n' +
      'Tide\nhttps://a.example/tide?t=1\n\n---\n',
  )
})

test('A link that is replaced in the HTML is tagged before.', () => {
  const compiled = compile([text('<a href="https://a.example/">a</a>')], {
    tagLink: (url) => `${url}?t=1`,
    rewriteLink: (url, index) => `https://n.example/${index}?u=${encodeURIComponent(url)}`,
  })
  const { html, text: plain } = fillEmail(compiled, {})
  expect(found(html, 'a')[0]!.attributes['href']).toBe('https://n.example/0?u=https%3A%2F%2Fa.example%2F%3Ft%3D1')
  expect(plain).toStartWith('a: https://a.example/?t=1\n')
})

test('The plain text for everybody has no link to the service.', () => {
  const blocks = [text('<p>One <a href="{{ unsubscribe_url }}">out</a> <a href="https://a.example/">two</a></p>')]
  expect(render(blocks, { for_everybody: true }).text).toStartWith('One two (https://a.example/)\n')
})

test('The subject is filled as one line and may be shown in the content.', () => {
  const filled = render(
    [text('<p>Re: {{ campaign.subject }}</p>')],
    { subject: 'Hi {{ contact.first_name | default: you }}' },
    { 'contact.first_name': 'A\r\nB <i>' },
  )
  expect(filled.subject).toBe('Hi A B <i>')
  expect(filled.html).toContain('Re: Hi A B &lt;i&gt;')
  expect(filled.html).toContain('<title>Hi A\r\nB &lt;i&gt;</title>')
  expect(filled.text).toStartWith('Re: Hi A B <i>\n')
})

test('HTML and plain text have the same content.', () => {
  expect(render(EVERYTHING, { preheader: 'not here' }).text).toStartWith(
    'Hello Ada\n\nOne first (https://a.example/1)\n\nA cat\n\n- x\n\nImported\n\n' +
      'Go: https://a.example/2?c=ada%40example.com\n\nA dog: https://a.example/1\n\n---\n\n---\n\nAtelier Ltd',
  )
})

const WORDS = 'Enough words that the picture beside them is not all there is.'

test.each<[string, Block[], Parameters<typeof compile>[1], unknown[]]>([
  ['none', EVERYTHING, {}, []],
  ['image without alt', [text(`<p>${WORDS}</p><img src="https://a.example/x.png">`)], {}, [['missing_alt', 'b0']]],
  ['empty alt is a choice', [text(`<p>${WORDS}</p><img src="https://a.example/x.png" alt="">`)], {}, []],
  [
    'link without text',
    [text('<p>x</p><a href="https://a.example/"> <b>&nbsp;</b></a>')],
    {},
    [['link_without_text', 'b0']],
  ],
  [
    'link with a nameless picture',
    [text(WORDS), ['image', { src: 'https://a.example/x.png', alt: '', href: 'https://a.example/' }]],
    {},
    [['link_without_text', 'b1']],
  ],
  [
    'unknown merge tag, once a block',
    [text('{{ contact.shoes }} {{ contact.shoes }}'), ['button', { text: 'x', href: 'https://a.example/{{ nope }}' }]],
    {},
    [
      ['unknown_merge_tag', 'b0'],
      ['unknown_merge_tag', 'b1'],
    ],
  ],
  ['unknown merge tag in the subject', [text('x')], { subject: '{{ nope }}' }, [['unknown_merge_tag', undefined]]],
  [
    'button colours',
    [text('x'), ['button', { text: 'x', href: 'https://a.example', background_color: '#fff', text_color: '#eee' }]],
    {},
    [['low_contrast', 'b1']],
  ],
  [
    'text and link colours',
    [text('x')],
    { settings: { text_color: '#cccccc', link_color: '#dddddd' } },
    [
      ['low_contrast', undefined],
      ['low_contrast', undefined],
    ],
  ],
  [
    'a picture with as few words as are too few',
    [['image', { src: 'https://a.example/x.png', alt: WORDS }], text('x'.repeat(38))],
    {},
    [['image_only', undefined]],
  ],
  [
    'a picture with words enough',
    [['image', { src: 'https://a.example/x.png', alt: WORDS }], text('x'.repeat(39))],
    {},
    [],
  ],
  [
    'a picture with hardly a word',
    [['image', { src: 'https://a.example/x.png', alt: WORDS }], text('Look!')],
    {},
    [['image_only', undefined]],
  ],
  [
    'a field that the project has not',
    [text('{{ contact.custom.city }} {{ contact.custom.town | default: x }}')],
    { custom_fields: ['city'], subject: '{{ contact.custom.street }}' },
    [
      ['unknown_merge_tag', 'b0'],
      ['unknown_merge_tag', undefined],
    ],
  ],
  ['all fields are known without a list of fields', [text('{{ contact.custom.city }}')], {}, []],
  [
    'a link that says it leads elsewhere',
    [
      text(
        '<a href="https://evil.example/">www.bank.example/login</a> <a ' +
          'href="https://evil.example/">https://bank.example</a>',
      ),
    ],
    {},
    [['misleading_link', 'b0']],
  ],
  [
    'a link to a site whose name only ends like the one that it shows',
    [
      text('<a href="https://notbank.example/">bank.example</a>'),
      text('<a href="https://bank.example/">notbank.example</a>'),
    ],
    {},
    [
      ['misleading_link', 'b0'],
      ['misleading_link', 'b1'],
    ],
  ],
  [
    'links that say where they lead',
    [
      text(
        '<a href="https://www.bank.example/x">bank.example</a> <a ' +
          'href="https://bank.example">login.bank.example</a> <a href="https://a.example">Node.js</a> ' +
          '<a href="https://{{ contact.custom.host }}/">b.example</a>',
      ),
    ],
    {},
    [],
  ],
  [
    'numbers for an address',
    [text('<a href="http://192.0.2.7/x">here</a>'), ['button', { text: 'x', href: 'https://[2001:db8::1]/' }]],
    {},
    [
      ['ip_address_link', 'b0'],
      ['ip_address_link', 'b1'],
    ],
  ],
  [
    'a shortened link',
    [['social', { links: [{ network: 'x', href: 'https://bit.ly/abc' }] }]],
    {},
    [['shortened_link', 'b0']],
  ],
  ['shouting', [text('x')], { subject: 'LAST CHANCE {{ contact.first_name }}' }, [['shouting', undefined]]],
  ['a short word in capitals is no shouting', [text('x')], { subject: 'NASA, ESA' }, []],
  ['punctuation in the subject', [text('x')], { subject: 'Really?!' }, [['excessive_punctuation', undefined]]],
  ['punctuation in the preheader', [text('x')], { preheader: 'Save $$$ now' }, [['excessive_punctuation', undefined]]],
  ['punctuation in the text', [text('<p>Now!!!</p>')], {}, [['excessive_punctuation', undefined]]],
  [
    'colours that hide words',
    [
      text('<p style="color:#eee">x</p>'),
      text('<p style="background:#333">x</p>'),
      ['html', { html: '<table bgcolor="#000"><tr><td>x</td></tr></table>' }],
    ],
    {},
    [
      ['low_contrast', 'b0'],
      ['low_contrast', 'b1'],
      ['low_contrast', 'b2'],
    ],
  ],
  [
    'colours that can be read, or cannot be judged',
    [
      text(
        '<p style="color:rgb(90, 90, 90)">x</p><div style="background:#333"><p ' +
          'style="color:white">x</p></div><p style="color:hsl(0 0% 90%)">x</p><p ' +
          'style="font-size:30px;color:#8a8a8a">x</p><p style="color:#fff"> &nbsp;</p>',
      ),
    ],
    {},
    [],
  ],
  ['a heading', [['heading', { text: 'x', level: 1, color: '#ddd' }]], {}, [['low_contrast', 'b0']]],
  ['no posts', [['cms_posts', {}], text('x')], {}, [['no_posts', 'b0']]],
  [
    'the block in the column is named',
    [
      [
        'columns',
        { columns: [{ blocks: [] }, { blocks: [{ id: 'inner', type: 'text', props: { html: 'x {{ nope }}' } }] }] },
      ],
    ],
    {},
    [['unknown_merge_tag', 'inner']],
  ],
  [
    'nothing to read',
    [
      ['image', { src: 'https://a.example/x.png', alt: '' }],
      ['divider', {}],
    ],
    {},
    [['no_text', undefined]],
  ],
  ['no blocks', [], {}, [['no_text', undefined]]],
])('A message is checked for what its author should know: %s.', (_, blocks, more, expected) => {
  expect(codes(blocks, more)).toEqual(expected as [])
})

test('A size above 102,400 bytes of UTF-8 gives a warning.', () => {
  const empty = sizeBytes(fillEmail(compile([text('<p></p>')]), {}).html)
  const fitting = text(`<p>${'ü'.repeat((CLIP_BYTES - empty) / 2)}</p>`)
  expect(codes([fitting])).toEqual([])
  expect(codes([text(`<p>${'ü'.repeat((CLIP_BYTES - empty) / 2 + 1)}</p>`)])).toEqual([['size', undefined]])
  // The marks of an editor's preview are not sent.
  expect(codes([fitting], { mark_blocks: true })).toEqual([])
  expect(sizeBytes('ü€')).toBe(5)
})
