import { expect, test } from 'bun:test'
import { AppError, type Flaw } from '../../../src/errors.ts'
import { checker } from '../../../src/schema.ts'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { checkDocument, EmailDocument, postsWanted } from '../../../src/newsletter/email/document.ts'

const block = (type: string, props: unknown, id = 'b1') => ({ id, type, props })
const columns = (...blocks: unknown[][]) =>
  block('columns', { columns: blocks.map((inside) => ({ blocks: inside })) }, 'columns')
const document = (...blocks: unknown[]) => ({ version: 1, settings: {}, blocks })

function flawsOf(value: unknown, basePath = '/editor_json'): Flaw[] {
  try {
    checkDocument(value, basePath)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('VALIDATION_FAILED')
    return (error as AppError).details as Flaw[]
  }
  return []
}
const pathsOf = (value: unknown): string[] => flawsOf(value).map(({ path }) => path)

const FULL = {
  version: 1,
  settings: {
    background_color: '#fff',
    content_width: 640,
    font_family: "Georgia, 'Times New Roman', serif",
    text_color: '#222222',
    link_color: '#00f',
    preheader: 'Hello',
  },
  blocks: [
    block('text', { html: '<p>x</p>' }, '1'),
    block('html', { html: '' }, '2'),
    block('heading', { text: 'Hi {{ contact.first_name }}', level: 2, align: 'center' }, '3'),
    block(
      'button',
      {
        text: 'Go',
        href: 'https://a.example/?n={{ contact.first_name | default: a b }}',
        background_color: '#000',
        text_color: '#fff',
      },
      '4',
    ),
    block('image', { src: 'https://a.example/x.png', alt: '', width: 300, href: '{{ contact.custom.site }}' }, '5'),
    block('table', { rows: [['a', '']], header: false, column_align: ['center'], dir: 'rtl' }, '4t'),
    block('divider', { color: '#eee', thickness: 2 }, '6'),
    block('spacer', { height: 20 }, '8'),
    block(
      'columns',
      {
        columns: [
          {
            blocks: [
              block('text', { html: 'x', section_color: 'brand' }, '9'),
              block('social', { links: [{ network: 'rss', href: 'https://a.example/feed', label: 'Feed' }] }, '10'),
            ],
          },
          { blocks: [], share: 3 },
        ],
        valign: 'middle',
        stack: false,
        section_color: '#eee',
      },
      '11',
    ),
    block('cms_posts', { count: 5, category: 'News', layout: 'titles', link: 'https://a.example/{slug}.html' }, '12'),
    block('cms_posts', {}, '13'),
    block(
      'heading',
      { text: 'Big', level: 1, size: 72, color: 'brand', font_family: 'Georgia, serif', section_color: '#123456' },
      '14',
    ),
    block('footer', { text: 'Bye\nnow', align: 'left', view_link: true }, '7'),
  ],
}

test('A document with everything passes, by the check and by the published schema.', () => {
  expect(checkDocument(FULL, '')).toEqual(FULL as EmailDocument)
  expect(checker(EmailDocument).Check(FULL)).toBe(true)
  expect(pathsOf(document())).toEqual([])
})

