import { signal } from '@preact/signals'
import { expect, jest, spyOn, test } from 'bun:test'
import { emptyFrame } from '../../support/frames.ts'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { Refusal, send, useTab } from '../../support/tab.ts'
import type { Content, Editor } from '../../../static/app/letter/editor.ts'
import { blockAt, markBlock, showLetter } from '../../../static/app/letter/preview-frame.ts'
import { Preview } from '../../../static/app/letter/preview.tsx'

const tab = useTab()
let editor: Editor
const RENDERED = { html: '<p>Hi</p>', text: 'Hi there', subject: 'Hi Ada', size_bytes: 10, warnings: [] }

async function open(content: Partial<Content> = {}, from = 'Harbour') {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  tab.answers['render'] ??= RENDERED
  const shown = signal(letter([], {}, content))
  editor = editorOf(shown.value)
  await tab.draw(inEditor(editor, Preview, { content: shown, campaign: null, from }))
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
  expect(tab.text('.preview-inbox small')).toBe('of Ada')
})

test('The blocks that still hold words or links of a design are known to the editor.', async () => {
  const named = (code: string, block_id?: string) => ({ code, message: code, block_id })
  tab.answers['render'] = {
    ...RENDERED,
    warnings: [
      named('sample_text', 'a'),
      named('sample_link', 'b'),
      named('sample_text'),
      named('missing_page', 'd'),
      named('size', 'c'),
    ],
  }
  await open()
  expect([...editor.samples.value]).toEqual(['a', 'b'])
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

/** Gives elements sizes, which happy-dom does not work out. */
function giveSizes(sizes: Record<string, number>): void {
  for (const [name, size] of Object.entries(sizes)) {
    const before = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)
    Object.defineProperty(HTMLElement.prototype, name, { get: () => size, configurable: true })
    tab.atEnd(() => {
      if (before) Object.defineProperty(HTMLElement.prototype, name, before)
      else Reflect.deleteProperty(HTMLElement.prototype, name)
    })
  }
}

test('The letter fits into its pane, and a block that is chosen on one side is shown on the other.', async () => {
  giveSizes({ clientWidth: 340, clientHeight: 300, scrollHeight: 900, offsetTop: 20 })
  const tops: Record<string, number> = { near: 100, far: 1_000 }
  const rects = spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, tops[this.getAttribute('data-block')!] ?? 0, 0, 100)
  })
  tab.atEnd(() => rects.mockRestore())
  const cells = '<p data-block="near">Near</p><p data-block="far">Far</p>'
  tab.answers['render'] = { ...RENDERED, html: `${cells}<p>Free</p>` }
  await open()
  const inside = new DOMParser().parseFromString('<p>old</p>', 'text/html')
  inside.replaceChild = (root, old) => {
    inside.removeChild(old)
    inside.append(root)
    return old
  }
  const within = (selector: string) => inside.documentElement.querySelector<HTMLElement>(selector)!
  const size = () => String(tab.find('.preview-sheet').getAttribute('style')).replaceAll(' ', '')
  expect(size()).toBe('width:340px;height:300px;')
  const frame = tab.find('iframe')
  Object.defineProperties(frame, { contentDocument: { value: inside }, contentWindow: { value: { DOMParser } } })
  expect(within('p').textContent).toBe('old')
  send(frame, 'load', {}, false)
  await tab.settled()
  expect([within('p').textContent, size()]).toEqual(['Near', 'width:340px;height:450px;'])
  expect(String(frame.getAttribute('style')).replaceAll(' ', '')).toBe('width:680px;height:900px;transform:scale(0.5);')
  const scrolls: unknown[] = []
  const pane = tab.find('.preview-pane')
  pane.scrollTo = ((to: unknown) => scrolls.push(to)) as never
  send(within('p:last-child'), 'click')
  expect(editor.selected.value).toBeNull()
  send(within('[data-block=near]'), 'click')
  await tab.settled()
  expect([editor.selected.value, editor.writing.value, scrolls]).toEqual(['near', null, []])
  expect(within('[data-marked]').textContent).toBe('Near')
  editor.select('far', 'block')
  await tab.settled()
  expect([within('[data-marked]').textContent, scrolls]).toEqual(['Far', [{ top: 420 }]])
  await tab.press('Dark')
  expect(scrolls).toHaveLength(1)
  expect(within('[data-marked]').style.outline).toContain('#6fc3d8')
  await tab.press('Phone')
  expect(within('[data-marked]').style.outline).toContain('#0b5a6e')
  expect(size()).toBe(`width:340px;height:${(900 * 340) / 375}px;`)
  pane.scrollTop = 600
  editor.select('near', 'block')
  await tab.settled()
  expect(scrolls).toHaveLength(2)
  await tab.press('Text')
  send(within('[data-block=far]'), 'click')
  expect(editor.selected.value).toBe('near')
})
