import { expect, test } from 'bun:test'
import { safeStyle } from '../../../src/newsletter/email/styles.ts'

test.each([
  ['letter-spacing:-1px', 'letter-spacing:-1px'],
  ['letter-spacing:-20px', 'letter-spacing:-20px'],
  ['letter-spacing:-21px', ''],
  ['word-spacing:-999px', ''],
  ['margin:-1px', ''],
  ['width:2000px;width:2001px', 'width:2000px'],
  ['font-size:4px;font-size:3.9px', 'font-size:4px'],
  ['color:red!important;color:transparent', 'color:red'],
  ['display:none;display:BLOCK', 'display:BLOCK'],
])('Of the style %j, %j is allowed.', (given, allowed) => {
  expect(safeStyle(given)).toBe(allowed)
})
