import { expect, test } from 'bun:test'
import { h } from 'preact'
import { block, columns, editorOf, inEditor, letter, TYPES } from '../../support/letter-editor.ts'
import { codeViews } from '../../support/code-views.ts'
import { useTab } from '../../support/tab.ts'
import { ColorField } from '../../../static/app/letter/color-field.tsx'
import { findBlock } from '../../../static/app/letter/document.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { PropField } from '../../../static/app/letter/prop-field.tsx'
import { Inspector } from '../../../static/app/letter/inspector.tsx'

const tab = useTab({}, { 'settings/get': { settings: { logo_url: '' } } })
let editor: Editor
const open = async (type: string, props: Record<string, unknown>) => {
  editor = editorOf(letter([block('b', type, props), block('z')]))
  editor.select('b')
  await tab.draw(inEditor(editor, Inspector, { brandColor: '#336699' }))
}
const props = () => findBlock(editor.content.value.document, 'b')!.block.props
const labels = () => tab.texts('.letter-fields label')

test('A block has a field for each of its properties but what is written in place.', async () => {
  for (const { type, props: schema } of TYPES) {
    if (type === 'button') continue
    await open(
      type,
      type === 'table'
        ? { rows: [['a']] }
        : type === 'columns'
          ? columns('c', [], []).props
          : type === 'html'
            ? { html: '' }
            : {},
    )
    const own = Object.keys(schema.properties ?? {}).filter(
      (name) => `${type} ${name}` !== 'text html' && `${type} ${name}` !== 'heading text' && name !== 'column_align',
    )
    expect(tab.all('.letter-field-place').map((place) => place.getAttribute('data-field'))).toEqual(own)
  }
})

test('A property that is emptied is taken away, unless the block must have it.', async () => {
  await open('image', { src: 'https://a.example/a.png', alt: 'A boat', width: 300, href: 'https://a.example' })
  await tab.type('Link', '')
  await tab.type('Width', '')
  await tab.type('Picture', '')
  expect(props()).toEqual({ src: '', alt: 'A boat' })
  await tab.type('Width', '300.6')
  expect(props()['width']).toBe(301)
  await open('spacer', { height: 24 })
  await tab.type('Height', '')
  expect(props()).toEqual({ height: 24 })
})

test('A choice shows what holds without it, and a small range is a choice.', async () => {
  await open('image', { src: '', alt: '' })
  expect(tab.field('Place').value).toBe('center')
  await open('heading', { text: 'x', level: 2 })
  expect([tab.field('Place').value, tab.field('Level').value]).toEqual(['start', '2'])
  await tab.type('Level', '3')
  await tab.type('Place', 'center')
  expect(props()).toMatchObject({ level: 3, align: 'center' })
})

test('A flaw stands at its field once the block is no longer new.', async () => {
  await open('image', { src: '', alt: '' })
  editor.flaws.value = [
    { id: 'b', prop: 'src', message: 'Picture is missing.' },
    { id: 'z', prop: 'alt', message: 'Of another.' },
  ]
  editor.fresh.value = 'b'
  await tab.settled()
  expect(tab.texts('.field-flaw')).toEqual([])
  editor.fresh.value = null
  await tab.settled()
  expect(tab.texts('.field-flaw')).toEqual(['Picture is missing.'])
})

