import { expect, test } from 'bun:test'
import { atomFeed, sitemap } from '../../src/sites/feed.ts'

const FEED = {
  public_id: 'prj_a',
  name: 'Tom & Co',
  language: 'en',
  address: 'https://a.example',
  feed: 'https://a.example/feed.xml',
  posts: 'https://a.example/posts',
}
const post = (more: object) => ({
  id: 1,
  title: 'A <b>',
  address: 'https://a.example/posts/a?x&y',
  author: '',
  tags: [],
  excerpt: ' ',
  content: null,
  dated_at: 0,
  updated_at: 1000,
  ...more,
})

test('A feed is as new as its newest post, and leaves out what a post has not.', () => {
  const xml = atomFeed(FEED, [post({}), post({ id: 2, updated_at: 5000 })])
  expect(xml).toContain('<title>Tom &amp; Co</title>\n<updated>1970-01-01T00:00:05.000Z</updated>')
  expect(xml).toContain('<link rel="self" type="application/atom+xml" href="https://a.example/feed.xml"/>')
  const [entry] = xml.split('<entry>').slice(1)
  expect(entry).toBe(
    '\n<id>urn:masthead:prj_a:post:1</id>\n<title>A &lt;b&gt;</title>\n' +
      '<link rel="alternate" type="text/html" href="https://a.example/posts/a?x&amp;y"/>\n' +
      '<published>1970-01-01T00:00:00.000Z</published>\n<updated>1970-01-01T00:00:01.000Z</updated>\n</entry>\n',
  )
})

test('A post has its author, tags, summary and content.', () => {
  const xml = atomFeed(FEED, [post({ author: 'Ada', tags: ['News', 'A&'], excerpt: ' Short ', content: '<p>x</p>' })])
  expect(xml).toContain(
    '<author><name>Ada</name></author>\n<category term="News"/>\n<category term="A&amp;"/>\n' +
      '<summary>Short</summary>\n' +
      '<content type="html" xml:base="https://a.example/posts/a?x&amp;y">&lt;p&gt;x&lt;/p&gt;</content>',
  )
})

test('Characters that XML does not have are left out.', () => {
  expect(atomFeed(FEED, [post({ title: 'a\u0000\u000B\uD800\uFFFE\tb😀' })])).toContain('<title>a\tb😀</title>')
})

test('A sitemap lists addresses with their last change.', () => {
  expect(sitemap([{ path: 'https://a.example/?a&b', updated_at: 0 }])).toContain(
    '<url><loc>https://a.example/?a&amp;b</loc><lastmod>1970-01-01T00:00:00.000Z</lastmod></url>',
  )
})
