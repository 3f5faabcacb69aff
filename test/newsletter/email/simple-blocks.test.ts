import { Value } from '@sinclair/typebox/value'
import { expect, test } from 'bun:test'
import { type Brand, lookOf, lookOn, type Settings } from '../../../src/newsletter/email/look.ts'
import {
  button,
  divider,
  heading,
  html as imported,
  image,
  spacer,
  text,
} from '../../../src/newsletter/email/simple-blocks.ts'

const KINDS = { button, divider, heading, html: imported, image, text }

const look = (brand: Partial<Brand> = {}, settings: Settings = {}, locale = 'en') =>
  lookOf({ settings, brand: { project_name: 'Harbour', ...brand }, locale })

/** The HTML of a block, and the codes of its warnings. */
function drawn(type: keyof typeof KINDS, props: object, on = look()) {
  const warnings: string[] = []
  const drawing = KINDS[type].html(props as never, on, (code) => warnings.push(code))
  return { html: drawing, warnings, dark: on.dark.rules({ color: '', background: '' }) }
}
const html = (...given: Parameters<typeof drawn>): string => drawn(...given).html

test('A heading has the size of its level, or its own, with a line height to match.', () => {
  const given = { text: 'A < B', level: 2 }
  expect(html('heading', given)).toContain(
    '<h2 class="m-h2" style="margin:0;font-size:23px;line-height:31px;font-weight:700;letter-spacing:-0.015em">' +
      'A &lt; B</h2>',
  )
  expect(html('heading', { ...given, size: 50 })).toContain(
    '<h2 class="m-h0" style="margin:0;font-size:50px;line-height:62px;font-weight:700',
  )
  const phone = (size: number) => /<h2(?: class="([^"]*)")?/.exec(html('heading', { ...given, size }))![1]
  expect([36, 37, 60, 61].map(phone)).toEqual([undefined, 'm-h0', 'm-h0', 'm-h00'])
  // Space between letters would separate joined ones.
  expect(html('heading', { ...given, text: 'مرحبا' })).not.toContain('letter-spacing')
})

test('A heading may have a color and a font, and is warned about when it is hard to read.', () => {
  const given = { text: 'A', level: 1 }
  expect(html('heading', { ...given, color: '#00F', font_family: '"My Font"' })).toMatch(
    /font-family:'My Font';.*<h1 class="m-h1 d\d+" style="[^"]*;color:#0000ff"/,
  )
  expect(html('heading', { ...given, color: 'brand' }, look({ brand_color: '#0a7d32' }))).toContain('color:#0a7d32')
  // #949494 has 3.03 on white, #959595 2.99.
  expect(drawn('heading', { ...given, color: '#949494' }).warnings).toEqual([])
  expect(drawn('heading', { ...given, color: '#969696' }).warnings).toEqual(['low_contrast'])
  expect(drawn('heading', given).warnings).toEqual([])
})

test('A button has the color of the brand, unless that would not stand out.', () => {
  const given = { text: 'Go', href: 'https://a.example/?a&b' }
  const colors = (props: object, on = look()) =>
    /bgcolor="(#\w+)".*?;color:(#\w+);text-decoration:none/.exec(html('button', { ...given, ...props }, on))!.slice(1)
  expect(colors({})).toEqual(['#0b5a6e', '#ffffff'])
  expect(colors({ background_color: '#FFF', text_color: '#111' })).toEqual(['#ffffff', '#111111'])
  expect(colors({ background_color: '#ffee88' })[1]).not.toBe('#ffffff')
  expect(colors({}, look({ brand_color: '#fff' }))).toEqual(['#2a2a2e', '#ffffff'])
  expect(colors({}, lookOn(look(), 'brand'))).toEqual(['#ffffff', '#0b5a6e'])
  expect(html('button', given)).toContain('href="https://a.example/?a&amp;b"')
  expect(drawn('button', { ...given, background_color: '#fff', text_color: '#777777' }).warnings).toEqual([
    'low_contrast',
  ])
  expect(drawn('button', { ...given, background_color: '#fff', text_color: '#767676' }).warnings).toEqual([])
})

test('An image is as wide as asked, at most as wide as the column, and may be a link.', () => {
  const given = { src: 'https://a.example/?a&b', alt: '"x"' }
  const width = (props: object) =>
    /width="(\d+)" style="[^"]*max-width:(\d+)px/.exec(html('image', { ...given, ...props }))!.slice(1)
  expect(width({})).toEqual(['520', '520'])
  expect(width({ width: 200 })).toEqual(['200', '200'])
  expect(width({ width: 521 })).toEqual(['520', '520'])
  expect(html('image', given)).toContain('<img src="https://a.example/?a&amp;b" alt="&quot;x&quot;"')
  expect(html('image', given)).toContain('align="center"')
  expect(html('image', { ...given, align: 'right' })).toContain('align="right"')
  expect(html('image', given)).not.toContain('<a ')
  expect(html('image', { ...given, href: 'https://a.example/"' })).toContain('<a href="https://a.example/&quot;"')
})

