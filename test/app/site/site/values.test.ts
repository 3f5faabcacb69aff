import { expect, test } from 'bun:test'
import { h } from 'preact'
import { Values } from '../../../../static/app/site/site/values.tsx'
import { useTab } from '../../../support/tab.ts'

const tab = useTab()

test('Named values stand with their names, and a dash where there are none.', async () => {
  const of = { name: 'Grace', kinds: ['a', 'b'], hours: [9, 17], at: { lat: 1 }, none: null }
  await tab.draw(h('div', { id: 'values' }, h(Values, { of })))
  expect(tab.texts('#values dt')).toEqual(['name', 'kinds', 'hours', 'at', 'none'])
  expect(tab.texts('#values dd')).toEqual(['Grace', 'a; b', '[9,17]', '{"lat":1}', 'null'])
  await tab.draw(h('div', { id: 'values' }, h(Values, { of: {} })))
  expect(tab.text('#values')).toBe('–')
})
