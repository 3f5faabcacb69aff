import { useEffect, useRef, useState } from 'preact/hooks'
import { SearchField } from './search-field.tsx'
import { useLater } from './use-later.ts'

const PAUSE_MS = 250

interface Props {
  label: string
  /** The text in the address. */
  value: string
  /** The address follows the typed text after a pause. */
  onSearch(text: string): void
}

/** A search whose text is part of the address. */
export function AddressSearch({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const settled = useLater(text.trim(), PAUSE_MS)
  const told = useRef(value)
  useEffect(() => {
    if (settled === value) return
    told.current = settled
    onSearch(settled)
  }, [settled])
  useEffect(() => {
    // The address does not overwrite what it came from: more may have been typed since, such as a space.
    if (value !== told.current) setText(value)
    told.current = value
  }, [value])
  return <SearchField label={label} label_hidden placeholder={label} value={text} onInput={setText} />
}
