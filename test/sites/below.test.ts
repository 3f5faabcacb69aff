import { expect, test } from 'bun:test'
import { keepBelow } from '../../src/sites/below.ts'

const below = (html: string) => keepBelow(html, '/sites/harbour')

test('Links from the root of a site stay below its address.', () => {
  expect(below('<A HREF=/about?a=1&amp;b=2>é</A><form action="/send"><button formaction="/">')).toBe(
    '<A HREF="/sites/harbour/about?a=1&amp;b=2">é</A><form action="/sites/harbour/send">' +
      '<button formaction="/sites/harbour/">',
  )
  expect(below('<img src="/a.png" srcset="/a.png 1x, /b.png 2x,https://c.example/d.png 3x">')).toBe(
    '<img src="/sites/harbour/a.png" ' +
      'srcset="/sites/harbour/a.png 1x, /sites/harbour/b.png 2x,https://c.example/d.png 3x">',
  )
})

test('Everything else stays byte for byte: other hosts, addresses of the service, scripts and comments.', () => {
  for (const html of [
    '<img srcset="data:image/jpeg;base64,/9j/4AAQ 1x, https://c.example/d.png?a=1,/b 2x">',
    '<a href="//cdn.example/x">',
    '<a  HREF=about >x</a >',
    '<form action="/general/project/form/entry">',
    '<img src="/files/a.png"><a href="/sites/harbour/about"><a href="/portal">',
    '<script>document.write("<a href=\'/x\'>")</script><!-- <a href="/x"> --><a href="#top">',
    '\uFEFF<!doctype html><p>no link &nbsp; <select><xmp><a',
  ])
    expect(below(html)).toBe(html)
})
