import { expect, test } from 'bun:test'
import { Refusal, useTab, send, chooseFiles } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

const FILE = {
  ...{ id: 6, name: 'ship.png', alt: 'A ship', width: 640, height: 480, bytes: 2_048 },
  ...{ url: 'https://masthead.example/files/6.png' },
}

async function open(at = '', answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    `/files${at}`,
    {
      'POST /project/files/list': { items: [FILE], next_cursor: null },
      'POST /project/files/get': { file: FILE, used_by: [] },
      'POST /project/files/upload': { file: FILE },
      'POST /project/files/update': { file: FILE },
      'POST /project/files/delete': {},
      ...answers,
    },
    role,
  )
}

test('A picture stands with its size, marked where nobody has described it.', async () => {
  const plain = { ...FILE, id: 7, name: 'sea.jpg', alt: '', url: 'https://elsewhere.example/7.jpg' }
  await open('', { 'POST /project/files/list': { items: [FILE, plain], next_cursor: null } })
  expect(tab.texts('.files li')).toEqual(['ship.png640 × 480, 2 kB', 'sea.jpg640 × 480, 2 kB · not described'])
  expect(tab.all('.files img').map((image) => image.getAttribute('src'))).toEqual([
    '/files/6.png',
    'https://elsewhere.example/7.jpg',
  ])
  expect(tab.find('.files a').getAttribute('href')).toEndWith('/files?file=6')
  expect(asked(tab, 'POST /project/files/list')).toEqual([{ limit: 48 }])
})

test('Further pictures are on the next page, and the picture that is opened stays on its page.', async () => {
  await open('?after=c1', { 'POST /project/files/list': { items: [FILE], next_cursor: 'c2' } })
  expect(asked(tab, 'POST /project/files/list')).toEqual([{ limit: 48, cursor: 'c1' }])
  expect(tab.find('.files a').getAttribute('href')).toEndWith('/files?after=c1&file=6')
  await tab.press('Older')
  expect(tab.address).toBe('/files?after=c2')
})

test('A project without pictures is asked for some, by those who may add them.', async () => {
  const none: Answers = { 'POST /project/files/list': { items: [], next_cursor: null } }
  await open('', none)
  expect(tab.names().filter((name) => name === 'Add pictures')).toHaveLength(2)
  expect(tab.body.querySelector('.files')).toBeNull()
  await open('', none, 'member')
  expect(tab.has('Add pictures')).toBe(false)
  expect(tab.text('main')).toContain('Adding and changing pictures takes an editor')
})

const picture = (name: string) => new File(['x'], name, { type: 'image/png' })

test('Chosen pictures are kept one after another, and the chooser is emptied for the same ones again.', async () => {
  await open()
  const chooser = tab.find<HTMLInputElement>('input[type=file]')
  chooseFiles(chooser, [picture('a.png'), picture('b.png')])
  await tab.settled()
  expect(tab.calls.filter(({ name }) => name === 'POST /project/files/upload').map(({ url }) => url)).toEqual([
    '/project/files/upload?project_id=prj_harbour&name=a.png',
    '/project/files/upload?project_id=prj_harbour&name=b.png',
  ])
  expect(tab.text('.toasts')).toContain('2 pictures are kept.')
  expect(chooser.value).toBe('')
  expect(tab.sent('POST /project/files/list')).toHaveLength(2)
})

test('Dropped files are kept, other things are not.', async () => {
  await open()
  const page = () => tab.find('.files-page')
  send(page(), 'dragover', { dataTransfer: { types: ['text/plain'] } })
  send(page(), 'drop', { dataTransfer: { files: [picture('a.png')] } })
  await tab.settled()
  expect(tab.sent('POST /project/files/upload')).toHaveLength(0)
  send(page(), 'dragover', { dataTransfer: { types: ['Files'] } })
  await tab.settled()
  expect(page().hasAttribute('data-over')).toBe(true)
  send(page(), 'dragleave')
  await tab.settled()
  expect(page().hasAttribute('data-over')).toBe(false)
  send(page(), 'dragover', { dataTransfer: { types: ['Files'] } })
  await tab.settled()
  send(page(), 'drop', { dataTransfer: { files: [picture('a.png')] } })
  await tab.settled()
  expect(tab.sent('POST /project/files/upload')).toHaveLength(1)
  expect([tab.text('.toasts').includes('The picture is kept.'), page().hasAttribute('data-over')]).toEqual([
    true,
    false,
  ])
})

test('A member drops nothing.', async () => {
  await open('', {}, 'member')
  send(tab.find('.files-page'), 'dragover', { dataTransfer: { types: ['Files'] } })
  send(tab.find('.files-page'), 'drop', { dataTransfer: { files: [picture('a.png')] } })
  await tab.settled()
  expect(tab.sent('POST /project/files/upload')).toHaveLength(0)
})

