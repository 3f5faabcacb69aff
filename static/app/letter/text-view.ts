import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import type { Node, Slice } from 'prosemirror-model'
import { type Command, EditorState, NodeSelection, Plugin, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { cleanPaste } from './clean-paste.ts'
import type { PasteReport } from './pasted-words.ts'
import { readHtml } from './read-html.ts'
import { type Suggestion, suggestionAt } from './suggestion.ts'
import type { Tag } from './tags.ts'
import { linesOf, textSlice } from './plain-text.ts'
import { onlyTable, piecesOf } from './table-pieces.ts'
import type { Piece } from './table.ts'
import { cellPlugins, markdown, richKeys } from './text-input.ts'
import { lineSchema } from './text-schema.ts'
import { type TypingRun, watchTyping } from './typing.ts'
import { readLine, writeCell, writeHtml, writeLine } from './write-html.ts'

/** What a text needs from the editor around it. */
interface TextHost {
  kind: 'rich' | 'line' | 'cell'
  label: string
  placeholder?: string
  /** The new value, and the run of typing that the change belongs to. */
  onInput(value: string, run: TypingRun): void
  /** The state after every change, for the toolbar. */
  onState?(view: EditorView): void
  onSuggest(suggestion: Suggestion | null): void
  /** A key while a list of suggestions is open. True when the list took it. */
  onSuggestKey(event: KeyboardEvent): boolean
  onFiles?(files: File[]): void
  /** What a paste could not keep and what it changed, where there is something to tell. */
  onPasted?(report: PasteReport): void
  /** The text and the tables in it, in place of `onInput`, after a paste that brought one. */
  onTables?(pieces: Piece[]): void
  /** The cells of a table that is pasted into a cell. */
  onTable?(rows: string[][]): void
  onTag(tag: Tag, at: number): void
  keys: Record<string, Command>
}

export interface LiveText {
  view: EditorView
  /** Replaces the value, for example after undo. The caret goes to the end of the change. */
  show(value: string): void
  destroy(): void
}

const FORMS = {
  rich: { read: readHtml, write: writeHtml, plugins: () => [markdown(), ...richKeys()] },
  cell: { read: readHtml, write: writeCell, plugins: cellPlugins },
  line: { read: readLine, write: writeLine, plugins: () => [keymap({ ...baseKeymap, Enter: () => true })] },
}

/** Makes an element of the page the text that is being edited. */
export function mountText(place: HTMLElement, value: string, host: TextHost): LiveText {
  const { read, write, plugins } = FORMS[host.kind]
  let known = value
  const runOf = watchTyping()
  /** The pictures of a paste or a drop that nothing has taken yet. */
  const files: File[] = []
  const view = new EditorView(
    { mount: place },
    {
      state: EditorState.create({
        doc: read(value),
        plugins: [suggestions(host), keymap(host.keys), ...plugins()],
      }),
      attributes: {
        role: 'textbox',
        'aria-label': host.label,
        'aria-multiline': String(host.kind !== 'line'),
        ...(host.placeholder === undefined ? {} : { 'data-placeholder': host.placeholder }),
      },
      dispatchTransaction(transaction) {
        const run = runOf(view, transaction)
        view.updateState(view.state.apply(transaction))
        view.dom.toggleAttribute('data-empty', isEmpty(view.state.doc))
        if (transaction.docChanged) {
          known = write(view.state.doc)
          const pieces = host.onTables && transaction.getMeta('uiEvent') === 'paste' ? piecesOf(view.state.doc) : null
          if (pieces) host.onTables!(pieces)
          else if (!transaction.getMeta('shown')) host.onInput(known, run)
        }
        host.onState?.(view)
      },
      transformPastedHTML: (html) => {
        const { html: clean, pictures, ...report } = cleanPaste(html, files.splice(0))
        if (report.lost.length > 0 || report.unwrapped > 0) host.onPasted?.(report)
        if (pictures.length > 0) host.onFiles?.(pictures)
        const rows = host.onTable ? onlyTable(clean) : null
        if (rows) host.onTable!(rows)
        return rows ? '' : clean
      },
      transformPasted: (slice) => (host.kind === 'cell' ? linesOf(slice) : slice),
      clipboardTextParser: (text) => textSlice(text, host.kind === 'line' ? 'line' : 'rich'),
      handleDOMEvents: {
        paste: (_, { clipboardData }) => (files.splice(0, files.length, ...picturesOf(clipboardData)), false),
        drop: (_, { dataTransfer }) => (files.splice(0, files.length, ...picturesOf(dataTransfer)), false),
      },
      handlePaste: (target, event, slice) => pasted(target, event, { slice, files }, host),
      handleClickOn: (_, __, node, at) => {
        if (node.type.name === 'merge_tag') host.onTag(node.attrs as Tag, at)
        return false
      },
    },
  )
  view.dom.toggleAttribute('data-empty', isEmpty(view.state.doc))
  return {
    view,
    show(next) {
      if (next === known) return
      known = next
      const target = read(next)
      const start = view.state.doc.content.findDiffStart(target.content)
      const end = view.state.doc.content.findDiffEnd(target.content)
      if (start === null || end === null) return
      const overlap = Math.max(0, start - Math.min(end.a, end.b))
      const tr = view.state.tr.replace(start, end.a + overlap, target.slice(start, end.b + overlap))
      const caret = Math.min(end.b + overlap, tr.doc.content.size)
      view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(caret), -1)).setMeta('shown', true))
    },
    destroy: () => view.destroy(),
  }
}

