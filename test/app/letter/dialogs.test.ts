import { expect, test } from 'bun:test'
import { EditorState, type Transaction } from 'prosemirror-state'
import { block, columns, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { Refusal, useTab, chooseFiles } from '../../support/tab.ts'
import { EditorDialogs } from '../../../static/app/letter/dialogs.tsx'
import { eachBlock, findBlock } from '../../../static/app/letter/document.ts'
import type { Content, Editor, Panel } from '../../../static/app/letter/editor.ts'
import { keepVersion } from '../../../static/app/letter/kept.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { openSession, type Session } from '../../../static/app/letter/session.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

const tab = useTab()
const SOURCE = { kind: 'campaign' as const, id: 7, key: 'campaign 7' }
const BLOCKS = [block('a'), columns('c', [block('x')], []), block('d', 'divider', {}), block('f', 'footer', {})]
let editor: Editor
let session: Session

async function open(panel: Panel, content: Content = letter(BLOCKS), before?: () => void) {
  tab.answers['campaigns/update'] = { campaign: { updated_at: '2026-05-03T12:30:00.000Z' } }
  editor = editorOf(content)
  session = openSession(editor, SOURCE, { content, updated_at: '2026-05-03T12:00:00.000Z', updated_by: null })
  tab.atEnd(session.stop)
  before?.()
  editor.panel.value = panel
  await tab.draw(inEditor(editor, EditorDialogs, { open: panel, source: SOURCE, session }))
}

/** A text that is being written, without a place in a page. */
function writing(html: string): () => string {
  let state = EditorState.create({ doc: readHtml(html) })
  const view = {
    get state() {
      return state
    },
    dispatch: (tr: Transaction) => (state = state.apply(tr)),
    focus() {},
  }
  editor.live.value = { view: view as never, kind: 'rich', change: 0 }
  return () => writeHtml(state.doc)
}

test('A block moves to any place that it may have, which are told in words.', async () => {
  await open({ kind: 'move', id: 'd' })
  expect(tab.text('dialog h2')).toBe('Move “Line”')
  expect(tab.texts('option')).toEqual([
    ...['The beginning of the letter', 'After “Text: a”', 'After “Columns: x”'],
    ...['— The beginning of column 1', '— The beginning of column 2', '— After “Text: x”', 'After “Footer”'],
  ])
  await tab.type('To', '5')
  await tab.press('Move')
  expect(eachBlock(editor.content.value.document).map((found) => found.block.id)).toEqual(['a', 'c', 'x', 'd', 'f'])
  expect(findBlock(editor.content.value.document, 'd')!.spot).toEqual({ within: { block: 'c', column: 0 }, at: 1 })
  expect(editor.panel.value).toBeNull()
  for (const [to, spot] of [
    ['0', { within: null, at: 0 }],
    ['1', { within: null, at: 1 }],
    ['4', { within: { block: 'c', column: 1 }, at: 0 }],
  ] as const) {
    await open({ kind: 'move', id: 'f' }, letter([...BLOCKS.slice(0, 3), block('f', 'divider', {})]))
    await tab.type('To', to)
    await tab.press('Move')
    expect(findBlock(editor.content.value.document, 'f')!.spot).toEqual(spot)
  }
  await open({ kind: 'move', id: 'c' })
  expect(tab.texts('option')).toEqual([
    'The beginning of the letter',
    'After “Text: a”',
    'After “Line”',
    'After “Footer”',
  ])
  const { focusing } = editor
  const before = focusing.value
  await tab.press('Close')
  expect([editor.panel.value, focusing.value]).toEqual([null, before + 1])
  await open({ kind: 'move', id: 'gone' })
  expect(tab.text()).toBe('')
})

test('A merge tag gets words for people without it, or goes.', async () => {
  const tag = { name: 'contact.first_name', fallback: 'you' }
  const panel: Panel = { kind: 'tag', tag, at: 1 }
  await open(panel)
  let written = writing('<p>{{ contact.first_name | default: you }}</p>')
  expect(tab.field('For people without it').value).toBe('you')
  await tab.type('For people without it', ' reader ')
  await tab.press('Use it')
  expect([written(), editor.panel.value]).toEqual(['<p>{{ contact.first_name | default: reader }}</p>', null])
  await open(panel)
  written = writing('<p>{{ contact.first_name }}</p>')
  await tab.press('Take the tag away')
  expect(written()).toBe('')
})

test('A link is set, mended and taken away.', async () => {
  await open({ kind: 'link', href: '' })
  let written = writing('<p></p>')
  expect(tab.has('Take the link away')).toBe(false)
  await tab.type('Where it leads', 'a.example/x')
  await tab.press('Link it')
  expect(written()).toBe('<p><a href="https://a.example/x">https://a.example/x</a></p>')
  await open({ kind: 'link', href: '' })
  written = writing('<p></p>')
  await tab.type('Where it leads', 'a@b.example')
  await tab.submit('#link')
  expect(written()).toBe('<p><a href="mailto:a@b.example">mailto:a@b.example</a></p>')
  await open({ kind: 'link', href: 'https://a.example' }, letter(BLOCKS), () => {
    written = writing('<p><a href="https://a.example"><em>a</em></a> b</p>')
  })
  expect(tab.field('Text').value).toBe('a')
  await tab.type('Text', 'the page ')
  await tab.press('Link it')
  expect(written()).toBe('<p><a href="https://a.example"><em>the page</em></a> b</p>')
  await open({ kind: 'link', href: 'https://a.example' })
  written = writing('<p><a href="https://a.example">a</a></p>')
  await tab.press('Take the link away')
  expect([written(), editor.panel.value]).toEqual(['<p>a</p>', null])
})

test('A letter becomes a template under a name.', async () => {
  tab.answers['templates/create'] = new Refusal(409, 'CONFLICT', [{ path: '/name', message: 'It is taken.' }])
  await open({ kind: 'template' })
  await tab.type('Name', ' ')
  expect(tab.text('dialog')).toContain('Write a name first.')
  await tab.type('Name', 'June')
  await tab.press('Save the template')
  expect(tab.text('.field-flaw')).toBe('It is taken.')
  tab.answers['templates/create'] = { template: { id: 3, name: 'June' } }
  await tab.press('Save the template')
  expect(tab.sent('templates/create')[1]).toMatchObject({
    name: 'June',
    subject: 'Hi',
    editor_json: { blocks: BLOCKS },
  })
  expect(editor.panel.value).toBeNull()
})

test('A test goes to a few addresses, each once, after the letter is saved, and each result is told.', async () => {
  tab.answers['campaigns/test-send'] = { skipped: [{ email: 'BO@example.com', reason: 'complaint' }] }
  await open({ kind: 'test' })
  expect(tab.field('To').value).toBe('ada@example.com')
  await tab.type('To', ' ')
  expect(tab.text('.button-reason')).toBe('Enter an address.')
  await tab.type('To', 'a b c d e f')
  expect(tab.text('.button-reason')).toBe('A test goes to at most 5 addresses.')
  await tab.type('To', 'bo@example.com, cy@example.com;bo@example.com')
  editor.edit((now) => ({ ...now, subject: 'Ho' }))
  await tab.press('Send test to 2 addresses')
  expect(tab.calls.map(({ name }) => name).slice(0, 2)).toEqual(['campaigns/update', 'campaigns/test-send'])
  expect(tab.sent('campaigns/test-send')[0]).toMatchObject({
    ...{ campaign_id: 7, emails: ['bo@example.com', 'cy@example.com'] },
  })
  expect(tab.texts('.test-results li')).toEqual([
    'bo@example.com: not sent, it is suppressed because it complained.',
    'cy@example.com: queued.',
  ])
  expect(tab.text('dialog')).not.toContain('mailbox')
  await open({ kind: 'test' })
  expect(tab.field('To').value).toBe('bo@example.com\ncy@example.com')
})

test('A test is written as it looks to a person, and of a sandbox it says where mail goes.', async () => {
  tab.data.sandbox = true
  tab.answers['contacts/list'] = { items: [{ id: 5, full_name: '', email: 'bo@example.com' }] }
  tab.answers['campaigns/test-send'] = { skipped: [{ email: 'ada@example.com', reason: 'newer' }] }
  await open({ kind: 'test' })
  await tab.choose('As', 'bo@example.combo@example.com')
  await tab.press('Send test to 1 address')
  expect(tab.sent('campaigns/test-send')[0].contact_id).toBe(5)
  expect(tab.text('.callout')).toContain('because newer.')
  expect(tab.text('.callout')).toContain('is in the mailbox.')
  tab.answers['campaigns/test-send'] = new Refusal(409, 'CONFLICT', undefined, 'No connection.')
  await tab.press('Send test')
  expect(tab.text('dialog')).toContain('The test was not sent.No connection.')
})

test('An earlier version is compared with the letter and can take its place.', async () => {
  await open({ kind: 'versions' })
  expect(tab.text('dialog')).toContain('There is none yet.')
  expect(tab.has('Go back to this version')).toBe(false)
  await open({ kind: 'versions' }, letter(BLOCKS), () => {
    keepVersion(SOURCE.key, letter(BLOCKS, {}, { subject: 'Old' }), { always: true })
    keepVersion(SOURCE.key, letter(BLOCKS, {}, { subject: 'Newer' }), { always: true })
  })
  expect(tab.texts('del')).toEqual(['Newer'])
  await tab.type('Version', '1')
  expect(tab.texts('del')).toEqual(['Old'])
  await tab.press('Go back to this version')
  expect([editor.content.value.subject, editor.panel.value]).toEqual(['Old', null])
})

test('A letter that another has saved is compared with what both began with, and one of the two stays.', async () => {
  const theirs = {
    ...{ content: letter(BLOCKS, {}, { subject: 'Theirs' }), updated_at: '2026-05-03T12:20:00.000Z' },
    updated_by: { id: 'usr_bo', name: 'Bo' },
  }
  const conflict = () => {
    session.trouble.value = { kind: 'conflict', theirs }
    editor.edit((now) => ({ ...now, subject: 'Mine' }))
  }
  await open({ kind: 'conflict' })
  expect(tab.text()).toBe('')
  await open({ kind: 'conflict' }, letter(BLOCKS), conflict)
  expect(tab.texts('h3')).toEqual(['Bo changed', 'You changed'])
  expect(tab.texts('ins')).toEqual(['Theirs', 'Mine'])
  expect(tab.text('.compare-lead')).toStartWith('The same part was changed twice')
  expect(tab.has('Keep both')).toBe(false)
  await tab.press('Take theirs')
  expect([editor.panel.value, editor.content.value.subject]).toEqual([null, 'Theirs'])
  await open({ kind: 'conflict' }, letter(BLOCKS), () => {
    conflict()
    session.trouble.value = { kind: 'conflict', theirs: { ...theirs, updated_at: '2026-05-03T12:00:00.000Z' } }
  })
  expect(tab.texts('h3')).toEqual(['From theirs to yours'])
  expect(tab.text('.compare-lead')).toStartWith('The version that both were made from')
  await tab.press('Keep mine')
  expect([editor.content.value.subject, session.trouble.value]).toEqual(['Mine', null])
  await tab.settled()
  await open({ kind: 'conflict' }, letter(BLOCKS), () => {
    session.trouble.value = { kind: 'conflict', theirs }
    editor.edit((now) => ({ ...now, preheader: 'Mine' }))
  })
  expect(tab.text('.compare-lead')).toStartWith('Different parts changed, so both can stay.')
  await tab.press('Keep both')
  expect([editor.content.value, editor.panel.value]).toMatchObject([{ subject: 'Theirs', preheader: 'Mine' }, null])
  await tab.settled()
})

const UPLOAD = 'POST /project/files/upload'
const picture = (more: object = {}) => ({
  ...{ id: 1, name: 'boat.png', url: 'https://masthead.example/files/boat.png', alt: 'A boat', width: 300 },
  ...more,
})
const made = () => {
  const { document, blocks } = { ...editor.content.value, blocks: editor.content.value.document.blocks }
  return findBlock(document, editor.selected.value!)?.block ?? blocks[0]!
}
const spot = { within: null, at: 1 }

test('A picture that was dropped is uploaded at once, described, and keeps its width where it is narrow.', async () => {
  tab.answers[UPLOAD] = { file: picture() }
  const files = ['boat.png', 'pier.png'].map((name) => new File(['x'], name, { type: 'image/png' }))
  await open({ kind: 'picture', files, spot })
  expect(tab.text()).toContain('1 more picture follows.')
  expect(tab.calls[0]!.url).toBe('/project/files/upload?project_id=prj_harbour&name=boat.png')
  expect(tab.find('.picture-chosen img').getAttribute('src')).toBe('/files/boat.png')
  expect(tab.field('What is seen?').value).toBe('A boat')
  await tab.type('What is seen?', ' A red boat ')
  await tab.press('Add the picture')
  expect(made()).toMatchObject({ type: 'image', props: { src: picture().url, alt: 'A red boat', width: 300 } })
  expect(editor.content.value.document.blocks[1]!.id).toBe(editor.selected.value!)
  expect(editor.panel.value).toEqual({ kind: 'picture', files: [files[1]!], spot: { within: null, at: 2 } })
})

test('A picture of the files takes the place of another, whose words stay.', async () => {
  tab.answers['POST /project/files/list'] = { items: [picture({ width: 520 }), picture({ id: 2, alt: '' })] }
  const image = block('i', 'image', { src: 'https://x.example/a.png', alt: 'Old', width: 100 })
  await open({ kind: 'picture', id: 'i' }, letter([image]))
  expect(tab.text('.button-reason')).toBe('Choose a picture first.')
  await tab.press('Files of the project')
  expect(tab.texts('.picture-list li')).toEqual(['A boat', 'boat.png'])
  await tab.press('A boat')
  await tab.press('Choose another')
  await tab.press('A boat')
  await tab.press('Use this picture')
  expect(made()).toEqual({ ...image, props: { src: picture().url, alt: 'Old' } })
})

test('A picture from elsewhere is used once its address is one.', async () => {
  await open({ kind: 'picture', spot })
  await tab.press('Address')
  for (const text of ['a.example/a.png', 'https://a', 'ftp://a.example/a.png']) {
    await tab.type('Address of the picture', text)
    expect(tab.text('.button-reason')).toBe('Choose a picture first.')
  }
  await tab.type('Address of the picture', 'https://a.example/a.png')
  await tab.press('Add the picture')
  expect(made().props).toEqual({ src: 'https://a.example/a.png', alt: '' })
})

test('A picture that is refused is told, and so are files that cannot be loaded or are not there.', async () => {
  tab.answers[UPLOAD] = new Refusal(413, 'TOO_LARGE', undefined, 'It is too large.')
  await open({ kind: 'picture', spot })
  chooseFiles(tab.find('input[type=file]'), [new File(['x'], 'a.png')])
  await tab.settled()
  expect(tab.text('dialog')).toContain('The picture could not be kept.It is too large.')
  tab.answers['POST /project/files/list'] = new Refusal(403, 'FORBIDDEN')
  await tab.press('Files of the project')
  expect(tab.text('dialog')).toContain('The files could not be loaded.')
  tab.answers['POST /project/files/list'] = { items: [] }
  await tab.press('Try again')
  expect(tab.text('dialog')).toContain('No picture was kept here yet.')
  tab.answers[UPLOAD] = { file: picture() }
  await tab.press('Upload')
  chooseFiles(tab.find('input[type=file]'), [new File(['x'], 'a.png')])
  await tab.settled()
  await tab.press('Choose another')
  tab.answers['POST /project/files/list'] = { items: [picture()] }
  await tab.press('Files of the project')
  expect(tab.texts('.picture-list li')).toEqual(['A boat'])
  await tab.press('Cancel')
  expect(editor.panel.value).toBeNull()
})
