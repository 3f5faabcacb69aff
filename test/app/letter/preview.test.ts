import { signal } from '@preact/signals'
import { expect, jest, test } from 'bun:test'
import { emptyFrame } from '../../support/frames.ts'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import type { Content } from '../../../static/app/letter/editor.ts'
import { blockAt, markBlock, showLetter } from '../../../static/app/letter/preview-frame.ts'
import { Preview } from '../../../static/app/letter/preview.tsx'

const tab = useTab()
const RENDERED = { html: '<p>Hi</p>', text: 'Hi there', subject: 'Hi Ada', size_bytes: 10, warnings: [] }

async function open(content: Partial<Content> = {}, from = 'Harbour') {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  tab.answers['render'] ??= RENDERED
  const shown = signal(letter([], {}, content))
  await tab.draw(inEditor(editorOf(shown.value), Preview, { content: shown, campaign: null, from }))
  await tab.pass(0)
  return shown
}
const asked = () => tab.sent('render')

test('A letter is drawn at once, and again half a second after it has changed.', async () => {
  const content = await open()
  expect(asked()).toMatchObject([{ subject: 'Hi', preheader: '', mark_blocks: true, editor_json: { blocks: [] } }])
  expect(tab.text('.preview-inbox')).toBe('HarbourHi Ada')
  const pane = tab.find('.preview-pane')
  expect(pane.getAttribute('aria-busy')).toBe('false')
  content.value = { ...content.value, subject: 'H' }
  await tab.settled()
  await tab.pass(400)
  content.value = { ...content.value, subject: 'Ho', preheader: 'of {{ contact.first_name }}' }
  await tab.settled()
  await tab.pass(499)
  expect([asked().length, pane.getAttribute('aria-busy')]).toEqual([1, 'true'])
  await tab.pass(1)
  expect(asked()[1]).toMatchObject({ subject: 'Ho' })
  expect(asked()).toHaveLength(2)
  expect(tab.text('.preview-inbox small')).toBe('of [first name]')
})

test('It is looked at in a width, in the dark, or as text.', async () => {
  await open()
  const width = () => /width: (\d+)px/.exec(String(tab.find('iframe').style.cssText))![1]
  expect(width()).toBe('680')
  await tab.press('Phone')
  expect([width(), tab.button('Phone').getAttribute('aria-pressed')]).toEqual(['375', 'true'])
  await tab.press('Dark')
  expect(tab.find('.preview-holder').getAttribute('class')).toContain('dark')
  await tab.press('Text')
  expect(tab.text('.preview-text')).toBe('Hi there')
  expect(tab.body.querySelector('iframe')).toBeNull()
})

test('Without a sender, a subject or an own preview text there are words in their place.', async () => {
  tab.answers['render'] = { ...RENDERED, subject: '' }
  await open({ document: { version: 1, settings: { preheader: 'inside' }, blocks: [] } }, '')
  expect(tab.text('.preview-inbox')).toBe('The senderWhat is it about? inside')
})

test('It is drawn as it looks to a person.', async () => {
  tab.answers['contacts/list'] = { items: [{ id: 5, full_name: 'Bo Holm', email: 'bo@example.com' }] }
  await open()
  tab.field('As').click()
  await tab.settled()
  await tab.pass(500)
  await tab.press('as Bo Holm')
  await tab.pass(500)
  expect(asked()[1]).toMatchObject({ contact_id: 5 })
  await tab.press('Clear As')
  await tab.pass(500)
  expect(asked()[2]).not.toHaveProperty('contact_id')
})

test('A letter that cannot be drawn is asked for again, and an answer that comes too late is not shown.', async () => {
  tab.answers['render'] = new Refusal(422, 'VALIDATION', undefined, 'No such block.')
  const content = await open()
  expect(tab.text()).toContain('The preview could not be drawn.No such block.')
  const late = Promise.withResolvers()
  tab.answers['render'] = () => late.promise
  await tab.press('Try again')
  await tab.pass(0)
  expect(asked()).toHaveLength(2)
  tab.answers['render'] = RENDERED
  content.value = { ...content.value, subject: 'Newer' }
  await tab.settled()
  await tab.pass(500)
  expect(tab.text()).not.toContain('The preview could not be drawn.')
  expect(tab.text('.preview-inbox')).toContain('Hi Ada')
})

test('In the frame links lead nowhere, and blocks are found and marked.', () => {
  const frame = emptyFrame() as unknown as HTMLIFrameElement
  const inside = frame.contentDocument!
  const media = { mediaText: '(prefers-color-scheme: dark)' }
  const other = { mediaText: '(max-width: 600px)' }
  Object.defineProperty(inside, 'styleSheets', { value: [{ cssRules: [{ media }, { media: other }, {}] }] })
  const cell = '<td data-block="a"><a href="https://a.example">x</a></td>'
  const html = `<table><tbody><tr>${cell}<td data-block="a"></td></tr></tbody></table>`
  showLetter(frame, { html, dark: false })
  const link = inside.documentElement.querySelector('a')!
  expect([link.getAttribute('href'), link.getAttribute('title')]).toEqual([null, 'https://a.example'])
  expect([media.mediaText, other.mediaText]).toEqual(['not all', '(max-width: 600px)'])
  media.mediaText = '(prefers-color-scheme: dark)'
  showLetter(frame, { html, dark: true })
  expect(media.mediaText).toBe('all')
  const cells = [...inside.documentElement.querySelectorAll('td')]
  expect(blockAt(cells[0] as never)).toBe('a')
  expect([blockAt(inside.documentElement as never), blockAt(null)]).toEqual([null, null])
  cells[1]!.getBoundingClientRect = () => new DOMRect(9, 9, 0, 0)
  expect(markBlock(frame, 'a', '#123456')).toMatchObject({ left: 0 })
  expect(cells.map(({ style }) => style.outline)).toEqual(['#123456 solid 2px', '#123456 solid 2px'])
  expect(markBlock(frame, 'z', '#123456')).toBeNull()
  expect(cells.map(({ style }) => style.outline)).toEqual(['', ''])
  expect(markBlock(frame, null, '#123456')).toBeNull()
  expect(markBlock({ contentDocument: null } as never, 'a', '#123456')).toBeNull()
})
