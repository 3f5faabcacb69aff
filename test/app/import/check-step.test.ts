import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import { h } from 'preact'
import { CheckStep } from '../../../static/app/import/check-step.tsx'
import type { ImportDraft } from '../../../static/app/import/draft.ts'
import { columnNames, RowErrors } from '../../../static/app/import/row-errors.tsx'
import { SMALL_BYTES } from '../../../static/app/import/upload.ts'

const tab = useTab()
const columns = [
  { index: 0, header: 'E-mail' },
  { index: 1, header: 'Colours' },
]
const record = { id: 7, filename: 'people.csv', size_bytes: 100, columns, encoding_found: 'windows-1252' }
const SUMMARY = { rows: 10, new: 4, existing: 3, duplicates_in_file: 1, invalid: 2, suppressed: 0, valid: 7 }
const FINDINGS = {
  joining: 4,
  opted_out: 0,
  dropped_values: 0,
  new_tags: 0,
  unknown_tags: 0,
  unreadable: 0,
  reasons: [] as object[],
}
const back: string[] = []

/** Draws the step with what the service found. */
async function check(summary = {}, draft: Partial<ImportDraft> = {}, findings: object | null = {}, row_errors = [{}]) {
  tab.answers['imports/dry-run'] ??= {
    import: { findings: findings && { ...FINDINGS, ...findings } },
    summary: { ...SUMMARY, ...summary },
    row_errors: row_errors[0] && Object.keys(row_errors[0]).length > 0 ? row_errors : [],
  }
  const chosen = { mapping: { 0: 'email' }, options: {}, consent: 'shown' as const, ...draft }
  back.length = 0
  const onBack = (step: string) => void back.push(step)
  await tab.draw(
    h(CheckStep, { record: record as never, draft: chosen, onBack, onMakeTags: () => back.push('make tags') }),
  )
}
const sentences = () => tab.texts('ul:not(.progress-legend) li')
const reason = () => tab.texts('.button-reason')

test('The whole file is checked with what was chosen, and what would happen is said.', async () => {
  await check({ suppressed: 5 }, {}, { opted_out: 6, dropped_values: 1, new_tags: 2 })
  const [{ import_id, mapping, options }] = tab.sent('imports/dry-run') as [any]
  expect([import_id, mapping]).toEqual([7, { 0: 'email' }])
  expect(options).toEqual({ consent_confirmed: true, send_confirmation: false })
  expect(sentences()).toEqual([
    '4 people join.',
    '3 are here already and stay as before.',
    '5 are suppressed and stay so.',
    '6 have left, bounced or complained: they are never written to.',
    '1 wrong value is left out.',
    '2 tags are made.',
    '1 row repeats an address of the file.',
    '2 rows are skipped.',
  ])
  expect(tab.text()).toContain('10 rows')
})

test('Reasons stand with their counts in the whole file, and the missing tags are made in place.', async () => {
  const reasons = [
    { code: 'value_invalid', field: 'tags', errors: 5_000 },
    { code: 'malformed', field: null, errors: 1 },
  ]
  const mapping = { 0: 'email', 1: 'tags' }
  await check({}, { mapping }, { unknown_tags: 3, reasons, unreadable: 12 })
  expect(tab.texts('.callout')[0]).toStartWith('12 rows have a character that could not be read.')
  expect(tab.texts('.callout li')).toEqual(['5,000 × wrong value in Colours', '1 × damaged row'])
  await tab.press('Make these 3 tags')
  await tab.press('Change the encoding')
  expect(back).toEqual(['make tags', 'columns'])
  delete tab.answers['imports/dry-run']
})

test('Of what does not happen nothing is said.', async () => {
  await check({ new: 1, existing: 0, duplicates_in_file: 0, invalid: 0 }, {}, null)
  expect(sentences()).toEqual(['1 person joins.'])
  delete tab.answers['imports/dry-run']
  await check({ new: 1, existing: 0, duplicates_in_file: 0, invalid: 0 }, {}, { joining: 1 })
  expect(sentences()).toEqual(['1 person joins.'])
})

test.each<[ImportDraft['consent'], string]>([
  ['shown', '4 people join.'],
  ['ask', '4 people are asked to confirm.'],
  ['contacts', '4 people become contacts.'],
])('People who agreed as "%s" are told apart.', async (consent, sentence) => {
  await check({}, { consent })
  expect(sentences()[0]).toBe(sentence)
})

test('The button counts the people that are taken: those who are here too where they follow the file.', async () => {
  await check()
  expect(tab.names()).toContain('Import 4 people')
  await check({}, { options: { update_existing: true } })
  expect(tab.names()).toContain('Import 7 people')
  expect(sentences()[1]).toBe('3 are here already and follow the file.')
})

test('The import begins, and what was chosen for it is forgotten.', async () => {
  tab.storage.set('masthead-import-7', '{}')
  tab.answers['imports/commit'] = new Refusal(409, 'CONFLICT', undefined, 'Somebody has begun it.')
  await check()
  await tab.press('Import 4 people')
  expect(tab.text()).toContain('The import did not begin.Somebody has begun it.')
  expect(tab.storage.size).toBe(1)
  tab.answers['imports/commit'] = {}
  await tab.press('Import 4 people')
  expect(tab.sent('imports/commit').map(({ import_id }) => import_id)).toEqual([7, 7])
  expect(tab.storage.size).toBe(0)
  await tab.press('Back')
  expect(back).toEqual(['consent'])
})

