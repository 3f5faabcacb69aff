import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { type Answers, asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const TEMPLATE = { id: 8, name: 'Base', subject: 'News', created_at: '', updated_at: '2026-05-03T12:00:00.000Z' }
const LETTER = { version: 1 as const, settings: {}, blocks: [] }

async function open(answers: Answers = {}, role: Role = 'owner') {
  await visit(
    tab,
    '/templates',
    {
      'templates/list': {
        items: [TEMPLATE],
        gallery: [{ id: 'builtin:plain', name: 'Plain', description: 'Text.', thumbnail_url: '/p.png' }],
      },
      // The page of the new template is another test's.
      'templates/get': ({ template_id }) =>
        template_id === 9 ? new Refusal(404, 'NOT_FOUND') : { template: { subject: 'Kept', editor_json: LETTER } },
      'templates/create': { template: { id: 9 } },
      'templates/delete': {},
      ...answers,
    },
    role,
  )
}

test('Templates stand with their subject, and lead to their letter.', async () => {
  await open()
  expect(rowsOf(tab, 'Your templates').map((row) => row.slice(1, 4))).toEqual([['Base', 'News', '3 May 2026, 12:00']])
  expect(tab.button('Base').getAttribute('href')).toEndWith('/templates/8')
})

test('A template is begun empty, from a design, or as a copy of another.', async () => {
  for (const press of [
    () => tab.press('New template'),
    () => tab.press('Make a template from Plain'),
    async () => {
      await tab.press('Actions for Base')
      await tab.press('Duplicate')
    },
  ]) {
    await open()
    expect((await change(tab, 'templates/create', press)).again).toEqual(['templates/list'])
    expect(tab.address).toBe('/templates/9')
  }
  expect(asked(tab, 'templates/create')).toEqual([
    { name: 'New template', editor_json: LETTER },
    { name: 'Plain', editor_json: LETTER, subject: 'Kept' },
    { name: 'Base, copy', editor_json: LETTER, subject: 'Kept' },
  ])
  const read = asked(tab, 'templates/get').map(({ template_id }) => template_id as unknown)
  expect(read.filter((id) => id !== 9)).toEqual(['builtin:plain', 8])
})

test('A template is deleted after a question.', async () => {
  await open()
  await tab.press('Actions for Base')
  await tab.press('Delete…')
  expect(await change(tab, 'templates/delete', () => tab.press('Delete 1 template'))).toEqual({
    busy: ['Delete 1 template'],
    again: ['templates/list'],
  })
  expect(asked(tab, 'templates/delete')).toEqual([{ template_id: 8 }])
  expect(tab.text('.toasts')).toContain('The template was deleted.')
  expect(tab.sent('templates/list')).toHaveLength(2)
})

test('A member looks at templates.', async () => {
  await open({}, 'member')
  expect([tab.has('New template'), tab.has('Actions for Base'), tab.has('Make a template from Plain')]).toEqual([
    ...[false, false, false],
  ])
  expect(tab.text('main')).toContain('Changing templates takes an editor')
})

test('An editor makes templates, and is told what they are for.', async () => {
  await open({}, 'editor')
  expect(tab.has('New template')).toBe(true)
  expect(tab.text('main')).toContain('What new letters begin with.')
  expect(tab.text('main')).not.toContain('Changing templates takes')
})

test('A template that could not be made or loaded says so.', async () => {
  await open({ 'templates/create': new Refusal(409, 'LIMIT', undefined, 'Too many.') })
  await tab.press('New template')
  expect(tab.text('.flaw-summary')).toContain('The template could not be made.')
  await open({ 'templates/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Templates could not be loaded.')
})
