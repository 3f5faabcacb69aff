import type { Fragment, Mark, Node } from 'prosemirror-model'
import { lineSchema, type Kept } from './text-schema.ts'
import { splitTags, type Tag, writeTag } from './tags.ts'

/** The HTML of a text. An empty text is an empty string. */
export function writeHtml(doc: Node): string {
  if (doc.childCount === 1 && doc.firstChild!.type.name === 'paragraph' && doc.firstChild!.childCount === 0) return ''
  return writeBlocks(doc)
}

/** The HTML of a cell of a table: its lines without paragraphs, unless these say more than that. */
export function writeCell(doc: Node): string {
  let isPlain = true
  const lines: string[] = []
  doc.forEach(({ type, attrs, content }) => {
    isPlain &&= type.name === 'paragraph' && attrs['keep'] === null && /^(?:p|div)$/.test(String(attrs['tag']))
    if (isPlain) lines.push(writeInline(content))
  })
  return isPlain ? lines.join('<br>') : writeHtml(doc)
}

/** The text of a line. */
export function writeLine(doc: Node): string {
  let text = ''
  doc.forEach((node) => (text += node.type.name === 'merge_tag' ? writeTag(node.attrs as Tag) : node.text!))
  return text
}

/** A line from its text. */
export function readLine(text: string): Node {
  const nodes = splitTags(text).map((piece) =>
    typeof piece === 'string' ? lineSchema.text(piece) : lineSchema.node('merge_tag', { ...piece }),
  )
  return lineSchema.node('doc', null, nodes)
}

function writeBlocks(parent: Node): string {
  let html = ''
  parent.forEach((node, _, at) => (html += writeBlock(node, parent.type.name === 'list_item' && at === 0)))
  return html
}

function writeBlock(node: Node, opensItem: boolean): string {
  const { attrs } = node
  const kept = attributes(attrs['keep'] as Kept)
  switch (node.type.name) {
    case 'paragraph': {
      const inside = writeInline(node.content)
      if (opensItem && attrs['spaced'] === false && kept === '' && attrs['tag'] === 'p') return inside
      return `<${attrs['tag']}${kept}>${inside}</${attrs['tag']}>`
    }
    case 'heading':
      return `<h${attrs['level']}${kept}>${writeInline(node.content)}</h${attrs['level']}>`
    case 'code_block':
      return `<pre${kept}>${escape(node.textContent)}</pre>`
    case 'horizontal_rule':
      return `<hr${kept}>`
    case 'raw':
      return String(attrs['html'])
    case 'ordered_list': {
      const start = attrs['order'] === 1 ? '' : ` start="${attrs['order']}"`
      return `<ol${start}${kept}>${writeBlocks(node)}</ol>`
    }
    default: {
      const tag = TAGS[node.type.name] ?? String(attrs['tag'])
      return `<${tag}${kept}>${writeBlocks(node)}</${tag}>`
    }
  }
}

const TAGS: Readonly<Record<string, string>> = { blockquote: 'blockquote', bullet_list: 'ul', list_item: 'li' }
const MARKS: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
}

/** Writes a run of text. A mark that continues over several nodes stays open between them. */
function writeInline(content: Fragment): string {
  let html = ''
  let open: readonly Mark[] = []
  content.forEach((node) => {
    let same = 0
    while (same < open.length && same < node.marks.length && open[same]!.eq(node.marks[same]!)) same++
    html += closing(open.slice(same)) + node.marks.slice(same).map(opening).join('') + writeLeaf(node)
    open = node.marks
  })
  return html + closing(open)
}

function writeLeaf(node: Node): string {
  const { attrs } = node
  if (node.type.name === 'merge_tag') return escape(writeTag(attrs as Tag))
  if (node.type.name === 'hard_break') return `<${attrs['tag']}>`
  if (node.type.name === 'image') {
    const { src, alt, keep } = attrs
    return `<img src="${quoted(String(src))}" alt="${quoted(String(alt))}"${attributes(keep as Kept)}>`
  }
  return escape(node.text!)
}

function opening({ type, attrs }: Mark): string {
  const kept = attributes(attrs['keep'] as Kept)
  if (type.name === 'link') return `<a href="${quoted(String(attrs['href']))}"${kept}>`
  return `<${tagOf(type.name, attrs)}${kept}>`
}

function closing(marks: readonly Mark[]): string {
  return marks
    .toReversed()
    .map(({ type, attrs }) => `</${type.name === 'link' ? 'a' : tagOf(type.name, attrs)}>`)
    .join('')
}

function tagOf(mark: string, attrs: Readonly<Record<string, unknown>>): string {
  return MARKS[mark] ?? String(attrs['tag'])
}

function attributes(kept: Kept): string {
  return Object.entries(kept ?? {})
    .map(([name, value]) => ` ${name}="${quoted(value)}"`)
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00A0', '&nbsp;')
}

function quoted(text: string): string {
  return escape(text).replaceAll('"', '&quot;')
}
