import { expect, test } from 'bun:test'
import type { EmailPost } from '../../../src/store/tables/email-document.ts'
import { elementsOf } from './dom.ts'
import { compile, draw, found, type Sketch, text } from './sketches.ts'

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
  [...draw([['cms_posts', props]], { posts: given }).html.matchAll(/About (?:<[^>]*>)*(\w+)</g)].map(([, slug]) => slug)

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
  const blank = draw([['cms_posts', { count: 1 }]], { posts: [post('a', { excerpt: ' ' })] })
  expect(blank.html).not.toMatch(/<p[^>]*>\s*<\/p>/)
  expect(draw([['cms_posts', { count: 1 }]], { posts, locale: 'de' }).html).toContain('>Weiterlesen</a>')
})

test('The block cms_posts uses the link of the block if it has one.', () => {
  const { links } = compile([['cms_posts', { count: 1, link: 'https://b.example/{slug}?from=mail' }]], {
    posts: [post('ü/x y')],
  })
  expect(links).toEqual(['https://b.example/%C3%BC%2Fx%20y?from=mail'])
})

test('Nothing in a post is markup or a placeholder.', () => {
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
  const body = (sketches: Sketch[]) => draw(sketches, { posts }).html.split('<body')[1]
  expect(body([text('x'), ['cms_posts', { category: 'None', section_color: '#eeeeee' }]])).toBe(body([text('x')])!)
  expect(draw([['cms_posts', {}]]).text).toStartWith('---')
  const warned = compile([text('x'), ['cms_posts', { category: 'None' }]], { posts }).warnings
  expect(warned.map(({ code, block_id }) => [code, block_id])).toEqual([['no_posts', 'b1']])
})