test('Links are changed, added and taken away, within what the service takes.', async () => {
  await open('social', { links: [{ network: 'website', href: '' }] })
  editor.flaws.value = [{ id: 'b', prop: 'links', message: 'Link is missing.' }]
  await tab.settled()
  expect(tab.texts('.letter-links .field-flaw')).toEqual(['Link is missing.'])
  await tab.type('Link 1', 'https://a.example')
  await tab.type('Words 1', 'Here')
  await tab.press('Add a link')
  const added = (props()['links'] as { network: string }[])[1]!.network
  const network = TYPES.find(({ type }) => type === 'social')!.props.properties!['links']!.items!.properties![
    'network'
  ]!
  expect(added).toBe(network.enum![0]!)
  await tab.type('Network 2', network.enum!.at(-1)!)
  expect(props()['links']).toEqual([
    { network: 'website', href: 'https://a.example', label: 'Here' },
    { network: network.enum!.at(-1), href: '' },
  ])
  await tab.type('Words 1', '')
  await tab.press('Delete link 2')
  expect(props()['links']).toEqual([{ network: 'website', href: 'https://a.example' }])
  expect(tab.button('Delete link 1').getAttribute('aria-disabled')).toBe('true')
  const most = TYPES.find(({ type }) => type === 'social')!.props.properties!['links']!.maxItems!
  await open('social', {
    links: Array.from({ length: most }, () => ({ network: 'website', href: 'https://a.example' })),
  })
  expect(tab.has('Add a link')).toBe(false)
})

test('Columns are more or fewer, the blocks of one that goes join the last, and widths are chosen.', async () => {
  const [a, b, c] = [block('a'), block('x'), block('y')]
  await open('columns', { columns: [{ blocks: [a], share: 2 }, { blocks: [b] }, { blocks: [c] }] })
  expect(tab.field('Widths').value).toBe('2 1 1')
  expect([...tab.field('Columns').children].map((option) => option.textContent)).toEqual(['2', '3', '4'])
  await tab.type('Columns', '2')
  expect(props()['columns']).toEqual([{ blocks: [a] }, { blocks: [b, c] }])
  await tab.type('Widths', '1 2')
  expect(props()['columns']).toEqual([{ blocks: [a] }, { blocks: [b, c], share: 2 }])
  await tab.type('Columns', '4')
  const four = props()['columns'] as { blocks: object[]; share?: number }[]
  expect(four.map(({ blocks, share }) => [blocks.length, share])).toEqual([
    [1, undefined],
    [2, undefined],
    [1, undefined],
    [1, undefined],
  ])
  await open('columns', {
    columns: [{ blocks: [], share: 5 }, { blocks: [], share: 7 }, { blocks: [] }],
  })
  expect(tab.field('Widths').lastElementChild!.textContent).toBe('5 : 7 : 1')
})

test('A design is that of the whole letter, and stands where no block is selected.', async () => {
  await open('divider', {})
  editor.select(null)
  await tab.settled()
  expect(labels()).toEqual(['Page color', 'Text color', 'Link color', 'Font', 'Width'])
  expect(tab.text()).toContain('There is no logo yet.')
  const settings = () => editor.content.value.document.settings
  await tab.type('Width', '640.4')
  await tab.type('Font', 'Arial, Helvetica, sans-serif')
  await tab.type('Text color', 'brand')
  expect(tab.field('Width').value).toBe('640')
  expect(settings()).toEqual({ content_width: 640, font_family: 'Arial, Helvetica, sans-serif', text_color: '#336699' })
  expect(tab.texts('.field-hint')).toEqual(['6.0 : 1, easy to read'])
  await tab.type('Page color', 'own')
  expect(tab.texts('.field-hint')).toHaveLength(1)
  for (const [label, empty] of [
    ['Width', ''],
    ['Font', ''],
    ['Text color', 'none'],
    ['Page color', 'none'],
  ] as const)
    await tab.type(label, empty)
  expect(settings()).toEqual({})
  await tab.press('Save as template')
  expect(editor.panel.value).toEqual({ kind: 'template' })
})

test('A font that is none of those to choose stays one.', async () => {
  await open('divider', {})
  editor.replace(letter([], { font_family: 'Comic Sans MS' }))
  await tab.settled()
  expect(tab.texts('option')).toContain('Comic Sans MS')
})

const color = (more: object) => {
  const given: string[] = []
  return tab
    .draw(
      h(ColorField, { label: 'Color', value: '', onInput: (value) => given.push(value), brand: '#000000', ...more }),
    )
    .then(() => given)
}
const hint = () => tab.texts('.field-hint')[0]

