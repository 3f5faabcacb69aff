import type { Atrule, Block, CssNode, StyleSheet } from 'css-tree'
import { once } from '../../once.ts'

/**
 * Reads the style sheets of imported markup. Every function takes time in proportion to the length of its input;
 * `rulesOf` does because it stops after a number of syntax errors.
 */

/** The content of each style element that has an end tag, and its `media` attribute. */
export function* styleElements(html: string): Generator<{ media: string; css: string }> {
  let media = ''
  /** Start of the content that is open, or null between style elements. */
  let start: number | null = null
  for (const { 0: tag, index } of html.matchAll(/<\/?style/gi)) {
    const isEnd = tag.startsWith('</')
    if (start === null && !isEnd) {
      const end = html.indexOf('>', index)
      if (end < 0) break
      const [, double, single] =
        /\smedia="([^"]*)"|\smedia='([^']*)'/i.exec(html.slice(index, Math.min(end, index + 500))) ?? []
      media = double ?? single ?? ''
      start = end + 1
    } else if (start !== null && isEnd && index >= start) {
      yield { media, css: html.slice(start, index) }
      start = null
    }
  }
}

/** A rule as its author wrote it. */
export interface PlainRule {
  selectors: string
  body: string
  /** Empty when the rule has no condition. */
  query: string
}

type Written = PlainRule | { at_rule: string } | { unreadable: string }

/**
 * Syntax errors that may still follow. The parser skips what is wrong and reads on, but each error costs it time in
 * proportion to the length of the whole sheet.
 */
export interface SyntaxErrors {
  left: number
}

/**
 * The rules of a style sheet that has a media query, with their own queries. Only media queries are read, and none
 * inside another one. Null when the sheet has more syntax errors than are left.
 */
export function rulesOf(css: string, query: string, errors: SyntaxErrors): Written[] | null {
  const sheet = parseSheet(css, errors)
  return sheet && sheet.children.toArray().flatMap((node) => readNode(node, query))
}

const parser = once(() => require('css-tree/parser') as typeof import('css-tree/parser').default)

const TOO_MANY = new Error('The style sheet has too many syntax errors.')

function parseSheet(css: string, errors: SyntaxErrors): StyleSheet | null {
  const onParseError = (): void => {
    if (errors.left === 0) throw TOO_MANY
    errors.left--
  }
  try {
    return parser()(css, {
      parseAtrulePrelude: false,
      parseRulePrelude: false,
      parseValue: false,
      onParseError,
    }) as StyleSheet
  } catch (error) {
    if (error === TOO_MANY) return null
    throw error
  }
}

function readNode(node: CssNode, query: string): Written[] {
  if (node.type !== 'Atrule') return plainRules(node, query)
  const inner = node.name.toLowerCase() === 'media' ? readMedia(preludeOf(node)) : null
  if (inner === null || !node.block || (inner !== '' && query !== '')) return [unreadAtRule(node)]
  return node.block.children
    .toArray()
    .flatMap((child) => (child.type === 'Atrule' ? [unreadAtRule(child)] : plainRules(child, inner || query)))
}

function plainRules(node: CssNode, query: string): Written[] {
  if (node.type === 'Rule') return [{ selectors: textOf(node.prelude), body: bodyOf(node.block), query }]
  return node.type === 'Raw' ? [{ unreadable: node.value }] : []
}

const preludeOf = ({ prelude }: Atrule): string => (prelude ? textOf(prelude) : '')
const unreadAtRule = (node: Atrule): Written => ({ at_rule: `@${node.name} ${preludeOf(node)}`.trim() })

/** The declarations, one after the other. Rules inside a rule are not read. */
function bodyOf(block: Block): string {
  return block.children
    .toArray()
    .map((node) => {
      if (node.type === 'Declaration')
        return `${node.property}:${textOf(node.value)}${node.important ? '!important' : ''}`
      return node.type === 'Raw' ? node.value : node.type
    })
    .join(';')
}

/** The parser leaves selectors, conditions and values as they are written. */
const textOf = (node: CssNode): string => (node.type === 'Raw' ? node.value.trim() : '')

const MAX_QUERY = 300
const FEATURE =
  /^\(\s*(?:(min|max)-width\s*:\s*(\d{1,4}(?:\.\d{1,3})?(?:px|em|rem))|(prefers-color-scheme)\s*:\s*dark)\s*\)$/

/**
 * A media query in a plain notation: widths of the screen and dark mode. Empty when it is true on every screen, null
 * when it is not supported. An unsupported query in a list is left out.
 */
export function readMedia(list: string): string | null {
  if (list.length > MAX_QUERY) return null
  const queries = list
    .toLowerCase()
    .split(',')
    .map(readQuery)
    .filter((query) => query !== null)
  return queries.length === 0 ? null : queries.includes('') ? '' : queries.join(',')
}

function readQuery(query: string): string | null {
  const [first = '', ...others] = query.trim().split(/\s*\band\b\s*/)
  const hasType = /^(?:only\s+)?(?:screen|all)$|^$/.test(first)
  const features: string[] = []
  for (const feature of hasType ? others : [first, ...others]) {
    const [found, side, width] = FEATURE.exec(feature) ?? []
    if (!found) return null
    features.push(side ? `(${side}-width:${width})` : '(prefers-color-scheme:dark)')
  }
  return features.length === 0 ? '' : `only screen and ${features.join(' and ')}`
}
