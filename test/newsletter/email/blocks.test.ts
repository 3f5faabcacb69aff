import { describe, expect, test } from 'bun:test'
import { checkDocument, type EmailDocument } from '../../../src/newsletter/email/document.ts'
import type { EmailPost } from '../../../src/store/tables/email-document.ts'
import { compileEmail, type EmailSource, fillEmail } from '../../../src/newsletter/email/render.ts'
import { type Element, elementsOf } from './dom.ts'

type Block = [type: string, props: Record<string, unknown>]
type More = Partial<EmailSource> & { settings?: EmailDocument['settings'] }

const blocks = (sketches: Block[], prefix = 'b') =>
  sketches.map(([type, props], at) => ({ id: `${prefix}${at}`, type, props }))
const compile = (sketches: Block[], { settings = {}, ...more }: More = {}) =>
  compileEmail({
    document: checkDocument({ version: 1, settings, blocks: blocks(sketches) }, ''),
    subject: 'News',
    brand: { project_name: 'Atelier' },
    ...more,
  })
const draw = (sketches: Block[], more?: More) =>
  fillEmail(compile(sketches, more), {
    'contact.first_name': 'Ada',
    unsubscribe_url: 'https://n.example/u',
    preferences_url: 'https://n.example/p',
    view_url: 'https://n.example/v',
  })
const found = (html: string, match: (element: Element) => boolean) => elementsOf(html).elements.filter(match)
const text = (html: string): Block => ['text', { html }]
/** The HTML as Outlook reads it: with the content of conditional comments. */
const inOutlook = (html: string) => html.replace(/<!--\[if mso\]>|<!\[endif\]-->/g, '')

describe('spacer', () => {
  test('A spacer has its height in every mail program, and adds nothing to the plain text.', () => {
    const { html, text: plain } = draw([text('a'), ['spacer', { height: 48 }], text('b')])
    expect(html).toContain(
      '<td style="height:48px;line-height:48px;font-size:1px;mso-line-height-rule:exactly">&nbsp;</td>',
    )
    expect(plain).toStartWith('a\n\nb\n\n---')
  })
})

describe('columns', () => {
  const columns = (props: Record<string, unknown>, ...inside: Block[][]): Block => [
    'columns',
    { ...props, columns: inside.map((sketches, at) => ({ blocks: blocks(sketches, `c${at}-`) })) },
  ]
  const widths = (html: string) =>
    found(html, ({ attributes }) => attributes['class'] === 'm-col').map(({ attributes }) =>
      Number(/max-width:(\d+)px/.exec(attributes['style']!)![1]),
    )

  test.each([2, 3, 4])('%i columns are side by side on wide screens and stacked on narrow ones', (count) => {
    for (const content_width of [320, 600, 799]) {
      const { html } = draw([columns({}, ...Array.from({ length: count }, (_, at) => [text(`<p>column ${at}</p>`)]))], {
        settings: { content_width },
      })
      expect(widths(html)).toHaveLength(count)
      expect(widths(html).reduce((sum, width) => sum + width)).toBeLessThanOrEqual(content_width - 56)
      expect(html).toContain('.m-col{max-width:100%!important}')
      for (const { attributes } of found(html, ({ attributes }) => attributes['class'] === 'm-col'))
        expect(attributes['style']).toStartWith('display:inline-block;width:100%;')
      // A space between the columns would take the width of a character.
      expect(html).not.toMatch(/<\/div>\s+(?:<!--[^>]*-->\s*)?<div class="m-col"/)
    }
  })

  test('Columns are a table of as many cells for Outlook, presentational like all others.', () => {
    const html = inOutlook(draw([columns({ valign: 'middle' }, [text('a')], [text('b')], [text('c')])]).html)
    const cells = found(html, ({ name, attributes }) => name === 'td' && attributes['valign'] === 'middle')
    expect(cells.map(({ attributes }) => attributes['width'])).toEqual(['181', '181', '181'])
    expect(new Set(cells.map(({ parents }) => parents.at(-1))).size).toBe(1)
    expect(found(html, ({ name, attributes }) => name === 'table' && attributes['role'] !== 'presentation')).toEqual([])
  })

  test('share the width by their ratios', () => {
    const { html } = draw([
      [
        'columns',
        {
          columns: [
            { share: 1, blocks: [] },
            { share: 2, blocks: blocks([text('x')], 'c') },
          ],
        },
      ],
    ])
    expect(widths(html)).toEqual([181, 362])
  })

  test('Columns can stay side by side on phones.', () => {
    const { html } = draw([columns({ stack: false }, [text('a')], [text('b')])])
    expect(widths(html)).toEqual([])
    expect(found(html, ({ name, attributes }) => name === 'td' && attributes['width'] === '50%')).toHaveLength(2)
  })

  test('Columns limit images and buttons to their width, and keep their order in the plain text.', () => {
    const { html, text: plain } = draw([
      columns(
        {},
        [['image', { src: 'https://a.example/x.png', alt: 'A cat', width: 500 }], text('<p>one</p>')],
        [['button', { text: 'Go', href: 'https://a.example/' }]],
      ),
    ])
    expect(found(html, ({ name }) => name === 'img')[0]!.attributes).toMatchObject({ width: '248' })
    expect(plain).toStartWith('A cat\n\none\n\nGo: https://a.example/')
  })

  test('Columns begin at the right in right-to-left languages.', () => {
    const { html } = draw([columns({}, [text('a')], [text('b')])], { locale: 'he' })
    expect(inOutlook(html)).toContain('border="0" dir="rtl"><tr><td width="272"')
    expect(found(html, ({ attributes }) => attributes['class'] === 'm-col')[0]!.attributes['style']).toContain(
      'text-align:right',
    )
  })

  test('get rewritten links and warnings like other blocks', () => {
    const seen: string[] = []
    compile(
      [
        columns(
          {},
          [text('<a href="https://a.example/1">x</a>')],
          [['button', { text: 'Go', href: 'https://a.example/2' }]],
        ),
      ],
      { rewriteLink: (url) => (seen.push(url), url) },
    )
    expect(seen).toEqual(['https://a.example/1', 'https://a.example/2'])
  })
})

