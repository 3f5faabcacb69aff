import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import { ColumnsStep } from '../../../static/app/import/columns-step.tsx'
import type { ImportDraft } from '../../../static/app/import/draft.ts'

const PROVIDERS = 'GET /project/imports/providers'
const tab = useTab(
  {},
  { 'custom-fields/list': { items: [{ key: 'town', label: 'Town' }] }, [PROVIDERS]: { items: [] } },
)
const column = (index: number, header: string, samples: string[], suggested_field: string | null = null) => ({
  ...{ index, header, samples, suggested_field },
})
const COLUMNS = [column(0, 'Mail', ['a@x.example', '', 'c@x.example', 'd@x.example'], 'email'), column(1, '', ['Oslo'])]

let draft: ImportDraft
let isNext = false

function Step({ record }: { record: object }) {
  const [now, set] = useState(draft)
  draft = now
  return h(ColumnsStep, {
    record: record as never,
    draft: now,
    change: (changesOf) => set((draft = { ...draft, ...changesOf(draft) })),
    onNext: () => (isNext = true),
  })
}
async function open(mapping: Record<string, string>, columns = COLUMNS, more: object = {}) {
  draft = { mapping, options: {}, consent: null }
  isNext = false
  await tab.draw(h(Step, { record: { id: 7, delimiter: ';', encoding_found: null, encoding: null, columns, ...more } }))
}

test('A column shows its name and first cells, and what it was taken for.', async () => {
  await open({ 0: 'email' })
  expect(tab.texts('.import-column strong')).toEqual(['Mail', 'Column 2'])
  expect(tab.texts('.import-column li')).toEqual(['a@x.example', '(empty)', 'c@x.example', 'Oslo'])
  expect(tab.texts('.quiet')[0]).toBe('Semicolon between cells, the first line is a header.')
  expect(tab.field('What is Mail?').value).toBe('Address')
  expect(tab.field('What is column 2?').value).toBe('')
  expect(tab.texts('.import-column')[0]).toContain('suggested')
  await open(
    { 0: 'tags' },
    [COLUMNS[0]!, column(1, '', [])].map((one) => ({ ...one, header: '' })),
    { delimiter: '\t' },
  )
  expect(tab.texts('.quiet')[0]).toBe('Tab between cells, no header.')
  expect(tab.text('.import-column')).not.toContain('suggested')
})

test('A field belongs to one column: the one that takes it takes it away from the other.', async () => {
  await open({ 0: 'email', 1: 'custom.town' })
  await tab.choose('What is column 2?', 'Address')
  expect(draft.mapping).toEqual({ 1: 'email' })
  await tab.choose('What is Mail?', 'Town')
  expect(draft.mapping).toEqual({ 1: 'email', 0: 'custom.town' })
  await tab.press('Clear What is column 2?')
  expect(draft.mapping).toEqual({ 0: 'custom.town' })
})

test('All columns that are mapped to nothing become fields at once, with the type of their cells.', async () => {
  tab.answers['custom-fields/create'] = {}
  await open({ 0: 'email' }, [
    COLUMNS[0]!,
    column(1, 'Town', ['Oslo']),
    column(2, 'Points', ['12', '3.5']),
    column(3, 'Postal code', ['50667']),
    column(4, 'Город', ['2026-05-03']),
  ])
  await tab.press('Make fields of the other 4 columns')
  expect(tab.sent('custom-fields/create').map(({ key, label, type }) => [key, label, type])).toEqual([
    ['points', 'Points', 'number'],
    ['postal_code', 'Postal code', 'text'],
    ['column_5', 'Город', 'date'],
  ])
  const made = { 1: 'custom.town', 2: 'custom.points', 3: 'custom.postal_code', 4: 'custom.column_5' }
  expect(draft.mapping).toEqual({ 0: 'email', ...made })
  expect(tab.has('Make fields')).toBe(false)
})

test('Two columns of one name become two fields, and those that are there are taken.', async () => {
  tab.answers['custom-fields/create'] = ({ key }: { key: string }) =>
    key === 'wrong' ? new Refusal(409, 'CONFLICT', undefined, 'There is no more room.') : {}
  await open({ 0: 'email' }, [
    COLUMNS[0]!,
    ...['Town', 'TOWN', 'Note', 'note!', 'Wrong', 'After'].map((header, at) => column(at + 1, header, [])),
  ])
  await tab.press('Make fields of the other 6 columns')
  expect(tab.sent('custom-fields/create').map(({ key, label }) => [key, label])).toEqual([
    ['town_2', 'TOWN 2'],
    ['note', 'Note'],
    ['note_2', 'note! 2'],
    ['wrong', 'Wrong'],
  ])
  expect(draft.mapping).toEqual({
    ...{ 0: 'email', 1: 'custom.town', 2: 'custom.town_2', 3: 'custom.note', 4: 'custom.note_2' },
  })
  expect(tab.text('[role=alert]')).toBe('Wrong: There is no more room.')
})