test('A picture that was not kept says why.', async () => {
  await open('', { 'POST /project/files/upload': new Refusal(413, 'TOO_LARGE', undefined, 'It has more than 5 MB.') })
  chooseFiles(tab.find('input[type=file]'), [picture('a.png')])
  await tab.settled()
  expect(tab.text('.flaw-summary')).toContain('A picture was not kept.')
  expect(tab.text('.flaw-summary')).toContain('It has more than 5 MB.')
})

test('A picture is described, and nothing is saved that was not changed.', async () => {
  await open('?after=c1&file=6')
  expect(tab.text('dialog h2')).toBe('ship.png')
  expect(tab.text('dialog')).toContain('No letter and no template shows it.')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
  await tab.type('What is to be seen', 'A white ship')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBeNull()
  expect(await change(tab, 'POST /project/files/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['/project/files/list'],
  })
  expect(asked(tab, 'POST /project/files/update')).toEqual([{ file_id: 6, name: 'ship.png', alt: 'A white ship' }])
  await tab.press('Close')
  expect(tab.address).toBe('/files?after=c1')
})

test('A flaw of the words of a picture stands at its field.', async () => {
  await open('?file=6', { 'POST /project/files/update': flawed('name', 'alt') })
  await tab.type('What is to be seen', 'x')
  await tab.press('Save')
  expect(flawsAt(tab, 'What is to be seen', 'Name')).toEqual(['alt', 'name'])
})

test('A name alone is a change.', async () => {
  await open('?file=6', {
    'POST /project/files/update': new Refusal(400, 'X', [{ path: '/name', message: 'Is empty.' }]),
  })
  await tab.type('Name', '')
  await tab.press('Save')
  expect(tab.texts('dialog .field-flaw')).toEqual(['Is empty.'])
})

test('A picture that nothing shows is deleted at once, one in use by force.', async () => {
  await open('?file=6')
  await tab.press('Delete')
  expect(tab.text('dialog[role=alertdialog]')).toContain('Its address leads nowhere afterwards.')
  expect(await change(tab, 'POST /project/files/delete', () => tab.press('Delete the picture'))).toEqual({
    busy: ['Delete the picture'],
    again: ['/project/files/list'],
  })
  expect(asked(tab, 'POST /project/files/delete')).toEqual([{ file_id: 6, force: false }])
  expect(tab.address).toBe('/files')
  const used_by = [
    { type: 'campaign' as const, id: 5, name: 'May', status: 'sent' as const },
    { type: 'template' as const, id: 8, name: 'Base', status: null },
  ]
  await open('?file=6', { 'POST /project/files/get': { file: FILE, used_by } })
  expect(tab.button('May').getAttribute('href')).toEndWith('/campaigns/5')
  expect(tab.button('Base').getAttribute('href')).toEndWith('/templates/8')
  expect(tab.texts('dialog li')).toEqual(['MaySent', 'BaseTemplate'])
  await tab.press('Delete')
  expect(tab.text('dialog[role=alertdialog]')).toContain('also those that were sent')
  await tab.press('Delete it from 2 places')
  expect(asked(tab, 'POST /project/files/delete').at(-1)).toEqual({ file_id: 6, force: true })
})

test('A picture from elsewhere is shown by its own address.', async () => {
  const url = 'https://elsewhere.example/7.jpg'
  await open('?file=6', { 'POST /project/files/get': { file: { ...FILE, url }, used_by: [] } })
  expect([tab.find('.file-large').getAttribute('src'), tab.find('.file-large').getAttribute('alt')]).toEqual([
    url,
    'A ship',
  ])
  await open('?file=6')
  expect(tab.find('.file-large').getAttribute('src')).toBe('/files/6.png')
})

test('A member reads what a picture shows.', async () => {
  await open('?file=6', {}, 'member')
  expect([tab.text('dialog p'), tab.has('Save'), tab.has('Delete')]).toEqual(['A ship', false, false])
  await open('?file=6', { 'POST /project/files/get': { file: { ...FILE, alt: '' }, used_by: [] } }, 'member')
  expect(tab.text('dialog p')).toBe('Not described.')
})

test('Pictures that could not be loaded say so.', async () => {
  const refusal = new Refusal(403, 'FORBIDDEN')
  await open('?file=6', { 'POST /project/files/list': refusal, 'POST /project/files/get': refusal })
  expect(tab.text('main')).toContain('Files could not be loaded.')
  expect(tab.text('dialog')).toContain('The picture could not be loaded.')
})
