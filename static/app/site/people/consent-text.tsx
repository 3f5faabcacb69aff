import { TextArea } from '../../ui/field.tsx'

interface ConsentTextProps {
  value: string
  onInput: (text: string) => void
  flaw?: string | null
  one?: boolean
}

/** The consent wording, exactly as people agreed to it. */
export function ConsentText({ value, onInput, flaw, one }: ConsentTextProps) {
  return (
    <TextArea
      label={one ? 'What did they agree to?' : 'What did they agree to, and where?'}
      required
      hint="These words are kept as evidence."
      placeholder="“Yes, send me the weekly letter.” On paper at the fair in Bergen, 3 May 2026."
      value={value}
      onInput={onInput}
      flaw={flaw}
    />
  )
}
