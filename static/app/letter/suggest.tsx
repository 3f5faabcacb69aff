import { signal } from '@preact/signals'
import { Fragment } from 'prosemirror-model'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../ui/icon.tsx'
import { addBlock, putInPlace, spotAfter } from './acts.ts'
import { blockChoices } from './block-choices.ts'
import { freshBlock } from './block-types.ts'
import { useEditor } from './context.ts'
import { findBlock, newBlockId } from './document.ts'
import type { Editor, TagChoice } from './editor.ts'
import type { Suggestion } from './suggestion.ts'
import { insertTag } from './text-view.ts'
import { writeHtml } from './write-html.ts'

/** A line of a list of suggestions. */
interface Choice {
  label: string
  hint: string
  icon?: IconName
  choose(): void
}

/** The index of the selected suggestion. */
const at = signal(0)

/** The merge tags whose labels contain the typed text. */
export function tagChoices(tags: readonly TagChoice[], query: string): TagChoice[] {
  const words = query.toLowerCase()
  return tags.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(words))
}

function choicesOf(editor: Editor, suggestion: Suggestion): Choice[] {
  if (suggestion.kind === 'tag') {
    return tagChoices(editor.tags.value, suggestion.query).map(({ name, fallback, label, description }) => ({
      label,
      hint: description,
      choose: () => insertTag(editor.live.peek()!.view, { name, fallback }, suggestion),
    }))
  }
  const id = editor.selected.peek()
  const found = id === null ? null : findBlock(editor.content.peek().document, id)
  if (!found) return []
  return blockChoices(editor.types, found.spot.within, suggestion.query).map(({ type, label, icon, description }) => ({
    label,
    hint: description,
    icon,
    choose: () => replaceTyped(editor, found.block.id, type),
  }))
}

/** Inserts a new block where `/` was typed, and splits the text around it. */
function replaceTyped(editor: Editor, id: string, name: string): void {
  const { view } = editor.live.peek()!
  const { doc, selection } = view.state
  const index = selection.$from.index(0)
  const type = editor.types.find((entry) => entry.type === name)!
  const part = (from: number, to: number): string => {
    const children = Array.from({ length: to - from }, (_, offset) => doc.child(from + offset))
    return children.length === 0 ? '' : writeHtml(doc.copy(Fragment.from(children)))
  }
  const block = findBlock(editor.content.peek().document, id)!.block
  const before = part(0, index)
  const after = part(index + 1, doc.childCount)
  const made = name === 'image' ? null : freshBlock(type)
  const text = (html: string, own: string) => ({ ...block, id: own, props: { ...block.props, html } })
  if (made === null) {
    // A picture is chosen in a dialog; the typed text is removed at once.
    putInPlace(editor, id, [text(before + after, id)], text('', id))
    addBlock(editor, type, spotAfter(editor.content.peek().document, id))
    return
  }
  const blocks = [
    ...(before === '' ? [] : [text(before, id)]),
    made,
    ...(after === '' ? [] : [text(after, before === '' ? id : newBlockId())]),
  ]
  putInPlace(editor, id, blocks, made)
}

/** A key while a list is open: arrows move, Enter and Tab choose, Escape closes. */
export function suggestKey(editor: Editor, event: KeyboardEvent): boolean {
  const suggestion = editor.suggestion.peek()
  if (!suggestion) return false
  const choices = choicesOf(editor, suggestion)
  if (choices.length === 0) return false
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    at.value = (at.peek() + (event.key === 'ArrowDown' ? 1 : -1) + choices.length) % choices.length
    return true
  }
  if (event.key === 'Escape') {
    editor.suggestion.value = null
    return true
  }
  if (event.key !== 'Enter' && event.key !== 'Tab') return false
  editor.suggestion.value = null
  choices[Math.min(at.peek(), choices.length - 1)]!.choose()
  return true
}

const ROOM = 320

/** The suggestions for what is being typed, below the caret. */
export function SuggestList() {
  const editor = useEditor()
  const list = useRef<HTMLUListElement>(null)
  const suggestion = editor.suggestion.value
  const choices = suggestion ? choicesOf(editor, suggestion) : []
  const chosen = Math.min(at.value, choices.length - 1)
  useEffect(() => {
    at.value = 0
  }, [suggestion?.kind, suggestion?.query])
  useLayoutEffect(() => {
    const dom = editor.live.peek()?.view.dom
    if (!dom || choices.length === 0) return
    dom.setAttribute('aria-controls', 'letter-suggestions')
    dom.setAttribute('aria-activedescendant', `letter-suggestion-${chosen}`)
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
    return () => {
      dom.removeAttribute('aria-controls')
      dom.removeAttribute('aria-activedescendant')
    }
  }, [chosen, choices.length])
  if (!suggestion || choices.length === 0) return null
  const { left, bottom, top } = suggestion.rect
  const isBelow = innerHeight - bottom > ROOM
  const place = isBelow ? `top:${bottom + 4}px` : `bottom:${innerHeight - top + 4}px`
  return (
    <ul
      ref={list}
      id="letter-suggestions"
      class="suggestions"
      role="listbox"
      aria-label={suggestion.kind === 'tag' ? 'Merge tags' : 'Blocks'}
      style={`left:${Math.max(8, Math.min(left, innerWidth - ROOM - 8))}px;${place}`}
    >
      {choices.map(({ label, hint, icon, choose }, index) => (
        <li
          key={label}
          id={`letter-suggestion-${index}`}
          role="option"
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            event.preventDefault()
            editor.suggestion.value = null
            choose()
          }}
        >
          {icon && <Icon name={icon} />}
          <span>{label}</span>
          <small>{hint}</small>
        </li>
      ))}
    </ul>
  )
}
