import { DOMSerializer } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useEditor } from './context.ts'
import { EarlyLine } from './early-line.tsx'
import type { Caret } from './editor.ts'
import { later, useLater } from './later.ts'
import type { PasteReport } from './pasted-words.ts'
import { readHtml } from './read-html.ts'
import { chipWords, splitTags } from './tags.ts'
import type { LiveText as Live } from './text-view.ts'
import { richSchema } from './text-schema.ts'
import type { Piece } from './table.ts'
import { toast } from '../ui/toast.tsx'
import type { TypingRun } from './typing.ts'

interface TextProps {
  kind: 'rich' | 'line' | 'cell'
  value: string
  /** The label for screen readers. */
  label: string
  placeholder?: string
  onInput(value: string, run: TypingRun): void
  keys?: Record<string, Command>
  onFiles?(files: File[]): void
  onPasted?(report: PasteReport): void
  /** The text and the tables in it, after a paste that brought one. */
  onTables?(pieces: Piece[]): void
  /** The cells of a table that is pasted into a cell. */
  onTable?(rows: string[][]): void
  /** The initial position of the caret; without it the text waits for the focus. */
  caret?: Caret | null
  /** Holds the view while it exists. */
  holder?: { current: EditorView | null }
}

/** The list of suggestions for what is being typed. */
export const SUGGEST = later(() => import('./suggest.tsx'))

type Code = typeof import('./text-view.ts')

/** The code that edits texts. It is three quarters of the editor, so it loads once the page has been painted. */
export const TYPING = later<Code>(async () => {
  try {
    return await import('./text-view.ts')
  } catch (error) {
    toast({ text: 'The text editor could not be loaded. Click the text to try again.', tone: 'bad' })
    throw error
  }
})

/** A text while it is edited, with merge tags as chips. */
export function LiveText(props: TextProps) {
  const code = useLater(TYPING)
  const left = useRef<number | null>(null)
  /** What had the focus when the text began to wait for the code. Who went on meanwhile keeps the focus. */
  const waiting = useRef(code === null ? document.activeElement : null)
  if (code) {
    const hasLeft = waiting.current !== null && waiting.current !== document.activeElement
    return <Mounted {...props} caret={hasLeft ? null : props.caret} code={code} left={left} />
  }
  if (props.kind !== 'line') return <StaticText html={props.value} />
  return <EarlyLine {...props} focused={Boolean(props.caret)} left={left} />
}

interface MountedProps extends TextProps {
  code: Code
  /** How many characters stood before the caret of the early line; null where it had no focus. */
  left: { current: number | null }
}

function Mounted(props: MountedProps) {
  const editor = useEditor()
  const place = useRef<HTMLDivElement>(null)
  const live = useRef<Live | null>(null)
  const latest = useRef(props)
  latest.current = props
  useLayoutEffect(() => {
    const { kind, value, label, placeholder, caret, code, left } = latest.current
    const text = code.mountText(place.current!, value, {
      kind,
      label,
      placeholder,
      onInput: (next, run) => latest.current.onInput(next, run),
      onState: (view) => {
        editor.live.value = { view, kind, change: (editor.live.peek()?.change ?? 0) + 1 }
      },
      onSuggest: (suggestion) => (editor.suggestion.value = suggestion),
      onSuggestKey: (event) => SUGGEST.code.peek()?.suggestKey(editor, event) ?? false,
      onFiles: latest.current.onFiles && ((files) => latest.current.onFiles!(files)),
      onPasted: (report) => latest.current.onPasted?.(report),
      onTables: latest.current.onTables && ((pieces) => latest.current.onTables!(pieces)),
      onTable: latest.current.onTable && ((rows) => latest.current.onTable!(rows)),
      onTag: (tag, at) => (editor.panel.value = { kind: 'tag', tag, at }),
      keys: keysOf(() => latest.current.keys ?? {}, editor, code),
    })
    live.current = text
    if (latest.current.holder) latest.current.holder.current = text.view
    text.view.dom.addEventListener('focus', () => {
      editor.live.value = { view: text.view, kind, change: (editor.live.peek()?.change ?? 0) + 1 }
    })
    if (left.current !== null) code.placeCaret(text.view, { after: left.current })
    else if (caret) code.placeCaret(text.view, caret)
    return () => {
      if (latest.current.holder) latest.current.holder.current = null
      if (editor.live.peek()?.view === text.view) editor.live.value = null
      text.destroy()
    }
  }, [])
  useLayoutEffect(() => live.current?.show(props.value), [props.value])
  return <div ref={place} class={props.kind === 'line' ? 'letter-line' : 'letter-text'} />
}

type Editor = ReturnType<typeof useEditor>

function keysOf(own: () => Record<string, Command>, editor: Editor, { selectedTag }: Code): Record<string, Command> {
  const always: Record<string, Command> = {
    'Mod-z': () => (editor.undo(), true),
    'Mod-y': () => (editor.redo(), true),
    'Mod-Shift-z': () => (editor.redo(), true),
    'Mod-k': (state) => {
      if (state.schema !== richSchema) return false
      editor.panel.value = { kind: 'link', href: '' }
      return true
    },
    Enter: (state) => {
      const selected = selectedTag(state)
      if (selected) editor.panel.value = { kind: 'tag', ...selected }
      return selected !== null
    },
  }
  const names = new Set([...Object.keys(always), ...Object.keys(own())])
  return Object.fromEntries(
    [...names].map((name): [string, Command] => [
      name,
      (state, dispatch, view) =>
        Boolean(always[name]?.(state, dispatch, view)) || Boolean(own()[name]?.(state, dispatch, view)),
    ]),
  )
}

/** A text that is not being edited. */
export function StaticText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null)
  const content = useMemo(() => readHtml(html).content, [html])
  useLayoutEffect(() => {
    place.current!.replaceChildren(DOMSerializer.fromSchema(richSchema).serializeFragment(content))
    // Keys reach the text through its block, and its links are inactive while it is edited.
    for (const anchor of place.current!.querySelectorAll('a')) anchor.tabIndex = -1
  }, [content])
  return (
    <div
      ref={place}
      class="letter-text"
      onClick={(event) => {
        // A click on a link begins to edit the text, too, and leads nowhere.
        if ((event.target as Element).closest('a')) event.preventDefault()
      }}
    />
  )
}

/** A line with its merge tags as chips. */
export function StaticLine({ text }: { text: string }) {
  return (
    <>
      {splitTags(text).map((piece, at) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <span key={at} class="tag-chip">
            {chipWords(piece)}
          </span>
        ),
      )}
    </>
  )
}
