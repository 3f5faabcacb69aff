import { expect, test } from 'bun:test'
import {
  createRecipientToken,
  createClickToken,
  readClickToken,
  readRecipientToken,
} from '../../../src/newsletter/tracking/tokens.ts'
import { linkTag, targetOf, trackingValues, withPixel } from '../../../src/newsletter/tracking/tracking.ts'
import { withUtm } from '../../../src/newsletter/tracking/utm.ts'
import { attributesOf, tokens } from '../../../src/newsletter/email/markup.ts'
import { compileTemplate, fillTemplate } from '../../../src/newsletter/email/template.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'

const keys = new Keys(newMasterKey())
const recipient = { delivery_id: 123_456, contact_id: 98_765, campaign_id: 42 }
const BASE = 'https://mail.harbour.example'

test('Tokens give back what they were made of, in few characters.', () => {
  expect(readRecipientToken(keys, createRecipientToken(keys, recipient, 'open'), 'open')).toEqual(recipient)
  for (const values of [[], ['a@b.example'], ['', 'ü\n"\\', '{{ x }}']]) {
    const click = { ...recipient, position: 7, values }
    expect(readClickToken(keys, createClickToken(keys, click))).toEqual(click)
  }
  expect(createClickToken(keys, { ...recipient, position: 7, values: [] }).length).toBeLessThan(50)
})

test('Tokens cannot be changed, made elsewhere, or used for anything else.', () => {
  const click = createClickToken(keys, { ...recipient, position: 1, values: ['a'] })
  for (let at = 0; at < click.length; at += 1) {
    const other = click[at] === 'A' ? 'B' : 'A'
    expect(readClickToken(keys, click.slice(0, at) + other + click.slice(at + 1))).toBeNull()
  }
  expect(readClickToken(new Keys(newMasterKey()), click)).toBeNull()
  expect(readClickToken(keys, createRecipientToken(keys, recipient))).toBeNull()
  expect(readClickToken(keys, createRecipientToken(keys, recipient, 'open'))).toBeNull()
  expect(readRecipientToken(keys, createRecipientToken(keys, recipient), 'open')).toBeNull()
  for (const nonsense of ['', 'x', click.slice(1), `${click}A`, '../..', 'a'.repeat(3000)]) {
    expect(readClickToken(keys, nonsense)).toBeNull()
    expect(readRecipientToken(keys, nonsense, 'open')).toBeNull()
  }
})

const URLS = [
  'https://harbour.example/tide?x=1&y=2',
  'https://harbour.example',
  'https://harbour.example/{{ contact.first_name | default: "you & me" }}?e={{contact.email}}#{{ contact.first_name }}',
  'https://harbour.example/?q={{ contact.custom.city | default: Köln }}&{{ nonsense }}',
  'http://{{ contact.custom.host }}/x',
  'HTTPS://harbour.example/{{contact.email}}/{{ contact.custom.city }}',
]
const VALUES = [
  {
    'contact.first_name': 'Ada "A" <b>',
    'contact.email': 'ada+x@example.com',
    'contact.custom.city': 'São Paulo/&#',
    'contact.custom.host': 'evil.example/@',
  },
  { 'contact.first_name': '', 'contact.email': 'bo@example.com', 'contact.custom.city': 'javascript:alert(1)' },
  {},
]

test('A tracked link leads exactly where it would have led untracked.', () => {
  for (const url of URLS) {
    for (const values of VALUES) {
      const plain = fillTemplate(compileTemplate(`<a href="${Bun.escapeHTML(url)}">x</a>`, 'html'), values)
      const [link] = tokens(plain)
      const direct = attributesOf(link as { attributes: string }).get('href')
      const { [linkTag(0)]: tracked } = trackingValues(keys, BASE, { opens: false, links: [{ url, position: 3 }] })(
        recipient,
        values,
      )
      const clicked = readClickToken(keys, tracked!.slice(tracked!.lastIndexOf('/') + 1))
      expect(clicked).toMatchObject({ ...recipient, position: 3 })
      expect(targetOf(url, clicked!.values)).toBe(direct!)
    }
  }
})