/** A point of the window, a number of shown characters before the caret, or an end of the text. */
type CaretPlace = { x: number; y: number } | { after: number } | 'start' | 'end'

/** Focuses the text and places the caret. */
export function placeCaret(view: EditorView, at: CaretPlace): void {
  const { doc, tr } = view.state
  const found = typeof at === 'object' ? positionOf(view, at) : undefined
  const position = found ?? (at === 'start' ? 0 : doc.content.size)
  view.focus()
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(position), at === 'start' ? 1 : -1)))
}

function positionOf(view: EditorView, at: Exclude<CaretPlace, string>): number | undefined {
  if ('x' in at) return view.posAtCoords({ left: at.x, top: at.y })?.pos
  const walker = document.createTreeWalker(view.dom, NodeFilter.SHOW_TEXT)
  let rest = at.after
  while (walker.nextNode()) {
    const { length } = walker.currentNode as Text
    if (rest <= length) return view.posAtDOM(walker.currentNode, rest)
    rest -= length
  }
  return undefined
}

/** Inserts a merge tag in place of the selection or the typed text. */
export function insertTag(view: EditorView, tag: Tag, range?: { from: number; to: number }): void {
  const { from, to } = range ?? view.state.selection
  const node = view.state.schema.node('merge_tag', { ...tag })
  view.dispatch(view.state.tr.replaceWith(from, to, node).scrollIntoView())
  view.focus()
}

/** Changes the merge tag at a position; null removes it. */
export function changeTag(view: EditorView, at: number, tag: Tag | null): void {
  const node = view.state.doc.nodeAt(at)
  if (node?.type.name !== 'merge_tag') return
  const { tr } = view.state
  view.dispatch(tag === null ? tr.delete(at, at + 1) : tr.setNodeMarkup(at, null, { ...tag }))
  view.focus()
}

/** The merge tag that is selected as a whole, with its position. */
export function selectedTag({ selection }: EditorState): { tag: Tag; at: number } | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'merge_tag') return null
  return { tag: selection.node.attrs as Tag, at: selection.from }
}

function isEmpty(doc: Node): boolean {
  return (
    doc.childCount === 0 || (doc.childCount === 1 && doc.firstChild!.isTextblock && doc.firstChild!.content.size === 0)
  )
}

/** Watches the text before the caret for suggestions. */
function suggestions(host: TextHost): Plugin {
  let isOpen = false
  return new Plugin({
    props: {
      handleKeyDown: (_, event) => isOpen && host.onSuggestKey(event),
      handleDOMEvents: { blur: () => (close(), false) },
    },
    view: () => ({
      update(view) {
        const found = view.hasFocus() ? suggestionAt(view, host.kind) : null
        if (found) host.onSuggest(found)
        else close()
        isOpen = found !== null
      },
      destroy: close,
    }),
  })

  function close(): void {
    if (isOpen) host.onSuggest(null)
    isOpen = false
  }
}

const picturesOf = (data: DataTransfer | null): File[] =>
  Array.from(data?.files ?? []).filter(({ type }) => type.startsWith('image/'))

function pasted(
  view: EditorView,
  { clipboardData }: ClipboardEvent,
  { slice, files }: { slice: Slice; files: readonly File[] },
  host: TextHost,
): boolean {
  if (slice.size === 0 && files.length > 0) {
    host.onFiles?.([...files])
    return host.onFiles !== undefined
  }
  const others = clipboardData?.files.length ?? 0
  if (slice.size === 0 && others > 0 && picturesOf(clipboardData).length === 0 && host.onPasted) {
    host.onPasted({ lost: [others === 1 ? 'a file that is no picture' : 'files that are no pictures'], unwrapped: 0 })
    return true
  }
  if (view.state.schema !== lineSchema) return false
  const text = clipboardData?.getData('text/plain') ?? ''
  view.dispatch(view.state.tr.replaceSelection(textSlice(text, 'line')).scrollIntoView())
  return true
}
