import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'

interface CopyProps {
  text: string | (() => string | Promise<string>)
  label: string
  /** Whether the label is visible, when nothing beside the button says what is copied. */
  shown?: boolean
}

/** A button that copies a text and confirms it. */
export function CopyButton({ text, label, shown }: CopyProps) {
  const [said, say] = useState('')
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => say(''), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      say('Copied')
    } catch {
      say('Could not copy')
    }
  }
  const icon = said === 'Copied' ? 'check' : 'copy'
  return (
    <span class="copy">
      {shown ? (
        <Button small icon={icon} onClick={() => void copy()}>
          {label}
        </Button>
      ) : (
        <IconButton small icon={icon} label={label} onClick={() => void copy()} />
      )}
      <span class="copy-said" role="status">
        {said}
      </span>
    </span>
  )
}

interface CodeProps {
  text: string
  /** The label: "HTML of the form". */
  label: string
  copy?: boolean
  /** Breaks long lines. */
  wrap?: boolean
  /** Replaces `text` when parts of it are highlighted. */
  children?: ComponentChildren
}

/** Code, with a button that copies it. */
export function Code({ text, label, copy = true, wrap, children }: CodeProps) {
  return (
    <figure class="code">
      <figcaption class="code-head">
        <span>{label}</span>
        {copy && <CopyButton text={text} label={`Copy: ${label}`} />}
      </figcaption>
      <pre class={wrap ? 'code-text code-wrap' : 'code-text'} tabIndex={0} aria-label={label} role="region">
        <code>{children ?? text}</code>
      </pre>
    </figure>
  )
}

/** A key of the keyboard. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {keys.split(' ').map((key, index) => (
        <kbd class="key" key={index}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
