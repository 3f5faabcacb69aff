import { expect, spyOn, test } from 'bun:test'
import { block, columns, editorOf, inEditor, letter, TYPES } from '../../support/letter-editor.ts'
import { useTab, send } from '../../support/tab.ts'
import { DRAG } from '../../../static/app/letter/block-row.tsx'
import { freshBlock } from '../../../static/app/letter/block-types.ts'
import { eachBlock, findBlock } from '../../../static/app/letter/document.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { enter, Surface } from '../../../static/app/letter/surface.tsx'

const tab = useTab()
const BLOCKS = [
  block('d', 'divider', {}),
  columns('c', [block('x', 'spacer', { height: 24 })], []),
  block('i', 'image', { src: 'https://masthead.example/a.png', alt: '' }),
  block('f', 'footer', {}),
]
let editor: Editor

async function open(blocks = BLOCKS) {
  DRAG.code.value = null
  const load = spyOn(DRAG, 'load').mockImplementation(() => {})
  tab.atEnd(() => load.mockRestore())
  editor = editorOf(letter(blocks))
  await tab.draw(inEditor(editor, Surface, {}))
}
const row = (id: string) => tab.find(`[data-block="${id}"]`)
const order = () => eachBlock(editor.content.value.document).map((found) => found.block.id)
async function press(id: string, key: string, more: Record<string, unknown> = {}) {
  editor.select(id, 'block')
  await tab.settled()
  await tab.key(key, more, row(id))
  return editor.selected.value
}

test('A block that still holds words of a design says so.', async () => {
  await open()
  editor.samples.value = new Set(['d', 'x'])
  await tab.settled()
  expect(tab.texts('.block-sample')).toEqual(['Still from the design', 'Still from the design'])
  expect(row('x').querySelector('.block-sample')).not.toBeNull()
})

test('One block is in the order of Tab: the selected one, or the first.', async () => {
  await open()
  const reached = () =>
    tab.all('[data-block]').flatMap((one) => (one.getAttribute('tabindex') === '0' ? [one.dataset['block']] : []))
  expect(reached()).toEqual(['d'])
  editor.select('i', 'block')
  await tab.settled()
  expect(reached()).toEqual(['i'])
  expect(document.activeElement as unknown).toBe(row('i'))
})

test('Arrows, Home and End go from block to block in the order of reading, and Escape to none.', async () => {
  await open()
  expect(await press('c', 'ArrowDown')).toBe('x')
  expect(await press('x', 'ArrowUp')).toBe('c')
  expect(await press('d', 'ArrowUp')).toBe('d')
  expect(await press('i', 'Home')).toBe('d')
  expect(await press('d', 'End')).toBe('f')
  expect(await press('d', 'Escape')).toBeNull()
  expect(await press('d', 'q')).toBe('d')
})

test('A letter without blocks says how to begin, and one with a block does not.', async () => {
  await open([])
  expect(tab.text()).toContain('Write, or type / for a picture, a button, a line…')
  await open([block('d', 'divider', {})])
  expect(tab.text()).not.toContain('Write, or type /')
  expect(tab.text()).toContain('Add a block, or type /')
})

test('Keys delete, double and move a block, also into columns, in the direction of the page.', async () => {
  await open()
  await press('i', 'Backspace')
  await press('x', 'Delete')
  expect(order()).toEqual(['d', 'c', 'f'])
  await press('d', 'd')
  expect(order()).toHaveLength(3)
  await press('d', 'D', { ctrlKey: true })
  expect(order()).toHaveLength(4)
  await open()
  await press('d', 'ArrowDown', { altKey: true })
  expect(order()).toEqual(['c', 'x', 'd', 'i', 'f'])
  await press('d', 'ArrowUp', { altKey: true })
  expect(order()[0]).toBe('d')
  const within = () => findBlock(editor.content.value.document, 'd')!.spot.within
  await press('d', 'ArrowRight', { altKey: true })
  expect(within()).toEqual({ block: 'c', column: 0 })
  document.documentElement.setAttribute('dir', 'rtl')
  await press('d', 'ArrowRight', { altKey: true })
  expect(within()).toBeNull()
  await press('d', 'ArrowLeft', { altKey: true })
  expect(within()).toEqual({ block: 'c', column: 0 })
  await press('d', 'ArrowLeft', { altKey: true })
  expect(within()).toEqual({ block: 'c', column: 1 })
  await press('d', 'ArrowRight', { altKey: true })
  expect(within()).toEqual({ block: 'c', column: 0 })
  await press('d', 'q', { altKey: true })
})

