import { expect, test } from 'bun:test'
import { buttonHtml } from '../../../src/newsletter/email/button.ts'
import { lookOf, lookOn } from '../../../src/newsletter/email/look.ts'

const base = lookOf({ settings: {}, brand: { project_name: 'Harbour' } })

/** The dark-mode colors of a button: those of its cell and of its link. */
function darkColors(background: string, foreground: string, look = base): string[] {
  const html = buttonHtml({ text: 'Go', href: 'https://a.example', background, foreground }, look)
  const [cell, link] = [...html.matchAll(/class="(d\d+)"/g)].map(([, name]) => name)
  const rules = look.dark.rules({ color: '', background: '' })
  return [cell, link].map((name) => new RegExp(`\\.${name}\\{(?:background-)?color:(#\\w+)!`).exec(rules)![1]!)
}

test('Text and address of a button are escaped, and its lines stay.', () => {
  const html = buttonHtml(
    { text: 'A & B\nC', href: 'https://a.example/?"', background: '#112233', foreground: '#ffffff' },
    base,
  )
  expect(html).toContain('href="https://a.example/?&quot;"')
  expect(html).toEndWith('>A &amp; B<br>C</a></td></tr></table>')
  expect(html).toContain('bgcolor="#112233"')
  expect(html).toContain('color:#ffffff;text-decoration:none')
})

test('In dark mode a button keeps its colors where it stands out, and gets a lighter one where it does not.', () => {
  expect(darkColors('#ffee88', '#111111')).toEqual(['#ffee88', '#111111'])
  const [background] = darkColors('#222222', '#ffffff')
  expect(background).not.toBe('#222222')
  // A band that stays light in dark mode needs no other color.
  expect(darkColors('#e0e0e0', '#111111', { ...lookOn(base, '#d0d0d0'), dark_background: '#d0d0d0' })).toEqual([
    '#e0e0e0',
    '#111111',
  ])
})
