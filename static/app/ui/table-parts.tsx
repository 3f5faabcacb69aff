import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Select } from './field.tsx'
import { count as counted } from './format.ts'

interface SelectionBarProps {
  count: number
  /** For example a button "Select all 1,204 that match". */
  total_note?: ComponentChildren
  /** The actions on them. */
  children: ComponentChildren
  onClear?: () => void
}

/** The actions on the selected rows; it stays at the bottom. */
export function SelectionBar({ count, total_note, children, onClear }: SelectionBarProps) {
  return (
    <div class="selection-bar" role="region" aria-label="Selection" hidden={count === 0}>
      <div class="row" aria-live="polite">
        {count > 0 && (
          <>
            <strong class="number">{counted(count, 'selected', 'selected')}</strong>
            {total_note}
          </>
        )}
      </div>
      {count > 0 && (
        <div class="row">
          {children}
          {onClear && (
            <Button kind="quiet" onClick={onClear}>
              Clear
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface PagerProps {
  /** Whether there are rows on that side. */
  newer?: boolean
  older?: boolean
  onNewer?: () => void
  onOlder?: () => void
  size?: number
  onSize?: (size: number) => void
  sizes?: readonly number[]
  newer_label?: string
  older_label?: string
}

/** Links to the previous and next rows. */
export function Pager(props: PagerProps) {
  const { newer, older, size, onSize, sizes = [50, 100, 200] } = props
  if (!newer && !older && !onSize) return null
  return (
    <nav class="pager" aria-label="More rows">
      <div class="row">
        {(newer || older) && (
          <>
            <Button icon="arrow-left" disabled={!newer} onClick={props.onNewer}>
              {props.newer_label ?? 'Newer'}
            </Button>
            <Button icon_end="arrow-right" disabled={!older} onClick={props.onOlder}>
              {props.older_label ?? 'Older'}
            </Button>
          </>
        )}
      </div>
      {onSize && (
        <div class="pager-size">
          <Select
            label="Rows on a page"
            value={String(size ?? sizes[0])}
            onInput={(value) => onSize(Number(value))}
            options={sizes.map((entry) => ({ value: String(entry), label: String(entry) }))}
          />
        </div>
      )}
    </nav>
  )
}
