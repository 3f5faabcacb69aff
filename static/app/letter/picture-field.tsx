import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useEditor } from './context.ts'
import type { Block } from './document.ts'

interface PictureFieldProps {
  block: Block
  label: string
  value: string
  flaw: string | null
  required: boolean
  onInput(value: string): void
}

/** The address of a picture, and a button to choose another. */
export function PictureField({ block, label, value, flaw, required, onInput }: PictureFieldProps) {
  const editor = useEditor()
  return (
    <TextField
      label={label}
      value={value}
      flaw={flaw}
      required={required}
      dir="ltr"
      spellcheck={false}
      onInput={onInput}
      hint={
        <Button small icon="image" onClick={() => (editor.panel.value = { kind: 'picture', id: block.id })}>
          Choose another
        </Button>
      }
    />
  )
}
