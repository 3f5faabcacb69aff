import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { RouteResponse } from '../../../../static/app/api/calls.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

type Project = RouteResponse<'POST /project/get'>['project']
const PROJECT = { id: 'prj_harbour', name: 'Harbour', slug: 'harbour' }
const RECORD = { type: 'TXT' as const, name: '_masthead.harbour.example', value: 'proof-1' }
const OWN = { domain: 'harbour.example', domain_record: RECORD }

const USAGE = {
  contacts: { used: 1_500, limit: 2_000 },
  messages_this_month: { used: 12, limit: null, resets_on: '2026-12-01T00:00:00.000Z' },
  members: { used: 3, limit: 5 },
  api_keys: { used: 0, limit: 20 },
  stored: [
    { kind: 'pages' as const, rows: 10, row_limit: 100, bytes: 500_000, byte_limit: 1_000_000 },
    { kind: 'posts' as const, rows: 60, row_limit: 100, bytes: 500_000, byte_limit: 1_000_000 },
    { kind: 'files' as const, rows: 1, row_limit: 100, bytes: 0, byte_limit: 0 },
  ],
}

async function open(more: Partial<Project> = {}, role: Role = 'owner', answers: Answers = {}) {
  await visit(
    tab,
    '/settings',
    {
      'POST /project/get': { project: { ...PROJECT, ...more } },
      'POST /project/usage': { usage: USAGE },
      'POST /project/update': { project: { ...PROJECT, slug: 'new-harbour' } },
      'POST /project/members/list': {
        members: ['ada', 'bo'].map((name) => ({
          ...{ user_id: `usr_${name}`, firstName: name, lastName: '', email: `${name}@example.com` },
        })),
        invitations: [],
      },
      ...answers,
    },
    role,
  )
}

test('Name and short name are saved, and the application opens at its new address.', async () => {
  await open()
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
  expect(tab.text('form')).not.toContain('lead nowhere afterwards')
  await tab.type('Name', 'New Harbour')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBeNull()
  expect(tab.text('form')).not.toContain('lead nowhere afterwards')
  await tab.type('Short name for addresses', 'new-harbour')
  expect(tab.text('form')).toContain('Links to /sites/harbour/ lead nowhere afterwards')
  expect(tab.text('form')).toContain('The site is at https://masthead.example/sites/new-harbour/')
  await tab.press('Save')
  expect(asked(tab, 'POST /project/update')).toEqual([{ name: 'New Harbour', slug: 'new-harbour' }])
  expect(tab.left).toEqual(['/portal/projects/new-harbour/settings'])
})

test('A short name that is taken is told beside it.', async () => {
  const flaws = [{ path: '/slug', message: 'Is taken.' }]
  await open({}, 'owner', { 'POST /project/update': new Refusal(400, 'VALIDATION_FAILED', flaws) })
  await tab.type('Short name for addresses', 'taken')
  await tab.press('Save')
  expect([tab.text('form .field-flaw'), tab.left]).toEqual(['Is taken.', []])
})

test('A name that is refused is told at its field, and can be tried again.', async () => {
  await open({}, 'owner', { 'POST /project/update': flawed('slug', 'name') })
  await tab.type('Name', 'x')
  await tab.press('Save')
  expect(flawsAt(tab, 'Name', 'Short name for addresses')).toEqual(['name', 'slug'])
  await tab.type('Name', 'Harbour')
  expect(tab.button('Save').getAttribute('aria-disabled')).toBe('true')
})

test('An editor reads the settings.', async () => {
  await open({ ...OWN, domain_status: 'unproven' }, 'editor')
  expect(tab.text('main')).toContain('Changing these takes an administrator')
  expect(tab.texts('main dd').slice(0, 3)).toEqual(['Harbour', 'harbour', 'prj_harbour'])
  for (const name of ['Save', 'Use another domain', 'Remove it', 'Look again', 'Hand over'])
    expect(tab.has(name)).toBe(false)
  expect(tab.text('main')).toContain('This takes an owner; you are an editor here.')
})

test('An administrator changes the domain, and does not end the project.', async () => {
  await open({}, 'administrator')
  expect([tab.has('Add a domain'), tab.has('Delete the project')]).toEqual([true, false])
})

