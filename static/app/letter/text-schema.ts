import { type AttributeSpec, type Attrs, type DOMOutputSpec, Schema, type TagParseRule } from 'prosemirror-model'
import { plainText } from './html-text.ts'
import { chipWords, type Tag } from './tags.ts'

/**
 * The HTML that the service's sanitizer keeps, as an editor schema (docs/api/campaigns.md#documents). Elements that
 * form text are nodes and marks, with all their attributes in `keep`. Other elements, such as tables, are unchanged:
 * the node `raw` holds their HTML.
 */

/** Attributes of an element that the editor keeps but does not show. */
export type Kept = Readonly<Record<string, string>> | null

const keep: AttributeSpec = { default: null }
/** In the page, an element carries its kept attributes here, so that a copy inside the editor keeps them. */
const KEEP = 'data-keep'
/** The sanitizer removes these, or they have no meaning outside of their page. */
const DROPPED = /^(?:id|class|on.*|data-.*|aria-(?!label$).*|xmlns.*|contenteditable|tabindex)$/

/** The attributes of an element except those that its node stores itself. */
function keptOf(element: Element, ...own: string[]): Kept {
  const written = element.getAttribute(KEEP)
  if (written !== null) return JSON.parse(written) as Kept
  const entries = Array.from(element.attributes, ({ name, value }) => [name, value] as const)
  // Each text finds its own direction without being told to.
  const isUsual = (name: string, value: string) => name === 'dir' && value.toLowerCase() === 'auto'
  const kept = entries.filter(([name, value]) => !DROPPED.test(name) && !own.includes(name) && !isUsual(name, value))
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** How a node with kept attributes is drawn in the page: only its alignment and its direction are visible. */
function shown(tag: string, { keep: kept }: Attrs, more: Record<string, string> = {}): DOMOutputSpec {
  const attributes = { ...more, ...(kept === null ? {} : { [KEEP]: JSON.stringify(kept) }) }
  const align = alignOf(kept as Kept)
  const dir = /^(?:rtl|ltr)$/i.exec((kept as Kept)?.['dir'] ?? '')?.[0]
  const directed = dir === undefined ? attributes : { ...attributes, dir }
  return [tag, align === null ? directed : { ...directed, style: `text-align:${align}` }, 0]
}

/** A list or quote whose first letter decides where its signs and its edge are. */
const AUTO = { dir: 'auto' }

/** The alignment that kept attributes give, or null. */
export function alignOf(kept: Kept): string | null {
  return (
    /(?:^|;)\s*text-align:\s*(left|right|center|justify)/i.exec(kept?.['style'] ?? '')?.[1] ?? kept?.['align'] ?? null
  )
}

/** Kept attributes with another alignment; null removes it. */
export function withAlign(kept: Kept, align: string | null): Kept {
  const { style = '', ...all } = kept ?? {}
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => name !== 'align'))
  const others = style.split(';').filter((part) => part.trim() !== '' && !/^\s*text-align\s*:/i.test(part))
  const written = [...others, ...(align === null ? [] : [`text-align:${align}`])].join(';')
  const changed = written === '' ? rest : { ...rest, style: written }
  return Object.keys(changed).length === 0 ? null : changed
}

const BLOCKS = new Set(
  (
    'address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
    'hr li main ol p pre section table ul'
  ).split(' '),
)
const BOXES = [
  'div',
  'section',
  'article',
  'aside',
  'header',
  'footer',
  'main',
  'center',
  'address',
  'figure',
  'figcaption',
]

/** An element that contains only text is a kind of paragraph; one that contains paragraphs is a box. */
function holdsBlocks(element: Element): boolean {
  return Array.from(element.children).some((child) => BLOCKS.has(child.localName) || holdsBlocks(child))
}

const boxRules = BOXES.map((tag): [TagParseRule, TagParseRule] => [
  { tag, node: 'paragraph', getAttrs: (el) => (holdsBlocks(el) ? false : { tag, keep: keptOf(el) }) },
  { tag, node: 'box', getAttrs: (el) => ({ tag, keep: keptOf(el) }) },
])

