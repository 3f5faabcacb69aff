import { describe, expect, test } from 'bun:test'
import { checker } from '../../../src/schema.ts'
import { EmailDocument } from '../../../src/newsletter/email/document.ts'
import { designSlug, findDesign, GALLERY } from '../../../src/newsletter/email/gallery.ts'
import { CLIP_BYTES, sizeBytes } from '../../../src/newsletter/email/render.ts'
import { drawDesign } from '../../support/gallery.ts'
import { expectRecorded, outline } from '../../support/recorded.ts'
import { elementsOf } from './dom.ts'
import { lettersIn } from './letters.ts'

/** Requirements of layout, accessibility and mail programs that every design of the gallery meets. */

test('The gallery has a design for every occasion, each with its own name.', () => {
  expect(GALLERY.length).toBeGreaterThanOrEqual(8)
  for (const what of ['id', 'name', 'description', 'subject'] as const)
    expect(new Set(GALLERY.map((design) => design[what])).size).toBe(GALLERY.length)
  for (const slug of ['announcement', 'digest', 'welcome', 'event', 'product-update', 'letter', 'sale', 'survey'])
    expect(findDesign(`builtin:${slug}`)?.id).toBe(`builtin:${slug}`)
  expect(GALLERY.map(designSlug).join(' ')).toBe(
    'announcement digest welcome letter product-update event roundup report sale survey',
  )
  for (const id of ['builtin:none', 'welcome', '']) expect(findDesign(id)).toBeNull()
})

describe.each(GALLERY.map((design) => [designSlug(design), design] as const))('%s', (_, design) => {
  const { html, text, subject, compiled } = drawDesign(design)
  const { elements, text: words } = elementsOf(html)
  const all = (name: string) => elements.filter((element) => element.name === name)

  test('A design is a valid document of blocks without HTML, and without warnings.', () => {
    const document = design.document('https://harbour.example')
    expect(checker(EmailDocument).Check(document)).toBe(true)
    expect(document.blocks.filter(({ type }) => type === 'html')).toEqual([])
    expect(compiled.warnings).toEqual([])
    expect(subject.length).toBeLessThanOrEqual(60)
    expect(`${words} ${text} ${subject}`).not.toMatch(/\{\{|lorem|ipsum|undefined|\[object/i)
  })

  test('A design has the blocks and the text that are recorded.', () => {
    const { name, description, subject: written } = design
    const document = outline({ name, description, subject: written, ...design.document('https://harbour.example') })
    expectRecorded(`gallery/${designSlug(design)}.txt`, `${document}\n\n${text}`)
  })

  test('A design loads nothing from other sites.', () => {
    expect(all('img')).toEqual([])
    expect(html).not.toMatch(/url\(|@import|<link|<script/)
    for (const link of compiled.links) expect(link).toStartWith('https://harbour.example')
  })

  test('A design declares language and direction twice, and stays below the size at which Gmail clips.', () => {
    expect(all('html')[0]!.attributes).toMatchObject({ lang: 'en-GB', dir: 'ltr' })
    expect(all('body')[0]!.attributes['style']).toContain('background-color')
    expect(elements.find(({ parents }) => parents.at(-1)?.name === 'body')!.attributes).toMatchObject({
      lang: 'en-GB',
      dir: 'ltr',
      role: 'article',
    })
    expect(sizeBytes(html)).toBeLessThan(CLIP_BYTES / 2)
  })

  test('A design is laid out in presentational tables, also those for Outlook alone.', () => {
    const opened = elementsOf(html.replace(/<!--\[if mso\]>|<!\[endif\]-->/g, '')).elements.filter(
      ({ name }) => name === 'table',
    )
    expect(opened.length).toBeGreaterThan(all('table').length)
    for (const { attributes } of opened) expect(attributes['role']).toBe('presentation')
    expect(html).toMatch(/<!--\[if mso\]><table [^>]*width="\d+"/)
    for (const { attributes } of all('a').filter(({ attributes }) => attributes['style']!.includes('padding:14px')))
      expect(attributes['style']).toContain('display:inline-block')
    if (html.includes('border-radius:6px;background-color')) expect(html).toContain('mso-padding-alt:14px 28px')
  })

  test('A design has readable colors in light and dark mode.', () => {
    for (const mode of ['light', 'dark'] as const) {
      const letters = lettersIn(html, mode)
      expect(letters.length).toBeGreaterThan(8)
      for (const run of letters) {
        const least = run.size >= 24 || (run.size >= 18.5 && run.bold) ? 3 : 4.5
        expect({ mode, ...run, readable: run.contrast >= least && run.size >= 13 }).toMatchObject({ readable: true })
      }
    }
    expect(html).toContain('@media (prefers-color-scheme:dark)')
    expect(html).toContain('[data-ogsc]')
  })

  test('A design suits screen readers: headings skip no level, and links have clear texts.', () => {
    const levels = elements.filter(({ name }) => /^h[1-6]$/.test(name)).map(({ name }) => Number(name[1]))
    expect(levels.filter((level) => level === 1).length).toBeLessThanOrEqual(1)
    if (levels.length > 0) expect(levels[0]).toBe(1)
    levels.forEach((level, at) => expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1))
    for (const { text, attributes } of all('a'))
      expect((attributes['aria-label'] ?? text).trim()).not.toMatch(/^(?:|here|click here|link|read more)$/i)
  })

  test('A design begins with its preheader, and has its whole content as plain text.', () => {
    const first = elements.find(({ parents }) => parents.at(-1)?.attributes['role'] === 'article')!
    expect(first.attributes['style']).toContain('display:none')
    const preheader = first.text.split('\u034F')[0]!
    expect(preheader.length).toBeGreaterThanOrEqual(40)
    expect(preheader.length).toBeLessThanOrEqual(110)
    for (const { text: heading } of elements.filter(({ name }) => /^h[1-3]$/.test(name)))
      expect(text).toContain(heading)
    for (const link of compiled.links) expect(text).toContain(link)
    expect(text).toContain('12 Harbour Lane')
    expect(text).toContain('https://example.com/unsubscribe')
  })

  test('A design is mirrored for right-to-left languages.', () => {
    const turned = drawDesign(design, { locale: 'ar' }).html
    expect(turned).toContain('<html lang="ar" dir="rtl"')
    // Its texts are in English and run from left to right; what is around them does not.
    const stray = elementsOf(turned).elements.filter(
      ({ attributes, parents }) =>
        /text-align:left|padding-left:[1-9]/.test(attributes['style'] ?? '') &&
        ![...parents, { attributes }].some((element) => element.attributes['dir'] === 'ltr'),
    )
    expect(stray.map(({ attributes }) => attributes)).toEqual([])
  })

  test("A design links to the site of the project that copies it, in the brand's colors.", () => {
    for (const brand_color of ['#ffcc00', '#111111', '#e4572e', '#fafafa']) {
      const { html, compiled } = drawDesign(design, {
        brand: { project_name: 'P', brand_color },
        document: design.document('http://127.0.0.1:8787/sites/p'),
      })
      expect(compiled.warnings.filter(({ code }) => code !== 'ip_address_link')).toEqual([])
      for (const mode of ['light', 'dark'] as const)
        expect(Math.min(...lettersIn(html, mode).map(({ contrast }) => contrast))).toBeGreaterThanOrEqual(4.5)
    }
  })
})
