import { expect, test } from 'bun:test'
import { sanitizeImport } from '../../../src/newsletter/email/sanitize.ts'

test.each([
  '<div style="font-size:0px"> <b style="font-size:13px">a</b>\n\u00A0</div>',
  '<div style="font-size:0"><p style="font-size:0;color:red"><font size="2">a</font></p></div>',
  '<div style="font-size:4px">a</div>',
  '<div style="font-size:0">\u200B\u00AD<b style="font-size:small">a</b></div>',
  '<p style="font-size:1px;border-top:1px solid red"> </p>',
  '<div style="font-size:0"><i style="font:italic 12px/1 Arial">a</i><img src="https://x.example/" alt="b" /></div>',
])('The font size of %s stays.', (html) => {
  expect(sanitizeImport(html, 'x1').html).toBe(html)
})

test.each([
  ['<div style="font-size:0;color:red">a</div>', '<div style="color:red">a</div>'],
  ['<div style="font-size:0"><b style="font-size:2em">a</b></div>', '<div><b style="font-size:2em">a</b></div>'],
  [
    '<div style="font-size:0"><b style="font-size:inherit">a</b></div>',
    '<div><b style="font-size:inherit">a</b></div>',
  ],
  ['<div style="font-size:1px"><h1>a</h1></div>', '<div><h1>a</h1></div>'],
  ['<div style="font-size:3px">a</div>', '<div>a</div>'],
  ['<div style="font-size:0pt">a</div>', '<div>a</div>'],
  ['<div style="font-size:12px;font-size:0">a</div>', '<div style="font-size:12px">a</div>'],
  [
    '<div style="font-size:0"><div style="font-size:0"><b style="font-size:9px">a</b></div>b</div>',
    '<div><div style="font-size:0"><b style="font-size:9px">a</b></div>b</div>',
  ],
  ['<div style="font-size:0"><font color="red">a</font></div>', '<div><font color="red">a</font></div>'],
  ['<div style="font-size:0">{{ contact.email }}</div>', '<div>{{ contact.email }}</div>'],
  ['<style>div{font-size:0}</style><div>a</div>', '<div>a</div>'],
])('No text vanishes in %s.', (html, expected) => {
  expect(sanitizeImport(html, 'x1').html).toBe(expected)
})
