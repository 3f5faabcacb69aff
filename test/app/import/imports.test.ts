import { expect, test } from 'bun:test'
import { rowsOf, useTab } from '../../support/tab.ts'
import Imports from '../../../static/app/import/imports.tsx'

const tab = useTab()

const record = {
  id: 7,
  filename: 'people.csv',
  status: 'completed',
  summary: { rows: 1_200 },
  counters: { processed: 900, created: 800, failed: 20 },
  created_at: '2026-05-03T14:02:00.000Z',
}

test('Each import leads to its page, with the rows of its file, or those read where nobody counted them.', async () => {
  const pasted = { ...record, id: 8, filename: '', status: 'processing', summary: null }
  tab.answers['imports/list'] = { items: [record, pasted], next_cursor: null }
  await tab.open(Imports, '/imports?cursor=c1')
  expect(tab.sent('imports/list')).toEqual([{ project_id: 'prj_harbour', order: 'newest', limit: 50, cursor: 'c1' }])
  expect(rowsOf(tab, 'Imports').map((row) => row.slice(0, 5))).toEqual([
    ['people.csv', 'Done', '1,200', '800', '20'],
    ['Pasted text', 'Importing', '900', '800', '20'],
  ])
  expect(tab.button('Pasted text').getAttribute('href')).toBe('/portal/projects/harbour/imports/8')
})
