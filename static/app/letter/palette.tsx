import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { blockChoices } from './block-choices.ts'
import { useEditor } from './context.ts'
import type { Within } from './document.ts'

interface PaletteProps {
  within: Within
  /** The button or block that it opens beside. */
  beside: DOMRect
  onChoose(type: string): void
  onClose(): void
}

const WIDTH = 320
const HEIGHT = 380

/** All types of blocks that can be added, with a search. */
export function Palette({ within, beside, onChoose, onClose }: PaletteProps) {
  const editor = useEditor()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const query = useSignal('')
  const at = useSignal(0)
  const choices = blockChoices(editor.types, within, query.value)
  const chosen = Math.min(at.value, choices.length - 1)
  useLayoutEffect(() => {
    const element = panel.current!
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose()
    }
    element.addEventListener('toggle', toggled)
    element.showPopover()
    element.querySelector('input')!.focus()
    return () => element.removeEventListener('toggle', toggled)
  }, [])
  useLayoutEffect(() => {
    panel.current!.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const key = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') at.value = (chosen + 1) % choices.length
    else if (event.key === 'ArrowUp') at.value = (chosen - 1 + choices.length) % choices.length
    else if (event.key === 'Enter' && choices[chosen]) onChoose(choices[chosen].type)
    else return
    event.preventDefault()
  }
  const left = Math.max(8, Math.min(beside.left, innerWidth - WIDTH - 8))
  const isBelow = beside.bottom + HEIGHT < innerHeight || beside.top < HEIGHT
  const top = isBelow ? Math.min(beside.bottom + 4, innerHeight - HEIGHT - 8) : beside.top - HEIGHT - 4
  return (
    <div
      ref={panel}
      class="block-palette"
      popover="auto"
      role="dialog"
      aria-label="Add a block"
      style={`left:${left}px;top:${Math.max(8, top)}px`}
    >
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label="Find a block"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={choices[chosen] && `${id}-${chosen}`}
        placeholder="Find a block"
        autocomplete="off"
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          at.value = 0
        }}
        onKeyDown={key}
      />
      <ul id={id} class="suggestion-list" role="listbox" aria-label="Blocks">
        {choices.map(({ type, label, icon, description }, index) => (
          <li
            key={type}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => onChoose(type)}
          >
            <Icon name={icon} />
            <span>{label}</span>
            <small>{description}</small>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p class="quiet">No block has this name.</p>}
    </div>
  )
}
