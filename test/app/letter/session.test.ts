import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import { isOnline, isSignedOut } from '../../../static/app/api/conditions.ts'
import type { BlockType } from '../../../static/app/letter/block-types.ts'
import type { Block } from '../../../static/app/letter/document.ts'
import { type Content, createEditor, type Editor } from '../../../static/app/letter/editor.ts'
import { keepCopy, keepVersion, keptCopy, versions } from '../../../static/app/letter/kept.ts'
import { openSession, savingWords, type Session } from '../../../static/app/letter/session.ts'
import type { Source, Stored } from '../../../static/app/letter/source.ts'

const tab = useTab()
const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]
const SOURCE: Source = { kind: 'campaign', id: 7, key: 'campaign 7' }
const text = (id: string, html = id): Block => ({ id, type: 'text', props: { html } })
const button = (id: string, href: string): Block => ({ id, type: 'button', props: { text: 'Go', href } })
const letter = (subject: string, ...blocks: Block[]): Content => ({
  ...{ name: 'May', subject, preheader: '' },
  document: { version: 1, settings: {}, blocks },
})
const stored = (content: Content, updated_at = '2026-05-03T12:00:00.000Z'): Stored => ({
  ...{ content, updated_at, updated_by: null },
})
const LATER = '2026-05-03T12:30:00.000Z'
const FIRST = letter('Hi', text('a'))

let editor: Editor
let session: Session

function open(first: Stored = stored(FIRST)): void {
  editor = createEditor({ content: first.content, types: TYPES, tags: [] })
  session = openSession(editor, SOURCE, first)
  tab.atEnd(session.stop)
}
const write = (subject: string) => editor.edit((content) => ({ ...content, subject }))
async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms)
  await tab.settled()
}
const saves = () => tab.sent('campaigns/update')
const words = () => savingWords(session, () => '14:02')

beforeEach(() => {
  jest.useFakeTimers()
  tab.answers['campaigns/update'] = () => ({ campaign: { updated_at: LATER } })
})
afterEach(() => {
  jest.useRealTimers()
  isOnline.value = true
  isSignedOut.value = false
})

test('A letter is kept in this browser at once, saved soon after, and then no longer kept.', async () => {
  open()
  expect(words()).toEqual({ words: 'Saved', tone: undefined })
  write('Ho')
  expect(session.isUnsaved.value).toBe(true)
  expect(words().words).toBe('Not saved yet')
  await pass(300)
  expect(keptCopy(SOURCE.key)).toMatchObject({ content: { subject: 'Ho' }, base: stored(FIRST).updated_at })
  await pass(1_200)
  expect(saves()).toMatchObject([{ subject: 'Ho', expected_updated_at: stored(FIRST).updated_at }])
  expect(words()).toEqual({ words: 'Saved 14:02', tone: undefined })
  expect(session.saved.value.updated_at).toBe(LATER)
  expect(keptCopy(SOURCE.key)).toBeNull()
  expect(versions(SOURCE.key)).toMatchObject([{ content: { subject: 'Ho' } }])
  write('Hu')
  await pass(10_000)
  expect(saves()[1]).toMatchObject({ subject: 'Hu', expected_updated_at: LATER })
})

test('A letter is kept once the author pauses.', async () => {
  open()
  const kept: string[] = []
  const set = spyOn(tab.storage, 'set').mockImplementation((_, value) => {
    kept.push(value)
    return tab.storage
  })
  tab.atEnd(() => set.mockRestore())
  for (const subject of ['H', 'He', 'Hel']) {
    write(subject)
    await pass(200)
  }
  await pass(100)
  expect(kept.map((value) => JSON.parse(value).content.subject)).toEqual(['Hel'])
})

test('Nothing is saved for a change that was taken back.', async () => {
  open()
  write('Ho')
  editor.undo()
  await pass(10_000)
  expect(saves()).toEqual([])
  expect(tab.storage.size).toBe(0)
})

test('While a save is under way the words say so, and also what stands in its way.', async () => {
  open()
  const answer = Promise.withResolvers()
  tab.answers['campaigns/update'] = () => answer.promise
  write('Ho')
  await pass(1_500)
  expect(words()).toEqual({ words: 'Saving…', tone: undefined })
  isSignedOut.value = true
  expect(words()).toEqual({ words: 'Not saved: your session has ended (kept in this browser)', tone: 'bad' })
  isOnline.value = false
  expect(words()).toEqual({ words: 'Not saved: no connection (kept in this browser)', tone: 'bad' })
  answer.resolve({ campaign: { updated_at: LATER } })
  await tab.settled()
  expect(words().words).toBe('Saved 14:02')
})

