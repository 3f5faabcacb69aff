import type { Keys } from '../../secrets.ts'
import { PLACEHOLDER, readPlaceholder } from '../../shared/merge-tags.ts'
import { compileTemplate, fillTemplate, type MergeValues, type Template } from '../email/template.ts'
import { publicUrl } from './links.ts'
import { createClickToken, createRecipientToken, type RecipientToken } from './tokens.ts'

/** The pixel and the rewritten links by which a campaign's messages report opens and clicks. */

/** Some mail programs cut off longer addresses. */
const MAX_PAYLOAD_BYTES = 1000

/** The links and the pixel of one campaign. */
interface Tracking {
  opens: boolean
  /** Each tracked link's address with its merge tags, and its position in the campaign's stored list. */
  links: readonly { url: string; position: number }[]
}

/** The template tag of a tracked link, by its index in this rendering of the campaign. */
export const linkTag = (index: number): string => `click.${index}`
export const isLinkTag = (tag: string): boolean => tag.startsWith('click.')

const PIXEL_TAG = 'open_url'

/** A function that gives, for one recipient, the values of the tags that tracking put into the message. */
export function trackingValues(
  keys: Keys,
  base_url: string,
  { opens, links }: Tracking,
): (recipient: RecipientToken, values: MergeValues) => MergeValues {
  const prepared = links.map(({ url, position }, index) => ({
    tag: linkTag(index),
    position,
    tags: tagsOf(url),
    target: compileTemplate(url, 'url'),
  }))
  return (recipient, values) => {
    const tracked: Record<string, string> = {}
    for (const { tag, position, tags, target } of prepared) {
      const own = tags.map((name) => values[name] ?? '')
      // A link whose values are too long for a token leads to its target directly and is not counted.
      tracked[tag] =
        own.length > 0 && Buffer.byteLength(JSON.stringify(own)) > MAX_PAYLOAD_BYTES
          ? fillTemplate(target, values)
          : publicUrl(base_url, 'click', createClickToken(keys, { ...recipient, position, values: own }))
    }
    if (opens) tracked[PIXEL_TAG] = publicUrl(base_url, 'open', createRecipientToken(keys, recipient, 'open'))
    return tracked
  }
}

/** The target of a tracked link for the values in its token: where the link would have led without tracking. */
export function targetOf(url: string, values: readonly string[]): string {
  const tags = tagsOf(url)
  return fillTemplate(compileTemplate(url, 'url'), Object.fromEntries(tags.map((tag, index) => [tag, values[index]])))
}

/** The merge tags of a link, each once, in their order. */
export function tagsOf(url: string): string[] {
  return [
    ...new Set(
      [...url.matchAll(PLACEHOLDER)]
        .map(([, inside]) => readPlaceholder(inside!))
        .filter(({ known }) => known)
        .map(({ tag }) => tag),
    ),
  ]
}

/** Adds the pixel at the end of the message, where it does not delay visible content. */
export function withPixel(html: Template): Template {
  const at = html.findLastIndex((part) => typeof part === 'string' && part.includes('</body>'))
  const before = html[at] as string | undefined
  if (before === undefined) return html
  const end = before.lastIndexOf('</body>')
  return [
    ...html.slice(0, at),
    `${before.slice(0, end)}<img src="`,
    { tag: PIXEL_TAG, context: 'url', fallback: '' },
    `" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">${before.slice(end)}`,
    ...html.slice(at + 1),
  ]
}
