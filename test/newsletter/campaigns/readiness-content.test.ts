import { expect, test } from 'bun:test'
import { contentChecks } from '../../../src/newsletter/campaigns/readiness-content.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail } from '../../../src/newsletter/email/render.ts'
import type { WarningCode } from '../../../src/newsletter/email/warnings.ts'

function checksOf(html: string, { subject = 'Tides' } = {}) {
  const editor_json = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html } }] }
  const email = compileEmail({ document: checkDocument(editor_json, ''), subject, brand: { project_name: 'Harbour' } })
  return { ...contentChecks({ subject, editor_json }, email), email, editor_json }
}
const warning = (html: string, wanted: string) => checksOf(html).warnings.find(({ code }) => code === wanted)!
const TEXT = '<p>The tide turns at noon, and the ferries leave an hour later than they did last week.</p>'

test('A message with subject, text and footer passes all checks.', () => {
  const { subject, content, unsubscribe_link, warnings } = checksOf(TEXT)
  for (const check of [subject, content, unsubscribe_link]) expect(check).toMatchObject({ ok: true, severity: 'error' })
  for (const check of warnings) expect(check).toMatchObject({ ok: true, severity: 'warning' })
})

test('A subject of spaces and a message without content are errors.', () => {
  expect(checksOf(TEXT, { subject: '  ' }).subject).toMatchObject({ ok: false, message: 'The subject is empty.' })
  expect(checksOf('<p> </p>').content).toMatchObject({ ok: false, message: 'The message has no content.' })
  expect(checksOf('<img src="https://a.example/x.png" alt="">').content.ok).toBe(true)
})

test('A message whose HTML or text lacks the unsubscribe link is an error.', () => {
  const { email, editor_json } = checksOf(TEXT)
  const check = (changes: Partial<typeof email>) =>
    contentChecks({ subject: 'x', editor_json }, { ...email, ...changes }).unsubscribe_link.ok
  expect([check({}), check({ html: ['<p>x</p>'] }), check({ text: ['x'] })]).toEqual([true, false, false])
})

test('Each image needs fifty characters of text.', () => {
  const images = (count: number) =>
    `<p>${'x'.repeat(100)}</p>${'<img src="https://a.example/x.png" alt="">'.repeat(count)}`
  expect([warning(images(2), 'text_ratio').ok, warning(images(3), 'text_ratio').ok]).toEqual([true, false])
  const linked = `<p><a href="https://a.example/${'x'.repeat(100)}">x</a><img src="https://a.example/x.png" alt=""></p>`
  expect(warning(linked, 'text_ratio').ok).toBe(false)
})

test('A message that Gmail would clip is a warning.', () => {
  expect(warning(`<p>${'tide '.repeat(30_000)}</p>`, 'size').ok).toBe(false)
})

test.each([
  ['https://localhost/x', false],
  ['http://printer/x', false],
  ['https://nas.local/x', false],
  ['https://shop.localhost/x', false],
  ['https://10.0.0.1/x', false],
  ['https://192.168.1.1/x', false],
  ['https://127.0.0.1/x', false],
  ['https://169.254.1.1/x', false],
  ['https://172.31.255.255/x', false],
  ['https://172.32.0.1/x', true],
  ['https://[::1]/x', false],
  ['https://wiki.internal/x', false],
  ['https://10.example/x', true],
  ['https://[2001:db8::1]/x', true],
  ['https://{{ contact.custom.host }}/x', true],
  ['https://harbour.example/x', true],
])('The link %s is reachable: %p.', (href, reachable) => {
  const { message } = warning(`${TEXT}<p><a href="${href}">Read more</a></p>`, 'links')
  expect(message.includes('Recipients cannot reach')).toBe(!reachable)
})

test('An empty subject, unknown merge tags and the many problems of links are told in short.', () => {
  expect(checksOf('<p>{{ one }} {{ two }}</p>').content.message).toMatch(/^The message has content\. .*"one".*"two"/)
  const links = Array.from({ length: 7 }, (_, at) => `<a href="https://pc${at}/">Read more</a>`).join(' ')
  expect(warning(`${TEXT}<p>${links}</p>`, 'links').message.match(/cannot reach https:/g)).toHaveLength(5)
  expect(warning(`${TEXT}<p><a href="#">one</a></p>`, 'links').message).toBe('A link has no address.')
})

test('Links without an address are counted.', () => {
  expect(warning(`${TEXT}<p><a href="#">one</a> <a href="javascript:x">two</a></p>`, 'links').message).toContain(
    'no address',
  )
})

test('At most five problems of one kind are named, each address shortened.', () => {
  const links = (count: number, href: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => `<p>Look <a href="${href(n)}">there ${n}</a> now.</p>`).join('')
  // Links that are fine do not use up the five.
  const fine = links(5, (n) => `https://harbour.example/${n}`)
  expect(warning(TEXT + fine + links(1, () => 'http://localhost/late'), 'links').message).toContain('localhost/late')
  const far = `http://localhost/${'x'.repeat(300)}`
  const unreachable = warning(TEXT + links(6, (n) => `http://localhost/${n}`), 'links').message
  expect(unreachable.match(/Recipients cannot reach/g)).toHaveLength(5)
  expect(warning(TEXT + links(1, () => far), 'links').message).toBe(`Recipients cannot reach ${far.slice(0, 200)}.`)
  const { email, editor_json } = checksOf(TEXT)
  const found = (code: WarningCode) => Array.from({ length: 6 }, (_, n) => ({ code, message: `Found ${n}.` }))
  const linksOf = (code: WarningCode) =>
    contentChecks({ subject: 'x', editor_json }, { ...email, warnings: found(code) }).warnings[2]!.message
  for (const code of ['link_without_text', 'misleading_link', 'ip_address_link', 'shortened_link'] as const)
    expect(linksOf(code)).toBe('Found 0. Found 1. Found 2. Found 3. Found 4.')
  expect(linksOf('unknown_merge_tag')).toBe('No link looks broken.')
  expect(warning(TEXT + links(2, () => '#'), 'links').message).toStartWith('2 links have no address.')
  const tags = Array.from({ length: 6 }, (_, n) => `{{ unknown${n} }}`).join(' ')
  expect(checksOf(`${TEXT}<p>${tags}</p>`).content.message.match(/no merge tag/g)).toHaveLength(5)
})
