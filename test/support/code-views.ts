import { mock } from 'bun:test'
import type { CodeProblem, CodeView, CodeViewOptions } from '../../static/app/code/code-view.ts'

/** CodeMirror needs a document with a layout. In its place stands a text area that notes what it is told. */
export interface NotedView {
  options: CodeViewOptions
  shown: string[]
  problems: (CodeProblem | null)[]
  isGone: boolean
}

/** The views that were made, the last one at the end. */
export const codeViews: NotedView[] = []

function createCodeView(host: HTMLElement, options: CodeViewOptions): CodeView {
  const noted: NotedView = { options, shown: [], problems: [], isGone: false }
  codeViews.push(noted)
  const area = host.ownerDocument.createElement('textarea')
  area.setAttribute('aria-label', options.label)
  area.readOnly = options.readonly ?? false
  area.value = options.value
  area.addEventListener('input', () => options.onInput(area.value))
  host.append(area)
  return {
    show(value) {
      noted.shown.push(value)
      area.value = value
    },
    tell: (problem) => noted.problems.push(problem),
    destroy() {
      noted.isGone = true
      area.remove()
    },
  }
}

void mock.module('../../static/app/code/code-view.ts', () => ({ createCodeView }))