test('A block that lacks something stays as it was saved, is told, and is kept here.', async () => {
  open(stored(letter('Hi', button('b', 'https://x.example'))))
  editor.replace(letter('Ho', button('b', ''), button('n', ''), text('t')))
  expect(session.incomplete.value).toBe(2)
  expect(editor.flaws.value.map(({ id }) => id)).toEqual(['b', 'n'])
  await pass(2_000)
  const [{ editor_json }] = saves() as [any]
  expect(editor_json.blocks).toEqual([button('b', 'https://x.example'), text('t')])
  expect(words()).toEqual({ words: 'Saved 14:02, but for 2 blocks not complete yet', tone: 'wait' })
  expect(keptCopy(SOURCE.key)?.content.document.blocks).toHaveLength(3)
})

test('A letter that an earlier session could not save is back, and can be dropped.', () => {
  keepCopy(SOURCE.key, { content: letter('Kept', text('a')), base: stored(FIRST).updated_at, at: 5 })
  open()
  expect([editor.content.value.subject, session.recovered.value, session.trouble.value]).toEqual(['Kept', 5, null])
  session.dropRecovered()
  expect([editor.content.value.subject, session.recovered.value]).toEqual(['Hi', null])
})

test('A copy that says what is saved is no news, and one made from an older state is a conflict.', () => {
  keepCopy(SOURCE.key, { content: structuredClone(FIRST), base: 'older', at: 5 })
  open()
  expect([session.recovered.value, session.trouble.value]).toEqual([null, null])
  session.stop()
  keepCopy(SOURCE.key, { content: letter('Kept'), base: 'older', at: 5 })
  open()
  expect(session.trouble.value).toEqual({ kind: 'conflict', theirs: stored(FIRST) })
  expect(words()).toEqual({ words: 'Not saved (kept in this browser)', tone: 'bad' })
})

test('The copy of another window of the same letter stays.', async () => {
  open()
  keepCopy(SOURCE.key, { content: letter('Theirs'), base: 'x', at: 5 })
  await pass(1_000)
  session.stop()
  expect(keptCopy(SOURCE.key)?.content.subject).toBe('Theirs')
})

const conflict = (theirs: Content) => {
  tab.answers['campaigns/update'] = new Refusal(409, 'CONFLICT', [{ path: '/expected_updated_at', message: 'Newer.' }])
  tab.answers['campaigns/get'] = {
    campaign: { ...theirs, editor_json: theirs.document, updated_at: LATER, updated_by: { id: 'usr_bo', name: 'Bo' } },
  }
}

test('An author who keeps the own letter saves it over the other one, which stays a version.', async () => {
  open()
  keepVersion(SOURCE.key, letter('Young'))
  conflict(letter('Theirs', text('a')))
  write('Mine')
  await pass(1_500)
  const trouble = session.trouble.value
  if (trouble?.kind !== 'conflict') throw new Error('no conflict')
  expect(trouble.theirs).toMatchObject({ content: { subject: 'Theirs' }, updated_at: LATER })
  write('Mine too')
  await pass(10_000)
  expect(saves()).toHaveLength(1)
  tab.answers['campaigns/update'] = { campaign: { updated_at: '2026-05-03T13:00:00.000Z' } }
  session.keepMine(trouble.theirs)
  await tab.settled()
  expect(saves()[1]).toMatchObject({ subject: 'Mine too', expected_updated_at: LATER })
  expect(session.trouble.value).toBeNull()
  expect(versions(SOURCE.key).map(({ content }) => content.subject)).toEqual(['Theirs', 'Young'])
})

test('The other letter takes the place of the own one, which stays a version.', async () => {
  open()
  conflict(letter('Theirs', text('a')))
  write('Mine')
  await pass(1_500)
  const { theirs } = session.trouble.value as { theirs: Stored }
  keepVersion(SOURCE.key, letter('Young'))
  session.takeTheirs(theirs)
  await pass(10_000)
  expect([editor.content.value.subject, session.isUnsaved.value, session.trouble.value]).toEqual([
    'Theirs',
    false,
    null,
  ])
  expect(saves()).toHaveLength(1)
  expect(versions(SOURCE.key).map(({ content }) => content.subject)).toEqual(['Mine', 'Young'])
})

test('Where different parts changed both stay, and each of the two letters stays a version.', async () => {
  open(stored(letter('Hi', text('a'), text('b'))))
  conflict(letter('Hi', text('a'), text('b', 'theirs')))
  editor.edit(() => letter('Hi', text('a', 'mine'), text('b')))
  await pass(1_500)
  const { theirs } = session.trouble.value as { theirs: Stored }
  const merged = session.both(theirs)!
  expect(merged).toEqual(letter('Hi', text('a', 'mine'), text('b', 'theirs')))
  tab.answers['campaigns/update'] = { campaign: { updated_at: '2026-05-03T13:00:00.000Z' } }
  session.keepBoth(theirs, merged)
  await tab.settled()
  expect(saves()[1]).toMatchObject({ editor_json: merged.document, expected_updated_at: LATER })
  expect([editor.content.value, session.trouble.value]).toEqual([merged, null])
  expect(versions(SOURCE.key).map(({ content }) => content.document.blocks[0]!.props['html'])).toEqual(['mine', 'a'])
  editor.undo()
  expect(editor.content.value.document.blocks[1]!.props['html']).toBe('b')
})