test('The values of a link are those of its known tags, each once, in their order.', () => {
  const url = 'https://a.example/{{ nonsense }}/{{ contact.email }}/{{ contact.custom.x }}/{{ contact.email }}'
  expect(targetOf(url, ['e', 'x'])).toBe('https://a.example//e/x/e')
})

test('An address that does not fit into a link leads there directly.', () => {
  const city = 'x'.repeat(1200)
  const values = trackingValues(keys, BASE, {
    opens: false,
    links: [{ url: 'https://harbour.example/{{ contact.custom.city }}', position: 0 }],
  })(recipient, { 'contact.custom.city': city })
  expect(values[linkTag(0)]).toBe(`https://harbour.example/${city}`)
})

test('A link whose values have at most a thousand bytes is tracked, and without opens there is no pixel.', () => {
  const url = 'https://harbour.example/{{ contact.custom.city }}{{ contact.email }}'
  const fill = trackingValues(keys, BASE, { opens: false, links: [{ url, position: 0 }] })
  const isTracked = (city: string) => {
    const values = fill(recipient, { 'contact.custom.city': city })
    expect(Object.keys(values)).toEqual([linkTag(0)])
    return values[linkTag(0)]!.startsWith(`${BASE}/`)
  }
  // Two values are seven more bytes of JSON.
  expect([isTracked('x'.repeat(993)), isTracked('x'.repeat(994))]).toEqual([true, false])
  expect([isTracked('é'.repeat(496)), isTracked('é'.repeat(497))]).toEqual([true, false])
  const plain = { opens: false, links: [{ url: 'https://harbour.example', position: 0 }] }
  expect(trackingValues(keys, BASE, plain)(recipient, {})[linkTag(0)]).toStartWith(`${BASE}/`)
})

test('The pixel stands at the end of the body, and nowhere in what has none.', () => {
  const html = compileTemplate('<html><body><p>{{ contact.email }}</p></body></html>', 'html')
  const values = trackingValues(keys, BASE, { opens: true, links: [] })(recipient, {})
  const filled = fillTemplate(withPixel(html), { ...values, 'contact.email': 'a@b.example' })
  expect(filled).toMatch(
    /<\/p><img src="https:\/\/mail\.harbour\.example\/general\/newsletter\/open\/[\w-]+" width="1" height="1" alt="" style="[^"]*"><\/body><\/html>$/,
  )
  expect(withPixel(['no body'])).toEqual(['no body'])
})

test.each([
  ['https://a.example', 'https://a.example?utm_source=news&utm_medium=email&utm_campaign=Tide%20%26%20time'],
  [
    'https://a.example/p?x=1#top',
    'https://a.example/p?x=1&utm_source=news&utm_medium=email&utm_campaign=Tide%20%26%20time#top',
  ],
  ['https://a.example/?', 'https://a.example/?utm_source=news&utm_medium=email&utm_campaign=Tide%20%26%20time'],
  [
    'https://a.example/?utm_source=own&utm_campaign=',
    'https://a.example/?utm_source=own&utm_campaign=&utm_medium=email',
  ],
  [
    'https://a.example/{{ contact.custom.x | default: #?& }}',
    'https://a.example/{{ contact.custom.x | default: #?& }}?utm_source=news&utm_medium=email&' +
      'utm_campaign=Tide%20%26%20time',
  ],
])('UTM tags stand before the fragment, and never twice, on %s.', (url, expected) => {
  expect(withUtm(url, { utm_source: 'news', utm_medium: 'email', utm_campaign: 'Tide & time' })).toBe(expected)
  expect(withUtm(url, { utm_source: '', utm_medium: '', utm_campaign: '' })).toBe(url)
})
