import { useState } from 'preact/hooks'
import { TextField } from '../../ui/field.tsx'
import { number } from '../../ui/format.ts'

/**
 * A number that the user types before an act that reaches as many people.
 *
 * @param wanted the number; null while it is counted, and where nothing has to be typed
 * @param words what it counts: "the number of people"
 */
export function useTypedNumber(wanted: number | null, words: string) {
  const [typed, setTyped] = useState('')
  return {
    /** Why the button does not act yet. */
    missing: wanted === null || typed.replace(/\D/g, '') === String(wanted) ? null : `Type ${number(wanted)} first.`,
    field: wanted !== null && <TextField label={`Type ${words}, ${number(wanted)}`} value={typed} onInput={setTyped} />,
  }
}