describe('social', () => {
  test('The block social shows links by name, also without images and in the plain text.', () => {
    const { html, text: plain } = draw([
      [
        'social',
        {
          links: [
            { network: 'bluesky', href: 'https://a.example/b' },
            { network: 'email', href: 'mailto:a@b.example' },
            { network: 'website', href: 'https://a.example/', label: 'The <shop>' },
          ],
        },
      ],
    ])
    expect(
      found(html, ({ name, attributes }) => name === 'a' && !attributes['href']!.includes('n.example')).map(
        ({ text }) => text,
      ),
    ).toEqual(['Bluesky', 'Email', 'The <shop>'])
    expect(html).not.toContain('<img')
    expect(plain).toContain('Bluesky: https://a.example/b Email (a@b.example) The <shop> (https://a.example/)')
  })
})

describe('cms_posts', () => {
  const post = (slug: string, more: Partial<EmailPost> = {}): EmailPost => ({
    title: `About ${slug}`,
    slug,
    url: `https://a.example/${slug}`,
    excerpt: `It begins with ${slug}.`,
    category: 'News',
    date: '1 May 2026',
    ...more,
  })
  const posts = [post('a'), post('b', { category: 'Town', url: null }), post('c'), post('d')]
  const titles = (props: Record<string, unknown>, given: readonly EmailPost[] = posts) =>
    [...draw([['cms_posts', props]], { posts: given }).html.matchAll(/About (?:<[^>]*>)*(\w+)</g)].map(
      ([, slug]) => slug,
    )

  test('The block cms_posts shows the given number of newest posts, of one category when it is given.', () => {
    expect(titles({})).toEqual(['a', 'b', 'c'])
    expect(titles({ count: 10, layout: 'titles' })).toEqual(['a', 'b', 'c', 'd'])
    expect(titles({ count: 2, category: 'news ' })).toEqual(['a', 'c'])
  })

  test('The block cms_posts shows title, date and beginning of a post, with a link to it.', () => {
    const { html, text: plain } = draw([['cms_posts', { count: 2 }]], { posts })
    expect(found(html, ({ name }) => name === 'h2').map(({ text }) => text)).toEqual(['About a', 'About b'])
    const links = found(html, ({ name, attributes }) => name === 'a' && attributes['href'] === 'https://a.example/a')
    expect(links.map(({ text, attributes }) => [text, attributes['aria-label']])).toEqual([
      ['About a', undefined],
      ['Read more', 'Read more: About a'],
    ])
    expect(html.split('Read more</a>')).toHaveLength(2)
    expect(plain).toStartWith(
      'About a\n1 May 2026\nIt begins with a.\nhttps://a.example/a\n\nAbout b\n1 May 2026\nIt begins with b.\n\n---',
    )
    expect(draw([['cms_posts', { count: 1 }]], { posts, locale: 'de' }).html).toContain('>Weiterlesen</a>')
  })

  test('The block cms_posts uses the link of the block if it has one.', () => {
    const { links } = compile([['cms_posts', { count: 1, link: 'https://b.example/{slug}?from=mail' }]], {
      posts: [post('ü/x y')],
    })
    expect(links).toEqual(['https://b.example/%C3%BC%2Fx%20y?from=mail'])
  })

  test('nothing in a post is markup or a placeholder', () => {
    const evil = post('x', {
      title: '{{ contact.first_name }} <script>alert(1)</script> "&',
      excerpt: '{{ unsubscribe_url }}</td></table>',
      category: '{{ nope }}',
      date: '{{ date }}',
      url: 'https://a.example/{{ contact.email }}',
    })
    for (const layout of ['list', 'titles']) {
      const { warnings } = compile([['cms_posts', { layout }], text('<p>x</p>')], { posts: [evil] })
      expect(warnings).toEqual([])
      const { html, text: plain } = draw([['cms_posts', { layout }]], { posts: [evil] })
      expect(elementsOf(html).text).toContain('{{ contact.first_name }} <script>alert(1)</script> "&')
      expect(found(html, ({ name }) => name === 'script')).toEqual([])
      expect(plain).toContain('{{ contact.first_name }} <script>')
      expect(html).not.toContain('Ada')
    }
    expect(draw([['cms_posts', {}]], { posts: [post('x', { url: 'javascript:alert(1)' })] }).html).not.toContain(
      'javascript',
    )
  })

  test('The block cms_posts is left out when there is no post to show.', () => {
    const body = (sketches: Block[]) => draw(sketches, { posts }).html.split('<body')[1]
    expect(body([text('x'), ['cms_posts', { category: 'None', section_color: '#eeeeee' }]])).toBe(body([text('x')])!)
    expect(draw([['cms_posts', {}]]).text).toStartWith('---')
  })
})

