import { expect, test } from 'bun:test'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import type { EmailPost } from '../../../src/store/tables/email-document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { elementsOf, hostileFragment, seeded } from './dom.ts'

/**
 * With any text in a document, project, post or contact, a message has no script, handler or unsafe link. Its footer
 * keeps its position.
 */

type Random = () => number
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const maybe = <T>(random: Random, make: () => T): T | undefined => (random() < 0.5 ? make() : undefined)

const TEXTS = [
  '"><script>alert(1)</script>',
  '</td></tr></table><!--',
  '<style>*{display:none}',
  "' onmouseover='x",
  '{{ contact.first_name }}',
  '{{ contact.custom.site }}',
  '&lt;script&gt;',
  '--><b>',
  '<![endif]-->',
  '<!--[if mso]>',
  '{{ nope | default: "><img src=x onerror=y> }}',
  'plain',
  '</title><script>',
  '{{',
  '}}',
  '{{ unsubscribe_url }}',
  '{<b>{ contact.first_name </b>}}',
  '{{ <i>contact.custom.site | default: "}</i>',
  '{',
  '}" }}',
]
const HREFS = [
  'https://a.example/?a=1&b="2"'.replaceAll('"', '%22'),
  '{{ contact.custom.site }}',
  '{{ contact.custom.site }}//x',
  'mailto:a@b.example',
  'tel:+1',
  'HTTPS://a.example/{{ contact.first_name }}',
  '{{ nope }}javascript:alert(1)',
]
const COLORS = ['#fff', '#000000', '#ffffff', '#e4572e', '#777777', 'brand']

const words = (random: Random): string => `${pick(random, TEXTS)}${pick(random, TEXTS)}`
const band = (random: Random) => ({ section_color: maybe(random, () => pick(random, COLORS)) })
const align = (random: Random) => maybe(random, () => pick(random, ['start', 'center', 'left', 'right']))

const HOSTILE_CSS = [
  '*{display:none}',
  'td{position:fixed;color:red}',
  '</style><script>x</script>',
  'p{color:red}',
  '{{{}',
  '@media (max-width:9999px){*{color:red!important;display:none!important;position:fixed}}',
  '@media (prefers-color-scheme:dark){.m-page,.m-side a{background:url(x);color:red}}b{}}',
  '@media screen and (min-width:1px){td,div{font-size:0!important;width:0}}@import "x"',
]
const OUTLOOK_TABLES = [
  '<!--[if mso | IE]><table><tr><td style="position:fixed;width:9px"><![endif]-->',
  '<!--[if mso]></td><td><![endif]-->',
  '<!--[if mso | IE]></td></tr></table><![endif]-->',
  '<!--[if mso]></td></tr></table></td></tr></table><![endif]-->',
  '&#xFDD2;0&#xFDD2;',
  '',
]

const SIMPLE: Record<string, (random: Random) => Record<string, unknown>> = {
  text: (random) => ({ html: hostileFragment(random).replaceAll('\u0000', ''), align: align(random) }),
  html: (random) => ({
    html: [
      `<style>${pick(random, HOSTILE_CSS)}</style>`,
      random() < 0.6 ? OUTLOOK_TABLES[0] : pick(random, OUTLOOK_TABLES),
      hostileFragment(random).replaceAll('\u0000', ''),
      random() < 0.6 ? OUTLOOK_TABLES[2] : pick(random, OUTLOOK_TABLES),
    ].join(''),
  }),
  heading: (random) => ({
    text: words(random),
    level: 1 + Math.floor(random() * 3),
    color: maybe(random, () => pick(random, COLORS)),
    size: maybe(random, () => 70),
    font_family: maybe(random, () => '"Comic Sans MS", x'),
  }),
  button: (random) => ({
    text: words(random),
    href: pick(random, HREFS),
    background_color: maybe(random, () => pick(random, COLORS.slice(0, 5))),
  }),
  image: (random) => ({
    src: pick(random, ['https://a.example/x.png', '{{ contact.custom.site }}']),
    alt: words(random),
    href: maybe(random, () => pick(random, HREFS)),
    width: maybe(random, () => 1600),
  }),
  divider: (random) => ({
    color: maybe(random, () => pick(random, COLORS.slice(0, 5))),
    thickness: maybe(random, () => 20),
  }),
  spacer: () => ({ height: 200 }),
  social: (random) => ({ links: [{ network: 'x', href: pick(random, HREFS), label: words(random).slice(0, 60) }] }),
  cms_posts: (random) => ({
    layout: pick(random, ['list', 'titles']),
    link: maybe(random, () => 'https://a.example/{slug}'),
  }),
}

