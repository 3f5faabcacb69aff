import type { Keys } from '../../secrets.ts'
import { PLACEHOLDER, readPlaceholder } from '../email/merge-tags.ts'
import { compileTemplate, fillTemplate, type MergeValues, type Template } from '../email/template.ts'
import { PUBLIC_ROOT, type RecipientToken } from './links.ts'

/**
 * What a campaign's messages carry so that opens and clicks can be told: a picture of one pixel, and links that lead
 * over this service. Both are signed with keys of their own, so that who sees one (a proxy of pictures, a log) can
 * neither make another nor unsubscribe anybody with it.
 */

/** A link as one recipient got it: its place in the campaign's list, and what its merge tags were filled with. */
export interface ClickToken extends RecipientToken {
  position: number
  values: string[]
}

export function openTrackingToken(keys: Keys, recipient: RecipientToken): string {
  return keys.sign('open', idsOf(recipient).join('.'))
}

/** Whose message a pixel stands in, or null for a token that is not ours. */
export function readOpenTrackingToken(keys: Keys, token: string): RecipientToken | null {
  const ids = parseIds(keys.verify('open', token)?.toString(), 3)
  return ids && recipientOf(ids)
}

export function clickToken(keys: Keys, { position, values, ...recipient }: ClickToken): string {
  const ids = [...idsOf(recipient), position.toString(36)].join('.')
  return keys.sign('click', values.length === 0 ? ids : `${ids}\n${JSON.stringify(values)}`)
}

/** Which link of whose message a token stands for, or null for one that is not ours. */
export function readClickToken(keys: Keys, token: string): ClickToken | null {
  const payload = keys.verify('click', token)?.toString()
  const [head, values] = payload?.split('\n', 2) ?? []
  const ids = parseIds(head, 4)
  return (
    ids && {
      ...recipientOf(ids),
      position: ids[3]!,
      values: values === undefined ? [] : (JSON.parse(values) as string[]),
    }
  )
}

function idsOf({ delivery_id, contact_id, campaign_id }: RecipientToken): string[] {
  return [delivery_id, contact_id, campaign_id].map((id) => id.toString(36))
}

function parseIds(text: string | undefined, count: number): number[] | null {
  const ids = text?.split('.').map((part) => Number.parseInt(part, 36)) ?? []
  return ids.length === count && ids.every((id) => Number.isSafeInteger(id) && id >= 0) ? ids : null
}

function recipientOf([delivery_id, contact_id, campaign_id]: number[]): RecipientToken {
  return { delivery_id: delivery_id!, contact_id: contact_id!, campaign_id: campaign_id! }
}

/** A signed address longer than this is cut off by some mail programs. */
const MOST_PAYLOAD_BYTES = 1000

/** The links and the pixel of one campaign. */
export interface Tracking {
  opens: boolean
  /** Each tracked link's address with its merge tags, and its place in the list that the campaign keeps. */
  links: readonly { url: string; position: number }[]
}

/** The tags of a link that leads over this service, by its number in this drawing of the campaign. */
export const linkTag = (index: number): string => `click.${index}`

const PIXEL_TAG = 'open_url'

/** What makes, for one recipient after the other, the values of the tags that tracking put into a message. */
export function trackingValues(
  keys: Keys,
  base_url: string,
  { opens, links }: Tracking,
): (recipient: RecipientToken, values: MergeValues) => MergeValues {
  const drawn = links.map(({ url, position }, index) => ({
    tag: linkTag(index),
    position,
    tags: tagsOf(url),
    target: compileTemplate(url, 'url'),
  }))
  return (recipient, values) => {
    const tracked: Record<string, string> = {}
    for (const { tag, position, tags, target } of drawn) {
      const own = tags.map((name) => values[name] ?? '')
      // What is too long to be carried along leads there directly, and is not counted.
      tracked[tag] =
        own.length > 0 && Buffer.byteLength(JSON.stringify(own)) > MOST_PAYLOAD_BYTES
          ? fillTemplate(target, values)
          : `${base_url}${PUBLIC_ROOT}/click/${clickToken(keys, { ...recipient, position, values: own })}`
    }
    if (opens) tracked[PIXEL_TAG] = `${base_url}${PUBLIC_ROOT}/open/${openTrackingToken(keys, recipient)}`
    return tracked
  }
}

/** Where a link leads for the recipient whose values came with it: exactly where it would have led untracked. */
export function targetOf(url: string, values: readonly string[]): string {
  const tags = tagsOf(url)
  return fillTemplate(compileTemplate(url, 'url'), Object.fromEntries(tags.map((tag, index) => [tag, values[index]])))
}

/** The merge tags of a link, each once, in the order in which they stand. */
function tagsOf(url: string): string[] {
  return [
    ...new Set(
      [...url.matchAll(PLACEHOLDER)]
        .map(([, inside]) => readPlaceholder(inside!))
        .filter(({ known }) => known)
        .map(({ tag }) => tag),
    ),
  ]
}

/** The message with the pixel at its end, where it holds up nothing that is read. */
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