test.each<[string, unknown, string[]]>([
  ['no document', null, ['/editor_json']],
  ['a text', 'x', ['/editor_json']],
  ['nothing in it', {}, ['/editor_json/version', '/editor_json/settings', '/editor_json/blocks']],
  ['another version', { ...FULL, version: 2 }, ['/editor_json/version']],
  ['unknown property', { ...FULL, extra: 1 }, ['/editor_json/extra']],
  ['unknown setting', { ...FULL, settings: { color: 'red' } }, ['/editor_json/settings/color']],
  ['colour by name', { ...FULL, settings: { text_color: 'red' } }, ['/editor_json/settings/text_color']],
  ['too narrow', { ...FULL, settings: { content_width: 100 } }, ['/editor_json/settings/content_width']],
  [
    'CSS in a font',
    { ...FULL, settings: { font_family: 'Arial;display:none' } },
    ['/editor_json/settings/font_family'],
  ],
  ['open quote in a font', { ...FULL, settings: { font_family: "'Arial" } }, ['/editor_json/settings/font_family']],
  ['line break in the preheader', { ...FULL, settings: { preheader: 'a\r\nb' } }, ['/editor_json/settings/preheader']],
  ['blocks is no array', { ...FULL, blocks: {} }, ['/editor_json/blocks']],
  ['block is no object', document('x'), ['/editor_json/blocks/0']],
  ['block without id', document({ type: 'text', props: { html: '' } }), ['/editor_json/blocks/0/id']],
  ['unknown type', document(block('video', {})), ['/editor_json/blocks/0/type']],
  ['inherited name as type', document(block('toString', {})), ['/editor_json/blocks/0/type']],
  ['props missing', document({ id: 'a', type: 'text' }), ['/editor_json/blocks/0/props']],
  ['property beside props', document({ ...block('text', { html: '' }), html: '' }), ['/editor_json/blocks/0/html']],
  ['html missing', document(block('text', {})), ['/editor_json/blocks/0/props/html']],
  ['html of wrong type', document(block('html', { html: 5 })), ['/editor_json/blocks/0/props/html']],
  ['unknown prop', document(block('text', { html: '', class: 'x' })), ['/editor_json/blocks/0/props/class']],
  [
    'heading',
    document(block('heading', { text: '', level: 4, align: 'middle' })),
    ['level', 'align', 'text'].map((prop) => `/editor_json/blocks/0/props/${prop}`),
  ],
  [
    'script link in the fourth block',
    document(
      block('divider', {}, 'a'),
      block('divider', {}, 'b'),
      block('divider', {}, 'c'),
      block('button', { text: 'x', href: 'javascript:alert(1)' }, 'd'),
    ),
    ['/editor_json/blocks/3/props/href'],
  ],
  ['relative link', document(block('button', { text: 'x', href: '/x' })), ['/editor_json/blocks/0/props/href']],
  [
    'link with a blank',
    document(block('button', { text: 'x', href: 'https://a.example/a b' })),
    ['/editor_json/blocks/0/props/href'],
  ],
  [
    'image from a data link',
    document(block('image', { src: 'data:image/png;base64,x', alt: '' })),
    ['/editor_json/blocks/0/props/src'],
  ],
  [
    'image from a mail link',
    document(block('image', { src: 'mailto:a@b.example', alt: '' })),
    ['/editor_json/blocks/0/props/src'],
  ],
  [
    'image without alt',
    document(block('image', { src: 'https://a.example/x.png' })),
    ['/editor_json/blocks/0/props/alt'],
  ],
  ['spacer', document(block('spacer', { height: 0 })), ['/editor_json/blocks/0/props/height']],
  ['band by name', document(block('divider', { section_color: 'red' })), ['/editor_json/blocks/0/props/section_color']],
  ['one column', document(columns([])), ['/editor_json/blocks/0/props/columns']],
  ['five columns', document(columns([], [], [], [], [])), ['/editor_json/blocks/0/props/columns']],
  [
    'a column that is none',
    document(block('columns', { columns: ['x', { blocks: 'y' }, { block: [] }] })),
    ['0', '1/blocks', '2/blocks', '2/block'].map((place) => `/editor_json/blocks/0/props/columns/${place}`),
  ],
  [
    'flaws of nested blocks',
    document(
      columns(
        [block('divider', {}, 'a')],
        [
          block('button', { text: 'x', href: 'javascript:x' }, 'b'),
          block('image', { src: 'https://a.example/x.png' }, 'c'),
        ],
      ),
    ),
    [
      '/editor_json/blocks/0/props/columns/1/blocks/0/props/href',
      '/editor_json/blocks/0/props/columns/1/blocks/1/props/alt',
    ],
  ],
  [
    'columns in columns',
    document(columns([columns([], [])], [])),
    ['/editor_json/blocks/0/props/columns/0/blocks/0/type'],
  ],
  [
    'a footer in columns',
    document(columns([block('footer', {}, 'a')], [])),
    ['/editor_json/blocks/0/props/columns/0/blocks/0/type'],
  ],
  [
    'an id twice, once in columns',
    document(block('divider', {}, 'a'), columns([], [block('divider', {}, 'a')])),
    ['/editor_json/blocks/1/props/columns/1/blocks/0/id'],
  ],
  [
    'networks',
    document(
      block('social', {
        links: [
          { network: 'myspace', href: 'https://a.example' },
          { network: 'x', href: 'javascript:x' },
        ],
      }),
      block('social', { links: [] }, 'b'),
    ),
    [
      '/editor_json/blocks/0/props/links/0/network',
      '/editor_json/blocks/0/props/links/1/href',
      '/editor_json/blocks/1/props/links',
    ],
  ],
  [
    'posts',
    document(block('cms_posts', { count: 11, layout: 'grid', link: 'https://a.example/' })),
    ['count', 'layout', 'link'].map((prop) => `/editor_json/blocks/0/props/${prop}`),
  ],
  [
    'a script where posts stand',
    document(block('cms_posts', { link: 'javascript:{slug}' })),
    ['/editor_json/blocks/0/props/link'],
  ],
  [
    'an id twice',
    document(block('divider', {}, 'a'), block('divider', {}, 'b'), block('divider', {}, 'a')),
    ['/editor_json/blocks/2/id'],
  ],
  [
    'two flaws',
    document(block('divider', { thickness: 0 }, 'a'), block('text', {}, 'a')),
    ['/editor_json/blocks/0/props/thickness', '/editor_json/blocks/1/props/html', '/editor_json/blocks/1/id'],
  ],
])('The flaw is at its path: %s.', (_, value, paths) => {
  expect(pathsOf(value).sort()).toEqual([...paths].sort())
})

