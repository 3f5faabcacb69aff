import { expect, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import type { Content } from '../../../static/app/letter/editor.ts'
import {
  campaignContent,
  documentOf,
  loadLetter,
  saveLetter,
  type Source,
  templateContent,
} from '../../../static/app/letter/source.ts'

const tab = useTab()
const CAMPAIGN: Source = { kind: 'campaign', id: 7, key: 'campaign 7' }
const TEMPLATE: Source = { kind: 'template', id: 3, key: 'template 3' }
const document = { version: 1 as const, settings: { preheader: 'inside' }, blocks: [] }
const saved: Content = { name: 'May', subject: 'Hi', preheader: 'p', document }
const row = { ...saved, editor_json: document, updated_at: 'then', updated_by: { id: 'usr_bo', name: 'Bo' } }

test('A campaign has its own preview text, a template has it in its document.', async () => {
  tab.answers['campaigns/get'] = { campaign: row }
  tab.answers['templates/get'] = { template: { ...row, editor_json: { ...document, settings: {} } } }
  const { updated_at, updated_by } = row
  expect(await loadLetter(CAMPAIGN)).toEqual({ content: saved, updated_at, updated_by })
  expect((await loadLetter(TEMPLATE)).content.preheader).toBe('')
  expect(templateContent(row as never).content.preheader).toBe('inside')
  expect(campaignContent(row as never).content.preheader).toBe('p')
  expect(tab.calls.map(({ body }) => body.campaign_id ?? body.template_id)).toEqual([7, 3])
})

test('The preview text of a template is saved in its document, and an empty one goes.', () => {
  expect(documentOf(CAMPAIGN, saved)).toBe(document)
  expect(documentOf(TEMPLATE, { ...saved, preheader: 'inside' })).toBe(document)
  expect(documentOf(TEMPLATE, saved).settings).toEqual({ preheader: 'p' })
  expect(documentOf(TEMPLATE, { ...saved, preheader: '' }).settings).toEqual({})
})

const expected_updated_at = 'then'

test('Only what differs is sent, with the state that it was made from.', async () => {
  tab.answers['campaigns/update'] = { campaign: { updated_at: 'now' } }
  const save = (change: Partial<Content>) =>
    saveLetter(CAMPAIGN, { content: { ...saved, ...change }, saved, expected_updated_at })
  expect(await save({})).toBe('now')
  await save({ name: 'June', preheader: 'q' })
  await save({ subject: 'Ho', document: { ...document } })
  const always = { project_id: 'prj_harbour', campaign_id: 7, expected_updated_at, return: 'summary' }
  expect(tab.sent('campaigns/update').map(({ idempotency_key: _, ...body }) => body)).toEqual([
    always,
    { ...always, name: 'June', preheader: 'q' },
    { ...always, subject: 'Ho', editor_json: document },
  ])
})

test('A template is saved with its preview text in the document.', async () => {
  tab.answers['templates/update'] = { template: { updated_at: 'now' } }
  const content = { ...saved, preheader: 'q' }
  expect(await saveLetter(TEMPLATE, { content, saved: { ...saved, preheader: 'inside' }, expected_updated_at })).toBe(
    'now',
  )
  const [{ template_id, editor_json, preheader }] = tab.sent('templates/update') as [any]
  expect([template_id, editor_json.settings, preheader]).toEqual([3, { preheader: 'q' }, undefined])
})
