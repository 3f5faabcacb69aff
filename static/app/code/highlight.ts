import { parser as css } from '@lezer/css'
import { highlightCode, tagHighlighter } from '@lezer/highlight'
import { configureNesting, parser } from '@lezer/html'
import { parser as javascript } from '@lezer/javascript'
import { CODE_PARTS } from './code-parts.ts'

const html = parser.configure({
  wrap: configureNesting([
    { tag: 'script', parser: javascript },
    { tag: 'style', parser: css },
  ]),
})
const highlighter = tagHighlighter(CODE_PARTS.map(({ tag, color }) => ({ tag, class: color })))

/** A piece of code with one color; an empty color is the text color. */
export interface ColoredPiece {
  text: string
  color: string
}

/** HTML with its scripts and styles, split into pieces with one color each. */
export function coloredPieces(code: string): ColoredPiece[] {
  const pieces: ColoredPiece[] = []
  const add = (text: string, classes: string) => pieces.push({ text, color: classes.split(' ').at(-1)! })
  highlightCode(code, html.parse(code), highlighter, add, () => add('\n', ''))
  return pieces
}