test('A column has a share from 1 to 12.', () => {
  const shared = (share: number) => document(block('columns', { columns: [{ share, blocks: [] }, { blocks: [] }] }))
  expect([1, 12].flatMap((share) => pathsOf(shared(share)))).toEqual([])
  for (const share of [0, 13, 1.5])
    expect(pathsOf(shared(share))).toEqual(['/editor_json/blocks/0/props/columns/0/share'])
})

test('Paths begin with the given base path, and every flaw has a message.', () => {
  expect(flawsOf(document(block('button', { text: 'x', href: 'x' })), '')).toEqual([
    { path: '/blocks/0/props/href', message: expect.stringContaining('begins with http') },
  ])
})

test('The number of blocks is limited.', () => {
  const many = (count: number) =>
    document(...Array.from({ length: count }, (_, at) => block('divider', {}, String(at))))
  expect(pathsOf(many(200))).toEqual([])
  expect(pathsOf(many(201))).toEqual(['/editor_json/blocks'])
  const inColumns = (count: number) =>
    document(
      ...Array.from({ length: 5 }, (_, at) => ({
        ...columns(
          ...[0, 1, 2, 3].map((column) =>
            many(count).blocks.map((inside: any) => ({ ...inside, id: `${at} ${column} ${inside.id}` })),
          ),
        ),
        id: `c${at}`,
      })),
    )
  expect(pathsOf(inColumns(9))).toEqual([])
  expect(pathsOf(inColumns(10))).toEqual(['/editor_json/blocks/4/props/columns/3/blocks/5'])
})

test('HTML of one block, of all blocks, and their tags.', () => {
  expect(pathsOf(document(block('text', { html: 'x'.repeat(200_001) })))).toEqual(['/editor_json/blocks/0/props/html'])
  const thrice = ['a', 'b', 'c'].map((id) => block('text', { html: 'x'.repeat(190_000) }, id))
  expect(pathsOf(document(...thrice))).toEqual(['/editor_json/blocks/2/props/html'])
  const together = (last: number) =>
    document(...[200_000, 200_000, last].map((length, at) => block('text', { html: 'x'.repeat(length) }, `${at}`)))
  expect(pathsOf(together(100_000))).toEqual([])
  expect(pathsOf(together(100_001))).toEqual(['/editor_json/blocks/2/props/html'])
  expect(pathsOf(document(block('html', { html: '<b>'.repeat(20_000) })))).toEqual([])
  expect(pathsOf(document(block('html', { html: '<b>'.repeat(20_001) })))).toEqual(['/editor_json/blocks/0/props/html'])
  expect(pathsOf(document(columns(thrice, [])))).toEqual(['/editor_json/blocks/0/props/columns/0/blocks/2/props/html'])
})

test('At most twenty flaws are listed.', () => {
  expect(pathsOf(document(...Array.from({ length: 50 }, (_, at) => block('text', {}, String(at)))))).toHaveLength(20)
})

test('Every block type is described, with a strict schema of its props.', () => {
  expect(BLOCK_TYPES.map(({ type }) => type)).toEqual([
    'text',
    'html',
    'heading',
    'image',
    'button',
    'table',
    'divider',
    'spacer',
    'columns',
    'social',
    'cms_posts',
    'footer',
  ])
  for (const { description, props } of BLOCK_TYPES) {
    expect(description.length).toBeGreaterThan(10)
    expect(JSON.parse(JSON.stringify(props))).toMatchObject({ type: 'object', additionalProperties: false })
  }
})

test('postsWanted lists the posts that a document shows.', () => {
  const wanted = document(
    block('cms_posts', {}, '1'),
    block('cms_posts', { count: 5, category: ' News ' }, '2'),
    columns([block('cms_posts', { count: 7 }, '3')], [block('cms_posts', { category: 'News' }, '4')]),
  )
  expect(postsWanted(checkDocument(wanted, ''))).toEqual([
    { category: null, count: 7 },
    { category: 'News', count: 5 },
  ])
  expect(postsWanted(checkDocument(document(), ''))).toEqual([])
})
