/**
 * Two letters with every kind of block, drawn as they are sent: `bun test/support/recorded-letter.ts` records them in
 * test/recorded/. Their markup is what mail programs of many kinds were found to show well, which no test can ask them.
 * So each change to it is seen in a review, and then in those programs.
 */
import { join } from 'node:path'
import { checkDocument, type EmailDocument } from '../../src/newsletter/email/document.ts'
import { compileEmail, type EmailSource, fillEmail } from '../../src/newsletter/email/render.ts'
import { POSTS } from './gallery.ts'

export const RECORDED_LETTERS = join(import.meta.dir, '../recorded/letters.txt')

const IMPORTED =
  '<style>.hero{color:#123}.hero td{padding:4px 8px!important}@media (max-width:480px){.hero{width:100%!important}}' +
  '@media (prefers-color-scheme:dark){.hero{color:#eee}}</style>' +
  '<table class="hero" width="300" style="background:#ffe"><tr><td>Imported<!--[if mso]></td><td><![endif]-->' +
  '</td></tr></table><div style="font-size:0"><span style="font-size:14px">sized</span></div>'

const WRITTEN =
  '<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><p>Dear {{ contact.first_name | default: friend }},<br>see ' +
  '<a href="https://tide.example/a?b=1&amp;c=2">the <b>tide</b></a> and <a href="mailto:quay@tide.example">write</a>.' +
  '</p><ul><li>first<ol start="3"><li>third</li></ol></li></ul><blockquote>Quoted</blockquote><pre>as  is</pre>' +
  '<p><code>code</code> <span style="color:#a00">red</span></p><hr><img src="https://tide.example/a.png" alt="Pier">'

type Sketch = [type: string, props: Record<string, unknown>]

const blocks = (prefix: string, ...sketches: Sketch[]) =>
  sketches.map(([type, props], at) => ({ id: `${prefix}${at}`, type, props }))

const href = 'https://tide.example/'
const BLOCKS = blocks(
  'b',
  ['heading', { text: 'Tides & times', level: 1 }],
  ['heading', { text: 'Large', level: 2, size: 70, align: 'center', color: 'brand', font_family: '"My Font", serif' }],
  ['text', { html: WRITTEN }],
  ['html', { html: IMPORTED }],
  [
    'table',
    {
      rows: [
        ['Day', 'Tide'],
        ['Monday', '<b>12:10</b>'],
        ['يوم', '1'],
      ],
      column_align: ['start', 'right'],
    },
  ],
  ['button', { text: 'Read on', href, align: 'center' }],
  ['button', { text: 'Night', href, background_color: '#111111', text_color: '#ffee00' }],
  ['image', { src: 'https://tide.example/b.png', alt: 'Boat', width: 200, href }],
  ['divider', {}],
  ['divider', { color: '#cc0000', thickness: 3, section_color: '#ddeeff' }],
  ['spacer', { height: 30, section_color: '#ddeeff' }],
  ['heading', { text: 'On a band', level: 3, section_color: 'brand' }],
  ['social', { links: [{ network: 'mastodon', href, label: 'Toots' }], section_color: 'brand', align: 'right' }],
  [
    'social',
    {
      links: [
        { network: 'rss', href },
        { network: 'x', href },
      ],
    },
  ],
  [
    'columns',
    {
      valign: 'middle',
      columns: [
        { share: 2, blocks: blocks('c', ['text', { html: '<p>Left</p>' }], ['button', { text: 'Go', href }]) },
        { blocks: blocks('d', ['text', { html: '<p>Right</p>', section_color: '#fed' }]) },
      ],
    },
  ],
  [
    'columns',
    {
      stack: false,
      columns: [{ blocks: blocks('e', ['heading', { text: 'Kept', level: 2 }]) }, { blocks: [], share: 3 }],
    },
  ],
  ['cms_posts', { count: 2 }],
  ['cms_posts', { count: 3, category: 'nature', layout: 'titles', link: 'https://tide.example/p/{slug}' }],
  ['footer', { text: 'You asked for it.', view_link: true }],
)

const BRAND = {
  project_name: 'Tide',
  company_name: 'Tide & Co',
  postal_address: '12 Harbour Lane\nBristol',
  footer_text: 'News of the harbor',
  brand_color: '#1f4e79',
  logo_url: 'https://tide.example/logo.png',
}

const LINKED = { ...POSTS[0]!, url: 'https://tide.example/ferry' }

const VALUES = {
  'contact.first_name': 'Ada',
  unsubscribe_url: 'https://n.example/u',
  preferences_url: 'https://n.example/p',
  view_url: 'https://n.example/v',
  date: '15 May 2026',
}

function letter(settings: EmailDocument['settings'], more: Partial<EmailSource>): string {
  const document = checkDocument({ version: 1, settings, blocks: BLOCKS }, '')
  const source: EmailSource = {
    document,
    subject: 'High {{ date }}',
    brand: BRAND,
    posts: [LINKED, ...POSTS.slice(1)],
    ...more,
  }
  const compiled = compileEmail(source)
  const { subject, html, text } = fillEmail(compiled, VALUES)
  const shown = html
    .replaceAll(/><(?!\/)/g, '>\n<')
    .replace(/(?:\u034F\u200C\u00A0)+/g, (invisible) => `[invisible: ${invisible.length}]`)
  const warnings = compiled.warnings.map(({ code, block_id }) => `${code} ${block_id ?? ''}`)
  return [subject, shown, text, ...compiled.links, ...warnings, ''].join('\n')
}

/** Lines that a review can show: a longer one is broken behind a semicolon or a blank. */
const inShortLines = (text: string): string =>
  text.replace(/^.{111,}$/gm, (line) => line.replace(/.{1,100}[; ](?=.)/g, '$&\n')).replace(/[ \t]+$/gm, '')

/** The one letter as a whole, and of the other the lines that the first does not have and the checksum of all. */
export function recordedLetters(): string {
  const usual = inShortLines(letter({ preheader: 'What the tide brings' }, { locale: 'en-GB', mark_blocks: true }))
  const look = { background_color: '#101820', text_color: '#f0f0f0', content_width: 480, font_family: 'Georgia' }
  const dark = inShortLines(letter(look, { locale: 'ar', for_everybody: true }))
  const known = new Set(usual.split('\n'))
  const own = dark.split('\n').filter((line) => !known.has(line))
  return [usual, ...own, new Bun.CryptoHasher('sha256').update(dark).digest('hex'), ''].join('\n')
}

if (import.meta.main) await Bun.write(RECORDED_LETTERS, recordedLetters())
