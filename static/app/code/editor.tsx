import { useEffect, useRef, useState } from 'preact/hooks'
import { TextArea } from '../ui/field.tsx'
import type { CodeProblem, CodeView, createCodeView, Language } from './code-view.ts'

export interface CodeEditorProps {
  value: string
  onInput: (value: string) => void
  language: Language
  label: string
  readonly?: boolean
  /** What is highlighted in the code. It must be the same object in each render. */
  marked?: RegExp
  /** The error that the service found, at its position. */
  problem?: CodeProblem | null
}

/**
 * An editor for code, as tall as `--code-size` says. A plain text area is shown until its code has loaded, and when
 * loading fails. The page needs the style `code`.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { value, onInput, language, label, readonly = false, marked, problem = null } = props
  const [create, setCreate] = useState<typeof createCodeView | null>(null)
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLDivElement>(null)
  const view = useRef<CodeView | null>(null)
  const input = useRef(onInput)
  input.current = onInput
  // Texts that were passed to `onInput` and have not come back as `value`: later ones may follow already.
  const told = useRef<string[]>([])
  useEffect(() => {
    let isGone = false
    const take = (code: typeof createCodeView) => isGone || setCreate(() => code)
    import('./code-view.ts').then(
      ({ createCodeView }) => {
        // The text area is not replaced while it has the focus.
        const area = plain.current
        if (!area?.contains(document.activeElement)) take(createCodeView)
        else area.addEventListener('focusout', () => take(createCodeView), { once: true })
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  useEffect(() => {
    if (!create) return
    const made = create(host.current!, {
      value,
      language,
      label,
      readonly,
      marked,
      onInput(text) {
        told.current.push(text)
        input.current(text)
      },
    })
    view.current = made
    return () => {
      made.destroy()
      view.current = null
    }
  }, [create, language, label, readonly, marked])
  useEffect(() => {
    const at = told.current.indexOf(value)
    told.current = at === -1 ? [] : told.current.slice(at + 1)
    if (at === -1) view.current?.show(value)
  }, [value])
  useEffect(() => view.current?.tell(problem), [create, problem?.message, problem?.from, problem?.to])
  if (create) return <div class="code-editor" ref={host} dir="ltr" />
  return (
    <div class="code-plain" ref={plain}>
      <TextArea
        mono
        label={label}
        label_hidden
        dir="ltr"
        rows={20}
        spellcheck={false}
        readonly={readonly}
        value={value}
        onInput={onInput}
      />
    </div>
  )
}
