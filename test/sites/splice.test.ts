import { expect, test } from 'bun:test'
import { cut, NO_INSERTIONS, splice } from '../../src/sites/splice.ts'

const HTML = '<head>H</head><body>B</body>after'
const POINTS = {
  head: HTML.indexOf('</head>'),
  body_start: HTML.indexOf('B</body>'),
  body_end: HTML.indexOf('</body>'),
  body_implied: false,
}
const INSERTIONS = { head: '1', body_start: '2', body_end: '3' }

const joined = (...given: Parameters<typeof splice>): string => splice(...given).join('')

test('Insertions go to the end of the head and to both ends of the body.', () => {
  expect(joined(cut(HTML, POINTS), INSERTIONS)).toBe('<head>H1</head><body>2B3</body>after')
  expect(joined(cut(HTML, POINTS), NO_INSERTIONS)).toBe(HTML)
})

test('A page without a body gets only what belongs into the head.', () => {
  const page = cut(HTML, { ...POINTS, body_start: null, body_end: null })
  expect(joined(page, INSERTIONS)).toBe('<head>H1</head><body>B</body>after')
})

test('An implied body tag is written out when something is inserted before the content, or into an empty body.', () => {
  const page = cut('<p>x', { head: 0, body_start: 0, body_end: 4, body_implied: true })
  expect(joined(page, { ...NO_INSERTIONS, body_start: '2' })).toBe('<body>2<p>x')
  expect(joined(page, { ...NO_INSERTIONS, body_end: '3' })).toBe('<p>x3')
  const empty = cut('', { head: 0, body_start: 0, body_end: 0, body_implied: true })
  expect(joined(empty, { ...NO_INSERTIONS, body_end: '3' })).toBe('<body>3')
  expect(joined(empty, NO_INSERTIONS)).toBe('')
})
