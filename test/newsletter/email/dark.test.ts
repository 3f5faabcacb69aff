import { expect, test } from 'bun:test'
import { contrast } from '../../../src/shared/contrast.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { lettersIn } from './letters.ts'

type Block = [type: string, props: Record<string, unknown>]

function draw(blocks: Block[], settings: Record<string, unknown> = {}, brand_color = '#0b5a6e'): string {
  const document = checkDocument(
    { version: 1, settings, blocks: blocks.map(([type, props], at) => ({ id: `b${at}`, type, props })) },
    '',
  )
  return fillEmail(compileEmail({ document, subject: 'News', brand: { project_name: 'Atelier', brand_color } }), {})
    .html
}
const of = (html: string, mode: 'light' | 'dark', words: string) =>
  lettersIn(html, mode).find(({ text }) => text === words)!

test('Dark mode makes plain content dark with the page.', () => {
  const html = draw([['text', { html: '<p>mine</p>' }]])
  expect(of(html, 'light', 'mine')).toMatchObject({ ink: '#2a2a2e', ground: '#ffffff' })
  expect(of(html, 'dark', 'mine')).toMatchObject({ ink: '#e9e9ec', ground: '#1f1f23' })
})

test('Dark mode lightens colored text until it is readable.', () => {
  const html = draw([['text', { html: '<p style="color:#123">mine</p><font color="#800000">font</font>' }]])
  expect(of(html, 'light', 'mine').ink).toBe('#112233')
  for (const words of ['mine', 'font']) expect(of(html, 'dark', words).contrast).toBeGreaterThanOrEqual(4.5)
  expect(of(html, 'dark', 'mine').ground).toBe('#1f1f23')
})

test.each([
  '<p style="background:#ffe">mine <a href="https://a.example/">link</a></p>',
  '<table bgcolor="#ffeecc"><tr><td>mine</td></tr></table>',
  '<p style="color:navy">mine</p>',
  `<p>mine</p>${Array.from({ length: 13 }, (_, at) => `<b style="color:#${100 + at}">x</b>`).join('')}`,
])('Dark mode does not change content with its own design: %s.', (markup) => {
  const html = draw([['text', { html: markup }]])
  const [light, dark] = (['light', 'dark'] as const).map((mode) =>
    lettersIn(html, mode)
      .filter(({ text }) => /^(?:mine|link|x)$/.test(text))
      .map(({ ink, ground }) => [ink, ground]),
  )
  expect(dark).toEqual(light!)
})

test('Dark mode keeps text on bands, headings and buttons of any color readable, as light mode does.', () => {
  const colors = [
    '#ffffff',
    '#000000',
    '#777777',
    '#ffdd00',
    '#e4572e',
    '#0a7d32',
    '#1d2145',
    '#ffd9c7',
    '#f1f4f8',
    '#123',
    'brand',
  ]
  for (const section_color of colors) {
    for (const brand_color of ['#0b5a6e', '#ffcc00', '#8a8a8a', '#fdfdf5']) {
      const html = draw(
        [
          ['heading', { text: 'heading', level: 1, section_color }],
          ['heading', { text: 'brand', level: 2, color: 'brand', section_color }],
          ['text', { html: '<p>text <a href="https://a.example/">link</a></p>', section_color }],
          ['button', { text: 'button', href: 'https://a.example/', section_color }],
          ['social', { links: [{ network: 'rss', href: 'https://a.example/' }], section_color }],
          ['divider', {}],
        ],
        {},
        brand_color,
      )
      for (const mode of ['light', 'dark'] as const) {
        for (const letters of lettersIn(html, mode))
          expect({ section_color, brand_color, mode, ...letters, ok: letters.contrast >= 4.5 }).toMatchObject({
            ok: true,
          })
      }
    }
  }
})

test('Dark mode does not change a page that is dark already.', () => {
  const html = draw([['text', { html: '<p>mine</p>' }]], {
    background_color: '#101820',
    text_color: '#f0f0f0',
    link_color: '#ffd000',
  })
  expect(of(html, 'dark', 'mine')).toMatchObject({ ink: '#f0f0f0', ground: '#101820' })
})

test('A band keeps a strong color in dark mode, and a pale one becomes dark.', () => {
  const ground = (section_color: string) =>
    of(draw([['heading', { text: 'heading', level: 1, section_color }]]), 'dark', 'heading').ground
  for (const color of ['#ff0000', '#e4572e', '#b08030', '#888888', '#0a7d32']) expect(ground(color)).toBe(color)
  for (const color of ['#00ff00', '#ffdd00', '#f1f4f8', '#c0c0c0']) {
    expect(ground(color)).not.toBe(color)
    expect(contrast(ground(color), '#ffffff')).toBeGreaterThan(4.5)
  }
})

test('Dark mode gives every button enough contrast with its background.', () => {
  const button = (section_color?: string) =>
    of(
      draw([['button', { text: 'go', href: 'https://a.example/', background_color: '#111111', section_color }]]),
      'dark',
      'go',
    )
  for (const { ground } of [button(), button('#222222')]) expect(contrast(ground, '#1f1f23')).toBeGreaterThan(1.8)
})