test('The room that the project takes is shown beside the limit that is nearer.', async () => {
  await open()
  expect(tab.texts('.usage .progress-head')).toEqual([
    'Contacts1,500 of 2,000',
    'Messages this month12 so far, no limit',
    'Members3 of 5',
    'API keys0 of 20',
    'Pages488 kB of 977 kB',
    'Posts60 of 100',
    'Pictures1 of 100',
  ])
  const bars = tab.all('.usage [role=progressbar]').map((bar) => bar.getAttribute('aria-valuenow'))
  expect(bars).toEqual(['75', '0', '60', '0', '50', '60', '1'])
  expect(tab.text('main')).toContain('begins again on 1 Dec 2026')
})

test('Without a domain the site is at the address of the service.', async () => {
  await open()
  expect(tab.button('https://masthead.example/sites/harbour/').getAttribute('href')).toBe(
    'https://masthead.example/sites/harbour/',
  )
  expect(tab.has('Remove it')).toBe(false)
  await tab.press('Add a domain')
  expect(tab.button('Use this domain').getAttribute('aria-disabled')).toBe('true')
  await tab.type('Domain', ' harbour.example ')
  expect(await change(tab, 'POST /project/update', () => tab.press('Use this domain'))).toEqual({
    busy: ['Use this domain'],
    again: ['/project/get'],
  })
  expect(asked(tab, 'POST /project/update')).toEqual([{ domain: 'harbour.example' }])
  expect(tab.has('Use this domain')).toBe(false)
  expect(tab.sent('POST /project/get')).toHaveLength(2)
})

test.each<[string, Partial<Project>, string, string]>([
  ['waits for its proof', { domain_status: 'unproven' }, 'Not proven yet', 'harbour.example is not served yet.'],
  [
    'waits while another one is served',
    { domain_status: 'unproven', served_domain: 'old.example' },
    'Not proven yet',
    'harbour.example is not served yet; old.example still is.',
  ],
  ['is proven', { domain_status: 'proven' }, 'Proven', 'harbour.example serves the site.'],
  ['lost its proof', { domain_status: 'lost' }, 'Proof is missing', 'harbour.example serves the site.'],
])('A domain that %s says so.', async (_, more, state, sentence) => {
  await open({ ...OWN, ...more })
  expect([tab.text('.badge'), tab.text('main')]).toEqual([state, expect.stringContaining(sentence)])
  expect(tab.body.querySelector('.record') === null).toBe(more.domain_status === 'proven')
  expect(tab.text('main').includes('let go after seven days')).toBe(more.domain_status === 'lost')
  expect(tab.button('Use another domain')).toBeDefined()
})

test.each([
  ['published', 'harbour.example is proven and serves the site.', '.toasts'],
  ['missing', 'There is no record under this name yet.', '.callout'],
  ['different', 'with another value.', '.callout'],
  ['no_answer', 'The DNS gave no answer just now', '.callout'],
] as const)('A look for the proof that is %s is told.', async (found, said, where) => {
  await open({ ...OWN, domain_status: 'unproven' }, 'owner', { 'POST /project/domain/verify': { found } })
  expect(tab.texts('.record dd')).toEqual(['TXT', '_masthead.harbour.example', 'proof-1'])
  expect(tab.text('main')).toContain('a CNAME or ALIAS record to masthead.example.')
  expect(await change(tab, 'POST /project/domain/verify', () => tab.press('Look again'))).toEqual({
    busy: ['Look again'],
    again: ['/project/get'],
  })
  expect(tab.text(where)).toContain(said)
  expect(tab.all('.callout')).toHaveLength(found === 'published' ? 0 : 1)
  expect(tab.sent('POST /project/get')).toHaveLength(2)
})

test('A domain without a record to add is not asked to be proven.', async () => {
  await open({ domain: 'harbour.example', domain_status: 'unproven' })
  expect([tab.has('Look again'), tab.has('Use another domain')]).toEqual([false, true])
})

test('A service at a bare number asks for an address record.', async () => {
  tab.data.base_url = 'http://203.0.113.7:8080'
  await open({ ...OWN, domain_status: 'unproven' })
  expect(tab.text('main')).toContain('an A or AAAA record to 203.0.113.7.')
})

test('A domain is taken away after a question.', async () => {
  await open({ ...OWN, domain_status: 'proven' })
  await tab.press('Remove it')
  await tab.press('Remove harbour.example')
  expect(asked(tab, 'POST /project/update')).toEqual([{ domain: null }])
  expect(tab.left).toEqual(['reload'])
})

