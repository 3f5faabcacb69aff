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
  ['float:left;float:inline-start;cursor:help', 'float:left'],
  ['color:expression(1);color:url(x);color:rgb(1 2 3)', 'color:rgb(1 2 3)'],
  ["font-family:'It\\73';font-family:'Ünit 1'", "font-family:'Ünit 1'"],
  ['position:fixed;margin-top:2px;border-left-color:red', 'margin-top:2px;border-left-color:red'],
  [`font-family:${'a'.repeat(501)};font-family:${'a'.repeat(500)}`, `font-family:${'a'.repeat(500)}`],
])('Of the style %j, %j is allowed.', (given, allowed) => {
  expect(styleText(readStyle(given))).toBe(allowed)
})