test('The encoding of an upload is shown and can be changed, and what could not be read is marked.', async () => {
  const unread = [COLUMNS[0]!, column(1, 'Name', ['J\uFFFDrgen'])]
  const after = [COLUMNS[0]!, column(1, '\u540d\u524d', ['\u65e5\u672c'], 'full_name')]
  tab.answers['POST /project/imports/encoding'] = { import: { columns: after } }
  await open({ 0: 'email', 1: 'custom.town' }, unread, { encoding_found: 'windows-1252' })
  expect(tab.texts('.quiet')[0]).toBe('Semicolon between cells, Windows-1252, the first line is a header.')
  expect(tab.texts('mark')).toEqual(['\uFFFD', '\uFFFD'])
  await tab.press('Change the encoding')
  expect(tab.texts('option')).toContain('Shift_JIS (Japanese)')
  await tab.type('Encoding of the file', 'shift_jis')
  expect(tab.sent('POST /project/imports/encoding')).toEqual([
    { project_id: 'prj_harbour', import_id: 7, encoding: 'shift_jis' },
  ])
  // The second column has another header now, so it is another column.
  expect(draft.mapping).toEqual({ 0: 'email', 1: 'full_name' })

  const swapped = [column(0, 'Adresse', []), column(1, '\u540d\u524d', [], 'email')]
  tab.answers['POST /project/imports/encoding'] = { import: { columns: swapped } }
  await open({ 0: 'email', 1: 'custom.town' }, [column(0, 'Adresse', []), unread[1]!], { encoding_found: 'utf-8' })
  await tab.press('Change the encoding')
  await tab.type('Encoding of the file', 'shift_jis')
  expect(draft.mapping).toEqual({ 0: 'email' })
})

test('A file of another program sets columns and options, and says when it names nobody who left.', async () => {
  const of = (provider: string, more: object) => ({
    ...{ provider, name: provider, mapping: { 0: 'email' }, default_status: null, knows_status: true },
    ...{ fits: false, warning: null, ...more },
  })
  tab.answers[PROVIDERS] = {
    items: [
      of('Mailchimp', { mapping: { 0: 'email', 1: 'tags' }, default_status: 'unsubscribed', fits: true }),
      of('listmonk', { knows_status: false, warning: 'Everybody is enabled.' }),
    ],
  }
  await open({ 0: 'email' })
  await tab.press('This is a Mailchimp export')
  expect([draft.provider, draft.mapping]).toEqual(['Mailchimp', { 0: 'email', 1: 'tags' }])
  expect(draft.options).toMatchObject({
    ...{ create_tags: true, on_invalid_value: 'drop_value', update_existing: true, default_status: 'unsubscribed' },
  })
  expect([tab.has('This is a Mailchimp export'), tab.body.querySelector('.callout')]).toEqual([false, null])
  await tab.type('Which program made the file?', 'listmonk')
  expect(draft.options.default_status).toBeUndefined()
  expect(tab.text()).toContain('The file does not say who left.')
  expect(tab.text()).toContain('Everybody is enabled.')
  await tab.type('Which program made the file?', '')
  expect([draft.provider, draft.mapping]).toEqual(['', { 0: 'email' }])
  const { create_tags, on_invalid_value, update_existing, default_status } = draft.options
  expect([create_tags, on_invalid_value, update_existing, default_status]).toEqual(Array(4).fill(undefined))
})

test('Without an address it does not go on.', async () => {
  await open({})
  expect(tab.text('.form-actions')).toBe('No column is the address yet.Next: consentSay which column is the address.')
  await tab.press('Next: consent')
  expect(isNext).toBe(false)
  await tab.choose('What is Mail?', 'Address')
  expect(tab.text('.form-actions')).toBe('Next: consent')
  await tab.press('Next: consent')
  expect(isNext).toBe(true)
})

test('The first rows are shown as they will be read, without the columns that are left out.', async () => {
  await open({})
  expect(tab.body.querySelector('table')).toBeNull()
  await open({ 0: 'email', 1: 'custom.gone' })
  expect(tab.texts('th')).toEqual(['Address', 'custom.gone'])
  expect([...tab.all('tbody tr')[0]!.children].map((cell) => cell.getAttribute('class'))).toEqual([
    ...['table-title', 'table-line'],
  ])
  const table = 'The first rows, as they will be read'
  expect(rowsOf(tab, table)).toEqual([
    ['a@x.example', 'Oslo'],
    ['', ''],
    ['c@x.example', ''],
  ])
  await open({ 1: 'custom.town' })
  expect(rowsOf(tab, table)).toEqual([['Oslo']])
})

test.each<[string[], string]>([
  [['1', '', '-2.5', '3,25'], 'number'],
  [['1', 'two'], 'text'],
  [['2026-05-03', '2026-05-04T10:00:00Z'], 'date'],
  [['2026-05-03', 'May'], 'text'],
  [['', ''], 'text'],
])('A column with the cells %j becomes a field of the type that they have.', async (samples, type) => {
  tab.answers['custom-fields/create'] = {}
  await open({ 0: 'email' }, [COLUMNS[0]!, column(1, 'N', samples)])
  await tab.type('What is N?', ' Where: they live! ')
  await tab.press('Make the field “Where: they live!”')
  const [made] = tab.sent('custom-fields/create')
  expect([made.key, made.label, made.type]).toEqual(['where_they_live', 'Where: they live!', type])
  expect(draft.mapping).toEqual({ 0: 'email', 1: 'custom.where_they_live' })
})

test('A field that the service does not make is told, and members make none.', async () => {
  tab.answers['custom-fields/create'] = new Refusal(422, 'VALIDATION', [{ path: '/key', message: 'It exists.' }])
  await open({ 0: 'email' })
  await tab.type('What is column 2?', 'x'.repeat(50))
  await tab.press('Make the field')
  expect(tab.sent('custom-fields/create')[0].key).toBe('x'.repeat(40))
  expect(tab.text('[role=alert]')).toBe(`${'x'.repeat(50)}: It exists.`)
  expect(draft.mapping).toEqual({ 0: 'email' })
  tab.answers['custom-fields/create'] = {}
  await tab.type('What is column 2?', 'fine')
  await tab.press('Make the field')
  expect(tab.body.querySelector('[role=alert]')).toBeNull()
  tab.data.project!.role = 'member'
  await open({ 0: 'email' })
  await tab.type('What is column 2?', 'mine')
  expect(tab.texts('[role=option]')).toEqual([])
})
