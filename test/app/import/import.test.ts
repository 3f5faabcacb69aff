import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { inTime } from '../../support/visit.ts'
import Import from '../../../static/app/import/import.tsx'

const tab = useTab(
  {},
  {
    ...{ 'custom-fields/list': { items: [] }, 'lists/list': { items: [] }, 'tags/list': { items: [] } },
    'GET /project/imports/providers': { items: [] },
  },
)
const column = (index: number, suggested_field: string | null) => ({ index, header: '', samples: [], suggested_field })
const RECORD = {
  ...{ id: 7, filename: 'people.csv', status: 'staged', delimiter: ',', mapping: null, options: null, error: null },
  columns: [column(0, 'email'), column(1, null), column(2, 'tags')],
  counters: { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
  ...{ summary: null, row_errors: [], size_bytes: 10, encoding: null, encoding_found: 'utf-8' },
}
async function open(record: object, step = '') {
  tab.answers['imports/get'] = { import: { ...RECORD, ...record } }
  await tab.open(Import, `/imports/7${step && `?step=${step}`}`, { id: '7' })
}
const current = () => tab.text('[aria-current=step]')
const links = () => tab.all('.steps a').map((link) => link.getAttribute('href'))

test('An import opens at its columns, or at the step of its address as long as it has not begun.', async () => {
  await open({})
  expect(tab.sent('imports/get')).toEqual([{ project_id: 'prj_harbour', import_id: 7 }])
  expect([tab.text('h1'), current()]).toEqual(['people.csv', '2Columns'])
  await open({ filename: '' }, 'columns')
  expect(tab.text('h1')).toBe('Pasted rows')
  await open({ status: 'validated' }, 'consent')
  expect(current()).toBe('3Consent')
  for (const named of ['import', 'file', 'other']) {
    await open({}, named)
    expect(current()).toBe('2Columns')
  }
  for (const status of ['queued', 'processing', 'completed', 'failed', 'cancelled']) {
    await open({ status }, 'consent')
    expect(current()).toContain('Import')
  }
})

test('Steps that are done lead back until the import has begun, but not to the file.', async () => {
  await open({}, 'consent')
  expect(links()).toEqual(['/portal/projects/harbour/imports/7?step=columns'])
  await open({ status: 'processing' })
  expect(links()).toEqual([])
})

test('The last step says how it ended.', async () => {
  for (const [status, sign] of [
    ['completed', 'Import, done'],
    ['cancelled', 'Import, done'],
    ['failed', '!Import, needs a look'],
    ['queued', '5Import'],
  ] as const) {
    await open({ status })
    expect(current()).toBe(sign)
  }
})

test('An import is asked for again while it waits or runs, and no more once it is over.', async () => {
  await inTime(tab, async (pass) => {
    for (const [status, calls] of [
      ['queued', 3],
      ['processing', 3],
      ['completed', 1],
      ['staged', 1],
    ] as const) {
      tab.calls.length = 0
      await open({ status })
      await pass(1_000)
      await pass(1_000)
      expect([status, tab.sent('imports/get').length]).toEqual([status, calls])
    }
  })
})

const address = () => new URLSearchParams(tab.address.split('?')[1]).get('step')

test('It goes from step to step with what the file suggests.', async () => {
  await open({})
  tab.button('Next: consent').focus()
  await tab.press('Next: consent')
  // The button went with its step.
  expect(document.activeElement?.hasAttribute('data-page-title')).toBe(true)
  expect([address(), tab.pushed]).toEqual(['consent', ['/imports/7?step=consent']])
  await tab.check('Only bring them in')
  tab.answers['imports/dry-run'] = new Refusal(422, 'VALIDATION')
  await tab.press('Next: check')
  expect(address()).toBe('check')
  expect(tab.sent('imports/dry-run')[0]).toMatchObject({
    mapping: { 0: 'email', 2: 'tags' },
    options: { list_ids: [], consent_confirmed: false },
  })
  await tab.press('Back to the columns')
  expect(address()).toBe('columns')
})

test('A choice is kept until the import begins; else the last check counts, and then the file.', async () => {
  const chosen = () => ['They agreed', 'Ask each', 'Only bring'].map((label) => tab.field(label).checked).indexOf(true)
  await open({}, 'consent')
  expect(chosen()).toBe(-1)
  await tab.check('Ask each of them')
  expect(JSON.parse(tab.storage.get('masthead-import-7')!)).toMatchObject({ consent: 'ask' })
  await open({ options: {} }, 'consent')
  expect(chosen()).toBe(1)
  tab.storage.clear()
  for (const [options, at] of [
    [{ consent_confirmed: true, send_confirmation: true }, 0],
    [{ send_confirmation: true }, 1],
    [{}, 2],
  ] as const) {
    await open({ options, mapping: { 1: 'email' } }, 'consent')
    expect(chosen()).toBe(at)
  }
  await open({ mapping: { 1: 'email' } })
  expect(['What is column 1?', 'What is column 2?'].map((label) => tab.field(label).value)).toEqual(['', 'Address'])
})

test('An import that cannot be loaded is asked for again.', async () => {
  tab.answers['imports/get'] = new Refusal(404, 'NOT_FOUND', undefined, 'It is gone.')
  await tab.open(Import, '/imports/7', { id: '7' })
  expect(tab.text()).toContain('The import could not be loaded.It is gone.')
  tab.answers['imports/get'] = { import: RECORD }
  await tab.press('Try again')
  expect(tab.text('h1')).toBe('people.csv')
})
