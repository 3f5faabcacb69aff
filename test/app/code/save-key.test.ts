import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab, send } from '../../support/tab.ts'
import { useSaveKey } from '../../../static/app/code/save-key.ts'

const tab = useTab()
let saved: number[] = []

function Page({ version }: { version: number }) {
  useSaveKey(() => saved.push(version))
  return h('textarea', null)
}
const press = (key: string, more: object = {}) => {
  const isLeft = send(tab.find('textarea'), 'keydown', { key, ctrlKey: false, metaKey: false, ...more })
  return !isLeft
}

test('Ctrl S or Cmd S saves what the page has now, in the place of the browser.', async () => {
  saved = []
  await tab.draw(h(Page, { version: 1 }))
  expect([press('s', { ctrlKey: true }), press('S', { metaKey: true })]).toEqual([true, true])
  expect([press('s'), press('x', { ctrlKey: true })]).toEqual([false, false])
  await tab.redraw(h(Page, { version: 2 }))
  press('s', { ctrlKey: true })
  expect(saved).toEqual([1, 1, 2])
})

test('A page that was left saves nothing.', async () => {
  saved = []
  await tab.draw(h(Page, { version: 1 }))
  await tab.draw(h('textarea', null))
  press('s', { ctrlKey: true })
  expect(saved).toEqual([])
})
