import { expect, test } from 'bun:test'
import { readStyle, styleText } from '../../../src/newsletter/email/styles.ts'

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
  ['width:1500pt;width:1501pt', 'width:1500pt'],
  ['width:50em;width:51em', 'width:50em'],
  ['width:50rem;width:51rem', 'width:50rem'],
  ['width:100ex;width:101ex', 'width:100ex'],
  ['width:200ch;width:201ch', 'width:200ch'],
  ['width:500%;width:501%', 'width:500%'],
  ['line-height:1000;line-height:1001', 'line-height:1000'],
  ['width:1cm;width:1vw;height:1e9px', ''],
  ['font-size:3pt;font-size:2.9pt', 'font-size:3pt'],
  ['font-size:.3em;font-size:.29em', 'font-size:.3em'],
  ['font-size:.3rem;font-size:.29rem', 'font-size:.3rem'],
  ['font-size:.6ex;font-size:.5ex', 'font-size:.6ex'],
  ['font-size:.6ch;font-size:.5ch', 'font-size:.6ch'],
  ['font-size:30%;font-size:29%', 'font-size:30%'],
  ['font:3px Arial;font:bold 4px/2 Arial', 'font:bold 4px/2 Arial'],
  ['vertical-align:-3px;mso-text-raise:-20px;text-indent:-1px', 'vertical-align:-3px;mso-text-raise:-20px'],
  ['float:left;float:inline-start;cursor:help;cursor:none', 'float:left'],
  ['color:expression(1);color:url(x);color:rgb(1 2 3)', 'color:rgb(1 2 3)'],
  ["font-family:'It\\73';font-family:'Ünit 1'", "font-family:'Ünit 1'"],
  ['position:fixed;margin-top:2px;border-left-color:red', 'margin-top:2px;border-left-color:red'],
  [`font-family:${'a'.repeat(501)};font-family:${'a'.repeat(500)}`, `font-family:${'a'.repeat(500)}`],
])('Of the style %j, %j is allowed.', (given, allowed) => {
  expect(styleText(readStyle(given))).toBe(allowed)
})

test('Every property that mail editors write stays.', () => {
  const sides = ['top', 'right', 'bottom', 'left']
  const style = [
    ...[
      'color:red',
      'background:red',
      'background-color:red',
      'font:12px Arial',
      'font-family:Arial',
      'font-size:12px',
    ],
    ...['font-style:italic', 'font-variant:small-caps', 'font-weight:700', 'line-height:1.5', 'letter-spacing:1px'],
    ...['word-spacing:1px', 'text-align:center', 'text-decoration:none', 'text-decoration-color:red'],
    ...['text-decoration-line:underline', 'text-decoration-style:dotted', 'text-decoration-thickness:1px'],
    ...['text-indent:1px', 'text-transform:uppercase', 'vertical-align:top', 'white-space:nowrap'],
    ...['word-break:break-word', 'word-wrap:break-word', 'overflow-wrap:anywhere', 'hyphens:auto', 'direction:rtl'],
    ...['list-style:none', 'list-style-position:inside', 'list-style-type:disc', 'margin:1px', 'padding:1px'],
    ...sides.flatMap((side) => [`margin-${side}:1px`, `padding-${side}:1px`]),
    ...['border:1px solid red', 'border-color:red', 'border-style:solid', 'border-width:1px', 'border-radius:1px'],
    ...sides.flatMap((side) => [`border-${side}:1px solid red`, `border-${side}-color:red`]),
    ...sides.flatMap((side) => [`border-${side}-style:solid`, `border-${side}-width:1px`]),
    ...['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((corner) => `border-${corner}-radius:1px`),
    ...['border-collapse:collapse', 'border-spacing:1px', 'table-layout:fixed', 'caption-side:top', 'width:1px'],
    ...['min-width:1px', 'max-width:1px', 'height:1px', 'min-height:1px', 'clear:both', 'outline:none'],
    ...['block', 'inline', 'inline-block', 'inline-table', 'list-item', 'table', 'table-cell', 'table-row'].map(
      (display) => `display:${display}`,
    ),
    ...['left', 'right', 'none'].map((side) => `float:${side}`),
    ...['auto', 'default', 'pointer'].map((shape) => `cursor:${shape}`),
    ...['-webkit-text-size-adjust:100%', '-ms-text-size-adjust:100%', 'text-size-adjust:none'],
    ...['mso-line-height-rule:exactly', 'mso-padding-alt:1px', 'mso-table-lspace:0pt', 'mso-table-rspace:0pt'],
    ...['mso-text-raise:1px', '-ms-interpolation-mode:bicubic'],
  ].join(';')
  expect(styleText(readStyle(style))).toBe(style)
})
