import { expect, test } from 'bun:test'
import { h } from 'preact'
import { ApiError } from '../../../../static/app/api/errors.ts'
import { useTab } from '../../../support/tab.ts'
import { Asked } from '../../../../static/app/site/people/asked.tsx'
import { ConsentText } from '../../../../static/app/site/people/consent-text.tsx'
import { DeleteInUse } from '../../../../static/app/site/people/delete-in-use.tsx'
import { TagChoice } from '../../../../static/app/site/people/tag-choice.tsx'

const tab = useTab()

const WORDS = { title: 'Sure?', verb: 'Do it', sentence: 'It is gone then.', done: 'It is done.' }

test.each([
  ['Asked', Asked],
  ['DeleteInUse', DeleteInUse],
])('%s asks once, acts again with the same key, and closes once it is done.', async (_, Dialog) => {
  const keys: string[] = []
  const said: string[] = []
  const act = async (key: string) => {
    keys.push(key)
    if (keys.length === 1) throw new ApiError('LIMIT', 'Not this minute.', { status: 429 })
  }
  const told = { after: () => void said.push('after'), onClose: () => void said.push('closed') }
  await tab.draw(h(Dialog, { ...WORDS, act, ...told }))
  expect([tab.text('dialog h2'), tab.text('dialog').includes('It is gone then.')]).toEqual(['Sure?', true])
  await tab.press('Do it')
  expect([tab.text('dialog').includes('Not this minute.'), said]).toEqual([true, []])
  await tab.press('Do it')
  expect([keys.length, new Set(keys).size, said]).toEqual([2, 1, ['after', 'closed']])
  await tab.press('Not now')
  expect(said).toEqual(['after', 'closed', 'closed'])
})

test('A thing in use is named in the place of the question, and nothing else is.', async () => {
  const open = async (details: unknown) => {
    const act = () => Promise.reject(new ApiError('CONFLICT', 'It is in use.', { status: 409, details }))
    await tab.draw(h(DeleteInUse, { ...WORDS, act, onClose() {} }))
    await tab.press('Do it')
  }
  await open({ segment_ids: [4], campaign_ids: [5] })
  expect(tab.texts('dialog a')).toEqual(['Show segment 4', 'Show campaign 5'])
  await open(undefined)
  expect([tab.texts('dialog a'), tab.text('dialog').includes('It is in use.'), tab.has('Do it')]).toEqual([
    [],
    true,
    false,
  ])
})

test('One person or several are asked for words of consent.', async () => {
  const draw = (one: boolean) => tab.draw(h(ConsentText, { value: 'Yes.', onInput() {}, one, flaw: 'Needed.' }))
  await draw(true)
  expect([tab.text('label'), tab.field('What did they agree to?').value]).toEqual([
    expect.stringContaining('What did they agree to?'),
    'Yes.',
  ])
  expect(tab.text('.field-flaw')).toBe('Needed.')
  await draw(false)
  expect(tab.text('label')).toContain('What did they agree to, and where?')
})

test('A tag that is missing is made while it is chosen.', async () => {
  tab.answers['tags/create'] = { tag: { id: 9, name: 'Spring' } }
  const chosen: number[][] = []
  const onChange = (ids: number[]) => void chosen.push(ids)
  await tab.draw(h(TagChoice, { tags: [{ id: 5, name: 'VIP' }], value: [5], create: true, onChange, optional: true }))
  expect(tab.texts('.chip')).toEqual(['VIP'])
  await tab.type('Tags', 'Spring')
  await tab.press('Create “Spring”')
  expect(tab.sent('tags/create')).toMatchObject([{ name: 'Spring' }])
  expect(chosen).toEqual([[5, 9]])
})
