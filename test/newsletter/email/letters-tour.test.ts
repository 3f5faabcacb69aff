import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import { languages } from '../../../src/i18n/languages.ts'
import { checkDocument, type EmailDocument, postsWanted } from '../../../src/newsletter/email/document.ts'
import { MERGE_TAGS } from '../../../src/newsletter/email/merge-tags.ts'
import { compileEmail, type EmailSource, fillEmail } from '../../../src/newsletter/email/render.ts'
import { POSTS } from '../../support/gallery.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { HTML_CASES, STYLES, URLS } from './letters-cases.ts'

/** Draws many small letters, and records the lines of each that an empty letter does not have. */

const BRAND = {
  project_name: 'Harbour News',
  company_name: 'Harbour & Sons',
  postal_address: '12 Quay <West>\nBristol',
  footer_text: 'From the pier',
  brand_color: '#1f4e79',
}

const VALUES = {
  'contact.first_name': 'Ada <b>',
  'contact.last_name': 'O’Neil & Co',
  'contact.full_name': 'Ada O’Neil',
  'contact.email': 'ada+tide@quay.example',
  'contact.custom.city': 'Bath "Spa"',
  'contact.custom.site': 'https://bath.example/a b?x=1&y=2',
  'project.name': 'Harbour News',
  unsubscribe_url: 'https://n.example/u',
  preferences_url: 'https://n.example/p',
  view_url: 'https://n.example/v',
  date: '15 May 2026',
}

type Sketch = [type: string, props: Record<string, unknown>]

const letter = (settings: EmailDocument['settings'], ...sketches: Sketch[]): EmailDocument =>
  checkDocument(
    { version: 1, settings, blocks: sketches.map(([type, props], at) => ({ id: `b${at}`, type, props })) },
    '',
  )

const linesOf = (html: string): string[] =>
  html
    .replace(/(?:\u034F\u200C\u00A0)+/g, (invisible) => `[invisible: ${invisible.length}]`)
    .replaceAll('><', '>\n<')
    .split('\n')

/** Lines that need not be told again. */
const usual = (more: Partial<EmailSource> = {}): ReadonlySet<string> => {
  const empty = compileEmail({ document: letter({}, ['text', { html: '' }]), subject: 'Tides', brand: BRAND, ...more })
  return new Set(linesOf(fillEmail(empty, VALUES).html))
}

function drawn(
  heading: string,
  document: EmailDocument,
  { known, ...more }: Partial<EmailSource> & { known?: ReadonlySet<string> } = {},
): string[] {
  const compiled = compileEmail({ document, subject: 'Tides', brand: BRAND, ...more })
  const { subject, html, text } = fillEmail(compiled, VALUES)
  const lines = linesOf(html).filter((line) => line.trim() !== '' && !known?.has(line))
  const [said] = text.split('\n---\n\nFrom the pier')
  return [
    '',
    `## ${heading}`,
    '',
    ...(subject === 'Tides' ? [] : [`subject: ${subject}`]),
    ...lines,
    ...(said!.trim() === '' ? [] : said!.trimEnd().split('\n')).map((line) => `| ${line}`),
    ...compiled.links.map((link, at) => `link ${at}: ${link}`),
    ...compiled.warnings.map(({ code, block_id, message }) => `warning ${code} ${block_id ?? ''}: ${message}`),
  ]
}

const href = 'https://tide.example/read'

