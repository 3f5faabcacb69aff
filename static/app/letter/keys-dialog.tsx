import { Dialog } from '../ui/dialog.tsx'
import { KeyRows } from '../ui/key-rows.tsx'
import { useEditor } from './context.ts'

const KEYS = [
  { keys: '/', does: 'A block, in an empty text or behind the selected block' },
  { keys: '{{', does: 'A merge tag' },
  { keys: 'Esc', does: 'From a text to its block, and from its block to none' },
  { keys: '↑ ↓', does: 'From block to block' },
  { keys: 'Enter', does: 'Into the text or the fields of the selected block' },
  { keys: 'Tab', does: 'From a block to its fields' },
  { keys: 'Alt ↑ ↓', does: 'Move the block' },
  { keys: 'Alt ← →', does: 'Move the block into columns, between them, and out' },
  { keys: 'Ctrl D', does: 'Double the block' },
  { keys: 'Delete', does: 'Delete the block' },
  { keys: 'Ctrl B, Ctrl I, Ctrl U', does: 'Bold, italic, underlined' },
  { keys: 'Ctrl K', does: 'Link the chosen words' },
  { keys: '## , - , 1. , > , **…**', does: 'Heading, list, numbered list, quote, bold as they are typed' },
  { keys: 'Tab, Enter in a table', does: 'To the next cell, from the last into a new row; a line' },
  { keys: 'Ctrl Z, Ctrl Shift Z', does: 'Undo, do again' },
  { keys: 'Ctrl Enter', does: 'From writing to the preview and back, in a narrow window' },
  { keys: 'Ctrl S', does: 'Save now; it happens by itself' },
]

/** The keys of the editor, beside those that work everywhere. */
export function KeysDialog() {
  const editor = useEditor()
  return (
    <Dialog title="Keys of the editor" onClose={() => (editor.panel.value = null)}>
      <KeyRows rows={KEYS} />
    </Dialog>
  )
}
