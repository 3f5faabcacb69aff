import { expect, setSystemTime, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import type { Content } from '../../../static/app/letter/editor.ts'
import { dropCopy, keepCopy, keepVersion, keptCopy, versions } from '../../../static/app/letter/kept.ts'

const tab = useTab()
const NOW = Date.parse('2026-05-03T12:00:00.000Z')
const named = (name: string): Content => ({
  ...{ name, subject: '', preheader: '' },
  document: { version: 1, settings: {}, blocks: [] },
})
const names = () => versions('campaign 1').map(({ content }) => content.name)

test('A copy is kept for each person and letter, until it is dropped.', () => {
  const copy = { content: named('May'), base: 'then', at: NOW }
  expect(keepCopy('campaign 1', copy)).toBe(true)
  expect(keptCopy('campaign 1')).toEqual(copy)
  expect(keptCopy('campaign 2')).toBeNull()
  tab.data.user.id = 'usr_bo'
  expect(keptCopy('campaign 1')).toBeNull()
  tab.data.user.id = 'usr_ada'
  dropCopy('campaign 1')
  expect(keptCopy('campaign 1')).toBeNull()
})

test('A kept letter that cannot be read is as good as nothing.', () => {
  tab.storage.set('masthead-letter usr_ada campaign 1', '{')
  expect(keptCopy('campaign 1')).toBeNull()
  expect(versions('campaign 1')).toEqual([])
})

test('A version is kept every ten minutes, or when it must be, the newest first.', () => {
  setSystemTime(NOW)
  keepVersion('campaign 1', named('one'))
  setSystemTime(NOW + 10 * 60_000 - 1)
  keepVersion('campaign 1', named('young'))
  expect(names()).toEqual(['one'])
  keepVersion('campaign 1', named('must'), { always: true })
  expect(names()).toEqual(['must', 'one'])
  setSystemTime(NOW + 20 * 60_000)
  keepVersion('campaign 1', named('two'))
  expect(names()).toEqual(['two', 'must', 'one'])
  expect(versions('campaign 1')[0]!.at).toBe(NOW + 20 * 60_000)
  setSystemTime()
})

test('Twenty versions are kept, and fewer where the browser has no room.', () => {
  for (let at = 1; at <= 22; at++) keepVersion('campaign 1', named(String(at)), { always: true })
  expect(names()).toEqual(Array.from({ length: 20 }, (_, at) => String(22 - at)))
  const { setItem } = localStorage
  localStorage.setItem = (name, text) => {
    if (text.length > 300) throw new Error('full')
    setItem(name, text)
  }
  keepVersion('campaign 1', named('last'), { always: true })
  expect(names()).toEqual(['last', '22'])
  localStorage.setItem = () => {
    throw new Error('full')
  }
  expect(keepCopy('campaign 1', { content: named('x'), base: '', at: 0 })).toBe(false)
  keepVersion('campaign 1', named('lost'), { always: true })
  expect(names()).toEqual(['last', '22'])
})
