import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { ColoredCode } from '../../../static/app/code/colored-code.tsx'
import { coloredPieces } from '../../../static/app/code/highlight.ts'

const tab = useTab()
const HTML = '<p class="a">x</p>'
const colorsOf = (code: string) =>
  Object.fromEntries(coloredPieces(code).flatMap(({ text, color }) => (color === '' ? [] : [[text, color]])))

test('Code is told in pieces of one color each, which are all of it.', () => {
  const code = `${HTML}\n<script>\n  // note\n  let a = 5\n</script><style>b { color: red }</style>`
  expect(
    coloredPieces(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code)
  expect(colorsOf(code)).toMatchObject({
    ...{ p: 'accent', class: 'wait', '"a"': 'good', '// note': 'quiet', let: 'accent', '5': 'bad' },
    ...{ color: 'wait', '<': 'quiet' },
  })
  expect(coloredPieces('a\nb')).toEqual([
    { text: 'a', color: '' },
    { text: '\n', color: '' },
    { text: 'b', color: '' },
  ])
})

const parts = () =>
  [...tab.find('.code code').children]
    .map((part) => `${part.localName === 'mark' ? '*' : ''}${part.textContent}`)
    .filter((part) => part !== '')
const draw = (text: string, ...marked: [number, number][]) =>
  tab.draw(h(ColoredCode, { text, label: 'Code', marked: marked.map(([from, to]) => ({ from, to })) }))

test('Marks stand out across pieces of other colors, and an empty one is none.', async () => {
  await draw(HTML, [1, 4], [13, 14], [2, 2])
  await tab.settled()
  await new Promise(setImmediate)
  await tab.settled()
  expect(parts().join('|')).toBe('<|*p|* |*c|lass|=|"a"|>|*x|</|p|>')
  expect(tab.texts('span').length).toBeGreaterThan(3)
  const colored = tab.all('.code span').find((part) => part.textContent === 'lass')
  expect(colored?.style['color']).toBe('var(--wait)')
})

test('Another text takes the place of the one before at once.', async () => {
  await draw('one')
  await tab.redraw(h(ColoredCode, { text: 'two', label: 'Code', marked: [{ from: 0, to: 3 }] }))
  expect(parts()).toEqual(['*two'])
})
