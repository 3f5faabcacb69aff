import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { useTab } from '../../support/tab.ts'
import { ConsentStep } from '../../../static/app/import/consent-step.tsx'
import type { ImportDraft } from '../../../static/app/import/draft.ts'

const list = (id: number, name: string, double_opt_in: boolean) => ({ id, name, double_opt_in })
const tab = useTab(
  {},
  {
    'lists/list': { items: [list(1, 'Weekly', false), list(2, 'Offers', true)] },
    'tags/list': { items: [{ id: 5, name: 'Fair' }] },
  },
)

let draft: ImportDraft
let isNext = false

function Step(_: object) {
  const [now, set] = useState(draft)
  return h(ConsentStep, {
    draft: now,
    change: (changesOf) => set((draft = { ...draft, ...changesOf(draft) })),
    onNext: () => (isNext = true),
  })
}
async function open(first: Partial<ImportDraft> = {}) {
  draft = { mapping: { 0: 'email' }, options: {}, consent: null, ...first }
  isNext = false
  await tab.draw(h(Step, {}))
}
const reason = () => tab.texts('.button-reason')[0]
const options = (more: ImportDraft['options']) => ({ options: more })

test('Somebody says first how people agreed, with the words or the lists that this needs.', async () => {
  await open()
  expect(reason()).toBe('Choose how they agreed.')
  expect(tab.texts('label')).not.toContain('Lists that they join')
  await tab.check('They agreed, and I can show it')
  expect(reason()).toBe('Write the words that they agreed to.')
  await tab.type('What did they agree to', '  ')
  expect(reason()).toBe('Write the words that they agreed to.')
  await tab.type('What did they agree to', 'Yes.')
  expect(reason()).toBe('Choose a list.')
  await tab.choose('Lists that they join', 'Weekly')
  expect(reason()).toBeUndefined()
  await tab.press('Next: check')
  expect(isNext).toBe(true)
  expect(draft).toMatchObject({ consent: 'shown', options: { consent_text: 'Yes.', list_ids: [1] } })
})

test('The only list that people can join is chosen, and stays left out once somebody took it away.', async () => {
  await open()
  await tab.check('Ask each of them')
  expect(draft.options.list_ids).toEqual([2])
  await open(options({ list_ids: [] }))
  await tab.check('Ask each of them')
  expect(draft.options.list_ids).toEqual([])
  await open()
  await tab.check('They agreed, and I can show it')
  expect(draft.options.list_ids).toBeUndefined()
})

test('The only list is chosen, too, when the lists come after the choice.', async () => {
  const items = Promise.withResolvers<object>()
  tab.answers['lists/list'] = () => items.promise
  await open()
  await tab.check('They agreed, and I can show it')
  items.resolve({ items: [list(1, 'Weekly', false)] })
  await tab.settled()
  expect(draft.options.list_ids).toEqual([1])
})

test('A person who is only brought in joins no list, and lists of the file are lists.', async () => {
  await open({ consent: 'contacts' })
  expect(tab.texts('label')).not.toContain('Lists that they join')
  expect(reason()).toBeUndefined()
  await open({ consent: 'ask', mapping: { 0: 'email', 1: 'lists' } })
  expect(reason()).toBeUndefined()
})

test('People are asked for a list with confirmation only.', async () => {
  await open({ consent: 'ask', ...options({ list_ids: [1] }) })
  expect(reason()).toBe('None of these lists asks for confirmation.')
  await tab.choose('Lists that they join', 'Offers')
  expect(draft.options.list_ids).toEqual([1, 2])
  expect(reason()).toBeUndefined()
  await open({ consent: 'ask', ...options({ list_ids: [9] }) })
  expect(reason()).toBe('Choose a list.')
})

test('Tags are chosen, or made by typing.', async () => {
  tab.answers['tags/create'] = ({ name }: { name: string }) => ({ tag: { id: 6, name } })
  await open()
  await tab.choose('Tags for all of them', 'Fair')
  await tab.type('Tags for all of them', 'Harbour')
  await tab.press('Create “Harbour”')
  expect(draft.options.tag_ids).toEqual([5, 6])
  expect(tab.sent('tags/list')).toHaveLength(2)
})

test('The person chooses what becomes of people who are here, of wrong rows and of wrong values.', async () => {
  await open()
  const checked = (label: string) =>
    tab.field(label).checked || tab.field(label).getAttribute('aria-checked') === 'true'
  expect(['Leave them out', 'Import nothing then'].map(checked)).toEqual([true, false])
  expect(checked('Change people who are here already')).toBe(false)
  await tab.check('Change people who are here already')
  await tab.check('Import nothing then')
  await tab.check('Take people whose other values are wrong')
  expect(draft.options).toEqual({ update_existing: true, on_invalid: 'abort', on_invalid_value: 'drop_value' })
  await tab.check('Take people whose other values are wrong')
  expect(draft.options.on_invalid_value).toBe('fail_row')
  expect(tab.texts('label')).not.toContain('Make tags that are not here yet')
  await open({ mapping: { 0: 'email', 2: 'tags' } })
  await tab.check('Make tags that are not here yet')
  expect(draft.options).toEqual({ create_tags: true })
})