test('A color is the usual, the brand or its own.', async () => {
  let given = await color({ mayBeBrand: true })
  expect([tab.field('Color').value, tab.texts('option')]).toEqual(['none', ['As usual', 'Brand', 'Own color']])
  await tab.type('Color', 'brand')
  await tab.type('Color', 'own')
  await tab.type('Color', 'none')
  expect(given).toEqual(['brand', '#0b5a6e', ''])
  given = await color({ value: '#abc' })
  expect([tab.field('Color').value, tab.field('Color: the color').value]).toEqual(['own', '#aabbcc'])
  await tab.type('Color', 'brand')
  await tab.type('Color: the color', '#123456')
  expect(given).toEqual(['#000000', '#123456'])
  await color({ value: '#000000' })
  expect(tab.field('Color').value).toBe('brand')
  await color({ isBrandByItself: true })
  expect(tab.texts('option')).toEqual(['Brand', 'Own color'])
  await color({ brand: null, value: '#000000' })
  expect([tab.field('Color').value, tab.texts('option')]).toEqual(['own', ['As usual', 'Own color']])
})

test('How well a color can be read is said, against the other one.', async () => {
  await color({ value: '#767676', against: '#ffffff' })
  expect(hint()).toBe('4.5 : 1, easy to read')
  await color({ value: '#949494', against: '#ffffff' })
  expect(hint()).toBe('3.0 : 1, only for large text')
  await color({ value: '#959595', against: '#ffffff' })
  expect(hint()).toBe('3.0 : 1, hard to read')
  await color({ value: '#ffffff', against: 'brand' })
  expect(hint()).toBe('21.0 : 1, easy to read')
  await color({ value: '', isBrandByItself: true, against: '#ffffff' })
  expect(hint()).toBe('21.0 : 1, easy to read')
  for (const more of [{ value: '#ffffff' }, { against: '#ffffff' }, { value: 'brand', brand: null, against: '#fff' }]) {
    await color(more)
    expect(hint()).toBeUndefined()
  }
})

const isOff = (name: string) => tab.button(name).getAttribute('aria-disabled') === 'true'

test('A block is moved, doubled and deleted at the head of its fields.', async () => {
  const order = () => editor.content.value.document.blocks.map(({ id }) => id)
  await open('divider', {})
  expect([isOff('Move up'), isOff('Move down')]).toEqual([true, false])
  await tab.press('Move down')
  expect(order()).toEqual(['z', 'b'])
  expect([isOff('Move up'), isOff('Move down')]).toEqual([false, true])
  await tab.press('Move up')
  await tab.press('Double')
  expect(order()).toHaveLength(3)
  await tab.press('Delete')
  expect(order()).toEqual(['b', 'z'])
  await tab.key('Escape', {}, tab.find('.letter-inspector'))
  expect([editor.selected.value, editor.writing.value]).toEqual(['z', null])
})

test('The menu of a block leads into columns and out of them, where there are any.', async () => {
  const more = async () => {
    await tab.press('More for')
    return tab.texts('[role=menu] .menu-label')
  }
  await open('divider', {})
  expect(await more()).toEqual(['Move to…', 'Design of the letter'])
  await tab.press('Move to…')
  expect(editor.panel.value).toEqual({ kind: 'move', id: 'b' })
  editor.replace(letter([block('b', 'divider', {}), columns('c', [], [])]))
  await tab.settled()
  expect(await more()).toContain('Move into the columns')
  await tab.press('Move into the columns')
  expect(findBlock(editor.content.value.document, 'b')!.spot.within).toEqual({ block: 'c', column: 0 })
  expect(await more()).toContain('Move out, or to the next column')
  await tab.press('Move out')
  expect(findBlock(editor.content.value.document, 'b')!.spot.within).toEqual({ block: 'c', column: 1 })
})