test('Blocks with each of their properties, and without, are drawn as they are recorded.', () => {
  const known = usual()
  const sides = ['start', 'center', 'left', 'right'] as const
  const cases: [heading: string, ...Sketch[]][] = [
    ...([1, 2, 3] as const).map((level): [string, Sketch] => [
      `A heading of level ${level}.`,
      ['heading', { text: `High & low ${level}`, level, ...(level > 1 && { size: [0, 0, 36, 37][level] }) }],
    ]),
    ...([60, 61] as const).map((size): [string, Sketch] => [
      `A heading of ${size} pixels.`,
      ['heading', { text: 'Size', level: 1, size, font_family: '"Open Sans", Arial' }],
    ]),
    ...['#888', '#949494', '#959595', '#fff', '#c00', 'brand'].map((color): [string, Sketch] => [
      `A heading of the color ${color}.`,
      ['heading', { text: 'Color', level: 3, color }],
    ]),
    ...sides.map((align): [string, ...Sketch[]] => [
      `Blocks on the side ${align}.`,
      ['text', { html: `<p>${align}</p>`, align }],
      ['button', { text: `To ${align}`, href, align }],
      ['image', { src: `https://tide.example/${align}.png`, alt: align, align }],
      ['social', { links: [{ network: 'signal', href: `${href}/${align}` }], align }],
    ]),
    ['Buttons.', ['button', { text: 'Plain <1>', href: 'mailto:a@b.example' }]],
    [
      'A button whose text is hard to read.',
      ['button', { text: 'Pale', href, background_color: '#777', text_color: '#fff' }],
    ],
    [
      'A button whose text is easy to read.',
      ['button', { text: 'Fair', href, background_color: '#767676', text_color: '#fff' }],
    ],
    ['A button on a band of its color.', ['button', { text: 'Same', href, section_color: 'brand' }]],
    ['A light button.', ['button', { text: 'Light', href: '{{ contact.custom.site }}', background_color: '#ffd' }]],
    [
      'Images of many widths.',
      ...[1, 519, 520, 521, 1600].map((width): Sketch => [
        'image',
        { src: `https://tide.example/${width}.png`, alt: `Alt "${width}"`, width },
      ]),
    ],
    ['An image with a link and without an alt text.', ['image', { src: 'https://tide.example/x.png', alt: '', href }]],
    [
      'Lines.',
      ['divider', {}],
      ['divider', { thickness: 20 }],
      ['divider', { color: '#222', thickness: 2 }],
      ['divider', { color: '#eee' }],
      ['divider', { section_color: '#333' }],
    ],
    ['Spaces.', ['spacer', { height: 1 }], ['spacer', { height: 200 }]],
    [
      'Each network.',
      [
        'social',
        {
          links: [
            'website',
            'email',
            'rss',
            'bluesky',
            'discord',
            'facebook',
            'github',
            'instagram',
            'linkedin',
            'mastodon',
            'medium',
            'pinterest',
          ].map((network, at) => ({ network, href: `${href}/${at}` })),
        },
      ],
      [
        'social',
        {
          links: [
            'podcast',
            'reddit',
            'signal',
            'snapchat',
            'spotify',
            'substack',
            'telegram',
            'threads',
            'tiktok',
            'twitch',
            'vimeo',
            'whatsapp',
          ].map((network, at) => ({ network, href: `${href}/b${at}` })),
        },
      ],
      [
        'social',
        {
          links: [
            { network: 'x', href },
            { network: 'youtube', href, label: ' ' },
            { network: 'x', href, label: 'Own & label' },
          ],
        },
      ],
    ],
    ...(['top', 'middle', 'bottom', undefined] as const).map((valign): [string, Sketch] => [
      `Three columns, ${valign ?? 'by default'}.`,
      [
        'columns',
        {
          valign,
          columns: [
            { share: 1, blocks: [] },
            { share: 12, blocks: [{ id: 'c', type: 'image', props: { src: 'https://tide.example/c.png', alt: 'c' } }] },
            {
              blocks: [
                { id: 'd', type: 'text', props: { html: '<p>d</p>' } },
                { id: 'e', type: 'text', props: { html: '<p>e</p>', section_color: '#ffe4c4' } },
                { id: 'f', type: 'text', props: { html: '<p>f</p>' } },
              ],
            },
          ],
        },
      ],
    ]),
    [
      'Four columns that stay side by side on a band.',
      [
        'columns',
        {
          stack: false,
          valign: 'bottom',
          section_color: '#102030',
          columns: [3, 1, 2, 5].map((share) => ({
            share,
            blocks: [
              {
                id: `s${share}`,
                type: 'text',
                props: {
                  html: `<p><a href="${href}">${share}</a></p>`,
                  section_color: share === 2 ? '#eee' : '#102030',
                },
              },
            ],
          })),
        },
      ],
    ],
    [
      'Bands at the beginning, in the middle and at the end.',
      ['text', { html: '<p>first</p>', section_color: '#abc' }],
      ['text', { html: '<p>same</p>', section_color: '#AABBCC' }],
      ['text', { html: '<p>none</p>' }],
      ['text', { html: '<p>brand</p>', section_color: 'brand' }],
      ['text', { html: '<p>none again</p>', section_color: '#ffffff' }],
      ['text', { html: '<p>last</p>', section_color: '#000' }],
    ],
    [
      'A footer in the middle.',
      ['footer', { text: 'Mid', align: 'right', view_link: true }],
      ['text', { html: '<p>After</p>' }],
    ],
    [
      'A footer at the end.',
      ['text', { html: '<p>Before</p>' }],
      ['footer', { text: 'End {{ contact.first_name }}', align: 'start', view_link: true }],
    ],
    ['A footer without words.', ['footer', { text: ' ', view_link: false }]],
  ]
  const lines = cases.flatMap(([heading, ...sketches]) => drawn(heading, letter({}, ...sketches), { known }))
  expectRecorded('sites/letter-blocks.txt', lines.join('\n'))
})

