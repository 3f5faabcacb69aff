import { expect, test } from 'bun:test'
import { block, columns, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail } from '../../../src/newsletter/email/render.ts'
import { BlockBody } from '../../../static/app/letter/block-body.tsx'
import type { Block, Design } from '../../../static/app/letter/document.ts'

const tab = useTab()
const button = (more: Record<string, unknown> = {}) =>
  block('b', 'button', { text: 'Go', href: 'https://a.example/', ...more })

test.each<[string, Block[], Design, string]>([
  ['the brand color', [button()], {}, '#0a7d32'],
  ['its own color', [button({ background_color: '#FC0', text_color: '#333' })], {}, '#0a7d32'],
  ['a brand that is all but white', [button()], {}, '#fefefe'],
  ['a band in the brand color', [button({ section_color: 'brand' })], {}, '#0a7d32'],
  ['a dark letter', [button()], { background_color: '#111111', text_color: '#eeeeee' }, '#121212'],
  [
    'columns with a band',
    [{ ...columns('c', [button()], []), props: { ...columns('c', [button()], []).props, section_color: '#0a7d32' } }],
    {},
    '#0a7d32',
  ],
])('A button has one color in the editor and in mail: %s.', async (_, blocks, design, brand) => {
  const content = letter(blocks, design)
  const editor = editorOf(content)
  editor.brand.value = brand
  await tab.draw(
    inEditor(editor, BlockBody, { block: blocks[0]!.type === 'columns' ? button() : blocks[0]!, isWriting: false }),
  )
  const { html } = compileEmail({
    document: checkDocument(content.document, ''),
    subject: 'x',
    brand: { project_name: 'Harbour', brand_color: brand },
  })
  const mail = html.filter((part) => typeof part === 'string').join('')
  const [, background] = /<td align="center" class="[^"]*" bgcolor="([^"]*)"/.exec(mail)!
  const [, foreground] = /font-weight:600;color:(#\w{6});text-decoration:none">Go/.exec(mail)!
  expect(tab.find('.stand-in-button').getAttribute('style')).toBe(`background: ${background}; color: ${foreground};`)
})
