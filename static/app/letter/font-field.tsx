import { Select } from '../ui/field.tsx'

const FONTS: readonly { value: string; label: string }[] = [
  { value: "Georgia, 'Times New Roman', serif", label: 'Georgia (serif)' },
  { value: 'Arial, Helvetica, sans-serif', label: 'Arial' },
  { value: 'Verdana, Geneva, sans-serif', label: 'Verdana' },
  { value: "'Trebuchet MS', Tahoma, sans-serif", label: 'Trebuchet' },
  { value: "Menlo, Consolas, 'Courier New', monospace", label: 'Monospace' },
]

/** A font that mail programs have. */
export function FontField({ label, value, onInput }: { label: string; value: string; onInput(value: string): void }) {
  const isKnown = value === '' || FONTS.some((font) => font.value === value)
  return (
    <Select
      label={label}
      value={value}
      placeholder="As the reader's system"
      options={isKnown ? FONTS : [...FONTS, { value, label: value }]}
      onInput={onInput}
    />
  )
}