test('Posts, settings, brands and languages of letters are drawn as they are recorded.', () => {
  const lines: string[] = []
  const known = usual()
  const posts = [
    { ...POSTS[0]!, url: 'https://tide.example/a b{x}' },
    { ...POSTS[1]!, url: 'javascript:alert(1)', excerpt: ' ' },
    { ...POSTS[2]!, title: 'The {{ contact.email }} & nets', date: '', category: '' },
    POSTS[3]!,
  ]
  for (const props of [
    {},
    { count: 1, layout: 'titles' },
    { count: 10, layout: 'list', section_color: 'brand' },
    { category: ' nature ' },
    { category: ' ', count: 2, link: 'http://tide.example/p/{slug}?again=1' },
    { category: 'None' },
  ]) {
    const document = letter({}, ['cms_posts', props])
    lines.push(...drawn(`Posts with ${JSON.stringify(props)}.`, document, { known, posts }))
  }
  const two = letter(
    {},
    ['cms_posts', { count: 2 }],
    ['cms_posts', { count: 5, category: ' a ' }],
    ['cms_posts', {}],
    [
      'columns',
      { columns: [{ blocks: [{ id: 'p', type: 'cms_posts', props: { category: 'a', count: 4 } }] }, { blocks: [] }] },
    ],
  )
  lines.push('', '## The posts of a letter that are read.', '', JSON.stringify(postsWanted(two)))

  const words = letter({}, [
    'text',
    { html: `<p>Words <a href="${href}">linked</a> <b>enough</b> for a letter.</p><hr>` },
  ])
  const settings: EmailDocument['settings'][] = [
    { background_color: '#fff', content_width: 320, text_color: '#123', link_color: '#0a0' },
    { background_color: '#101820', content_width: 800, text_color: '#ddd', font_family: '"Open Sans", Arial' },
    { text_color: '#999', link_color: '#ffee00', preheader: 'Settings & preheader' },
    { background_color: '#777777', text_color: '#ffffff' },
  ]
  for (const each of settings)
    lines.push(...drawn(`A letter with ${JSON.stringify(each)}.`, { ...words, settings: each }, { known }))
  lines.push(
    ...drawn(
      'A preheader of the source replaces that of the settings.',
      { ...words, settings: settings[2]! },
      {
        known,
        preheader: ' Own {{ contact.first_name | default: friend }}! Win $$$ now ',
        subject: 'FREE HARBOUR {{ contact.last_name }}\nBcc: x',
      },
    ),
    ...drawn(
      'An empty preheader of the source does not.',
      { ...words, settings: settings[2]! },
      { known, preheader: ' ' },
    ),
    ...drawn('Two exclamation marks in a subject are loud, five capitals are not.', words, {
      known,
      subject: 'TIDES!! {{ campaign.subject }}',
    }),
    ...drawn(
      'Three marks in the text are.',
      letter({}, ['text', { html: '<p>Really!?! {{ campaign.subject }}</p>' }]),
      { known, subject: 'Shown {{ date }}' },
    ),
    ...drawn('A logo stands above the letter.', words, {
      known,
      brand: { ...BRAND, logo_url: 'https://tide.example/logo.png' },
    }),
    ...drawn(
      'A logo that stands in the letter does not stand twice.',
      letter({}, ['image', { src: 'https://tide.example/logo.png', alt: 'Logo' }]),
      { known, brand: { ...BRAND, logo_url: 'https://tide.example/logo.png' } },
    ),
    ...drawn('A logo of another scheme is left out.', words, {
      known,
      brand: { ...BRAND, logo_url: 'ftp://tide.example/logo.png' },
    }),
    ...drawn('A brand with nothing but a name.', words, { known, brand: { project_name: 'Bare' } }),
    ...drawn(
      'A letter for everybody.',
      letter({}, [
        'text',
        {
          html:
            '<p><a href="{{ view_url }}">View</a> and <a href="{{ contact.custom.site }}">site</a>' +
            ' <a href="{{ unsubscribe_url }}">out <b>now</b></a>!</p>',
        },
      ]),
      { known, for_everybody: true },
    ),
    ...drawn(
      'Links are replaced, those to the service are not.',
      letter({}, [
        'text',
        {
          html:
            `<p><a href="${href}">a</a> <a href="HTTPS://tide.example/b?{{ contact.email }}">b</a>` +
            ` <a href="${href}">a</a> <a href="https://x.example/{{ view_url }}">v</a> <a href="tel:+44 1">` +
            't</a></p>',
        },
      ]),
      {
        known,
        mark_blocks: true,
        rewriteLink: (url, index) => `https://n.example/c/${index}?{{ click }}&u=${encodeURIComponent(url)}`,
      },
    ),
    ...drawn(
      'A custom field that the project has, and one that it does not have.',
      letter({}, [
        'text',
        {
          html:
            '<p>{{ contact.custom.city }} {{ contact.custom.town | default: "no {town}" }} {{ contact.nick ' +
            '}} {{ broken {{ date</p>',
        },
      ]),
      { known, custom_fields: ['city'] },
    ),
  )
  for (const { tag } of [...MERGE_TAGS, { tag: 'contact.custom.city' }])
    lines.push(
      ...drawn(
        `The tag ${tag} in all places.`,
        letter({}, [
          'text',
          {
            html:
              `<p title="{{ ${tag} }}">{{${tag}|default:“x”}} <a href="https://t.example/{{ ${tag} }}">u</a>` +
              ` <a href="mailto:{{ ${tag} }}">m</a> <a href="{{ ${tag} }}">w</a></p>`,
          },
        ]),
        { known, subject: `S {{ ${tag} | default: 'none' }}` },
      ),
    )
  for (const locale of ['ar-EG', 'az_Arab', 'pt_BR', 'zh', 'tlh', 'x y'])
    lines.push(
      ...drawn(
        `A letter in ${locale}.`,
        letter(
          {},
          ['heading', { text: 'Words', level: 1 }],
          ['text', { html: '<ul><li>one</li></ul><blockquote>two</blockquote>', align: 'start' }],
          ['columns', { columns: [{ blocks: [] }, { blocks: [] }] }],
          ['cms_posts', { count: 1 }],
        ),
        { known, locale, posts },
      ),
    )
  expectRecorded('sites/letters.txt', lines.join('\n'))
})