test('Where the letter of another cannot be loaded that is said.', async () => {
  open()
  tab.answers['campaigns/update'] = new Refusal(409, 'CONFLICT', [{ path: '/expected_updated_at', message: 'No.' }])
  tab.answers['campaigns/get'] = new Refusal(404, 'NOT_FOUND', undefined, 'It is gone.')
  write('Mine')
  await session.save()
  expect(session.trouble.value).toMatchObject({ kind: 'refused', error: { message: 'It is gone.' } })
})

test('Two who wrote the same have no conflict.', async () => {
  open()
  conflict(letter('Same', text('a')))
  write('Same')
  await pass(1_500)
  expect([session.trouble.value, session.isUnsaved.value]).toEqual([null, false])
  expect(session.saved.value.updated_by).toEqual({ id: 'usr_bo', name: 'Bo' })
})

test('A letter that can no longer be changed is closed, and asks no more.', async () => {
  open()
  tab.answers['campaigns/update'] = new Refusal(409, 'INVALID_STATE')
  write('Ho')
  await pass(1_500)
  expect(session.trouble.value).toEqual({ kind: 'closed' })
  write('Hu')
  await pass(10_000)
  expect(saves()).toHaveLength(1)
})

test('A refusal marks the block that it names, in a column too, and is tried again when asked.', async () => {
  const columns = [{ blocks: [text('x')] }, { blocks: [text('y'), text('z')] }]
  open(stored(letter('Hi', text('a'), { id: 'c', type: 'columns', props: { columns } })))
  tab.answers['campaigns/update'] = new Refusal(422, 'VALIDATION', [
    { path: '/editor_json/blocks/0/props/html', message: 'First.' },
    { path: '/editor_json/blocks/1/props/columns/1/blocks/1/props/html', message: 'Inner.' },
    { path: '/editor_json/blocks/9/props/html', message: 'Nowhere.' },
    { path: '/subject', message: 'Elsewhere.' },
  ])
  write('Ho')
  await pass(1_500)
  expect(session.trouble.value?.kind).toBe('refused')
  expect(words()).toEqual({ words: 'Not saved (kept in this browser)', tone: 'bad' })
  expect(editor.flaws.value).toEqual([
    { id: 'a', prop: 'html', message: 'First.' },
    { id: 'z', prop: 'html', message: 'Inner.' },
  ])
  await pass(60_000)
  expect(saves()).toHaveLength(1)
  tab.answers['campaigns/update'] = { campaign: { updated_at: LATER } }
  await session.save()
  expect([saves().length, session.trouble.value, session.isUnsaved.value]).toEqual([2, null, false])
})

test('A save without an answer is asked for again by itself after a while.', async () => {
  open()
  tab.answers['campaigns/update'] = new Refusal(503, 'UNAVAILABLE')
  write('Ho')
  await pass(1_500)
  await pass(500)
  await pass(2_000)
  expect(session.trouble.value).toMatchObject({ kind: 'refused', error: { code: 'NO_ANSWER' } })
  tab.answers['campaigns/update'] = { campaign: { updated_at: LATER } }
  const before = saves().length
  await pass(5_000)
  await pass(5_000)
  expect(saves().length).toBe(before + 1)
  expect(session.trouble.value).toBeNull()
})

test("Others' changes are shown, unless they are older or something here is not saved.", () => {
  open()
  session.refresh(stored(letter('Old'), '2026-05-03T11:00:00.000Z'))
  session.refresh(stored(letter('Same time')))
  expect(editor.content.value.subject).toBe('Hi')
  session.refresh(stored(letter('New'), LATER))
  expect([editor.content.value.subject, session.saved.value.updated_at]).toEqual(['New', LATER])
  write('Mine')
  session.refresh(stored(letter('Newest'), '2026-05-03T13:00:00.000Z'))
  expect(editor.content.value.subject).toBe('Mine')
})

test('Leaving the editor keeps and saves what is written, and nothing after.', async () => {
  open()
  write('Ho')
  session.stop()
  expect(keptCopy(SOURCE.key)?.content.subject).toBe('Ho')
  await tab.settled()
  expect(saves()).toMatchObject([{ subject: 'Ho' }])
  write('Hu')
  await pass(10_000)
  expect(saves()).toHaveLength(1)
})

test('A tab that is hidden for good keeps what is written.', () => {
  open()
  write('Ho')
  dispatchEvent(new Event('pagehide'))
  expect(keptCopy(SOURCE.key)?.content.subject).toBe('Ho')
})