test('A key of the page is not taken from a block, one of its own is.', async () => {
  await open()
  const keys: string[] = []
  const heard = (event: Event) => keys.push((event as KeyboardEvent).key)
  addEventListener('keydown', heard)
  tab.atEnd(() => removeEventListener('keydown', heard))
  await press('d', 'q')
  await press('d', 'ArrowDown')
  await press('d', 'x', { ctrlKey: true })
  expect(keys).toEqual(['q', 'x'])
})

test('A slash opens all blocks that may stand there, found by typing and chosen by keys.', async () => {
  await open()
  await press('x', '/')
  const choices = () => tab.texts('.suggestion-list span')
  expect(choices()).not.toContain('Columns')
  await tab.key('ArrowUp', {}, tab.find('.block-palette input'))
  expect(tab.text('[aria-selected=true] span')).toBe(choices().at(-1)!)
  await tab.type('Find a block', 'line')
  expect(choices()).toEqual(['Line'])
  await tab.key('Home', {}, tab.find('.block-palette input'))
  expect(tab.body.querySelector('.block-palette')).not.toBeNull()
  await tab.key('ArrowDown', {}, tab.find('.block-palette input'))
  await tab.key('Enter', {}, tab.find('.block-palette input'))
  expect(order().slice(0, 4)).toEqual(['d', 'c', 'x', editor.selected.value!])
  expect(tab.body.querySelector('.block-palette')).toBeNull()
  await press('d', '/')
  await tab.type('Find a block', 'zzz')
  expect(tab.text('.block-palette')).toContain('No block has this name.')
  await tab.key('Enter', {}, tab.find('.block-palette input'))
  const { focusing } = editor
  const before = focusing.value
  send(tab.find('.block-palette'), 'toggle', { newState: 'closed' }, false)
  await tab.settled()
  expect([tab.body.querySelector('.block-palette'), focusing.value]).toEqual([null, before + 1])
  await press('d', '/', { ctrlKey: true })
  expect(tab.body.querySelector('.block-palette')).toBeNull()
})

test('A block is added below another, into an empty column, or at the end before the footer.', async () => {
  await open()
  const add = async (button: () => Promise<void>) => {
    await button()
    await tab.press('Space')
    const { spot } = findBlock(editor.content.value.document, editor.selected.value!)!
    editor.undo()
    await tab.settled()
    return spot
  }
  expect(await add(() => tab.press('Add a block after Line'))).toEqual({ within: null, at: 1 })
  expect(await add(() => tab.press('Add'))).toEqual({ within: { block: 'c', column: 1 }, at: 0 })
  expect(await add(() => tab.press('Add a block, or type'))).toEqual({ within: null, at: 3 })
})

test('An empty letter begins with a text.', async () => {
  await open([])
  tab.find('.letter-start').click()
  expect(editor.content.value.document.blocks).toMatchObject([{ type: 'text', props: { html: '' } }])
  expect(editor.writing.value).toBe('end')
  editor.select(null)
})

test('A picture that is dropped goes behind the block below it, and no other file replaces the page.', async () => {
  await open()
  const file = new File(['x'], 'a.png', { type: 'image/png' })
  const drop = (files: File[]) => send(row('x'), 'drop', { dataTransfer: { files, types: ['Files'] } })
  expect(drop([new File(['x'], 'a.txt', { type: 'text/plain' })])).toBe(false)
  expect(drop([])).toBe(true)
  expect(editor.panel.value).toBeNull()
  expect(drop([file])).toBe(false)
  expect(editor.panel.value).toEqual({
    kind: 'picture',
    files: [file],
    spot: { within: { block: 'c', column: 0 }, at: 1 },
  })
  expect(send(row('x'), 'dragover', { dataTransfer: { types: ['text/plain'] } })).toBe(true)
  expect(send(row('x'), 'dragover', { dataTransfer: { types: ['Files'] } })).toBe(false)
})

