import { expect, test } from 'bun:test'
import { jsStrings, quotesAt } from '../../src/scripts/javascript.ts'

/** The texts of the string literals, each with its quote before it. */
const strings = (code: string) => jsStrings(code).map(({ start, end, quote }) => quote + code.slice(start, end))

test.each([
  [`a = "x" + 'y'`, ['"x', "'y"]],
  [`"a\\"b" 'c\\\\' "d\\\ne"`, ['"a\\"b', "'c\\\\", '"d\\\ne']],
  ['"not ended\n"next"', ['"not ended', '"next']],
  ['// it\'s "nothing"\n"x"', ['"x']],
  ['/* "a" \n \'b\' */ "x"', ['"x']],
  ['<!-- "old comment"\n"x"\n --> "and its end"', ['"x']],
  ['n-->"0"', ['"0']],
  ['"x"\n /* c */ --> "hidden"\n"y"', ['"x', '"y']],
  ['`a${"b" + `c${d}e`}f` + "g"', ['`a', '"b', '`c', '`e', '`f', '"g']],
  ['`${{ a: "}" }}x`', ['`', '"}', '`x']],
  ['{ `${a}` } "x"', ['`', '`', '"x']],
  ['f(`${a}b${c}`, { d: `${e}` }, "x")', ['`', '`b', '`', '`', '`', '"x']],
  ['`$ {a} \\${b} \\`${c}`', ['`$ {a} \\${b} \\`', '`']],
])('Strings, comments and templates are told apart: %s.', (code, expected) => {
  expect(strings(code)).toEqual(expected)
})

test.each([
  ['a = /"/; "x"', ['"x']],
  ['a / 2 + "x" / 3', ['"x']],
  ['1 / 2 + "/"', ['"/']],
  ['/a/ / 2 + "/"', ['"/']],
  ['f(a) / 2; "/"', ['"/']],
  ['if (a) /"/.test(b); "x"', ['"x']],
  ['while (a) /"/.test(b); "x"', ['"x']],
  ['for (a of b) /"/.test(c); "x"', ['"x']],
  ['with (a) /"/.test(b); "x"', ['"x']],
  ['do /"/.test(a)\nwhile (b) "x"', ['"x']],
  ['try { } finally { } /"/.test("x")', ['"x']],
  ['a.if (b) / 2 + "/"', ['"/']],
  ['return /["/]"/g, "x"', ['"x']],
  ['a[0] / b / "x"', ['"x']],
  ['x = { a: 1 } / 2 + "/"', ['"/']],
  ['if (a) { b } /"/.test(c) + "x"', ['"x']],
  ['{ a } { b } /"/.test("x")', ['"x']],
  ['a++ / 2 + "/"', ['"/']],
  ['b.return / 2 + "/"', ['"/']],
  ['() => { } \n /"/.exec("x")', ['"x']],
  ['a = b\n/ 2 / "x"', ['"x']],
  ['/\\//.test("x")', ['"x']],
  ['é / 2 + "/"', ['"/']],
  ['a = / not ended "x"\n"y"', ['"x', '"y']],
])('A slash divides or begins a regular expression: %s.', (code, expected) => {
  expect(strings(code)).toEqual(expected)
})

test.each([
  ...['return', 'typeof', 'instanceof', 'in', 'of', 'new', 'delete', 'void', 'throw', 'case', 'yield', 'await'],
])('After the operator %s a regular expression begins, and a brace is a value.', (word) => {
  expect(strings(`${word} /"/.test("x")`)).toEqual(['"x'])
  expect(strings(`${word} { a: 1 } / 2 + "/"`)).toEqual(['"/'])
})

test.each(['do', 'else', 'try', 'finally'])('After %s a regular expression begins, and a brace is a block.', (word) => {
  expect(strings(`${word} /"/.test("x")`)).toEqual(['"x'])
  expect(strings(`${word} { a } /"/.test("x")`)).toEqual(['"x'])
})

test.each(['this', 'null', 'async', 'typeofs', '$return', 'if'])('After the word %s a slash divides.', (word) => {
  expect(strings(`${word} / 2 + "/"`)).toEqual(['"/'])
})

test('An offset is in the string that it stands in, and in none at its closing quote or between two.', () => {
  const spans = jsStrings(`a = "bc" + 'd'`)
  const offsets = [0, 4, 5, 6, 7, 8, 12, 13, 14]
  expect(quotesAt(spans, offsets)).toEqual([null, null, '"', '"', null, null, "'", null, null])
  expect(quotesAt([], [3])).toEqual([null])
})