test('Nothing is imported where rows that are not valid stop it, or no row is valid.', async () => {
  await check({}, { options: { on_invalid: 'abort' } })
  expect(reason()).toEqual(['Mend the file, or leave such rows out.'])
  expect(tab.text('.form-actions')).toContain('Rows that are not valid stop this import.')
  await tab.press('Import 4 people')
  expect(tab.sent('imports/commit')).toEqual([])
  delete tab.answers['imports/dry-run']
  await check({ invalid: 0 }, { options: { on_invalid: 'abort' } })
  expect(reason()).toEqual([])
  delete tab.answers['imports/dry-run']
  await check({ valid: 0 })
  expect(reason()).toEqual(['No row can be imported.'])
})

test('A file that cannot be checked leads back to the columns or to consent.', async () => {
  tab.answers['imports/dry-run'] = new Refusal(422, 'VALIDATION', undefined, 'No such field.')
  await check()
  expect(tab.text()).toContain('The file could not be checked like this.No such field.')
  await tab.press('Back to the columns')
  await tab.press('Back to consent')
  expect(back).toEqual(['columns', 'consent'])
})

test('A large file is checked by a job, whose rows are counted while it runs.', async () => {
  const large = { ...record, size_bytes: SMALL_BYTES + 1 }
  let job: object = { status: 'running', processed: 1_200, error: null }
  tab.answers['POST /project/imports/examine'] = { job: { id: 5 } }
  tab.answers['jobs/get'] = () => ({ job })
  tab.answers['imports/get'] = { import: { findings: null, summary: SUMMARY, row_errors: [] } }
  const draft = { mapping: {}, options: {}, consent: 'ask' as const }
  const draw = () => tab.draw(h(CheckStep, { record: large as never, draft, onBack() {}, onMakeTags() {} }))
  await draw()
  expect(tab.sent('POST /project/imports/examine')[0]).toEqual({
    ...{ project_id: 'prj_harbour', import_id: 7, mapping: {} },
    options: { consent_confirmed: false, send_confirmation: true },
  })
  expect(tab.text()).toBe('Reading every row… 1,200 so far.Loading…')
  job = { status: 'completed', processed: 10, error: null }
  await draw()
  expect(tab.names()).toContain('Import 4 people')
  expect(tab.sent('imports/dry-run')).toEqual([])
  tab.answers['imports/get'] = new Refusal(404, 'NOT_FOUND', undefined, 'Not now.')
  await draw()
  expect(tab.text()).toContain('The file could not be checked like this.Not now.')
  for (const [status, error, words] of [
    ['failed', 'The disk is full.', 'The disk is full.'],
    ['cancelled', null, 'The job has ended.'],
  ] as const) {
    job = { status, processed: 10, error }
    await draw()
    expect(tab.text()).toContain(`The file could not be checked like this.${words}`)
  }
})

const errors = [
  { row: 1_002, field: 'email', value: 'x', code: 'email_invalid', message: 'It is no address.' },
  { row: 3, field: null, value: null, code: 'malformed', message: 'It has an open quote.' },
] as const

test('Flaws are numbered by the rows of the file, told apart by reason, and can all be had as a file.', async () => {
  const nameOf = columnNames(columns as never, { 0: 'email' })
  expect(['email', 'tags', 'custom.town'].map(nameOf)).toEqual(['E-mail', 'Tags', 'town'])
  const draw = (shown: readonly (typeof errors)[number][], total: number) =>
    h(RowErrors, { errors: shown, total, nameOf, import_id: 7, isStored: true })
  await tab.draw(draw(errors, 2))
  expect(tab.texts('h2')).toEqual(['Flaws'])
  expect(rowsOf(tab, 'Flaws')).toEqual([
    ['Row 1,002', 'E-mail', 'x', 'It is no address.'],
    ['Row 3', '', '', 'It has an open quote.'],
  ])
  expect(tab.texts('option')).toEqual(['All reasons', 'Not an address', 'Damaged row'])
  await tab.type('Reason', 'malformed')
  expect(rowsOf(tab, 'Flaws').map(([row]) => row)).toEqual(['Row 3'])
  expect(tab.text()).not.toContain('Nothing has this reason.')
  await tab.redraw(draw(errors.slice(0, 1), 2))
  expect(tab.text()).toContain('Nothing has this reason.')
  await tab.draw(draw(errors.slice(0, 1), 12_000))
  expect(tab.texts('h2')).toEqual(['Flaws: the first 1 of 12,000'])
  expect(tab.body.querySelector('select')).toBeNull()
  expect(tab.button('Download 12,000 flaws with rows and reasons').getAttribute('href')).toBe(
    '/project/imports/refused?project_id=prj_harbour&import_id=7',
  )
  tab.data.project!.role = 'member'
  await tab.draw(draw(errors, 2))
  expect(tab.has('Download 2 flaws with rows and reasons')).toBe(false)
})
