import type { Selection, Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/**
 * A run of typing: its changes may share an undo step. Null is a change that is a step of its own, such as a paste or
 * another form.
 */
export type TypingRun = number | null

/** Unique in the page: a text that is opened again begins another run. */
let lastRun = 0

/** Tells for each transaction of a text, before it is applied, which run it belongs to. */
export function watchTyping(): (view: EditorView, transaction: Transaction) => TypingRun {
  let run = ++lastRun
  return (view, transaction) => {
    const isTyped = transaction.docChanged && (view.composing || isTyping(transaction))
    const isOther = transaction.docChanged ? !isTyped : !transaction.selection.eq(view.state.selection)
    // The browser may tell of a move of the caret together with what is typed there.
    if (isOther || (isTyped && !isAt(transaction, view.state.selection))) run = ++lastRun
    return isTyped ? run : null
  }
}

/** The name of an undo step that changes `what`; null for a step of its own. */
export function stepKey(what: string, run: TypingRun | undefined): string | null {
  if (run === undefined) return what
  return run === null ? null : `${what} ${run}`
}

/** Whether a transaction writes or deletes text at the caret. */
function isTyping(transaction: Transaction): boolean {
  if (['paste', 'cut', 'drop'].includes(transaction.getMeta('uiEvent') as string)) return false
  return transaction.steps.every((step, index) => {
    const { slice } = step.toJSON() as { slice?: { content: { type: string }[] } }
    const before = transaction.docs[index]!
    let isText = true
    let changes = 0
    step.getMap().forEach((from, to, start, end) => {
      changes += 1
      // More than one character goes at once where a selection is deleted or replaced.
      isText &&= to - from <= 1 && before.textBetween(from, to).length === to - from && end - start <= MAX_TYPED
    })
    return changes === 1 && isText && (slice?.content.every(({ type }) => type === 'text') ?? true)
  })
}

function isAt({ mapping }: Transaction, { from, to }: Selection): boolean {
  let isNear = true
  mapping.maps[0]?.forEach((start, end) => {
    isNear = start <= to && from <= end
  })
  return isNear
}

/** Characters of one key or suggestion of a keyboard on a screen. */
const MAX_TYPED = 40
