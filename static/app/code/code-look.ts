import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { CODE_PARTS } from './code-parts.ts'

/** The syntax colors, from the design tokens of the page. */
export const COLORS = HighlightStyle.define([
  ...CODE_PARTS.map(({ tag, color }) => ({ tag, color: `var(--${color})` })),
  { tag: tags.invalid, textDecoration: 'underline wavy var(--bad)' },
])

/** Sizes and backgrounds, from the design tokens of the page. */
export const LOOK = EditorView.theme({
  '&': { blockSize: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '8px' },
  // In Chromium, text typed over colored text keeps its color unless the line has one.
  '.cm-line': { color: 'var(--ink) !important' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--ground)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--wait-soft)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--wait)' },
  '.cm-marked': { backgroundColor: 'var(--accent-soft)', borderRadius: '3px' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--bad-soft)' },
  '.cm-lint-marker-error': { content: 'normal', color: 'var(--bad)', lineHeight: '1.4' },
  '.cm-lint-marker-error::before': { content: '"✕"' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
  '.cm-diagnostic-error': { borderInlineStart: '4px solid var(--bad)' },
  '.cm-foldPlaceholder': { color: 'var(--quiet)', backgroundColor: 'var(--ground)', borderColor: 'var(--line)' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--ground)', borderColor: 'var(--line)' },
  '.cm-textfield': { color: 'var(--ink)', backgroundColor: 'var(--paper)', borderColor: 'var(--edge)' },
  '.cm-button': { color: 'var(--ink)', backgroundImage: 'none', backgroundColor: 'var(--raised)' },
})
