import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { errorsMarkup, guideMarkup, GUIDES } from '../../../src/http/docs/guides.ts'

const of = (text: string) => guideMarkup({ title: 'A guide', text }, 'https://m.example').text

test('A guide has its title apart from its text, and its headings can be linked to.', () => {
  const { title, text } = GUIDES.get('first-letter')!
  const whole = readFileSync(join(import.meta.dir, '../../../docs/guides/first-letter.md'), 'utf8')
  expect([title.includes('\n'), `# ${title}\n${text}`]).toEqual([false, whole])
  expect(of('## Two words\n')).toContain('<h2 id="two-words">')
})

test('A guide has the address of this service, and leads to the pages of other guides.', () => {
  const text = of(
    'Call https://masthead.example/x, [one](sign-up-form.md#form), [more](backup.md), [two](https://a.example/b.md).',
  )
  expect(text).toContain('Call https://m.example/x')
  expect(text).toContain('href="/docs/guides/sign-up-form#form"')
  expect(text).toContain('href="/docs/guides/backup"')
  expect(text).toContain('href="https://a.example/b.md"')
})

test('A table of a guide can be scrolled with the keyboard, and HTML in a guide is text.', () => {
  const text = of('| A | B |\n|---|---|\n| 1 | 2 |\n\n<b>bold</b>\n\n<div>block</div>\n')
  expect(text).toContain('<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
  expect(text).toContain('</table></div>')
  for (const raw of ['<b>', '<div>block']) expect(text).not.toContain(raw)
})

test('Each error is told with its status, whether to try again, and what to do.', () => {
  const row = (code: string) => new RegExp(`<tr id="${code}">[^]*?</tr>`).exec(errorsMarkup().text)![0]
  const cells = (code: string) => [...row(code).matchAll(/<td>([^<]*)/g)].map(([, text]) => text!)
  expect(cells('CONFLICT').slice(0, 2)).toEqual(['409', 'no'])
  expect(cells('RATE_LIMITED').slice(0, 2)).toEqual(['429', 'yes'])
  expect(cells('RATE_LIMITED')[2]).toMatch(/\w/)
})
