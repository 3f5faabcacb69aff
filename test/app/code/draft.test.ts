import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { type Draft, type Stored, unsavedWords, useDraft } from '../../../static/app/code/draft.ts'

const tab = useTab()
interface Words {
  name: string
  code: string
}
const stored = (name: string, at: string | null = 't1', code = 'x'): Stored<Words> => ({ value: { name, code }, at })
let draft: Draft<Words>

function Holder({ name, from }: { name: string; from: Stored<Words> }) {
  draft = useDraft(name, from)
  return h('p', null, draft.value.name)
}
const draw = (name: string, from: Stored<Words>) => tab.draw(h(Holder, { name, from }))
const redraw = (name: string, from: Stored<Words>) => tab.redraw(h(Holder, { name, from }))
const asksFirst = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('A written text stays when its page is left, until its page says what is stored.', async () => {
  await draw('a', stored('Tides'))
  draft.change({ name: 'Nets' })
  await tab.settled()
  expect([tab.text(), draft.isChanged, draft.value.code]).toEqual(['Nets', true, 'x'])
  await draw('b', stored('Other'))
  expect([tab.text(), draft.isChanged]).toEqual(['Other', false])
  await draw('a', stored('Tides'))
  expect(tab.text()).toBe('Nets')
  draft.change({ name: 'Tides' })
  expect(draft.isChanged).toBe(false)
  await draw('a', stored('Newer'))
  expect(tab.text()).toBe('Newer')
})

/** What the browser keeps of a draft, as it was when the tab ended. */
const copyOf = (name: string) => tab.storage.get(`masthead-draft ${tab.data.user.id} ${tab.data.project!.id} ${name}`)
const keep = (name: string, copy: string) =>
  tab.storage.set(`masthead-draft ${tab.data.user.id} ${tab.data.project!.id} ${name}`, copy)

test('The browser keeps a copy of what is written, and asks before a tab without one is closed.', async () => {
  await draw('c', stored('Tides'))
  draft.change({ name: 'Nets' })
  await tab.settled()
  expect([asksFirst(), JSON.parse(copyOf('c')!).value.name]).toEqual([false, 'Nets'])
  draft.change({ name: 'Tides' })
  dispatchEvent(new Event('pagehide'))
  await draw('other', stored('Other'))
  expect(copyOf('c')).toBeUndefined()

  const { setItem } = localStorage
  tab.atEnd(() => void Object.assign(localStorage, { setItem }))
  Object.assign(localStorage, {
    setItem: () => {
      throw new Error('The storage is full.')
    },
  })
  await draw('c', stored('Tides'))
  draft.change({ name: 'Nets' })
  await tab.settled()
  expect([asksFirst(), unsavedWords()]).toEqual([true, 'Not saved yet'])
  draft.change({ name: 'Tides' })
  await tab.settled()
  expect(asksFirst()).toBe(false)
})

test('A text that was written before the tab ended is there again, with whether it is older.', async () => {
  keep('f', JSON.stringify({ value: { name: 'Nets', gone: 1 }, stored: stored('Tides'), at: 5 }))
  await draw('f', stored('Tides'))
  expect([draft.value, draft.recovered]).toEqual([
    { name: 'Nets', code: 'x' },
    { at: 5, is_older: false },
  ])
  draft.dropRecovered()
  expect([draft.value.name, draft.recovered]).toEqual(['Tides', null])

  keep('g', JSON.stringify({ value: { name: 'Nets', code: 'x' }, stored: stored('Tides'), at: 5 }))
  await draw('g', stored('Newer', 't2'))
  expect([draft.value.name, draft.stored.at, draft.recovered!.is_older]).toEqual(['Nets', 't1', true])
  draft.dropRecovered()
  expect([draft.value.name, draft.stored.at]).toEqual(['Newer', 't2'])

  keep('h', 'no JSON')
  await draw('h', stored('Tides'))
  expect([draft.value.name, draft.recovered]).toEqual(['Tides', null])
})

test('A newer state is shown where nothing was written, and kept away from what was.', async () => {
  await draw('d', stored('Tides'))
  await redraw('d', stored('Newer', 't2'))
  expect([tab.text(), draft.stored.at]).toEqual(['Newer', 't2'])
  draft.change({ name: 'Mine' })
  await redraw('d', stored('Newest', 't3'))
  expect([tab.text(), draft.stored.at]).toEqual(['Mine', 't2'])
  draft.restart(stored('Newest', 't3'), true)
  expect([draft.value.name, draft.stored.at, draft.isChanged]).toEqual(['Mine', 't3', true])
  draft.restart(stored('Newest', 't3'))
  expect([draft.value.name, draft.isChanged]).toEqual(['Newest', false])
})

test('A text that was sent is stored, and all written since stays.', async () => {
  await draw('e', stored('Tides'))
  draft.change({ name: 'Nets' })
  const sent = draft.value
  draft.saved(stored('Nets (kept)', 't2'), sent)
  expect([draft.value.name, draft.isChanged]).toEqual(['Nets (kept)', false])
  draft.change({ name: 'One' })
  const first = draft.value
  draft.change({ name: 'Two' })
  draft.saved(stored('One', 't3'), first)
  expect([draft.value.name, draft.stored.value.name, draft.isChanged]).toEqual(['Two', 'One', true])
  draft.change({ name: 'One' })
})

test('A new text that is saved has a draft under its own name only.', async () => {
  await draw('new', stored('', null))
  draft.change({ name: 'Nets' })
  const sent = draft.value
  draft.change({ code: 'y' })
  draft.saved(stored('Nets', 't1'), sent, 'saved 5')
  await draw('new', stored('', null))
  expect([draft.value.name, draft.isChanged]).toEqual(['', false])
  await draw('saved 5', stored('Nets', 't1'))
  expect([draft.value.code, draft.isChanged]).toEqual(['y', true])
})
