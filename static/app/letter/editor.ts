import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { EditorView } from 'prosemirror-view'
import { brandColor } from '../../../src/shared/contrast.ts'
import type { BlockFlaw, BlockType } from './block-types.ts'
import { eachBlock, type LetterDocument, type Spot } from './document.ts'
import type { CellAt } from './table.ts'
import { begin, type History, record, redo, undo } from './history.ts'
import type { Tag } from './tags.ts'
import type { Suggestion } from './suggestion.ts'

/** What is edited: the letter's name, subject, preview text and document. */
export interface Content {
  name: string
  subject: string
  preheader: string
  document: LetterDocument
}

/** A merge tag that can be inserted. */
export interface TagChoice extends Tag {
  label: string
  description: string
}

/** The dialog or panel that is open over the editor. */
export type Panel =
  | { kind: 'picture'; files?: readonly File[]; id?: string; spot?: Spot }
  | { kind: 'tag'; tag: Tag; at: number }
  | { kind: 'link'; href: string }
  | { kind: 'move'; id: string }
  | { kind: 'versions' | 'template' | 'test' | 'conflict' | 'keys' }

/** Where the caret goes when editing of a text begins. */
export type Caret = { x: number; y: number } | 'start' | 'end'

/** The state of an editor, shared by its components. */
export interface Editor {
  content: ReadonlySignal<Content>
  canUndo: ReadonlySignal<boolean>
  canRedo: ReadonlySignal<boolean>
  /** The id of the selected block. */
  selected: Signal<string | null>
  /** Whether the text of the selected block is being edited, and where its caret begins. */
  writing: Signal<Caret | null>
  /** The cell of the selected table that is edited, or was last. */
  cell: Signal<CellAt | null>
  /** Counts requests to focus the selected block. */
  focusing: Signal<number>
  /** The last edit, for screen readers. */
  said: Signal<string>
  panel: Signal<Panel | null>
  /** The text view that has the focus, or had it last, with a count of its changes. */
  live: Signal<{ view: EditorView; kind: 'rich' | 'line' | 'cell'; change: number } | null>
  suggestion: Signal<Suggestion | null>
  flaws: Signal<readonly BlockFlaw[]>
  /** A block that was just added: its errors are hidden until it is left. */
  fresh: Signal<string | null>
  /** The blocks that still hold texts or links of a design of the gallery. */
  samples: Signal<ReadonlySet<string>>
  /** The color of the project, of buttons without one of their own: `#rrggbb`. */
  brand: Signal<string>
  types: readonly BlockType[]
  tags: Signal<readonly TagChoice[]>
  /** Makes an undo step. Quick steps with the same key are one. */
  edit(change: (content: Content) => Content, key?: string | null): void
  undo(): void
  redo(): void
  /** Replaces the content as one undo step, for example by another editor's. */
  replace(content: Content): void
  /** Selects a block, and in a table the cell to edit; without one a table keeps its cell until another block is selected. */
  select(id: string | null, focus?: 'block' | Caret, at?: CellAt): void
}

interface Beginning {
  content: Content
  types: readonly BlockType[]
  tags: readonly TagChoice[]
}

export function createEditor({ content: first, types, tags }: Beginning): Editor {
  const history = signal<History<Content>>(begin(first))
  const content = computed(() => history.value.present)
  const selected = signal<string | null>(null)
  const writing = signal<Caret | null>(null)
  const cell = signal<CellAt | null>(null)
  const focusing = signal(0)
  const said = signal('')
  const fresh = signal<string | null>(null)

  const step = (next: History<Content>, words: string) => {
    if (next === history.peek()) return
    const before = content.peek().document
    history.value = next
    announce(said, words)
    const id = selected.peek()
    if (id === null) return
    const to = selectionAfter(before, content.peek().document, id)
    if (to !== id) select(to, 'block')
  }
  const select: Editor['select'] = (id, focus, at) => {
    if (at || selected.peek() !== id) cell.value = at ?? null
    selected.value = id
    if (fresh.peek() !== id) fresh.value = null
    writing.value = focus === undefined || focus === 'block' ? null : focus
    if (focus === 'block') focusing.value++
  }
  const edit: Editor['edit'] = (change, key = null) => {
    const before = content.peek()
    const after = change(before)
    if (after !== before) history.value = record(history.peek(), after, key, Date.now())
  }
  return {
    content,
    canUndo: computed(() => history.value.past.length > 0),
    canRedo: computed(() => history.value.future.length > 0),
    selected,
    writing,
    cell,
    focusing,
    said,
    panel: signal(null),
    live: signal(null),
    suggestion: signal(null),
    flaws: signal([]),
    fresh,
    samples: signal(new Set()),
    brand: signal(brandColor(null)),
    types,
    tags: signal(tags),
    edit,
    undo: () => step(undo(history.peek()), 'Undone.'),
    redo: () => step(redo(history.peek()), 'Done again.'),
    replace: (next) => edit(() => next),
    select,
  }
}

/** Announces a sentence to screen readers. With a space at its end, the same sentence is announced again. */
export function announce(said: Signal<string>, sentence: string): void {
  said.value = said.peek() === sentence ? `${sentence} ` : sentence
}

/** The selection after a step: a block that came back; else the block that was selected, or the one nearest to it. */
function selectionAfter(before: LetterDocument, after: LetterDocument, id: string): string | null {
  const had = eachBlock(before).map(({ block }) => block.id)
  const has = eachBlock(after).map(({ block }) => block.id)
  const returned = has.find((entry) => !had.includes(entry))
  if (returned !== undefined) return returned
  const at = had.indexOf(id)
  const remains = (entry: string) => has.includes(entry)
  return had.slice(at).find(remains) ?? had.slice(0, at).findLast(remains) ?? null
}

/** The block before or after another in reading order. */
export function neighbor(document: LetterDocument, id: string | null, step: -1 | 1): string | null {
  const all = eachBlock(document).map(({ block }) => block.id)
  const at = id === null ? -1 : all.indexOf(id)
  return all[at + step] ?? null
}
