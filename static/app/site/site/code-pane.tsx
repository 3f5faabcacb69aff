import { CodeEditor } from '../../code/editor.tsx'
import { SiteFrame } from './site-frame.tsx'

interface CodePaneProps {
  value: string
  onInput: (value: string) => void
  label: string
  readonly: boolean
  /** The content of the preview; null when there is nothing to show. */
  preview: string | null
}

/** A code editor with a preview. */
export function CodePane({ value, onInput, label, readonly, preview }: CodePaneProps) {
  return (
    <div class="code-pane">
      <section class="stack stack-tight" aria-label={label}>
        <CodeEditor language="html" label={label} value={value} onInput={onInput} readonly={readonly} />
        <p class="quiet small">Ctrl F looks something up. Tab leaves the editor.</p>
      </section>
      <section class="stack stack-tight" aria-label="Preview">
        <SiteFrame html={preview ?? ''} label="Preview" />
        <p class="quiet small">Nothing runs here: scripts, forms and links work on the site only.</p>
      </section>
    </div>
  )
}
