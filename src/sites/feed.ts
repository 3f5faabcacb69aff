import { iso } from '../clock.ts'

/** The XML that a site has of its posts and pages: an Atom feed (RFC 4287) and a sitemap (sitemaps.org, 0.9). */

interface Feed {
  /** The public id of the project: entries keep their ids when the site moves. */
  public_id: string
  name: string
  language: string
  /** The address of the site, of its feed and of the page of its posts. */
  address: string
  feed: string
  posts: string
}

export interface FeedPost {
  id: number
  title: string
  address: string
  author: string
  tags: readonly string[]
  excerpt: string
  /** Null for a post that is too long for the feed. */
  content: string | null
  dated_at: number
  updated_at: number
}

export function atomFeed(feed: Feed, posts: readonly FeedPost[]): string {
  const updated = Math.max(...posts.map(({ updated_at }) => updated_at))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escaped(feed.language)}">
<id>urn:masthead:${feed.public_id}</id>
<title>${escaped(feed.name)}</title>
<updated>${iso(updated)}</updated>
<author><name>${escaped(feed.name)}</name></author>
<link rel="self" type="application/atom+xml" href="${escaped(feed.feed)}"/>
<link rel="alternate" type="text/html" href="${escaped(feed.posts)}"/>
${posts.map((post) => entryOf(feed, post)).join('\n')}
</feed>
`
}

function entryOf({ public_id }: Feed, post: FeedPost): string {
  const { id, title, address, author, tags, excerpt, content, dated_at, updated_at } = post
  return [
    '<entry>',
    `<id>urn:masthead:${public_id}:post:${id}</id>`,
    `<title>${escaped(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escaped(address)}"/>`,
    `<published>${iso(dated_at)}</published>`,
    `<updated>${iso(updated_at)}</updated>`,
    ...(author === '' ? [] : [`<author><name>${escaped(author)}</name></author>`]),
    ...tags.map((tag) => `<category term="${escaped(tag)}"/>`),
    ...(excerpt.trim() === '' ? [] : [`<summary>${escaped(excerpt.trim())}</summary>`]),
    ...(content === null ? [] : [`<content type="html" xml:base="${escaped(address)}">${escaped(content)}</content>`]),
    '</entry>',
  ].join('\n')
}

export interface Location {
  path: string
  updated_at: number
}

/** A sitemap of absolute addresses. */
export function sitemap(locations: readonly Location[]): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${locations.map(urlOf).join('\n')}
</urlset>
`
}

function urlOf({ path, updated_at }: Location): string {
  return `<url><loc>${escaped(path)}</loc><lastmod>${iso(updated_at)}</lastmod></url>`
}

/** A text for XML 1.0, which has no control characters but tab and line ends, not even as references. */
function escaped(text: string): string {
  return Bun.escapeHTML(text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
}
