import { expect, test } from 'bun:test'
import type { CodeViewOptions } from '../../../static/app/code/code-view.ts'
import { send, useTab } from '../../support/tab.ts'

const tab = useTab()
// Tests of pages have a text area in its place (test/support/code-views.ts).
const REAL = '../../../static/app/code/code-view.ts?real'

/** A view in a host of its own, which goes with the test. */
async function open(more: Partial<CodeViewOptions> = {}, host = document.createElement('div')) {
  const { createCodeView } = (await import(REAL)) as typeof import('../../../static/app/code/code-view.ts')
  const typed: string[] = []
  document.body.append(host)
  const view = createCodeView(host, {
    ...{ value: '<p>one</p>', language: 'html', label: 'Code of the page', readonly: false },
    ...{ onInput: (value) => void typed.push(value), ...more },
  })
  tab.atEnd(() => view.destroy())
  const root = host.shadowRoot!
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)!
  /** Whether the view took the key, and whether the page hears of it. */
  const press = (key: string, keyCode: number, keys: object = {}): [boolean, boolean] => {
    let isHeard = false
    const heard = () => (isHeard = true)
    root.addEventListener('keydown', heard, { once: true })
    const isLeft = send(find('.cm-content'), 'keydown', { key, keyCode, ...NONE, ...keys })
    root.removeEventListener('keydown', heard)
    return [!isLeft, isHeard]
  }
  return { view, root, typed, find, press, text: () => find('.cm-content').textContent }
}
const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test('Code is written and taken back, and what is shown from elsewhere is not what was written.', async () => {
  const { view, typed, press, text, find } = await open()
  expect(find('.cm-content').getAttribute('aria-label')).toBe('Code of the page')
  press('a', 65, { ctrlKey: true })
  expect([press('Backspace', 8)[0], typed, text()]).toEqual([true, [''], ''])
  expect([press('z', 90, { ctrlKey: true })[0], typed.at(-1)]).toEqual([true, '<p>one</p>'])
  view.show('<p>two</p>')
  expect([text(), typed.length]).toEqual(['<p>two</p>', 2])
  press('a', 65, { ctrlKey: true })
  press('Delete', 46)
  expect(typed).toEqual(['', '<p>one</p>', ''])
  const before = find('.cm-line')
  view.show('')
  expect(find('.cm-line')).toBe(before)
})

test('Code that is only read takes no keys that write.', async () => {
  const { typed, press, text, view } = await open({ readonly: true })
  press('a', 65, { ctrlKey: true })
  press('Backspace', 8)
  expect([typed, text()]).toEqual([[], '<p>one</p>'])
  view.show('<p>two</p>')
  expect(text()).toBe('<p>two</p>')
})

test('Letters stay in the code, Escape and keys with Control reach the page, and Tab goes on.', async () => {
  const { press } = await open()
  expect(press('n', 78)).toEqual([false, false])
  expect(press('Escape', 27)[1]).toBe(true)
  for (const key of ['ctrlKey', 'metaKey', 'altKey']) expect(press('F9', 120, { [key]: true })[1]).toBe(true)
  expect(press('Tab', 9)[0]).toBe(false)
})

test('A flaw is underlined where it is, within the code, until nothing is wrong.', async () => {
  const { view, root, find } = await open()
  const marked = () => [...root.querySelectorAll('.cm-lintRange-error')].map((one) => one.textContent)
  view.tell({ message: 'No.', from: 3, to: 6 })
  expect([marked(), find('.cm-lint-marker-error') !== null]).toEqual([['one'], true])
  view.tell({ message: 'No.', from: 6, to: 999 })
  expect(marked()).toEqual(['</p>'])
  view.tell({ message: 'No.', from: 500, to: 999 })
  expect(find('.cm-lint-marker-error')).not.toBeNull()
  view.tell(null)
  expect([marked(), root.querySelectorAll('.cm-lint-marker-error').length]).toEqual([[], 0])
})

test('A place that stands out is marked, in later text too, and a view leaves nothing behind.', async () => {
  const host = document.createElement('div')
  const { view, root } = await open({ marked: /\{\w+\}/g, value: '<p>{a} b</p>' }, host)
  const marked = () => [...root.querySelectorAll('.cm-marked')].map((one) => one.textContent)
  expect(marked()).toEqual(['{a}'])
  view.show('<p>{c} {d}</p>')
  expect(marked()).toEqual(['{c}', '{d}'])
  view.destroy()
  expect(root.querySelector('.cm-editor')).toBeNull()
  const again = await open({}, host)
  expect([again.root === root, again.text(), root.querySelectorAll('.cm-editor').length]).toEqual([
    true,
    '<p>one</p>',
    1,
  ])
  expect(root.querySelector('.cm-marked')).toBeNull()
})
