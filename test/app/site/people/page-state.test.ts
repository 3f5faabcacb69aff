import { expect, test } from 'bun:test'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { useTab } from '../../../support/tab.ts'
import { useLast, useMedia, useRemembered } from '../../../../static/app/site/people/page-state.ts'

const tab = useTab()

test('The value before stays while there is none.', async () => {
  const Last = ({ value }: { value?: string }) => h('p', null, String(useLast(value)))
  const shown: string[] = []
  for (const value of [undefined, 'a', undefined, 'b', 'c', undefined]) {
    await tab.redraw(h(Last, { value }))
    shown.push(tab.text())
  }
  expect(shown).toEqual(['undefined', 'a', 'a', 'b', 'c', 'c'])
})

test('A media query is followed while it is looked at, and another one is another.', async () => {
  const lists = new Map<string, { matches: boolean; heard: Set<() => void> }>()
  const matchMedia = (query: string) => {
    const list = lists.get(query) ?? { matches: query === 'b', heard: new Set() }
    lists.set(query, list)
    return {
      get matches() {
        return list.matches
      },
      addEventListener: (_: 'change', hear: () => void) => void list.heard.add(hear),
      removeEventListener: (_: 'change', hear: () => void) => void list.heard.delete(hear),
    }
  }
  Object.assign(globalThis, { matchMedia })
  const Media = ({ query }: { query: string }) => h('p', null, String(useMedia(query)))
  await tab.redraw(h(Media, { query: 'a' }))
  expect(tab.text()).toBe('false')
  const a = lists.get('a')!
  a.matches = true
  await act(() => a.heard.forEach((hear) => hear()))
  expect(tab.text()).toBe('true')
  a.matches = false
  await tab.redraw(h(Media, { query: 'b' }))
  expect([tab.text(), a.heard.size, lists.get('b')!.heard.size]).toEqual(['true', 0, 1])
  await tab.draw(h('p', null))
  expect(lists.get('b')!.heard.size).toBe(0)
})

test('A browser remembers a choice, and one that keeps nothing has it until the page is left.', async () => {
  const Remembered = (_: object) => {
    const [value, keep] = useRemembered<number[]>('chosen', [1])
    return h('button', { onClick: () => keep([...value, value.length + 1]) }, value.join(' '))
  }
  await tab.draw(h(Remembered, {}))
  expect([tab.text(), tab.storage.get('chosen')]).toEqual(['1', undefined])
  await tab.press('1')
  expect([tab.text(), tab.storage.get('chosen')]).toEqual(['1 2', '[1,2]'])
  await tab.draw(h(Remembered, {}))
  expect(tab.text()).toBe('1 2')
  tab.storage.set('chosen', '{')
  await tab.draw(h(Remembered, {}))
  expect(tab.text()).toBe('1')
  const closed = () => {
    throw new Error('This browser keeps nothing.')
  }
  Object.assign(globalThis, { localStorage: { getItem: closed, setItem: closed } })
  await tab.draw(h(Remembered, {}))
  await tab.press('1')
  expect(tab.text()).toBe('1 2')
})
