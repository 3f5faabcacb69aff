import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { type Draft, type Stored, useDraft } from '../../../static/app/code/draft.ts'

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

test('A tab is not closed without asking while something is not saved.', async () => {
  await draw('c', stored('Tides'))
  expect(asksFirst()).toBe(false)
  draft.change({ name: 'Nets' })
  await tab.settled()
  expect(asksFirst()).toBe(true)
  draft.change({ name: 'Tides' })
  await tab.settled()
  expect(asksFirst()).toBe(false)
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
