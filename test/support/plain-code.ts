import { mock } from 'bun:test'
import type { CodeView, CodeViewOptions } from '../../static/app/code/code-view.ts'
import type { TinyElement } from './tiny-dom.ts'

/** A text area in the place of CodeMirror, which needs a document with a layout. */
mock.module('../../static/app/code/code-view.ts', () => ({
  createCodeView(host: unknown, { value, label, readonly, onInput }: CodeViewOptions): CodeView {
    const { ownerDocument } = host as TinyElement
    const area = ownerDocument.createElement('textarea')
    area.setAttribute('aria-label', label)
    if (readonly) area.setAttribute('readonly', '')
    area.value = value
    area.addEventListener('input', () => onInput(area.value))
    ;(host as TinyElement).append(area)
    return { show: (text) => void (area.value = text), tell() {}, destroy: () => area.remove() }
  },
}))
