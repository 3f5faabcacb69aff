import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { COLORS, LOOK } from './code-look.ts'

const LANGUAGES = { html: () => html() }
export type Language = keyof typeof LANGUAGES

/** An error that the service found in the code, with its position. */
export interface CodeProblem {
  message: string
  from: number
  to: number
}

export interface CodeViewOptions {
  value: string
  language: Language
  /** The label for screen readers. */
  label: string
  readonly: boolean
  /** What is highlighted in the code. */
  marked?: RegExp | undefined
  onInput(value: string): void
}

export interface CodeView {
  /** Replaces the text, unless it is the same. */
  show(value: string): void
  /** Underlines an error and marks its line; null removes both. */
  tell(problem: CodeProblem | null): void
  destroy(): void
}

/**
 * CodeMirror in a shadow root, where its styles are constructed style sheets, which the page's policy allows. The Tab
 * key moves the focus on, as everywhere.
 */
export function createCodeView(host: HTMLElement, options: CodeViewOptions): CodeView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  let isShowing = false
  const view = new EditorView({
    root,
    parent: root,
    doc: options.value,
    extensions: [
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      lintGutter(),
      ...(options.marked ? [marks(options.marked)] : []),
      EditorView.lineWrapping,
      LANGUAGES[options.language](),
      syntaxHighlighting(COLORS),
      LOOK,
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap, ...lintKeymap]),
      EditorState.readOnly.of(options.readonly),
      EditorView.contentAttributes.of({ 'aria-label': options.label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !isShowing) options.onInput(view.state.doc.toString())
      }),
      EditorView.domEventHandlers({
        // Outside of the shadow root, a key event does not show that it comes from a text field, so the page's
        // shortcuts would act.
        keydown(event) {
          const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey
          if (isLetter && event.key !== 'Escape') event.stopPropagation()
          return false
        },
      }),
    ],
  })
  return {
    show(value) {
      const { doc } = view.state
      if (doc.toString() === value) return
      isShowing = true
      view.dispatch({ changes: { from: 0, to: doc.length, insert: value } })
      isShowing = false
    },
    tell(problem) {
      const { length } = view.state.doc
      const shown = problem && { ...problem, to: Math.min(problem.to, length), from: Math.min(problem.from, length) }
      view.dispatch(setDiagnostics(view.state, shown ? [{ ...shown, severity: 'error' }] : []))
    },
    destroy: () => view.destroy(),
  }
}

/** Gives each match in the code the class `cm-marked`. */
function marks(regexp: RegExp) {
  const decorator = new MatchDecorator({ regexp, decoration: Decoration.mark({ class: 'cm-marked' }) })
  return ViewPlugin.define<{ decorations: DecorationSet }>(
    (view) => ({
      decorations: decorator.createDeco(view),
      update(update: ViewUpdate) {
        this.decorations = decorator.updateDeco(update, this.decorations)
      },
    }),
    { decorations: ({ decorations }) => decorations },
  )
}
