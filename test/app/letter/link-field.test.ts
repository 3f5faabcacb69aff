import { expect, test } from 'bun:test'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import { LinkField, mendAddress } from '../../../static/app/letter/link-field.tsx'

test.each([
  [' example.com/x?a=1 ', 'https://example.com/x?a=1'],
  ['a-b.example', 'https://a-b.example'],
  ['example.com:8080', 'https://example.com:8080'],
  ['ada@example.com', 'mailto:ada@example.com'],
  ['https://example.com', 'https://example.com'],
  ['{{ view_url }}', '{{ view_url }}'],
  ['tel:12', 'tel:12'],
  ['two words.example', 'two words.example'],
  ['word', 'word'],
  ['', ''],
])('The address %j is mended to %j.', (typed, mended) => {
  expect(mendAddress(typed)).toBe(mended)
})

const tab = useTab()

test('A link is mended when it is left, opened where it is one, and may be a merge tag.', async () => {
  const given: string[] = []
  const draw = (value: string) =>
    tab.draw(inEditor(editorOf(letter([])), LinkField, { label: 'Link', value, onInput: (next) => given.push(next) }))
  await draw('a.example')
  expect(tab.has('Open it')).toBe(false)
  await tab.leave('Link')
  expect(given).toEqual(['https://a.example'])
  await draw('https://a.example')
  await tab.leave('Link')
  expect(given).toHaveLength(1)
  expect(tab.button('Open it').getAttribute('href')).toBe('https://a.example')
  await draw('https://a.example/{{ x }}')
  expect(tab.has('Open it')).toBe(false)
  await tab.press('A merge tag as Link')
  expect(tab.texts('.menu-label')).toEqual(['unsubscribe link'])
  await tab.press('unsubscribe link')
  expect(given.at(-1)).toBe('{{ unsubscribe_url }}')
})