test('Colors of a button and of a text are read against what they stand on.', async () => {
  const hintOf = async (type: string, name: string, props: Record<string, unknown>) => {
    const part = { block: block('b', type, props), name, schema: { type: 'string' }, required: false, flaw: null }
    const own = editorOf(letter([]))
    own.brand.value = '#000000'
    await tab.draw(inEditor(own, PropField, { ...part, brandColor: '#000000', onChange() {} }))
    return hint()
  }
  expect(await hintOf('button', 'background_color', {})).toBe('21.0 : 1, easy to read')
  expect(await hintOf('button', 'background_color', { text_color: '#000000' })).toBe('1.0 : 1, hard to read')
  expect(await hintOf('button', 'text_color', { text_color: '#ffffff' })).toBe('21.0 : 1, easy to read')
  expect(await hintOf('button', 'text_color', { text_color: '#ffffff', background_color: '#ffffff' })).toBe(
    '1.0 : 1, hard to read',
  )
  expect(await hintOf('heading', 'color', { color: '#000000' })).toBe('21.0 : 1, easy to read')
  expect(await hintOf('heading', 'color', { color: '#000000', section_color: '#000000' })).toBe('1.0 : 1, hard to read')
  expect(await hintOf('heading', 'section_color', { section_color: '#000000' })).toBeUndefined()
})

test('A property is written by what its schema says.', async () => {
  const given: unknown[] = []
  const open = (name: string, schema: object, value?: unknown, more: object = {}) => {
    const own = block('b', 'later', value === undefined ? {} : { [name]: value })
    const part = { block: own, name, schema, required: false, flaw: null, brandColor: null, ...more }
    given.length = 0
    return tab.draw(inEditor(editorOf(letter([])), PropField, { ...part, onChange: (next) => given.push(next) }))
  }
  await open('shown', { type: 'boolean', default: true })
  expect(tab.field('Shown').checked).toBe(true)
  await tab.check('Shown', false)
  await tab.check('Shown', true)
  expect(given).toEqual([false, undefined])
  await open('kind', { type: 'string', enum: ['start', 'very_wide'] })
  expect(tab.texts('option')).toEqual(['As usual', 'Start', 'Very wide'])
  await tab.type('Kind', 'very_wide')
  await tab.type('Kind', '')
  expect(given).toEqual(['very_wide', undefined])
  await open('kind', { type: 'string', enum: ['start'], default: 'start' }, undefined, { required: true })
  expect(tab.texts('option')).toEqual(['Start'])
  await open('rows', { type: 'integer', minimum: 2, maximum: 7 })
  expect(tab.texts('option')).toEqual(['As usual', '2', '3', '4', '5', '6', '7'])
  await tab.type('Rows', '7')
  await tab.type('Rows', '')
  expect(given).toEqual([7, undefined])
  await open('rows', { type: 'integer', minimum: 2, maximum: 8, default: 3, description: 'In pixels.' })
  expect(tab.field('Rows').getAttribute('placeholder')).toBe('3')
  expect(tab.text('.input-part')).toBe('px')
  await open('rows', { type: 'integer', minimum: 2, maximum: 8 })
  expect(tab.body.querySelector('.input-part')).toBeNull()
  await open('note', { type: 'string', maxLength: 1_001 })
  expect(tab.field('Note').localName).toBe('textarea')
  await open('note', { type: 'string', maxLength: 1_000, description: 'What it is.' })
  expect([tab.field('Note').localName, tab.text('.field-hint')]).toEqual(['input', 'What it is.'])
  await open('font_family', { type: 'string' }, 'Arial, Helvetica, sans-serif')
  expect(tab.field('Font').localName).toBe('select')
  await tab.type('Font', '')
  expect(given).toEqual([undefined])
  await open('html', { type: 'string' }, '<p>x</p>')
  expect(codeViews.at(-1)!.options.value).toBe('<p>x</p>')
})