describe('bands', () => {
  const bands = (html: string) =>
    found(
      html,
      ({ name, attributes }) =>
        name === 'td' && /padding:\d+px 0 \d+px;background-color/.test(attributes['style'] ?? ''),
    )

  test('adjacent blocks of one color share a band', () => {
    const { html } = draw([
      ['heading', { text: 'a', level: 1, section_color: '#123456' }],
      ['spacer', { height: 9, section_color: '#123456' }],
      text('b'),
      ['divider', { section_color: '#fed' }],
      ['image', { src: 'https://a.example/x', alt: 'x', section_color: '#ffeedd' }],
    ])
    expect(bands(html).map(({ attributes }) => attributes['bgcolor'])).toEqual(['#123456', '#ffeedd'])
  })

  test('Bands can have the brand color, with readable text on it.', () => {
    const brand = { project_name: 'Atelier', brand_color: '#0a7d32' }
    const { html } = draw([['heading', { text: 'a', level: 1, section_color: 'brand' }]], { brand })
    expect(bands(html)[0]!.attributes['bgcolor']).toBe('#0a7d32')
    expect(found(html, ({ name }) => name === 'h1')[0]!.parents.at(-1)!.attributes['style']).toContain('color:#ffffff')
  })

  test('Bands in a column have padding at the sides.', () => {
    const { html } = draw([
      [
        'columns',
        { columns: [{ blocks: blocks([['text', { html: 'a', section_color: '#eef' }]], 'c') }, { blocks: [] }] },
      ],
    ])
    expect(bands(html)[0]!.attributes['style']).toContain('border-radius:6px 6px 6px 6px')
    expect(html).toContain('padding:0px 20px 8px')
  })
})

describe('the footer', () => {
  test('The footer has a link to the message as a page when asked, in the language of the message.', () => {
    expect(draw([text('x')]).html).not.toContain('https://n.example/v')
    const { html, text: plain } = draw([text('x'), ['footer', { view_link: true }]], { locale: 'fr' })
    expect(html).toContain('href="https://n.example/v"')
    expect(plain).toContain('Voir dans le navigateur: https://n.example/v')
  })
})
