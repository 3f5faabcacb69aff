import { NumberField } from '../ui/field.tsx'

interface DaysProps {
  label: string
  days: unknown
  onChange: (days: number | undefined) => void
  placeholder?: string
}

/** A number of days. */
export function DaysField({ label, days, onChange, placeholder }: DaysProps) {
  return (
    <NumberField
      label={label}
      label_hidden
      min={1}
      max={36_500}
      placeholder={placeholder}
      behind="days"
      value={typeof days === 'number' ? String(days) : ''}
      onInput={(text) => onChange(numberOf(text))}
    />
  )
}

/** The number that a text says. */
export function numberOf(text: string): number | undefined {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}
