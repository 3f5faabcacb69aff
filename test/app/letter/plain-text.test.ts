import { expect, test } from 'bun:test'
import { textSlice } from '../../../static/app/letter/plain-text.ts'
import { richSchema } from '../../../static/app/letter/text-schema.ts'
import { writeHtml, writeLine } from '../../../static/app/letter/write-html.ts'
import { lineSchema } from '../../../static/app/letter/text-schema.ts'

test('Lines of a plain text are paragraphs, empty ones between them none, and merge tags are pieces.', () => {
  const { content, openStart, openEnd } = textSlice('one\r\n\n \ntwo {{ date }}\nthree', 'rich')
  expect(writeHtml(richSchema.node('doc', null, content))).toBe('<p>one</p><p>two {{ date }}</p><p>three</p>')
  expect(content.child(1).childCount).toBe(2)
  expect([openStart, openEnd]).toEqual([1, 1])
})

test('In a line all of it is one line.', () => {
  const { content, openStart } = textSlice(' one\n two\t{{ date }} ', 'line')
  expect(writeLine(lineSchema.node('doc', null, content))).toBe('one two {{ date }}')
  expect([content.childCount, openStart]).toEqual([2, 0])
})
