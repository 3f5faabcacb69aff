import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { RouteResponse } from '../../../../static/app/api/calls.ts'
import type { Job } from '../../../../static/app/api/operations.d.ts'
import { targetWords } from '../../../../static/app/site/project/audit-labels.ts'
import { asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const job = (more: Partial<Job> = {}): Job => ({
  ...{ id: 3, kind: 'bulk', action: 'add_tags', about: { type: 'tag', id: 5, name: 'VIP' }, status: 'running' },
  ...{ processed: 1_200, total: 5_000, error: null, attempts: 1, created_at: AT, updated_at: AT },
  ...more,
})

async function openJobs(jobs: Job[], at = '', role: Role = 'owner', next_cursor: string | null = null) {
  const answers = {
    'jobs/list': { items: jobs, next_cursor },
    'jobs/requeue': { job: job({ status: 'queued' }) },
    'imports/cancel': {},
    'POST /project/jobs/cancel': {},
  }
  await visit(tab, `/activity${at}`, answers, role)
}

test('Jobs stand with what they do, how far they are and why they failed.', async () => {
  await openJobs([
    job(),
    job({ id: 4, status: 'completed', total: null, about: null }),
    job({ id: 5, kind: 'import', action: null, about: { type: 'import', id: 9, name: 'a.csv' }, status: 'failed' }),
    job({ id: 6, status: 'failed', error: 'The disk is full.' }),
    job({ id: 7, total: null, about: null }),
  ])
  const rows = rowsOf(tab, 'Jobs')
  expect(rows.map(([name, state]) => [name, state])).toEqual([
    ['Tagging contacts: VIP', 'Running'],
    ['Tagging contacts', 'Done'],
    ['Import: a.csv', 'Failed'],
    ['Tagging contacts: VIPThe disk is full.', 'Failed'],
    ['Tagging contacts', 'Running'],
  ])
  expect(rows.map(([, , done]) => done)).toEqual([
    ...['Done1,200 of 5,000', '1,200', '1,200 of 5,000', '1,200 of 5,000', 'Done1,200'],
  ])
  const bars = tab.all('[role=progressbar]').map((bar) => bar.getAttribute('aria-valuenow'))
  expect(bars).toEqual(['24', null])
  expect(tab.button('Import: a.csv').getAttribute('href')).toEndWith('/imports/9')
  expect(tab.button('Tagging contacts: VIP').getAttribute('href')).toEndWith('/lists')
  expect(tab.has('Tagging contacts')).toBe(false)
})

test('Only jobs of a status are asked for where the address says one.', async () => {
  await openJobs([], '?status=failed&after=c1')
  expect(asked(tab, 'jobs/list')).toEqual([{ order: 'newest', limit: 50, statuses: ['failed'], cursor: 'c1' }])
  expect(tab.text('main')).toContain('No job has this status.')
  await tab.type('Status', '')
  expect(tab.address).toBe('/activity')
  expect(tab.text('main')).toContain('None has run yet.')
  await tab.type('Status', 'queued')
  expect(tab.address).toBe('/activity?status=queued')
})

test('Older jobs are of the same status.', async () => {
  await openJobs([job()], '?status=running', 'owner', 'c2')
  await tab.press('Older')
  expect(tab.address).toBe('/activity?status=running&after=c2')
})

test('A failed job is queued again, one under way is canceled unless its campaign does that.', async () => {
  const prepare = job({
    id: 7,
    kind: 'campaign_prepare',
    action: null,
    about: { type: 'campaign', id: 1, name: 'May' },
  })
  await openJobs([job({ status: 'failed' }), job({ id: 4, status: 'completed' }), prepare])
  expect(tab.names().filter((name) => /^(Try again|Cancel)/.test(name))).toEqual(['Try again Tagging contacts: VIP'])
  expect((await change(tab, 'jobs/requeue', () => tab.press('Try again'))).again).toEqual(['jobs/get', 'jobs/list'])
  expect(asked(tab, 'jobs/requeue')).toEqual([{ job_id: 3 }])
  expect(tab.text('.toasts')).toContain('Tagging contacts: VIP: queued again.')
  expect(tab.sent('jobs/list')).toHaveLength(2)
})

test('A job that was not queued again says why.', async () => {
  await openJobs([job({ status: 'failed' })])
  tab.answers['jobs/requeue'] = new Refusal(409, 'CONFLICT', undefined, 'It is gone.')
  await tab.press('Try again')
  expect(tab.text('main')).toContain('The job was not queued again.It is gone.')
})

test('A member changes no job.', async () => {
  await openJobs([job({ status: 'failed' }), job({ id: 4, status: 'queued' })], '', 'member')
  expect(tab.names().filter((name) => /^(Try again|Cancel)/.test(name))).toEqual([])
})

test.each<[string, Partial<Job>, string, string, string]>([
  ['a change', {}, 'Cancel the change', '1,200 contacts are done and stay', 'POST /project/jobs/cancel'],
  ['a change of one', { processed: 1 }, 'Cancel the change', '1 contact is done', 'POST /project/jobs/cancel'],
  [
    'an import',
    { kind: 'import', action: null, about: { type: 'import', id: 9, name: 'a.csv' }, status: 'queued' },
    'Cancel the import',
    '1,200 rows are done.',
    'imports/cancel',
  ],
  [
    'an import of one',
    { kind: 'import', action: null, about: { type: 'import', id: 9, name: 'a.csv' }, processed: 1 },
    'Cancel the import',
    '1 row is done.',
    'imports/cancel',
  ],
  [
    'the reading of a file',
    { kind: 'import_examine', action: null, about: { type: 'import', id: 9, name: 'a.csv' } },
    'Cancel the import',
    'Nothing of the file was imported yet.',
    'imports/cancel',
  ],
])('The lasting effects are told before %s is canceled.', async (_, more, verb, stays, call) => {
  await openJobs([job(more)])
  await tab.press('Cancel')
  expect(tab.text('dialog')).toContain(stays)
  expect(await change(tab, call as 'imports/cancel', () => tab.press(verb))).toEqual({
    busy: [verb],
    again: ['contacts/list', 'contacts/stats', 'imports/list', 'jobs/get', 'jobs/list'],
  })
  expect(asked(tab, call as never)).toEqual([call === 'imports/cancel' ? { import_id: 9 } : { job_id: 3 }])
  expect(tab.sent('jobs/list')).toHaveLength(2)
})

test('Jobs that could not be loaded are asked for again.', async () => {
  await visit(tab, '/activity', { 'jobs/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Jobs could not be loaded.')
})

type Row = RouteResponse<'POST /project/audit/list'>['items'][number]
const row = (more: Partial<Row> = {}): Row => ({
  ...{ id: 1, at: AT, actor: 'user:usr_ada', action: 'campaigns/create', target: 'campaign:5', details: {} },
  ...{ outcome: 'done' as Row['outcome'], ip: '203.0.113.7', request_id: null, project_id: null },
  ...more,
})

const NAMES = {
  ...{ 'campaign:5': 'Spring letter', 'user:usr_left': 'Bo Holm', 'app:cli_1': 'Tides', 'key:key_3': 'Old site' },
  'list:2': 'Weekly',
}

async function openLog(rows: Row[], at = '', role: Role = 'owner', next_cursor: string | null = null) {
  await visit(
    tab,
    `/activity?tab=people${at}`,
    {
      'POST /project/audit/list': { items: rows, next_cursor, names: NAMES },
      'POST /project/members/list': {
        members: [{ user_id: 'usr_ada', firstName: 'Ada', lastName: 'Lind', email: 'ada@example.com' }],
        invitations: [],
      },
      'POST /project/api-keys/list': { api_keys: [{ id: 'key_1', name: 'Website' }] },
    },
    role,
  )
}

test('A change is told with the person who made it.', async () => {
  const actors = [
    ...['user:usr_ada', 'user:usr_x', 'key:key_1', 'key:key_2', 'service', 'command line', 'visitor'],
    ...['app:app_1', 'app:app_1 for user:usr_ada', 'app:app_1 for user:usr_x', 'contact:7', 'provider:ses', 'other'],
    ...['user:usr_left', 'key:key_3', 'app:cli_1 for user:usr_left', 'app:cli_1 for user:usr_ada'],
  ]
  await openLog(actors.map((actor, at) => row({ id: at, actor })))
  expect(rowsOf(tab, 'Who did what').map(([, , who]) => who)).toEqual([
    ...['Ada Lind', 'Somebody who left', 'Key “Website”', 'A key that was revoked', 'The service', 'The operator'],
    ...['A visitor', 'An app', 'An app, for Ada Lind', 'An app, for somebody who left', 'Contact 7'],
    ...['The provider ses', 'other', 'Bo Holm', 'Key “Old site”', 'Tides, for Bo Holm', 'Tides, for Ada Lind'],
  ])
})

test('A row tells what was changed and what was refused, and leads to it.', async () => {
  const details = { fields: ['name', 'subject'], role: 'editor', limit: { of: 3 } }
  await openLog([
    row({ details, outcome: 'refused' }),
    row({ id: 2, target: 'project:prj_harbour', ip: null }),
    row({ id: 3, target: null }),
    row({ id: 4, target: 'sign_up_form:frm_1' }),
    row({
      ...{ id: 5, action: 'lists/delete', target: 'list:9' },
      details: {
        name: 'Old list',
        list_id: 2,
        changes: { subject: ['May', ''], public: [false, true], port: [25, 587] },
      },
    }),
    row({ id: 6, target: 'campaign:6' }),
  ])
  const rows = rowsOf(tab, 'Who did what')
  expect(rows.map(([what]) => what)).toEqual([
    'Created a campaign Refusedchanged: name, subject; role: editor; limit: {"of":3}',
    ...Array.from({ length: 3 }, () => 'Created a campaign'),
    'Deleted a list list: Weekly; subject: “May” → nothing; public: off → on; port: 25 → 587',
    'Created a campaign',
  ])
  expect(rows.map(([, target]) => target)).toEqual([
    ...['Spring letter', '', '', 'sign up form', 'Old list', 'campaign 6'],
  ])
  expect(rows.map(([, , , ip]) => ip).slice(0, 3)).toEqual(['203.0.113.7', '', '203.0.113.7'])
  expect(tab.button('Spring letter').getAttribute('href')).toEndWith('/campaigns/5')
  // What is gone has the name that it had, and no page.
  expect(tab.has('Old list')).toBe(false)
})

test.each([
  ['contact:7', '/contacts/7', 'contact 7'],
  ['segment:7', '/segments/7', 'segment 7'],
  ['import:7', '/imports/7', 'import 7'],
  ['template:7', '/templates/7', 'template 7'],
  ['connection:7', '/sending/7', 'connection 7'],
  ['page:7', '/pages/7', 'page 7'],
  ['post:7', '/posts/7', 'post 7'],
  ['api_key:key_7', '/keys', 'api key'],
  ['member:usr_7', '/members', 'member'],
  ['invitation:inv_7', '/members', 'invitation'],
  ['job:7', '/activity', 'job 7'],
  ['file', null, 'file'],
])('An event of %s is found at its page.', (target, path, text) => {
  expect(targetWords(target)).toEqual({ text, path })
})

test('The log is searched by who, what and the days of this place.', async () => {
  await openLog([], '&who=service&what=lists/delete&from=2026-05-01&to=2026-05-03&after=c1')
  const day = (at: string) => new Date(`${at}T00:00`).toISOString()
  expect(asked(tab, 'POST /project/audit/list')).toEqual([
    {
      ...{ limit: 50, actor: 'service', action: 'lists/delete', cursor: 'c1' },
      ...{ from: day('2026-05-01'), to: day('2026-05-04') },
    },
  ])
  expect(tab.text('main')).toContain('Nothing matches.')
  await tab.type('Who', 'user:usr_ada')
  expect(tab.address).toBe('/activity?tab=people&who=user%3Ausr_ada&what=lists%2Fdelete&from=2026-05-01&to=2026-05-03')
  expect(tab.button('Clear filters').getAttribute('href')).toEndWith('/activity?tab=people')
})

test('Each filter of the log is in the address.', async () => {
  await openLog([])
  expect(asked(tab, 'POST /project/audit/list')).toEqual([{ limit: 50 }])
  expect(tab.text('main')).toContain('Every change of the project is written down here')
  expect(tab.has('Clear filters')).toBe(false)
  await tab.type('What', 'contacts/bulk')
  await tab.type('From', '2026-05-01')
  await tab.type('Until', '2026-05-02')
  expect(tab.address).toBe('/activity?tab=people&what=contacts%2Fbulk&from=2026-05-01&to=2026-05-02')
})

test('Older rows of the log are of the same filter.', async () => {
  await openLog([row()], '&who=service', 'owner', 'c2')
  await tab.press('Older')
  expect(tab.address).toBe('/activity?tab=people&who=service&after=c2')
  await tab.press('Newer')
  expect(tab.address).toBe('/activity?tab=people&who=service')
})

test('The log is for administrators.', async () => {
  await openLog([row()], '', 'editor')
  expect(tab.text('main')).toContain('Reading who did what takes an administrator')
  expect(tab.sent('POST /project/audit/list')).toEqual([])
  tab.answers['jobs/list'] = { items: [], next_cursor: null }
  await tab.press('Jobs')
  expect(tab.address).toBe('/activity')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Jobs'])
  await tab.press('Who did what')
  expect(tab.address).toBe('/activity?tab=people')
  expect(tab.texts('[role=tab][aria-selected=true]')).toEqual(['Who did what'])
})

test('A log that could not be loaded says so.', async () => {
  await openLog([])
  await visit(tab, '/activity?tab=people', { 'POST /project/audit/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The log could not be loaded.')
})
