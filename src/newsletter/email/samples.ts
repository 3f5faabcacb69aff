import { GALLERY } from './gallery.ts'
import { blocksOf } from './document.ts'
import { decodeEntities, tokens } from './markup.ts'
import { PLACEHOLDER } from '../../shared/merge-tags.ts'
import type { Warn } from './warnings.ts'

/** Letters of a paragraph without its merge tags. A shorter one may well be the author's own. */
const MIN_LETTERS = 20
/** Characters of a paragraph that are shown. */
const MAX_SHOWN = 60

/** Warns about each paragraph and heading of a block's markup that a design of the gallery has. */
export function checkSamples(markup: string, warn: Warn): void {
  for (const paragraph of paragraphsOf(markup)) {
    if (!known().paragraphs.has(keyOf(paragraph))) continue
    const shown = paragraph.length > MAX_SHOWN ? `${paragraph.slice(0, MAX_SHOWN).trimEnd()}…` : paragraph
    warn('sample_text', `“${shown}” still comes from the design.`)
  }
}

/** Whether a path of the project's site, with its query, is one that a design of the gallery invented. */
export const isSamplePath = (path: string): boolean => known().paths.has(path)

interface Samples {
  paragraphs: ReadonlySet<string>
  paths: ReadonlySet<string>
}

let samples: Samples | null = null

const SITE = 'https://site.invalid'

/** Reads the texts of the gallery at first use. */
function known(): Samples {
  samples ??= readSamples()
  return samples
}

function readSamples(): Samples {
  const paragraphs = new Set<string>()
  const paths = new Set<string>()
  for (const block of GALLERY.flatMap((design) => [...blocksOf(design.document(SITE))])) {
    const markup =
      block.type === 'text' ? block.props.html : block.type === 'heading' ? `<h2>${block.props.text}</h2>` : ''
    for (const paragraph of paragraphsOf(markup)) {
      const key = keyOf(paragraph)
      if (key.length >= MIN_LETTERS) paragraphs.add(key)
    }
    for (const [, path] of JSON.stringify(block).matchAll(/https:\/\/site\.invalid(\/[^"\\]*)/g))
      if (!SERVED.test(path!)) paths.add(path!)
  }
  return { paragraphs, paths }
}

/** Paths that every site serves without pages of its own (docs/api/sites.md#posts-on-the-site). */
const SERVED = /^\/(?:posts(?:\/.*)?|letters|feed\.xml)$/

const ENDS: ReadonlySet<string> = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'td',
  'th',
  'div',
  'blockquote',
  'pre',
  'br',
  'table',
  'tr',
])

function paragraphsOf(markup: string): string[] {
  const all: string[] = []
  let text = ''
  const end = () => {
    const paragraph = text.replace(/\s+/g, ' ').trim()
    if (paragraph !== '') all.push(paragraph)
    text = ''
  }
  for (const token of tokens(markup)) {
    if (token.kind === 'text') text += decodeEntities(token.text)
    else if ((token.kind === 'open' || token.kind === 'close') && ENDS.has(token.name)) end()
  }
  end()
  return all
}

/** The letters of a paragraph in lower case, so that neither signs nor merge tags matter. */
const keyOf = (paragraph: string): string =>
  paragraph
    .replace(PLACEHOLDER, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
