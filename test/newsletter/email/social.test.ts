import { expect, test } from 'bun:test'
import { draw, found } from './sketches.ts'

test('The block social shows links by name, also without images and in the plain text.', () => {
  const { html, text: plain } = draw([
    [
      'social',
      {
        links: [
          { network: 'bluesky', href: 'https://a.example/b' },
          { network: 'email', href: 'mailto:a@b.example' },
          { network: 'website', href: 'https://a.example/', label: ' The <shop> ' },
          { network: 'rss', href: 'https://a.example/r', label: ' ' },
        ],
      },
    ],
  ])
  expect(
    found(html, ({ name, attributes }) => name === 'a' && !attributes['href']!.includes('n.example')).map(
      ({ text }) => text,
    ),
  ).toEqual(['Bluesky', 'Email', 'The <shop>', 'RSS'])
  expect(html).not.toContain('<img')
  expect(plain).toContain('Bluesky: https://a.example/b Email (a@b.example) The <shop> (https://a.example/)')
  expect(html).toContain('text-align:center')
})
