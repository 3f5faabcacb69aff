import { Type } from '@sinclair/typebox'
import { line, obj, enumOf } from '../../schema.ts'
import { Align, cell, Href, kind, onBand } from './block-kind.ts'
import { escapeHtml } from './markup.ts'

/** Networks and their names. Links show names, not icons, which are missing where images are off. */
const NETWORKS: Readonly<Record<string, string>> = {
  website: 'Website',
  email: 'Email',
  rss: 'RSS',
  bluesky: 'Bluesky',
  discord: 'Discord',
  facebook: 'Facebook',
  github: 'GitHub',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  medium: 'Medium',
  pinterest: 'Pinterest',
  podcast: 'Podcast',
  reddit: 'Reddit',
  signal: 'Signal',
  snapchat: 'Snapchat',
  spotify: 'Spotify',
  substack: 'Substack',
  telegram: 'Telegram',
  threads: 'Threads',
  tiktok: 'TikTok',
  twitch: 'Twitch',
  vimeo: 'Vimeo',
  whatsapp: 'WhatsApp',
  x: 'X',
  youtube: 'YouTube',
}

export const social = kind({
  description: "Text links to the sender's profiles on other sites.",
  props: obj({
    links: Type.Array(
      obj({
        network: enumOf(Object.keys(NETWORKS)),
        href: Href,
        label: Type.Optional(line(60, { min: 1, description: "Replaces the network's name." })),
      }),
      { minItems: 1, maxItems: 12 },
    ),
    align: Type.Optional(Align),
    ...onBand,
  }),
  html: ({ links, align = 'center' }, look) => {
    // Spaces between the links let them wrap; the padding makes them large enough to tap.
    const row = links
      .map(
        ({ network, href, label }) =>
          `<a class="${look.classes.link}" href="${escapeHtml(href)}" style="display:inline-block;` +
          `padding:6px 10px;font-size:14px;line-height:20px;font-weight:600;` +
          `color:${look.link};text-decoration:none">${escapeHtml(label?.trim() || NETWORKS[network]!)}</a>`,
      )
      .join(' ')
    return cell(look, row, { above: 4, below: 20, align })
  },
})
