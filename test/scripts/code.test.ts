import { expect, test } from 'bun:test'
import { checkCode, CODE_MAX_BYTES, absorbsFollowingMarkup, flawOfCode } from '../../src/scripts/code.ts'

test.each([
  '<script>a()</script>',
  '<script src="https://x.example/a.js" async></script>\n',
  '<!-- note -->',
  '<div><p>a<p>b</div>',
  '<ul><li>a<li>b</ul>',
  '<p>a<div>b</div>',
  '<img src=x><br><link rel=preload href=y><meta name=z>',
  'text',
  'a < b',
  '<table><tr><td>1</table>',
  '<noscript><iframe src="x"></iframe></noscript>',
  '<svg><path d="M0 0"/></svg>',
  '<template><b>x</template>',
  '<b>1<p>2</b>3</p>',
  '<script>var end = "</" + "script>"</script>',
  '<script>if (a<!--b) c</script>',
  '<style>a > b { content: "<div>" }</style>',
  '<div {{attributes}}>{{text}}</div>',
  '<DIV></div>',
  '<textarea><div></textarea>',
  '</div>',
  '<a title="<div>">x</a>',
  '<br/>',
])('The code is closed: %s.', (code) => {
  expect(absorbsFollowingMarkup(code)).toBe(false)
})

test.each([
  '<script>a()',
  '<script src=x>',
  '<script',
  '<script>var a = "</scrip"',
  '<script><!-- <script> </script>',
  '<!-- note',
  '<!--',
  '<!-- a -- >',
  '<div>',
  '<div><b>x</div>',
  '<p>a',
  '<b>x</p>',
  '<a href="x>y</a>',
  '<',
  '</',
  '</div',
  '<style>a',
  '<textarea>',
  '<title>x',
  '<table>',
  '<ul><li>a',
  '<select>',
  '<template><b></b>',
  '<svg>',
  '<svg><![CDATA[',
  '<plaintext>',
  '<iframe>',
  '<noscript>',
  '<!doctype',
  '<?php',
  '<div></span>',
  '<i-own>',
  '<masthead-after>',
  '<masthead-after ',
  '<masthead-after><!--',
  '<form>',
  '<option>',
])('The code is left open: %s.', (code) => {
  expect(absorbsFollowingMarkup(code)).toBe(true)
})

test('Code that is empty, too large, unclosed or escapes a placeholder is refused.', () => {
  const flawOf = (code: string) => {
    try {
      return checkCode(code) === code ? null : 'changed'
    } catch (error) {
      return (error as { details: { path: string; message: string }[] }).details[0]
    }
  }
  expect(flawOf('<b>x</b>')).toBeNull()
  expect(flawOf(' \n')).toMatchObject({ path: '/code', message: 'Code is required.' })
  expect(flawOf('é'.repeat(CODE_MAX_BYTES / 2))).toBeNull()
  expect(flawOf(`${'é'.repeat(CODE_MAX_BYTES / 2)}x`)).toMatchObject({ path: '/code' })
  expect(flawOf('a\0b')).toMatchObject({ path: '/code' })
  expect(flawOf('<div>')).toMatchObject({ path: '/code', message: expect.stringContaining('open') })
  expect(
    flawOf(`<p>${Array.from({ length: 3000 }, (_, number) => `<b a${number}>`).join('')}${'<p>x'.repeat(3000)}`),
  ).toMatchObject({ path: '/code', message: expect.stringContaining('too often') })
  expect(flawOf('<script>a = "\\{{b}}"</script>')).toMatchObject({
    path: '/code',
    message: expect.stringContaining('backslash'),
  })
  expect(flawOf('<script>a = "\\\\{{b}}"</script>')).toBeNull()
  expect(flawOf('\\{{b}}<script>/\\{{b}}/.test(c)</script>')).toBeNull()
})

test.each([
  '<b>1</b>[<script>]a()',
  '<br>[<script]',
  '[<script>]var a = "</scrip"',
  '<p>a</p>[<!-- note -- >]',
  '[<div>]<b>x',
  '<div>[<b>]x</div>',
  '<ul><li>a</ul>\n[<a href="x>y</a>]',
  '<ul><li>a</ul>[<div class=a]',
  '<i></i>[</div]',
  '[<textarea>]a</div>',
  '[<ul>]<li>a',
  '[<svg>]<path/>',
  '<p>a</p>[\0]b',
  '<script>a = "[\\{{b}}]"</script>',
  '{{a}}<script>b = "[\\{{b}}]"</script>',
])('The flaw in %j stands between the brackets.', (marked) => {
  const at = { from: marked.indexOf('['), to: marked.indexOf(']') - 1 }
  expect(flawOfCode(marked.replace(/[[\]]/g, ''))?.at).toEqual(at)
})