test('A flaw of a domain stands beside it, anything else above the form.', async () => {
  const flaws = [{ path: '/domain', message: 'Is no domain.' }]
  await open({}, 'owner', { 'POST /project/update': new Refusal(400, 'VALIDATION_FAILED', flaws, 'Look again.') })
  await tab.press('Add a domain')
  await tab.type('Domain', 'x')
  await tab.press('Use this domain')
  expect(tab.texts('.field-flaw')).toEqual(['Is no domain.'])
  expect(tab.all('.flaw-summary')).toHaveLength(0)
  tab.answers['POST /project/update'] = new Refusal(409, 'CONFLICT', undefined, 'Another project has it.')
  await tab.press('Use this domain')
  expect(tab.text('.flaw-summary')).toContain('Another project has it.')
  await tab.press('Not now')
  expect(tab.has('Add a domain')).toBe(true)
})

test('A project is deleted once its name is typed and the person is proven.', async () => {
  let proven = false
  await open({}, 'owner', {
    'POST /project/delete': () => (proven ? {} : new Refusal(403, 'CONFIRMATION_REQUIRED')),
    'POST /user/confirm': () => ((proven = true), {}),
  })
  expect(tab.button('Export everything').getAttribute('href')).toBe('/project/prj_harbour/export')
  expect(tab.button('Export everything').getAttribute('download')).toBe('harbour.jsonl')
  await tab.press('Delete the project')
  await tab.type('Type Harbour to go on', 'Harbou')
  await tab.press('Delete Harbour')
  expect(tab.sent('POST /project/delete')).toEqual([])
  await tab.type('Type Harbour to go on', ' Harbour ')
  await tab.press('Delete Harbour')
  await tab.type('Password of ada@example.com', 'secret')
  await tab.press('Go on')
  expect(tab.sent('POST /user/confirm')).toEqual([{ password: 'secret' }])
  expect(asked(tab, 'POST /project/delete')).toEqual([{ name: 'Harbour' }, { name: 'Harbour' }])
  expect(tab.left).toEqual(['/portal/'])
})

test('A wrong password is told beside it, and giving up deletes nothing.', async () => {
  const wrong = [{ path: '/password', message: 'Is wrong.' }]
  await open({}, 'owner', {
    'POST /project/delete': new Refusal(403, 'CONFIRMATION_REQUIRED', undefined, 'Confirm first.'),
    'POST /user/confirm': new Refusal(400, 'VALIDATION_FAILED', wrong),
  })
  await tab.press('Delete the project')
  await tab.type('Type Harbour to go on', 'Harbour')
  await tab.press('Delete Harbour')
  await tab.press('Go on')
  expect(tab.texts('.field-flaw')).toEqual(['Is wrong.'])
  await tab.press('Close')
  expect(tab.text('dialog')).toContain('Confirm first.')
  expect([tab.sent('POST /project/delete').length, tab.left]).toEqual([1, []])
})

test('A project is handed over to another member.', async () => {
  await open({}, 'owner', { 'POST /project/hand-over': {} })
  await tab.press('Hand over')
  expect(tab.text('dialog')).toContain('Choose who becomes owner.')
  expect([...tab.field('New owner').querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Choose a member',
    'bo, bo@example.com',
  ])
  await tab.type('New owner', 'usr_bo')
  await tab.press('Hand over to bo')
  expect(asked(tab, 'POST /project/hand-over')).toEqual([{ user_id: 'usr_bo' }])
  expect(tab.left).toEqual(['reload'])
})

test('A project without other members is handed to nobody.', async () => {
  await open({}, 'owner', { 'POST /project/members/list': { members: [{ user_id: 'usr_ada' }], invitations: [] } })
  await tab.press('Hand over')
  expect(tab.text('dialog option')).toBe('Nobody else is a member')
})

test('A project that could not be loaded says so.', async () => {
  await open({}, 'owner', {
    'POST /project/get': new Refusal(403, 'FORBIDDEN'),
    'POST /project/usage': new Refusal(403, 'FORBIDDEN'),
  })
  expect(tab.text('main')).toContain('The project could not be loaded.')
  expect(tab.body.querySelector('.project-settings')).toBeNull()
  await open({}, 'owner', { 'POST /project/usage': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('The usage could not be loaded.')
})