test('Imported and written HTML is drawn as it is recorded.', () => {
  const known = usual()
  const lines = HTML_CASES.flatMap(([heading, html]) => [
    ...drawn(`${heading} Written.`, letter({}, ['text', { html }]), { known }),
    ...drawn(`${heading} Imported.`, letter({}, ['html', { html }]), { known }),
  ])
  expectRecorded('sites/letter-html.txt', lines.join('\n'))
})

test('Each style, and each link, is kept or removed as it is recorded.', () => {
  const known = usual()
  const lines = STYLES.flatMap((style) => {
    const html = `<p style="${style.replaceAll('"', '&quot;')}">x</p>`
    return drawn(style, letter({}, ['html', { html }]), { known }).flatMap((line) =>
      /^## |^<p|^x<\/p|^warning/.test(line) && !line.includes('no_text')
        ? [line.replace(/^<td.*break-word">/, '')]
        : [],
    )
  })
  const links = URLS.flatMap(([url, text]) =>
    drawn(`${url} ${text}`, letter({}, ['text', { html: `<a href="${url}">${text}</a>` }]), { known }).filter((line) =>
      /^## |^<a|^\||^link|^warning/.test(line),
    ),
  )
  expectRecorded('sites/letter-styles.txt', [...lines, '', ...links].join('\n'))
})

test('Documents are refused for what is recorded.', () => {
  const text = (id: string, html: unknown = '<p>x</p>') => ({ id, type: 'text', props: { html } })
  const many = (count: number) => Array.from({ length: count }, (_, at) => text(`m${at}`))
  const columns = (blocks: unknown[]) => ({
    id: 'c',
    type: 'columns',
    props: { columns: [{ blocks }, { blocks: [] }] },
  })
  const long = 'x'.repeat(200_000)
  const cases: [string, unknown][] = [
    ['Nothing', null],
    ['A text', 'x'],
    ['Another version', { version: 2, settings: {}, blocks: [] }],
    ['No settings', { version: 1, blocks: [] }],
    [
      'Unknown settings',
      { version: 1, settings: { color: '#fff', content_width: 319, font_family: 'a;b' }, blocks: [] },
    ],
    [
      'Wide settings',
      { version: 1, settings: { content_width: 801, text_color: 'red', preheader: 'x'.repeat(301) }, blocks: [] },
    ],
    ['200 blocks', { version: 1, settings: {}, blocks: many(200) }],
    ['201 blocks', { version: 1, settings: {}, blocks: many(201) }],
    ['201 blocks with those in columns', { version: 1, settings: {}, blocks: [...many(199), columns([text('n')])] }],
    ['200 blocks with those in columns', { version: 1, settings: {}, blocks: [...many(198), columns([text('n')])] }],
    ['50 blocks in a column', { version: 1, settings: {}, blocks: [columns(many(50))] }],
    ['51 blocks in a column', { version: 1, settings: {}, blocks: [columns(many(51))] }],
    [
      'The same id twice, once in a column',
      { version: 1, settings: {}, blocks: [text('a'), columns([text('a')]), text('a')] },
    ],
    ['A column in a column', { version: 1, settings: {}, blocks: [columns([columns([])])] }],
    ['A footer in a column', { version: 1, settings: {}, blocks: [columns([{ id: 'f', type: 'footer', props: {} }])] }],
    [
      '500,000 characters of HTML',
      { version: 1, settings: {}, blocks: [text('a', long), text('b', long), text('c', long.slice(0, 100_000))] },
    ],
    [
      '500,001 characters of HTML',
      { version: 1, settings: {}, blocks: [text('a', long), text('b', long), text('c', long.slice(0, 100_001))] },
    ],
    ['A text of 200,001 characters', { version: 1, settings: {}, blocks: [text('a', `${long}x`)] }],
    ['20,000 tags', { version: 1, settings: {}, blocks: [text('a', '<b'.repeat(20_000))] }],
    ['20,001 tags', { version: 1, settings: {}, blocks: [text('a', '<b'.repeat(20_001))] }],
    ['No HTML', { version: 1, settings: {}, blocks: [text('a', 7)] }],
    ...(
      [
        ['heading', { text: '', level: 4, size: 11, color: 'x' }],
        ['heading', { text: 'x'.repeat(501), level: 0, size: 81, align: 'justify' }],
        ['button', { text: '', href: 'javascript:x' }],
        ['button', { text: 'x', href: 'https://a b', text_color: '#12' }],
        ['image', { src: 'mailto:a@b.example', alt: 'x', width: 1601 }],
        ['image', { src: '{{ x }}', width: 0 }],
        ['divider', { thickness: 21, section_color: 'red' }],
        ['spacer', { height: 201 }],
        ['spacer', {}],
        ['social', { links: [] }],
        ['social', { links: [{ network: 'fax', href }] }],
        ['columns', { columns: [{ blocks: [] }] }],
        ['columns', { columns: [1, 2, 3, 4, 5].map(() => ({ blocks: [], share: 13 })), valign: 'base' }],
        ['cms_posts', { count: 11, link: 'https://x.example/', layout: 'grid' }],
        ['cms_posts', { count: 0, category: '' }],
        ['footer', { section_color: '#fff' }],
        ['video', {}],
      ] as const
    ).map(([type, props]): [string, unknown] => [
      `${type} ${JSON.stringify(props).slice(0, 60)}`,
      { version: 1, settings: {}, blocks: [{ id: 'q', type, props }] },
    ]),
  ]
  const lines = cases.map(([heading, document]) => {
    try {
      checkDocument(document, '/editor_json')
      return `${heading}: accepted`
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return [
        `${heading}: ${error.code}`,
        ...(JSON.parse(JSON.stringify(error.details ?? [])).errors ?? [error.details]).map(
          (flaw: unknown) => `  ${JSON.stringify(flaw).slice(0, 300)}`,
        ),
      ].join('\n')
    }
  })
  expectRecorded('sites/letter-refusals.txt', lines.join('\n'))
})

test('The footers, titles and sentences of all languages are those that are recorded.', () => {
  const lines = languages.flatMap(({ lang, ...words }) => [
    '',
    `## ${lang}`,
    '',
    ...Object.entries(words).flatMap(([group, texts]) => (group === 'consent' ? [] : [`${group}: ${sentence(texts)}`])),
  ])
  expect(lines.length).toBeGreaterThan(languages.length * 10)
  const at = (lang: string) => lines.indexOf(`## ${lang}`) - 1
  expectRecorded('sites/languages-a-to-e.txt', lines.slice(0, at('fa')).join('\n'))
  expectRecorded('sites/languages-f-to-n.txt', lines.slice(at('fa'), at('pl')).join('\n'))
  expectRecorded('sites/languages-p-to-z.txt', lines.slice(at('pl')).join('\n'))
})

/** A text, or those of an array or object in a line; functions are called with values that differ. */
function sentence(value: unknown): string {
  if (typeof value === 'function') return (value as (...values: string[]) => string)('AAA', 'BBB')
  if (typeof value === 'string') return value
  return Object.entries(value as object)
    .map(([name, part]) => `${Array.isArray(value) ? '' : `${name} `}${sentence(part)}`)
    .join(' | ')
}
