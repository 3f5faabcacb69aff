import { expect, test } from 'bun:test'
import { blocksOf, checkDocument } from '../../../src/newsletter/email/document.ts'
import { GALLERY } from '../../../src/newsletter/email/gallery.ts'
import { decodeEntities } from '../../../src/newsletter/email/markup.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'

const POST = { title: 'Tide', slug: 'tide', url: null, excerpt: 'Low.', category: 'Sea', date: '1 May' }

function drawn(editor_json: unknown, mark_blocks: boolean) {
  const source = { document: checkDocument(editor_json, ''), subject: '', brand: { project_name: 'Harbour' } }
  const email = compileEmail({ ...source, posts: [POST, POST], mark_blocks })
  return { html: fillEmail(email, {}).html, warnings: email.warnings }
}

/** The ids of the marked cells, in order. */
function marksOf(html: string): string[] {
  const found: string[] = []
  new HTMLRewriter()
    .on('[data-block]', {
      element(cell) {
        expect(cell.tagName).toBe('td')
        found.push(decodeEntities(cell.getAttribute('data-block')!))
      },
    })
    .transform(html)
  return found
}

test.each(GALLERY.map((design) => [design.name, design] as const))(
  'Each block of the design "%s" is marked in reading order, and nothing else changes.',
  (_, design) => {
    const document = design.document('https://harbour.example')
    const marked = drawn(document, true)
    const ids = [...blocksOf(document)].map(({ id }) => id)
    expect([...new Set(marksOf(marked.html))]).toEqual(ids)
    const plain = drawn(document, false)
    expect([marksOf(plain.html), marked.warnings]).toEqual([[], plain.warnings])
    expect(marked.html.replaceAll(/ data-block="[^"]*"/g, '') === plain.html).toBe(true)
  },
)

test('Cells of tables in a block are not marked, and an id is no merge tag.', () => {
  const html = '<table><tr><td>one</td><td>two</td></tr></table>'
  const id = '{{ contact.email }} "&<'
  const blocks = [{ id, type: 'html', props: { html } }]
  expect(marksOf(drawn({ version: 1, settings: {}, blocks }, true).html)).toEqual([id])
})