test('Tab and Enter lead to the fields of a block, Enter into the text of one that has one.', async () => {
  await open()
  const fields = document.createElement('section')
  fields.setAttribute('class', 'letter-inspector')
  const [off, on, input] = ['button', 'button', 'input'].map((name) => document.createElement(name))
  off!.setAttribute('aria-disabled', 'true')
  fields.append(off!, on!, input!)
  document.body.append(fields)
  await press('d', 'Tab')
  expect(document.activeElement).toBe(on!)
  await press('d', 'Tab', { shiftKey: true })
  expect(document.activeElement as unknown).toBe(row('d'))
  await press('d', 'Enter')
  expect(document.activeElement).toBe(input!)
  editor.edit(() => letter([block('t')]))
  enter(editor, 't')
  expect(editor.writing.value).toBe('end')
  editor.select(null)
  fields.remove()
})

test('A press selects a block, and a flaw stands at it once it is left.', async () => {
  await open()
  row('i').click()
  await tab.settled()
  expect([editor.selected.value, editor.writing.value]).toEqual(['i', null])
  editor.edit(() => letter([...BLOCKS, block('t')]))
  await tab.settled()
  row('t').click()
  expect([editor.selected.value, editor.writing.value]).toEqual(['t', null])
  editor.flaws.value = [{ id: 'i', prop: 'src', message: 'Picture is missing.' }]
  editor.fresh.value = 'i'
  await tab.settled()
  expect(tab.texts('.block-flaw')).toEqual([])
  editor.fresh.value = null
  await tab.settled()
  expect(tab.texts('.block-flaw')).toEqual(['Picture is missing.'])
  expect(row('i').getAttribute('aria-label')).toEndWith('. Picture is missing.')
})

test.each([
  ['heading', 'text', 'High water', ['a', 'b']],
  ['heading', 'text', '', ['a']],
  ['text', 'html', '<p>High water</p>', ['a', 'b']],
  ['text', 'html', '', ['a']],
] as const)('Backspace at the start of a %s with %s %j leaves the blocks %j.', async (type, prop, value, left) => {
  await open([block('a', 'text', { html: '<p>One</p>' }), block('b', type, { [prop]: value, level: 2 })])
  editor.select('b', 'start')
  await tab.settled()
  await tab.key('Backspace', { keyCode: 8 }, row('b').querySelector('[role=textbox]')!)
  expect(order()).toEqual([...left])
})

const shown = (id: string) => row(id).querySelector('.block-body')!

test('Each block shows what it is, as far as the page can.', async () => {
  await open([
    block('t', 'text', { html: '<p>Hi <b>you</b></p>', align: 'center' }),
    block('t0', 'text', { html: '' }),
    block('h', 'heading', { text: 'Hi {{ contact.first_name }}', level: 2 }),
    block('b', 'button', { text: '', href: '', background_color: '#111111', text_color: '#ffffff' }),
    block('b2', 'button', { text: 'Go', href: '' }),
    block('i', 'image', { src: 'https://masthead.example/a.png', alt: 'A boat' }),
    block('i2', 'image', { src: 'https://x.example/a.png', alt: '' }),
    block('s', 'spacer', { height: 24 }),
    block('l', 'social', {
      links: [
        { network: 'x', href: '' },
        { network: 'y', href: '', label: 'Why' },
      ],
    }),
    block('p', 'cms_posts', { count: 5, category: 'News' }),
    block('p2', 'cms_posts', {}),
    block('m', 'html', { html: '<p>Own</p>' }),
    block('f', 'footer', {}),
    freshBlock(TYPES.find(({ type }) => type === 'divider')!),
  ])
  const words = (id: string) => shown(id).textContent.replaceAll(/\s+/g, ' ').trim()
  expect(['t', 'h', 'b', 'b2', 'i', 'i2', 's', 'l', 'p', 'p2', 'm', 'f'].map(words)).toEqual([
    ...['Hi you', 'Hi first name', 'Button', 'Go', 'A boat', 'A picture for decoration', '24 px of space'],
    ...['Social links · x, Why', 'Newest posts · the 5 newest posts of News when it is sent'],
    ...['Newest posts · the 3 newest posts when it is sent', 'HTML · Own'],
    'Footer · sender, postal address and unsubscribe link',
  ])
  expect(words('t0')).toStartWith('Write, or type /')
  expect(shown('t').children[0]!.getAttribute('data-align')).toBe('center')
  expect(shown('b').querySelector('.stand-in-button')!.getAttribute('style')).toBe(
    'background: #111111; color: #ffffff;',
  )
  expect(shown('i').querySelector('img')!.getAttribute('src')).toBe('/a.png')
  expect(shown('i2').querySelector('img')).toBeNull()
})
