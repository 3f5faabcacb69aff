import type { Command } from 'prosemirror-state'
import { useRef } from 'preact/hooks'
import type { Direction } from '../../../src/shared/text-direction.ts'
import { classes } from '../ui/classes.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useEditor } from './context.ts'
import { TagMenu } from './tag-menu.tsx'
import { align, clear, type Format, FORMATS, hasFormat, type Side, sideOf } from './text-commands.ts'
import { chosenDirection, directionAt, setDirection } from './text-direction.ts'
import { linkAt } from './text-link.ts'

const BUTTONS: readonly { format: Format; label: string; icon?: IconName; words?: string }[] = [
  { format: 'strong', label: 'Bold', icon: 'bold' },
  { format: 'em', label: 'Italic', icon: 'italic' },
  { format: 'heading-1', label: 'H1: large heading', words: 'H1' },
  { format: 'heading-2', label: 'H2: heading', words: 'H2' },
  { format: 'heading-3', label: 'H3: small heading', words: 'H3' },
  { format: 'bullet', label: 'List', icon: 'list' },
  { format: 'ordered', label: 'Numbered list', icon: 'list-ordered' },
  { format: 'quote', label: 'Quote', icon: 'quote' },
]
/** A cell of a table has the first ones: it is one paragraph, and its column has an alignment. */
const IN_CELLS = 2
const SIDES: readonly { side: Side; label: string; icon: IconName }[] = [
  { side: 'start', label: 'Align to the start', icon: 'align-start' },
  { side: 'center', label: 'Center', icon: 'align-center' },
  { side: 'end', label: 'Align to the end', icon: 'align-end' },
]

const DIRECTIONS: readonly { dir: Direction; label: string; icon: IconName }[] = [
  { dir: 'ltr', label: 'From left to right', icon: 'left-to-right' },
  { dir: 'rtl', label: 'From right to left', icon: 'right-to-left' },
]

/** The formatting buttons of the text that is being edited. Arrows move between them. */
export function Toolbar({ floating = false }: { floating?: boolean }) {
  const editor = useEditor()
  const bar = useRef<HTMLDivElement>(null)
  const live = editor.live.value
  if (live === null || live.kind === 'line') return null
  const isCell = live.kind === 'cell'
  const { view } = live
  const { state } = view
  const isRtl = (directionAt(state) ?? getComputedStyle(view.dom).direction) === 'rtl'
  const run = (command: Command) => {
    command(state, view.dispatch)
    view.focus()
  }
  const side = sideOf(state, isRtl)
  const link = linkAt(state)
  return (
    <div
      ref={bar}
      class={classes('text-toolbar', floating && 'text-toolbar-floating')}
      role="toolbar"
      aria-label="Format the text"
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => moveIn(event, bar.current!)}
    >
      {(isCell ? BUTTONS.slice(0, IN_CELLS) : BUTTONS).map(({ format, label, icon, words }, index) => (
        <Press
          key={format}
          label={label}
          first={index === 0}
          on={hasFormat(state, format)}
          act={() => run(FORMATS[format])}
        >
          {icon ? <Icon name={icon} /> : words}
        </Press>
      ))}
      <Press
        label="Link"
        on={link !== null}
        act={() => (editor.panel.value = { kind: 'link', href: link?.href ?? '' })}
      >
        <Icon name="link" />
      </Press>
      {!floating &&
        !isCell &&
        SIDES.map(({ side: to, label, icon }) => (
          <Press key={to} label={label} on={side === to} act={() => run(align(to, isRtl))}>
            <Icon name={icon} />
          </Press>
        ))}
      {!floating &&
        !isCell &&
        DIRECTIONS.map(({ dir, label, icon }) => (
          <Press key={dir} label={label} on={chosenDirection(state) === dir} act={() => run(setDirection(dir))}>
            <Icon name={icon} />
          </Press>
        ))}
      <Press label="Clear the formats" act={() => run(clear)}>
        <Icon name="clear-format" />
      </Press>
      {!floating && <TagMenu view={view} />}
    </div>
  )
}

interface PressProps {
  label: string
  on?: boolean
  first?: boolean
  act(): void
  children: preact.ComponentChildren
}

function Press({ label, on, first, act, children }: PressProps) {
  return (
    <button
      type="button"
      class="text-tool"
      aria-label={label}
      title={label}
      aria-pressed={on}
      tabIndex={first ? 0 : -1}
      onClick={act}
    >
      {children}
    </button>
  )
}

function moveIn(event: KeyboardEvent, bar: HTMLElement): void {
  const buttons = [...bar.querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
  if (step === 0 || at === -1) return
  event.preventDefault()
  buttons[(at + step + buttons.length) % buttons.length]!.focus()
}

/** The toolbar beside the selected text. */
export function SelectionToolbar() {
  const editor = useEditor()
  const live = editor.live.value
  if (live === null || live.kind === 'line' || live.view.state.selection.empty || editor.panel.value !== null)
    return null
  const { from, to } = live.view.state.selection
  const start = live.view.coordsAtPos(from)
  const end = live.view.coordsAtPos(to)
  const isAbove = start.top > 120
  const left = Math.max(8, Math.min(start.left, innerWidth - 400))
  return (
    <div
      class="selection-toolbar"
      style={`left:${left}px;${isAbove ? `bottom:${innerHeight - start.top + 6}px` : `top:${end.bottom + 6}px`}`}
    >
      <Toolbar floating />
    </div>
  )
}