function hostileDocument(random: Random): unknown {
  let count = 0
  const simple = () => {
    const type = pick(random, Object.keys(SIMPLE))
    return { id: `${++count}${words(random)}`.slice(0, 64), type, props: { ...SIMPLE[type]!(random), ...band(random) } }
  }
  const many = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, simple)
  const columns = () => ({
    id: `c${++count}`,
    type: 'columns',
    props: {
      columns: Array.from({ length: 2 + Math.floor(random() * 3) }, () => ({
        blocks: many(3),
        share: maybe(random, () => 12),
      })),
      stack: maybe(random, () => false),
      valign: maybe(random, () => 'bottom'),
      ...band(random),
    },
  })
  const blocks = [...many(5), ...(random() < 0.5 ? [columns()] : []), ...many(2)]
  return JSON.parse(
    JSON.stringify({ version: 1, settings: { preheader: words(random), font_family: "x, 'y'" }, blocks }),
  )
}

const evilPost = (random: Random): EmailPost => ({
  title: words(random),
  slug: words(random),
  url: pick(random, [null, 'javascript:alert(1)', 'https://a.example/"><script>', 'data:text/html,x']),
  excerpt: words(random),
  category: words(random),
  date: words(random),
})

const FORBIDDEN = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'base',
  'link',
  'svg',
  'math',
  'template',
  'noscript',
  'frame',
  'video',
  'audio',
])
const UNSUBSCRIBE = 'https://n.example/u'

function wayOut(html: string): string {
  const { elements } = elementsOf(html)
  const [link, ...others] = elements
    .filter(({ name, attributes }) => name === 'a' && attributes['href'] === UNSUBSCRIBE)
    .slice(-1)
  expect(others).toEqual([])
  return [...link!.parents, link!]
    .map(({ name, attributes }) => `${name} ${JSON.stringify(attributes).replace(/\bd\d+\b/g, 'd')}`)
    .join('\n')
}

/** Rules for classes of one imported block, inside that block. */
const SCOPED =
  /^(?:\n(?:@media only screen and [^{}]+\{\n(?:\.(x\d+) \.\1-\d+i?\{(?:[a-z-]+:[^{}:;]+!important;?)+\}\n)+\}\n)+)?$/

/** The message as Outlook reads it, with the tags in conditional comments. */
const asOutlook = (html: string): string => html.replace(/<!--\[if mso(?: \| IE)?\]>|<!\[endif\]-->/g, '')

test('A hundred hostile documents give safe messages.', () => {
  const random = seeded(20261120)
  const draw = (document: unknown) => {
    const evil = words(random)
    const compiled = compileEmail({
      document: checkDocument(document, ''),
      subject: evil,
      preheader: maybe(random, () => evil),
      posts: [evilPost(random), evilPost(random)],
      brand: {
        project_name: evil,
        company_name: 'C',
        postal_address: '12 Harbour Lane',
        footer_text: null,
        brand_color: '#1f4e79',
        logo_url: null,
      },
    })
    return fillEmail(compiled, {
      'contact.first_name': words(random),
      'contact.custom.site': pick(random, [
        'javascript:alert(1)',
        'data:text/html,x',
        '" onclick="x',
        'https://a.example/" onload="x',
      ]),
      unsubscribe_url: UNSUBSCRIBE,
      preferences_url: 'https://n.example/p',
    })
  }
  const golden = wayOut(draw({ version: 1, settings: { font_family: "x, 'y'" }, blocks: [] }).html)
  const golden_outlook = wayOut(asOutlook(draw({ version: 1, settings: { font_family: "x, 'y'" }, blocks: [] }).html))
  let scoped = 0
  let columns = 0
  for (let round = 0; round < 100; round++) {
    const document = hostileDocument(random)
    const { html, text, subject } = draw(document)
    const dangers: string[] = []
    for (const { name, attributes } of elementsOf(html.replace(/<head>[\s\S]*?<\/head>/, '')).elements) {
      if (FORBIDDEN.has(name)) dangers.push(`<${name}>`)
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^srcdoc$|^action$/.test(attribute)) dangers.push(attribute)
        if (/^(?:href|src)$/.test(attribute) && !/^(?:https?:\/\/|mailto:|tel:|#)/i.test(value))
          dangers.push(`${attribute}=${value}`)
        if (attribute === 'style' && /position:|url\(|expression|opacity:0;(?!mso)|visibility/.test(value))
          dangers.push(value)
      }
    }
    expect({ document, dangers }).toEqual({ document, dangers: [] })
    expect({ document, path: wayOut(html) }).toEqual({ document, path: golden })
    expect(elementsOf(html).text).toContain('12 Harbour Lane')
    expect({ document, path: wayOut(asOutlook(html)) }).toEqual({ document, path: golden_outlook })
    const [, , imported, ...others] = html.matchAll(/<style>([^<]*)<\/style>/g)
    expect(imported?.[1] ?? '').toMatch(SCOPED)
    expect(others).toEqual([])
    scoped += imported ? 1 : 0
    columns += html.split('<!--[if mso | IE]>').length - 1
    expect(text.trimEnd()).toEndWith(`Unsubscribe: ${UNSUBSCRIBE}\nPreferences: https://n.example/p`)
    expect(subject).not.toMatch(/[\r\n]/)
  }
  expect(scoped).toBeGreaterThan(5)
  expect(columns).toBeGreaterThan(5)
})
