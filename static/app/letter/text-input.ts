import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands'
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { setLink } from './text-link.ts'
import { richSchema } from './text-schema.ts'

const { nodes, marks } = richSchema

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
})

/** The keys of a text, after those of the surrounding editor. */
export function richKeys(): Plugin[] {
  return [
    ...markKeys(),
    keymap({
      Enter: splitListItem(nodes.list_item),
      'Mod-[': liftListItem(nodes.list_item),
      'Mod-]': sinkListItem(nodes.list_item),
    }),
    keymap(baseKeymap),
  ]
}

/** The keys of a cell of a table, where Enter begins a line. */
export function cellPlugins(): Plugin[] {
  return [inputRules({ rules: markRules() }), ...markKeys(), keymap({ Enter: breakLine }), keymap(baseKeymap)]
}

function markKeys(): Plugin[] {
  return [
    keymap({
      'Mod-b': toggleMark(marks.strong),
      'Mod-i': toggleMark(marks.em),
      'Mod-u': toggleMark(marks.underline),
      'Mod-Shift-k': setLink(''),
      'Shift-Enter': breakLine,
    }),
  ]
}

/** Markdown becomes formatting while it is typed: `## `, `- `, `1. `, `> `, `**bold**`, `*italic*`. */
export function markdown(): Plugin {
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,3})\s$/, nodes.heading, (match) => ({ level: match[1]!.length })),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list),
      wrappingInputRule(/^\s*(\d{1,3})[.)]\s$/, nodes.ordered_list, (match) => ({ order: Number(match[1]) })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      ...markRules(),
    ],
  })
}

const markRules = (): InputRule[] => [
  markRule(/\*\*([^*\s](?:[^*]{0,500}[^*\s])?)\*\*$/, marks.strong),
  markRule(/(?:^|[^*])\*([^*\s](?:[^*]{0,500}[^*\s])?)\*$/, marks.em),
  markRule(/(?:^|\s)_([^_\s](?:[^_]{0,500}[^_\s])?)_$/, marks.em),
]

/** Formats the text between the markers, and removes the markers. */
function markRule(pattern: RegExp, mark: MarkType): InputRule {
  return new InputRule(pattern, (state, match, _, end) => {
    const words = match[1]!
    const sign = match[0].endsWith('**') ? 2 : 1
    // The last marker is not in the text yet: it is being typed.
    const opens = end - (sign - 1) - words.length - sign
    const { tr } = state
    tr.delete(end - (sign - 1), end)
    tr.delete(opens, opens + sign)
    tr.addMark(opens, opens + words.length, mark.create())
    return tr.removeStoredMark(mark)
  })
}
