import { expect, test } from 'bun:test'
import { checkLinks } from '../../../src/newsletter/email/link-check.ts'

function codes(markup: string): string[] {
  const found: string[] = []
  checkLinks(markup, (code) => found.push(code))
  return found
}
const link = (href: string, text = 'Read') => codes(`<a href="${href}">${text}</a>`)

test('A link has a text, or an image with one.', () => {
  for (const empty of ['', ' \n', '&nbsp;', '\u200B', '<img src="x">', '<img src="x" alt="">'])
    expect([empty, link('https://a.example', empty)]).toEqual([empty, ['link_without_text']])
  expect(link('https://a.example', '<img src="x" alt="Logo">')).toEqual([])
  expect(link('https://a.example', '<b>Read</b>')).toEqual([])
  expect(codes('<a name="top"></a>')).toEqual([])
})

test('A link to an IP address or a shortener has a warning.', () => {
  for (const href of ['http://127.0.0.1/x', 'http://[::1]', 'HTTP://10.1'])
    expect([href, link(href)]).toEqual([href, ['ip_address_link']])
  for (const href of ['https://bit.ly/x', 'https://www.bit.ly?x', 'https://T.co#x'])
    expect([href, link(href)]).toEqual([href, ['shortened_link']])
  for (const href of [
    'https://a.example',
    'mailto:a@bit.ly',
    'https://{{ contact.custom.host }}/x',
    'https://4.example',
  ])
    expect([href, link(href)]).toEqual([href, []])
  expect(link('https://bit.ly/{{ contact.email }}')).toEqual(['shortened_link'])
})

test('A link that shows another site than it leads to is misleading.', () => {
  const shows = (text: string, href = 'https://a.example/x') => link(href, text).includes('misleading_link')
  for (const text of [
    'b.example',
    'https://b.example/a',
    ' www.b.example ',
    'www.node.js',
    'https://node.js',
    'B.example:80/x',
    'xa.example',
  ])
    expect([text, shows(text)]).toEqual([text, true])
  for (const text of [
    'a.example',
    'www.a.example',
    'https://mail.a.example',
    'Node.js',
    'report.pdf',
    'b.example now',
    'b. example',
  ])
    expect([text, shows(text)]).toEqual([text, false])
  expect(shows('a.example', 'https://www.mail.a.example')).toBe(false)
  expect(shows(`b.example/${'x'.repeat(1990)}`)).toBe(true)
  expect(shows(`b.example/${'x'.repeat(1991)}`)).toBe(false)
})

test('Where a merge tag decides the host, nothing is said about it.', () => {
  for (const href of ['https://{{x}}/a', 'https://a{{x}}.example', 'mailto:a@a.example', '{{ view_url }}'])
    expect([href, link(href, 'b.example')]).toEqual([href, []])
})

test('A link ends with its end tag, and elements in it are part of its text.', () => {
  expect(codes('<a href="https://a.example"><b>b.example</b></a>')).toEqual(['misleading_link'])
  expect(codes('<a href="https://a.example">x</a></a><b>y</b><img src="z">')).toEqual([])
  expect(codes('<img src="x" alt="y"><a href="https://a.example"></a>')).toEqual(['link_without_text'])
})

test('Each link of a block is looked at.', () => {
  expect(codes('<a href="https://t.co/a">x</a> and <a href="https://a.example"></a>')).toEqual([
    'shortened_link',
    'link_without_text',
  ])
})

test('Each shortener that is known has a warning.', () => {
  const hosts =
    'bit.ly bl.ink buff.ly cutt.ly goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id shorturl.at t.co t.ly tiny.cc ' +
    'tinyurl.com v.gd'
  for (const host of hosts.split(' ')) expect([host, link(`https://${host}/x`)]).toEqual([host, ['shortened_link']])
})

test('The name of a file is no host, unless it begins as an address does.', () => {
  const endings =
    'csv css doc docx gif htm html jpeg jpg js json md mp3 pdf php png ps py rs sh svg ts txt webp xls xlsx xml yml'
  const shown = (text: string) => link('https://a.example/x', text)
  for (const ending of endings.split(' ')) {
    expect([ending, shown(`tides.${ending}`), shown(`Tides.${ending.toUpperCase()}`)]).toEqual([ending, [], []])
    expect([ending, shown(`https://tides.${ending}`)]).toEqual([
      ending,
      // A top-level domain has no digits.
      ending === 'mp3' ? [] : ['misleading_link'],
    ])
  }
  for (const ending of ['com', 'io', 'app', 'dev']) expect(shown(`tides.${ending}`)).toEqual(['misleading_link'])
})
