import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classes } from './classes.ts'
import { folded, type Option, type OptionSource, useOptions } from './combobox-options.ts'
import { count } from './format.ts'
import { Icon } from './icon.tsx'

interface ListSettings extends OptionSource {
  id: string
  query: string
  /** Creates an option from the text. */
  create?: boolean
  chosen: ReadonlySet<string>
  onPick: (option: Option) => void
  onCreate: (text: string) => void
}

interface Entry {
  id: string
  option: Option | null
}

/** The state of an open list: its entries, the active one, and the keys. */
export function useList(settings: ListSettings) {
  const { id, query, create, onPick, onCreate } = settings
  const [open, setOpen] = useState(false)
  /** The active entry, and in which list; another list starts at its beginning. */
  const [moved, setMoved] = useState({ list: '', at: -1 })
  const found = useOptions(settings, query, open)
  const text = query.trim()
  const known = found.matching.some((option) => folded(option.label) === folded(text))
  const entries: Entry[] = found.matching.map((option, index) => ({ id: `${id}-${index}`, option }))
  if (create && text !== '' && !known && !found.loading) entries.push({ id: `${id}-new`, option: null })
  const shown = `${open} ${query}`
  const at = moved.list === shown ? moved.at : query === '' ? -1 : 0
  const active = open ? entries[at] : undefined
  const pick = (entry: Entry) => {
    if (entry.option?.disabled) return
    if (entry.option) onPick(entry.option)
    else onCreate(text)
  }
  /** Whether the list handled the key. */
  const key = (event: KeyboardEvent): boolean => {
    if (event.isComposing) return false
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setOpen(true)
      const from = at < 0 && step < 0 ? entries.length : at
      const next = (from + step + entries.length) % entries.length
      // The first arrow after typing stays on a matching option instead of the entry that creates one.
      const isHasty = step > 0 && at >= 0 && moved.list !== shown && entries[next]?.option === null
      if (open && entries.length > 0) setMoved({ list: shown, at: isHasty ? at : next })
    } else if (event.key === 'Enter' && open) {
      if (active) pick(active)
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      setOpen(false)
    } else return false
    event.preventDefault()
    return true
  }
  return { open, setOpen, entries, active, pick, key, found, text }
}

type List = ReturnType<typeof useList>

/** The ARIA attributes of a combobox's input. */
export function inputRoles(id: string, list: List) {
  return {
    role: 'combobox' as const,
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-expanded': list.open,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': list.active?.id,
    autocomplete: 'off',
    spellcheck: false,
  }
}

interface OptionsProps {
  id: string
  list: List
  chosen: ReadonlySet<string>
  multiple?: boolean
  create_words?: (text: string) => string
}

const createWords = (text: string) => `Create “${text}”`

/** The list below the input. The focus stays in the input. */
export function Options({ id, list, chosen, multiple, create_words = createWords }: OptionsProps) {
  const panel = useRef<HTMLDivElement>(null)
  const { open, entries, active, found } = list
  useLayoutEffect(() => {
    if (panel.current!.matches(':popover-open') !== open) panel.current!.togglePopover(open)
  }, [open])
  useScrollTo(panel, active?.id)
  const said = found.failed
    ? 'The list could not be loaded.'
    : found.loading
      ? 'Loading…'
      : entries.length === 0
        ? 'Nothing matches.'
        : ''
  return (
    <>
      <div
        ref={panel}
        class="options"
        popover="manual"
        style={`position-anchor:--${id}`}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={`${id}-list`} role="listbox" aria-label="Options" aria-multiselectable={multiple}>
          {open &&
            entries.map((entry) => (
              <div
                key={entry.option?.value ?? ''}
                id={entry.id}
                class={classes('option', entry === active && 'option-active')}
                role="option"
                aria-selected={entry.option ? chosen.has(entry.option.value) : false}
                aria-disabled={entry.option?.disabled || undefined}
                onClick={() => list.pick(entry)}
              >
                <span class="option-label">
                  {entry.option ? entry.option.label : create_words(list.text)}
                  {entry.option?.hint && <span class="option-hint">{entry.option.hint}</span>}
                </span>
                {entry.option ? chosen.has(entry.option.value) && <Icon name="check" /> : <Icon name="plus" />}
              </div>
            ))}
        </div>
        {said && <div class="option-note">{said}</div>}
        {found.total > found.matching.length && (
          <div class="option-note">{`The first ${found.matching.length} of ${found.total}. Type to narrow them.`}</div>
        )}
      </div>
      <span class="visually-hidden" role="status">
        {open && (said || count(entries.length, 'choice', 'choices'))}
      </span>
    </>
  )
}

function useScrollTo(panel: RefObject<HTMLElement | null>, id: string | undefined) {
  useEffect(() => {
    if (id) panel.current?.querySelector(`#${CSS.escape(id)}`)?.scrollIntoView({ block: 'nearest' })
  }, [id])
}
