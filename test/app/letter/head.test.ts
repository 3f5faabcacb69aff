import { expect, test } from 'bun:test'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab, send } from '../../support/tab.ts'
import { ApiError } from '../../../static/app/api/errors.ts'
import { isDesignOpen } from '../../../static/app/letter/design-open.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { LetterBanners, LetterHead } from '../../../static/app/letter/head.tsx'
import { openSession, type Session } from '../../../static/app/letter/session.ts'

const tab = useTab()
const STORED = { content: letter([]), updated_at: '2026-05-03T12:00:00.000Z', updated_by: null }
let editor: Editor
let session: Session

function open(): void {
  tab.answers['campaigns/update'] = { campaign: { updated_at: '2026-05-03T12:30:00.000Z' } }
  editor = editorOf(STORED.content)
  session = openSession(editor, { kind: 'campaign', id: 7, key: 'campaign 7' }, STORED)
  tab.atEnd(session.stop)
}
async function head() {
  open()
  await tab.draw(inEditor(editor, LetterHead, { session, back: { href: '/x', label: 'Campaigns' }, actions: 'Send' }))
}
let isCompared = false
const banners = () => tab.draw(inEditor(editor, LetterBanners, { session, compare: () => (isCompared = true) }))
const isOff = (name: string) => tab.button(name).getAttribute('aria-disabled') === 'true'

test('Undo and redo work while there is something to undo or to do again.', async () => {
  await head()
  expect([isOff('Undo'), isOff('Redo')]).toEqual([true, true])
  editor.edit((now) => ({ ...now, subject: 'Ho' }))
  await tab.settled()
  expect([isOff('Undo'), isOff('Redo')]).toEqual([false, true])
  await tab.press('Undo')
  expect([editor.content.value.subject, isOff('Undo'), isOff('Redo')]).toEqual(['Hi', true, false])
  await tab.press('Redo')
  expect(editor.content.value.subject).toBe('Ho')
  expect(tab.text('.letter-saved')).toBe('Not saved yet')
})

test('The menu leads to the design, to templates, versions and keys.', async () => {
  await head()
  for (const [name, kind] of [
    ['Save as template', 'template'],
    ['See earlier versions', 'versions'],
    ['Keys of the editor', 'keys'],
  ] as const) {
    await tab.press('More')
    await tab.press(name)
    expect(editor.panel.value).toEqual({ kind })
  }
  editor.selected.value = 'a'
  await tab.press('More')
  await tab.press('Design of the letter')
  expect(editor.selected.value).toBeNull()
  expect(isDesignOpen.value).toBe(true)
  isDesignOpen.value = false
})

test('The name changes by Enter and by leaving it, not by Escape, and is never empty.', async () => {
  await head()
  const write = async (name: string) => {
    await tab.press('Change the name')
    const field = tab.find('input[aria-label=Name]')
    send(Object.assign(field, { value: name }), 'input')
    return field
  }
  await tab.key('Enter', {}, await write(' June '))
  expect([tab.text('h1'), editor.content.value.name]).toEqual(['June', 'June'])
  await tab.key('Escape', {}, await write('July'))
  expect(tab.text('h1')).toBe('June')
  send(await write(' '), 'blur', {}, false)
  await tab.settled()
  expect(tab.text('h1')).toBe('June')
  send(await write('August'), 'blur', {}, false)
  await tab.settled()
  expect(tab.text('h1')).toBe('August')
  await tab.key('Enter', {}, await write('August'))
  editor.undo()
  expect(editor.content.value.name).toBe('June')
})

const theirs = (updated_by: { id: string; name: string } | null) => ({ ...STORED, updated_by })

test('Of two who save it says who the other is, and what can be done.', async () => {
  open()
  for (const [by, words] of [
    [{ id: 'usr_ada', name: 'Ada' }, 'You, in another window, saved this'],
    [{ id: 'usr_bo', name: 'Bo' }, 'Bo saved this'],
    [null, 'Somebody else saved this'],
  ] as const) {
    session.trouble.value = { kind: 'conflict', theirs: theirs(by) }
    session.recovered.value = 5
    await banners()
    expect(tab.text()).toStartWith(words)
    expect(tab.names()).toEqual(['See what changed', 'Keep mine', 'Take theirs'])
  }
  await tab.press('See what changed')
  expect(isCompared).toBe(true)
  await tab.press('Take theirs')
  expect([session.trouble.value, editor.content.value.subject]).toEqual([null, 'Hi'])
})

test('A refused save says why, and is tried again.', async () => {
  open()
  editor.edit((now) => ({ ...now, subject: 'Ho' }))
  const flaws = [{ path: '/subject', message: 'It is too long.' }]
  const error = new ApiError('VALIDATION', 'Not valid.', { status: 422, details: flaws })
  session.trouble.value = { kind: 'refused', error }
  await banners()
  expect(tab.text()).toBe('Not saved: Not valid. It is too long. What you wrote is kept in this browser.Try again')
  await tab.press('Try again')
  expect(tab.sent('campaigns/update')).toMatchObject([{ subject: 'Ho' }])
  expect(tab.text()).toBe('')
})

test('A letter that came back is kept or dropped.', async () => {
  open()
  session.recovered.value = Date.parse('2026-05-03T12:00:00.000Z')
  editor.edit((now) => ({ ...now, subject: 'Kept' }))
  await banners()
  expect(tab.text()).toContain('was not saved then. It is back.')
  await tab.press('Keep it')
  expect([tab.text(), editor.content.value.subject]).toEqual(['', 'Kept'])
  session.recovered.value = 5
  await tab.settled()
  await tab.press('Drop it')
  expect([tab.text(), editor.content.value.subject]).toEqual(['', 'Hi'])
})
