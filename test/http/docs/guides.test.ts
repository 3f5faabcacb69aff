import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { guideMarkup, GUIDES, headingsOf } from '../../../src/http/docs/guides.ts'

const of = (text: string) => guideMarkup({ title: 'A guide', text }).text

test('A guide has its title apart from its text, and its headings can be linked to.', () => {
  const { title, text } = GUIDES.get('first-letter')!
  const whole = readFileSync(join(import.meta.dir, '../../../docs/guides/first-letter.md'), 'utf8')
  expect([title.includes('\n'), `# ${title}\n${text}`]).toEqual([false, whole])
  expect(of('## Two words\n')).toContain('<h2 id="two-words">')
})

test('A guide leads to other guides and to pages of this service.', () => {
  const text = of(
    '[here](https://masthead.example/docs/x), [one](sign-up-form.md#form), [more](backup.md), ' +
      '[two](https://a.example/b.md).',
  )
  expect(text).toContain('href="/docs/x"')
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

test('A guide shows the whole of an example that a paragraph links to, and its code can be copied.', () => {
  const text = of('## Complete\n\n[openid-client](../examples/openid-client.mjs)\n\n```sh\ncurl "a<b"\n```\n')
  expect(text).toContain('openid-client</h3>')
  expect(text).toContain('oauth.authorizationCodeGrant(config, url')
  expect(text).toContain('<i class="k">curl</i> <i class="s">&quot;a&lt;b&quot;</i></code></pre>')
  expect(text.match(/class="copy"/g)).toHaveLength(2)
  expect(headingsOf({ title: '', text: '## Two & three\n' })).toEqual([{ anchor: 'two-three', title: 'Two & three' }])
})
