import { useLayoutEffect, useRef } from 'preact/hooks'
import { chipWords, splitTags, type Tag, writeTag } from './tags.ts'
import type { TypingRun } from './typing.ts'

interface EarlyLineProps {
  value: string
  /** The label for screen readers. */
  label: string
  placeholder?: string
  onInput(value: string, run: TypingRun): void
  /** Whether it takes the focus. */
  focused: boolean
  /** Gets the number of characters before the caret when the line goes; null without the focus. */
  left: { current: number | null }
}

/** Everything that is typed before the editing code has loaded is one undo step. No other run has this number. */
const EARLY_RUN = 0

/**
 * A line of text until the code that edits it has loaded: the browser's own editing, of plain text, with merge tags as
 * chips. It can be written in as soon as it is painted, and nothing of that is lost.
 */
export function EarlyLine({ value, label, placeholder, onInput, focused, left }: EarlyLineProps) {
  const place = useRef<HTMLDivElement>(null)
  const known = useRef<string | null>(null)
  const show = (text: string) => {
    known.current = text
    place.current!.toggleAttribute('data-empty', text === '')
  }
  useLayoutEffect(() => {
    if (value === known.current) return
    place.current!.replaceChildren(
      ...splitTags(value).map((piece) => (typeof piece === 'string' ? piece : chip(piece))),
    )
    show(value)
  }, [value])
  useLayoutEffect(() => {
    const line = place.current!
    if (focused) line.focus()
    return () => {
      left.current = document.activeElement === line ? charactersBefore(line) : null
    }
  }, [])
  return (
    <div
      ref={place}
      class="letter-line"
      role="textbox"
      aria-label={label}
      aria-multiline="false"
      contentEditable="plaintext-only"
      data-placeholder={placeholder}
      onBeforeInput={(event) => {
        if (event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak') event.preventDefault()
      }}
      onInput={() => {
        const text = readLine(place.current!)
        show(text)
        onInput(text, EARLY_RUN)
      }}
    />
  )
}

function chip({ name, fallback }: Tag): HTMLElement {
  const element = document.createElement('span')
  element.className = 'tag-chip'
  element.contentEditable = 'false'
  element.dataset['tag'] = name
  element.dataset['fallback'] = fallback
  element.textContent = chipWords({ name, fallback })
  return element
}

function readLine(line: HTMLElement): string {
  return [...line.childNodes]
    .map((node) => {
      const { tag, fallback } = node instanceof HTMLElement ? node.dataset : {}
      return tag === undefined ? (node.textContent ?? '') : writeTag({ name: tag, fallback: fallback ?? '' })
    })
    .join('')
    .replaceAll(/[\r\n]+/g, ' ')
}

function charactersBefore(line: HTMLElement): number {
  const { focusNode, focusOffset } = getSelection()!
  const before = document.createRange()
  before.selectNodeContents(line)
  if (focusNode !== null && line.contains(focusNode)) before.setEnd(focusNode, focusOffset)
  return before.toString().length
}
