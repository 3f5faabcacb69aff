import { Type } from '@sinclair/typebox'
import { line, obj, enumOf } from '../../schema.ts'
import { cell, kind, onBand } from './block-kind.ts'
import { directionFor } from './direction.ts'
import type { EmailPost } from '../../store/tables/email-document.ts'
import type { Look } from './look.ts'
import { escapeHtml } from './markup.ts'
import { asIs, type Template } from './template.ts'

const DEFAULT_COUNT = 3

/** The project's newest posts. The caller reads them beforehand; see `postsWanted` in document.ts. */
export const cms_posts = kind({
  description: 'The newest published posts of the project, as they are when the campaign is sent.',
  props: obj({
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: DEFAULT_COUNT })),
    category: Type.Optional(line(200, { min: 1, description: 'Only posts with this tag.' })),
    link: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^https?://[^\\s{}"<>\\\\]*\\{slug\\}[^\\s{}"<>\\\\]*$',
        description:
          'The URL of a post: http or https, with {slug} in it. When left out, the hosted page whose ' +
          'path ends with the slug, or else the post on the site.',
      }),
    ),
    layout: Type.Optional(
      enumOf(['list', 'titles'], {
        default: 'list',
        description: '`list`: title, date, excerpt and a link; `titles`: title and date.',
      }),
    ),
    ...onBand,
  }),
  html: (props, look, warn) => {
    const posts = shownPosts(props, look)
    if (posts.length === 0) warn('no_posts', 'There is no published post to show, so the block is left out.')
    return posts.map((post, at) => (props.layout === 'titles' ? title : entry)(post, look, at === 0)).join('')
  },
  text: (props, look, { onTextLink = asIs }) => {
    const text = shownPosts(props, look)
      .map(({ title, date, excerpt, url }) => {
        return [title, date, props.layout === 'titles' ? '' : excerpt.trim(), url && onTextLink(address(url))]
      })
      .map((lines) => lines.filter(Boolean).join('\n'))
      .join('\n\n')
    return text === '' ? [] : ([text] satisfies Template)
  },
})

/** Count and category of a block, with defaults. */
export const postSelection = ({
  count = DEFAULT_COUNT,
  category,
}: {
  count?: number
  category?: string
}): { count: number; category: string | null } => ({
  count,
  category: category?.trim() || null,
})

function shownPosts(
  { link, ...props }: Parameters<typeof postSelection>[0] & { link?: string },
  look: Look,
): readonly EmailPost[] {
  const { count, category } = postSelection(props)
  const shown = look.posts
    .filter(({ tags, category: only }) => category === null || (tags ?? [only]).some((tag) => isSame(tag, category)))
    .slice(0, count)
  return link === undefined
    ? shown
    : shown.map((post) => ({
        ...post,
        url: link.replaceAll('{slug}', () => encodeURIComponent(post.slug.toWellFormed())),
      }))
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function entry(post: EmailPost, look: Look, isFirst: boolean): string {
  const about = [post.category, post.date]
    .filter((part) => part.trim())
    .map(literal)
    .join(' &middot; ')
  const byline =
    about &&
    `<p class="${look.classes.quiet}" style="margin:0 0 8px;font-size:14px;line-height:20px;` +
      `color:${look.quiet}">${about}</p>`
  const more =
    post.url &&
    `<p style="margin:0"><a class="${look.classes.link}" href="${escapeHtml(address(post.url))}" ` +
      `aria-label="${label(`${look.translations.read_more}: ${post.title}`)}" style="color:${look.link};` +
      `font-weight:600;text-decoration:underline">${look.translations.read_more}</a></p>`
  const content =
    `<h2 style="margin:0 0 4px;font-size:20px;line-height:28px;font-weight:700">` +
    `${linked(post, look, look.text, look.classes.text)}</h2>${byline}` +
    (post.excerpt.trim() && `<p style="margin:0 0 8px">${literal(post.excerpt.trim())}</p>`) +
    (more ?? '')
  return cell(look, content, { above: isFirst ? 0 : 4, below: 28, dir: directionFor(post.title, 'auto', look.dir) })
}

function title(post: EmailPost, look: Look): string {
  const date =
    post.date &&
    `<br><span class="${look.classes.quiet}" style="font-size:14px;line-height:20px;color:${look.quiet}">` +
      `${literal(post.date)}</span>`
  return cell(
    look,
    `<strong style="font-weight:600">${linked(post, look, look.link, look.classes.link)}</strong>${date}`,
    { below: 16, dir: directionFor(post.title, 'auto', look.dir) },
  )
}

function linked({ title, url }: EmailPost, look: Look, color: string, className: string): string {
  if (!url) return literal(title)
  return (
    `<a class="${className}" href="${escapeHtml(address(url))}" style="color:${color};` +
    `text-decoration:${color === look.text ? 'none' : 'underline'}">${literal(title)}</a>`
  )
}

/** Escapes a post's text for HTML so that it cannot contain a placeholder. */
const literal = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;')

/** Escapes text for an attribute. Attributes are decoded before placeholders are found, so braces are replaced. */
const label = (text: string): string => escapeHtml(text.replaceAll('{', '(').replaceAll('}', ')'))

/** A post's URL without placeholders; `#` for anything but http and https. */
function address(url: string): string {
  const plain = url.trim().replaceAll('{', '%7B').replaceAll('}', '%7D').replace(/\s/g, '%20')
  return /^https?:\/\//i.test(plain) ? plain : '#'
}
