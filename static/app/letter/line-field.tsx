import type { Command } from 'prosemirror-state'
import { useRef } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { classes } from '../ui/classes.ts'
import { useEditor } from './context.ts'
import { LiveText, TYPING } from './live-text.tsx'
import { writeTag } from './tags.ts'
import { Menu } from '../ui/menu.tsx'
import type { TypingRun } from './typing.ts'

interface LineFieldProps {
  /** The name by which an address can focus the field. */
  name?: string
  label: string
  value: string
  placeholder?: string
  onInput(value: string, run: TypingRun): void
  /** A note about the value. */
  note?: string | null
  /** Has a frame, like the fields around it. */
  framed?: boolean
  keys?: Record<string, Command>
}

/** One line of text with merge tags, and a button that inserts one. */
export function LineField({ name, label, value, placeholder, onInput, note, framed, keys }: LineFieldProps) {
  const editor = useEditor()
  const view = useRef<EditorView | null>(null)
  return (
    <div class={classes(framed ? 'field' : 'letter-row')}>
      <span class={framed ? 'field-label' : 'letter-row-label'} aria-hidden="true">
        {label}
      </span>
      <div class={classes('letter-row-value', framed && 'input')} data-field={name}>
        <LiveText
          kind="line"
          value={value}
          label={label}
          placeholder={placeholder}
          onInput={onInput}
          keys={keys}
          holder={view}
        />
        <Menu
          label={`Insert a merge tag into: ${label}`}
          icon="braces"
          small
          items={editor.tags.value.map(({ name, fallback, label: words, description }) => ({
            label: words,
            hint: description,
            onSelect: () => {
              if (view.current) TYPING.code.peek()!.insertTag(view.current, { name, fallback })
              else onInput(value + writeTag({ name, fallback }), null)
            },
          }))}
        />
      </div>
      {note && <p class="letter-row-note">{note}</p>}
    </div>
  )
}
