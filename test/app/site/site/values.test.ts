import { expect, test } from 'bun:test'
import { h } from 'preact'
import { Values } from '../../../../static/app/site/site/values.tsx'
import { useTab } from '../../../support/tab.ts'

const tab = useTab()

test('Named values stand with their names, and a dash where there are none.', async () => {
  await tab.draw(h('div', { id: 'values' }, h(Values, { of: { name: 'Grace', kinds: ['a', 'b'], none: null } })))
  expect(tab.texts('#values dt')).toEqual(['name', 'kinds', 'none'])
  expect(tab.texts('#values dd')).toEqual(['Grace', 'a; b', 'null'])
  await tab.draw(h('div', { id: 'values' }, h(Values, { of: {} })))
  expect(tab.text('#values')).toBe('–')
})
