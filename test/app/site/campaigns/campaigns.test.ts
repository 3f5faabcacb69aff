import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { ResponseOf } from '../../../../static/app/api/calls.ts'
import { campaign, counts } from '../../../support/answers.ts'
import { type Answers, asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const AGAIN = ['campaigns/get', 'campaigns/list', 'campaigns/readiness', 'overview']

type Row = ResponseOf<'campaigns/list'>['items'][number]
const row = (more: Partial<Row> = {}): Row => ({ ...campaign(), stats: counts(), ...more })

async function open(at: string, rows: Row[], { role = 'owner' as Role, next = null as string | null } = {}) {
  const answers: Answers = {
    'campaigns/list': { items: rows, next_cursor: next },
    'campaigns/duplicate': { campaign: { id: 6 } },
    'campaigns/delete': {},
    'templates/list': { items: [], next_cursor: null, gallery: [] },
  }
  await visit(tab, `/campaigns${at}`, answers, role)
}

test('Campaigns stand with their state, their moment and what people did.', async () => {
  await open('', [
    row({ status: 'sent', finished_at: '2026-05-04T12:00:00.000Z', started_at: '2026-05-03T13:00:00.000Z' }),
    row({ id: 6, name: '', started_at: '2026-05-05T12:00:00.000Z', stats: counts({ recipients: 0, sent: 0 }) }),
    row({ id: 7, name: 'Same', subject: 'Same', stats: undefined }),
    row({
      id: 8,
      name: '',
      subject: '',
      status: 'scheduled',
      scheduled_at: '2026-05-06T12:00:00.000Z',
      timezone: 'Asia/Tokyo',
    }),
  ])
  expect(rowsOf(tab, 'Campaigns').map((cells) => cells.slice(0, 6))).toEqual([
    ['MayHigh water', 'Sent', '4 May 2026, 12:00', '1,200', '50%', '5%'],
    ['High water', 'Draft', '5 May 2026, 12:00', '–', '–', '–'],
    ['Same', 'Draft', '3 May 2026, 12:00', '–', '–', '–'],
    ['A letter without a subject', 'Scheduled', '6 May 2026, 21:00', '1,200', '50%', '5%'],
  ])
})

test.each([
  ['draft', '/edit'],
  ['failed', '/edit'],
  ['scheduled', '/review'],
  ['sending', ''],
  ['sent', ''],
] as const)('A campaign that is %s opens where it goes on.', async (status, page) => {
  await open('', [row({ status })])
  expect(tab.find('tbody a').getAttribute('href')).toEndWith(`/campaigns/5${page}`)
})

test('A state and a search are in the address, which begins at the first page again.', async () => {
  await open('?status=draft&search=May&cursor=c1', [row()])
  expect(asked(tab, 'campaigns/list')).toEqual([
    { order: 'newest', limit: 50, include: ['stats'], status: 'draft', search: 'May', cursor: 'c1' },
  ])
  expect(tab.field('Search name or subject').value).toBe('May')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Drafts'])
  await tab.press('Sent')
  expect(tab.address).toBe('/campaigns?status=sent&search=May')
  await tab.press('All')
  expect(tab.address).toBe('/campaigns?search=May')
})

test('Older campaigns are those of the same state.', async () => {
  await open('?status=sent', [row()], { next: 'c2' })
  await tab.press('Older')
  expect(tab.address).toBe('/campaigns?status=sent&cursor=c2')
})

test('An empty list tells a first campaign from a search without any.', async () => {
  await open('', [])
  expect(tab.names().filter((name) => name === 'New campaign')).toHaveLength(2)
  await open('?search=x', [])
  expect(tab.text('main')).toContain('No campaign matches.')
  await tab.press('Clear filters')
  expect(tab.address).toBe('/campaigns')
  await open('?status=draft&search=x&cursor=c1', [])
  await tab.press('Clear filters')
  expect(tab.address).toBe('/campaigns')
  await open('?status=sent', [])
  expect(tab.text('main')).toContain('No campaign matches.')
})

test('A member writes no campaign.', async () => {
  await open('', [row()], { role: 'member' })
  expect(tab.text('main')).toContain('Writing and sending takes an editor')
  expect([tab.has('New campaign'), tab.has('Actions for May')]).toEqual([false, false])
  await open('', [], { role: 'member' })
  expect(tab.has('New campaign')).toBe(false)
})

test('A copy opens at once.', async () => {
  await open('', [row()])
  await tab.press('Actions for May')
  expect(await change(tab, 'campaigns/duplicate', () => tab.press('Duplicate'))).toEqual({ busy: [], again: AGAIN })
  expect(asked(tab, 'campaigns/duplicate')).toEqual([{ campaign_id: 5 }])
  expect(tab.address).toBe('/campaigns/6/edit')
})

test('A campaign is deleted after a question, and none that is under way.', async () => {
  await open('', [row({ name: '' })])
  await tab.press('Actions for High water')
  await tab.press('Delete…')
  expect(tab.text('dialog h2')).toBe('Delete “High water”?')
  expect(await change(tab, 'campaigns/delete', () => tab.press('Delete 1 campaign'))).toEqual({
    busy: ['Delete 1 campaign'],
    again: AGAIN,
  })
  expect(asked(tab, 'campaigns/delete')).toEqual([{ campaign_id: 5 }])
  expect(tab.text('.toasts')).toContain('The campaign was deleted.')
  expect(tab.sent('campaigns/list')).toHaveLength(2)
})

test.each([
  ['preparing', true],
  ['sending', true],
  ['paused', true],
  ['sent', false],
  ['scheduled', false],
] as const)('Whether a campaign that is %s can be deleted is told.', async (status, isKept) => {
  await open('', [row({ status })])
  await tab.press('Actions for May')
  expect(tab.texts('.menu-item').at(-1)).toBe(isKept ? 'Delete…It is under way. Cancel it first.' : 'Delete…')
})

test('Campaigns that could not be loaded say so.', async () => {
  await visit(tab, '/campaigns', { 'campaigns/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Campaigns could not be loaded.')
})

async function openNew(at = '') {
  await visit(tab, `/campaigns/new${at}`, {
    'templates/list': {
      items: [
        { id: 8, name: 'Base', subject: 'News' },
        { id: 9, name: 'Bare', subject: '' },
      ],
      gallery: [
        { id: 'builtin:plain', name: 'Plain', description: 'Text.', thumbnail_url: 'https://masthead.example/p.png' },
        { id: 'builtin:warm', name: 'Warm', description: '', thumbnail_url: 'https://masthead.example/w.png' },
      ],
    },
    'campaigns/create': { campaign: { id: 6 } },
  })
}

test.each<[string, string, object]>([
  ['an empty letter', 'Begin with an empty letter', { subject: '' }],
  ['a template with a subject', 'Use Base', { template_id: 8 }],
  ['a template without a subject', 'Use Bare', { template_id: 9, subject: '' }],
  ['a design', 'Use Plain', { template_id: 'builtin:plain' }],
])('A campaign begins with %s.', async (_, verb, more) => {
  await openNew()
  expect(await change(tab, 'campaigns/create', () => tab.press(verb))).toEqual({
    busy: ['Begin with an empty letter'],
    again: AGAIN,
  })
  const [{ name, ...body }] = asked(tab, 'campaigns/create')
  expect(body).toEqual({ audience_spec: { include: [] }, ...more })
  expect(name).toBe('')
  expect(tab.address).toBe('/campaigns/6/edit')
})

test('The design of the address stands before the others.', async () => {
  await openNew('?design=warm')
  expect(tab.texts('.design strong')).toEqual(['Base', 'Bare', 'Warm', 'Plain'])
  expect(tab.find('.designs img').getAttribute('src')).toBe('/w.png')
})

test('A project without templates sees the designs only, and failures are told.', async () => {
  await visit(tab, '/campaigns/new', {
    'templates/list': { items: [], gallery: [] },
    'campaigns/create': new Refusal(409, 'LIMIT', undefined, 'There are too many.'),
  })
  expect(tab.texts('.designs h2')).toEqual(['Designs'])
  await tab.press('Begin with an empty letter')
  expect(tab.text('.flaw-summary')).toContain('The campaign could not be made.')
  await visit(tab, '/campaigns/new', { 'templates/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Templates could not be loaded.')
})
