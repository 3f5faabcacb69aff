import { mock } from 'bun:test'
import type { CodeProblem, CodeView, CodeViewOptions } from '../../static/app/code/code-view.ts'

/** CodeMirror takes a browser. In its place stands a view that notes what it is told. */
export interface NotedView {
  options: CodeViewOptions
  shown: string[]
  problems: (CodeProblem | null)[]
  isGone: boolean
}

/** The views that were made, the last one at the end. */
export const codeViews: NotedView[] = []

function createCodeView(_: HTMLElement, options: CodeViewOptions): CodeView {
  const noted: NotedView = { options, shown: [], problems: [], isGone: false }
  codeViews.push(noted)
  return {
    show: (value) => noted.shown.push(value),
    tell: (problem) => noted.problems.push(problem),
    destroy: () => (noted.isGone = true),
  }
}

void mock.module('../../static/app/code/code-view.ts', () => ({ createCodeView }))
