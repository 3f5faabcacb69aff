import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
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
  expect(rowsOf(tab, 'Imports')[0]![5]).toStartWith('3 May 2026')
  expect(tab.button('Pasted text').getAttribute('href')).toBe('/portal/projects/harbour/imports/8')
})

test('Editors begin an import, members read who may.', async () => {
  tab.answers['imports/list'] = { items: [], next_cursor: null }
  await tab.open(Imports, '/imports')
  expect(tab.button('Import contacts').getAttribute('href')).toBe('/portal/projects/harbour/imports/new')
  expect(tab.body.querySelector('.page-lead')).toBeNull()
  tab.data.project!.role = 'member'
  await tab.open(Imports, '/imports')
  expect(tab.has('Import contacts')).toBe(false)
  expect(tab.text('.page-lead')).toBe('Importing takes an editor; you are a member here. Ask Bo Holm.')
})

test('Older imports have their address, and what cannot be loaded is asked for again.', async () => {
  tab.answers['imports/list'] = { items: [record], next_cursor: 'c2' }
  await tab.open(Imports, '/imports')
  await tab.press('Older')
  expect([tab.address, tab.sent('imports/list')[1].cursor]).toEqual(['/imports?cursor=c2', 'c2'])
  tab.answers['imports/list'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Imports, '/imports')
  expect(tab.text()).toContain('Imports could not be loaded.')
})