test('A divider is a pale line on a light background, one of the quiet color on a dark one, or has its own.', () => {
  const line = (props: object, on = look()) =>
    /bgcolor="(#\w+)" style="height:(\d+)px/.exec(html('divider', props, on))!.slice(1)
  const dark = lookOn(look(), '#101010')
  expect(line({})).toEqual(['#dededf', '1'])
  expect(line({}, dark)).toEqual([dark.quiet, '1'])
  expect(line({ color: '#F00', thickness: 4 })).toEqual(['#ff0000', '4'])
  expect(drawn('divider', { color: '#f00' }).dark).toContain('{background-color:#ff0000!important}')
  // A line of the color of the dark background would vanish.
  expect(drawn('divider', { color: '#1f1f23' }).dark).toMatch(/\.d5\{background-color:#(?!1f1f23)\w+!important\}\n$/)
  expect(divider.text!({}, look(), {})).toEqual(['---'])
})

test('Text is sanitized, aligned, and named in a warning where something is removed or hard to read.', () => {
  const { html: text, warnings } = drawn('text', {
    html: '<p onclick="x">a</p><b style="color:#ccc">b</b>',
    align: 'right',
  })
  expect(text).toMatch(/^<tr><td class="m-side d\d+" align="right" style="padding:0px 40px 8px;/)
  expect(text).toContain('<p style="margin:0 0 16px">a</p>')
  expect(warnings).toEqual(['removed_markup', 'low_contrast'])
})

test('A design with backgrounds keeps its colors in dark mode, unless it has dark rules of its own.', () => {
  const box = '<div style="background-color:#ffffff">a</div>'
  expect(html('text', { html: box })).toContain('background-color:#ffffff;font-family')
  expect(html('html', { html: box })).toContain('background-color:#ffffff;font-family')
  const own = '<style>@media (prefers-color-scheme:dark){div{color:#eee}}</style>'
  expect(html('html', { html: own + box })).toMatch(/^<tr><td class="m-side d\d+ x1" .*line-height:1\.625;/)
  expect(html('html', { html: '<p>a</p>' })).toContain('<p>a</p>')
})

test('Imported HTML names what is removed, and its rules reach the message.', () => {
  const on = look()
  const { warnings } = drawn(
    'html',
    { html: '<style>@media (max-width:9px){p{margin:0}}</style><p onclick="x">a</p>' },
    on,
  )
  expect(warnings).toEqual(['removed_markup'])
  expect(on.imported.css()).toContain('@media only screen and (max-width:9px)')
  expect(html('html', { html: '<p>a</p>' })).not.toMatch(/^<tr><td class="[^"]*x1/)
})

test('Each property of a block has its limits.', () => {
  const fits = (type: keyof typeof KINDS | 'spacer', props: object) =>
    Value.Check({ ...KINDS, spacer }[type].props, props)
  const many = 'x'.repeat.bind('x')
  const limits: [boolean, boolean][] = [
    [fits('text', { html: many(200_000) }), fits('text', { html: many(200_001) })],
    [fits('html', { html: many(200_000) }), fits('html', { html: many(200_001) })],
    [fits('heading', { text: many(500), level: 1 }), fits('heading', { text: many(501), level: 1 })],
    [fits('heading', { text: 'a', level: 3 }), fits('heading', { text: 'a', level: 4 })],
    [fits('heading', { text: 'a', level: 1 }), fits('heading', { text: '', level: 1 })],
    [fits('heading', { text: 'a', level: 1, size: 12 }), fits('heading', { text: 'a', level: 1, size: 11 })],
    [fits('heading', { text: 'a', level: 1, size: 80 }), fits('heading', { text: 'a', level: 1, size: 81 })],
    [fits('button', { text: many(200), href: 'tel:1' }), fits('button', { text: many(201), href: 'tel:1' })],
    [fits('button', { text: 'a', href: 'tel:1' }), fits('button', { text: '', href: 'tel:1' })],
    [fits('image', { src: 'https://a', alt: many(1000) }), fits('image', { src: 'https://a', alt: many(1001) })],
    [
      fits('image', { src: 'https://a', alt: '', width: 1600 }),
      fits('image', { src: 'https://a', alt: '', width: 1601 }),
    ],
    [fits('image', { src: 'https://a', alt: '', width: 1 }), fits('image', { src: 'https://a', alt: '', width: 0 })],
    [fits('divider', { thickness: 20 }), fits('divider', { thickness: 21 })],
    [fits('divider', { thickness: 1 }), fits('divider', { thickness: 0 })],
    [fits('spacer', { height: 200 }), fits('spacer', { height: 201 })],
    [fits('spacer', { height: 1 }), fits('spacer', { height: 0 })],
  ]
  for (const limit of limits) expect(limit).toEqual([true, false])
})

test('A part of a line keeps the direction that its author chose, whatever that of the line is.', () => {
  const line = html('text', { html: 'שלום <span dir="ltr">+1 (2)</span>' })
  expect(line).toContain(' dir="rtl" align="right"')
  expect(line).toContain('שלום <span dir="ltr">+1 (2)</span>')
})