/** A merge tag in the page: one node that cannot be split. */
const tagNode = {
  inline: true,
  group: 'inline',
  atom: true,
  attrs: { name: { default: '' }, fallback: { default: '' } },
  leafText: ({ attrs }: { attrs: Attrs }) => chipWords(attrs as Tag),
  toDOM: ({ attrs }: { attrs: Attrs }): DOMOutputSpec => [
    'span',
    { class: 'tag-chip', 'data-tag': String(attrs['name']), 'data-fallback': String(attrs['fallback']) },
    chipWords(attrs as Tag),
  ],
  parseDOM: [
    {
      tag: 'span[data-tag]',
      priority: 80,
      getAttrs: (el: HTMLElement) => ({ name: el.dataset['tag'] ?? '', fallback: el.dataset['fallback'] ?? '' }),
    },
  ],
}

/** The text of a text block. */
export const richSchema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: {
      group: 'block',
      content: 'inline*',
      // `spaced`: a paragraph element inside a list item. Without it, the text is directly in the item.
      attrs: { keep, tag: { default: 'p' }, spaced: { default: false } },
      parseDOM: [
        { tag: 'p', context: 'list_item/', getAttrs: (el) => ({ keep: keptOf(el), spaced: true }) },
        { tag: 'p', getAttrs: (el) => ({ keep: keptOf(el) }) },
        ...boxRules.map(([rule]) => rule),
      ],
      toDOM: ({ attrs }) => shown('p', attrs),
    },
    heading: {
      group: 'block',
      content: 'inline*',
      defining: true,
      attrs: { keep, level: { default: 2 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
        tag: `h${level}`,
        getAttrs: (el: HTMLElement) => ({ level, keep: keptOf(el) }),
      })),
      toDOM: ({ attrs }) => shown(`h${attrs['level']}`, attrs),
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      attrs: { keep },
      parseDOM: [{ tag: 'blockquote', getAttrs: (el) => ({ keep: keptOf(el) }) }],
      toDOM: ({ attrs }) => shown('blockquote', attrs, AUTO),
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { keep },
      parseDOM: [{ tag: 'ul', getAttrs: (el) => ({ keep: keptOf(el) }) }],
      toDOM: ({ attrs }) => shown('ul', attrs, AUTO),
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      attrs: { keep, order: { default: 1 } },
      parseDOM: [
        { tag: 'ol', getAttrs: (el) => ({ keep: keptOf(el, 'start'), order: Number(el.getAttribute('start') ?? 1) }) },
      ],
      toDOM: ({ attrs }) =>
        shown('ol', attrs, attrs['order'] === 1 ? AUTO : { ...AUTO, start: String(attrs['order']) }),
    },
    list_item: {
      content: 'paragraph block*',
      defining: true,
      attrs: { keep },
      parseDOM: [{ tag: 'li', getAttrs: (el) => ({ keep: keptOf(el) }) }],
      toDOM: ({ attrs }) => shown('li', attrs),
    },
    box: {
      group: 'block',
      content: 'block+',
      attrs: { keep, tag: { default: 'div' } },
      parseDOM: boxRules.map(([, rule]) => rule),
      toDOM: ({ attrs }) => shown('div', attrs),
    },
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      attrs: { keep },
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: (el) => ({ keep: keptOf(el) }) }],
      toDOM: ({ attrs }) => shown('pre', attrs),
    },
    horizontal_rule: {
      group: 'block',
      attrs: { keep },
      parseDOM: [{ tag: 'hr', getAttrs: (el) => ({ keep: keptOf(el) }) }],
      toDOM: () => ['hr'],
    },
    raw: {
      group: 'block',
      atom: true,
      attrs: { html: {} },
      parseDOM: [
        { tag: 'div[data-html]', priority: 80, getAttrs: (el) => ({ html: el.dataset['html'] ?? '' }) },
        { tag: 'table, dl', priority: 70, getAttrs: (el) => ({ html: el.outerHTML }) },
      ],
      toDOM: ({ attrs }) => {
        const html = String(attrs['html'])
        const rows = rowsOf(html)
        const words = rows.length === 0 ? `Table: ${plainText(html).slice(0, 80)}` : ['table', ['tbody', ...rows]]
        return ['div', { class: 'raw-html', 'data-html': html }, words]
      },
    },
    image: {
      inline: true,
      group: 'inline',
      draggable: true,
      attrs: { keep, src: { default: '' }, alt: { default: '' } },
      parseDOM: [
        {
          tag: 'img[src], span[data-src]',
          // Before the rule for spans with attributes, so that a copied picture stays one.
          priority: 80,
          getAttrs: (el) => ({
            src: el.getAttribute('src') ?? el.dataset['src'] ?? '',
            alt: el.getAttribute('alt') ?? el.dataset['alt'] ?? '',
            keep: keptOf(el, 'src', 'alt'),
          }),
        },
      ],
      // The page does not load pictures of other hosts; the preview does.
      toDOM: ({ attrs: { src, alt, keep: kept } }) => [
        'span',
        { class: 'picture-chip', 'data-src': src, 'data-alt': alt, ...(kept && { [KEEP]: JSON.stringify(kept) }) },
        alt === '' ? 'picture' : String(alt),
      ],
    },
    merge_tag: tagNode,
    hard_break: {
      inline: true,
      group: 'inline',
      selectable: false,
      leafText: () => '\n',
      attrs: { tag: { default: 'br' } },
      parseDOM: ['br', 'wbr'].map((tag) => ({ tag, getAttrs: () => ({ tag }) })),
      toDOM: ({ attrs }) => [String(attrs['tag'])],
    },
    text: { group: 'inline' },
  },
  marks: {
    link: {
      attrs: { keep, href: {} },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (el) => ({ href: el.getAttribute('href'), keep: keptOf(el, 'href', 'target', 'rel') }),
        },
      ],
      toDOM: ({ attrs }) => shown('a', attrs, { href: String(attrs['href']), rel: 'noreferrer' }),
    },
    strong: simpleMark('strong', ['strong', 'b']),
    em: simpleMark('em', ['em', 'i']),
    underline: simpleMark('u', ['u']),
    strike: simpleMark('s', ['s', 'strike', 'del']),
    code: simpleMark('code', ['code']),
    // Inline elements of other names, and spans with a style.
    other: {
      attrs: { keep, tag: {} },
      excludes: '',
      parseDOM: [
        {
          tag: 'span, font, small, big, mark, sub, sup, ins, kbd, samp, var, tt, q, cite, dfn, abbr, time, bdi, bdo',
          getAttrs: (el) => {
            const kept = keptOf(el)
            return kept === null && /^(?:span|font)$/.test(el.localName) ? false : { tag: el.localName, keep: kept }
          },
        },
      ],
      toDOM: ({ attrs }) => shown(attrs['tag'] === 'font' ? 'span' : String(attrs['tag']), attrs),
    },
  },
})

/** The rows of a table as the page shows them: the words of its cells. */
function rowsOf(html: string): DOMOutputSpec[] {
  return html.split(/<\/tr>/i).flatMap((row): DOMOutputSpec[] => {
    const cells = [...row.matchAll(/<(t[dh])\b[^>]*>((?:[^<]|<(?!\/t[dh]>))*)<\/t[dh]>/gi)]
    const shown = cells.map(([, tag, inside]): DOMOutputSpec => [tag!.toLowerCase(), plainText(inside!)])
    return shown.length === 0 ? [] : [['tr', ...shown] as unknown as DOMOutputSpec]
  })
}

function simpleMark(tag: string, tags: readonly string[]) {
  return {
    attrs: { keep },
    parseDOM: tags.map((name) => ({ tag: name, getAttrs: (el: HTMLElement) => ({ keep: keptOf(el) }) })),
    toDOM: ({ attrs }: { attrs: Attrs }) => shown(tag, attrs),
  }
}

/** A single line with merge tags: a subject, a heading, the text of a button. */
export const lineSchema = new Schema({
  nodes: { doc: { content: 'inline*' }, merge_tag: tagNode, text: { group: 'inline' } },
  marks: {},
})
