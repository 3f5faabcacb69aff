import { Dialog } from '../ui/dialog.tsx'
import { useEditor } from './context.ts'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'A block, in an empty text or behind the selected block'],
  ['{{', 'A merge tag'],
  ['Esc', 'From a text to its block, and from its block to none'],
  ['↑ ↓', 'From block to block'],
  ['Enter', 'Into the text or the fields of the selected block'],
  ['Tab', 'From a block to its fields'],
  ['Alt ↑ ↓', 'Move the block'],
  ['Alt ← →', 'Move the block into columns, between them, and out'],
  ['Ctrl D', 'Double the block'],
  ['Delete', 'Delete the block'],
  ['Ctrl B, Ctrl I, Ctrl U', 'Bold, italic, underlined'],
  ['Ctrl K', 'Link the chosen words'],
  ['## , - , 1. , > , **…**', 'Heading, list, numbered list, quote, bold as they are typed'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo, do again'],
  ['Ctrl Enter', 'From writing to the preview and back, in a narrow window'],
  ['Ctrl S', 'Save now; it happens by itself'],
]

/** The keys of the editor, beside those that work everywhere. */
export function KeysDialog() {
  const editor = useEditor()
  return (
    <Dialog title="Keys of the editor" onClose={() => (editor.panel.value = null)}>
      <dl class="letter-keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
