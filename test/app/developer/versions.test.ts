import { expect, test } from 'bun:test'
import { AT, appAnswers, INSTALLS, LISTING, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import VersionPage from '../../../static/app/developer/version.tsx'
import Versions from '../../../static/app/developer/versions.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const version = (number: number, status: string, more: object = {}) => ({
  ...{ id: number * 10, number, status, live: false, created_by: 'ada', created_on: AT, notes: '', ...CONTENTS },
  ...more,
})
const CONTENTS = {
  ...{ displayName: 'Tides', description: 'High water', homepage: 'https://a.example', scripts: [], listing: LISTING },
  ...{ redirect_uris: ['https://a.example/back'], scopes: ['newsletter:read'] },
  scope_reasons: { 'newsletter:read': 'To count.' },
}
const review = (version_id: number, status: string, comment = '', app_id = 'app_1') => ({
  ...{ app_id, version_id, status, comment },
})
function answer(versions: { id: number }[], review_requests: object[] = [], app: object = {}) {
  const totals = { ...INSTALLS.totals, projects: 3 }
  Object.assign(tab.answers, appAnswers(app), {
    [`${ROUTE}/versions`]: { versions },
    [`${ROUTE}/installs`]: { ...INSTALLS, totals },
    [`${ROUTE}/team`]: { team: [{ user_id: 'ada', email: 'ada@example.com' }], invitations: [] },
    'GET /user/review-requests': { review_requests },
  })
  for (const one of versions) tab.answers[`${ROUTE}/versions/${one.id}`] = { version: one }
}
const open = () => tab.open(Versions, '/apps/app_1/versions', { id: 'app_1' })

test('Versions stand with the newest first; one that was sent back says what its review says.', async () => {
  answer(
    [version(1, 'approved'), version(3, 'rejected', { created_by: 'gone' }), version(2, 'approved', { live: true })],
    [review(30, 'changes_requested', 'Say why.'), review(99, 'rejected', '', 'app_2')],
  )
  await open()
  expect(rowsOf(tab, 'Versions').map(([name, state, who, , , runs]) => [name, state, who, runs])).toEqual([
    ['3', 'Changes asked for', 'somebody who left the team', ''],
    ['2 Sites run it', 'Approved', 'ada@example.com', '3 projects'],
    ['1', 'Approved', 'ada@example.com', ''],
  ])
  expect(tab.button('3').getAttribute('href')).toBe('/portal/developer/apps/app_1/versions/30')
  expect(tab.text('.callout')).toBe('The reviewer asks for changes.Say why.')
  expect(tab.names().filter((name) => name.startsWith('Roll back'))).toEqual(['Roll back to 1…'])
})

test.each([
  [[review(10, 'rejected', 'No.'), review(10, 'approved')], 'The last version was not approved.No.'],
  [[review(10, 'approved', 'Fine.'), review(10, 'rejected', 'No.')], null],
  [[review(10, 'pending')], null],
  [[review(10, 'rejected', 'No.', 'app_2')], null],
])('The words of the last review of the app stand above: %j.', async (reviews, said) => {
  answer([version(1, 'approved', { live: true })], reviews)
  await open()
  expect(tab.body.querySelector('.callout') && tab.text('.callout')).toBe(said)
})

test('Sites run an older version again once that is confirmed.', async () => {
  answer([version(1, 'approved'), version(2, 'approved', { live: true })])
  const ROLL = 'POST /user/developer/apps/app_1/versions/10/rollback'
  tab.answers[ROLL] = {}
  await open()
  await tab.press('Roll back to 1…')
  expect(tab.sent(ROLL)).toEqual([])
  answer([version(1, 'approved', { live: true }), version(2, 'approved')])
  await tab.press('Sites run version 1')
  expect(tab.sent(ROLL)).toHaveLength(1)
  expect(rowsOf(tab, 'Versions').map(([name]) => name)).toEqual(['2', '1 Sites run it'])
})

test('The draft is compared with what sites run, and is all new without that.', async () => {
  answer([version(1, 'approved', { live: true, description: 'Low water' })])
  await open()
  expect(tab.texts('h2').slice(-2)).toEqual(['The draft, against version 1', 'Name and listing'])
  expect(tab.texts('.diff-added')).toEqual(['+ High water'])
  answer([version(1, 'rejected')])
  await open()
  expect(tab.texts('h2')).toContain('The draft')
  expect(tab.text()).toContain('This is the first version')
  answer([])
  await open()
  expect(tab.text()).toContain('Nothing was submitted yet.')
})

test('A list of versions that cannot be loaded says so.', async () => {
  answer([version(1, 'approved', { live: true })])
  tab.answers[`${ROUTE}/listing`] = new Refusal(403, 'FORBIDDEN')
  await open()
  expect(tab.text()).toContain('The draft could not be compared.')
  tab.answers[`${ROUTE}/versions`] = new Refusal(403, 'FORBIDDEN')
  await open()
  expect(tab.text()).toContain('Versions could not be loaded.')
})

const SUBMIT = 'POST /user/developer/apps/app_1/versions'
const REVIEW = 'POST /user/review-requests'

test('A version is submitted with notes under the next number, and then waits for its review.', async () => {
  answer([version(4, 'rejected'), version(2, 'approved', { live: true })])
  Object.assign(tab.answers, { [SUBMIT]: { version: { id: 50 } }, [REVIEW]: {} })
  await open()
  await tab.press('Submit for review…')
  await tab.type('Notes for the reviewer', 'Look at the icon.')
  await tab.press('Submit version 5')
  expect(tab.sent(SUBMIT)).toEqual([{ notes: 'Look at the icon.' }])
  expect(tab.sent(REVIEW)).toEqual([{ app_id: 'app_1', version_id: 50 }])
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('The first version is number 1, and a refusal keeps the notes.', async () => {
  answer([])
  tab.answers[SUBMIT] = new Refusal(409, 'CONFLICT', undefined, 'One waits already.')
  await open()
  await tab.press('Submit for review…')
  await tab.type('Notes for the reviewer', 'x')
  await tab.press('Submit version 1')
  expect(tab.text('dialog')).toContain('Nothing was submitted.One waits already.')
  expect(tab.field('Notes for the reviewer').value).toBe('x')
  await tab.press('Not yet')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Before it is submitted, it says what reviewers look for and what of that is missing.', async () => {
  answer([], [], { homepage: '' })
  Object.assign(tab.answers, {
    [`${ROUTE}/listing`]: { listing: { ...LISTING, icon_url: 'https://a.example/i.png' } },
    [`${ROUTE}/installs`]: INSTALLS,
  })
  await open()
  await tab.press('Submit for review…')
  const missing = () => tab.all('.checks .tone-wait a').map((link) => link.getAttribute('href')!)
  const base = '/portal/developer/apps/app_1'
  expect(missing()).toEqual([`${base}/permissions`, `${base}/listing`, `${base}/scripts`])
  answer([], [], { homepage: 'https://a.example', scopes: ['newsletter:read', 'newsletter:write'] })
  Object.assign(tab.answers, {
    [`${ROUTE}/listing`]: { listing: { ...LISTING, privacy_url: 'https://a.example/p' } },
    [`${ROUTE}/installs`]: INSTALLS,
    [`${ROUTE}/test-projects`]: { test_projects: [{}] },
  })
  await open()
  await tab.press('Submit for review…')
  expect(missing()).toEqual([`${base}/listing`, `${base}/permissions`])
})

test('Owners are asked again for permissions that are new, where there are any.', async () => {
  const said = async (approved: object | null, projects: number) => {
    answer([version(1, 'approved', { live: true })], [], { approved, scopes: ['newsletter:read', 'newsletter:send'] })
    Object.assign(tab.answers, { [`${ROUTE}/installs`]: { ...INSTALLS, totals: { ...INSTALLS.totals, projects } } })
    await open()
    await tab.press('Submit for review…')
    return tab.texts('dialog .callout')
  }
  expect(await said({ scopes: ['newsletter:read'] }, 1)).toEqual([
    'Owners must allow it again: 1 project.New permissions: newsletter:send. ' +
      'Until then the app may there what it may now.',
  ])
  expect(await said({ scopes: ['newsletter:read'] }, 0)).toEqual([])
  expect(await said({ scopes: ['newsletter:send', 'newsletter:read'] }, 1)).toEqual([])
  expect(await said(null, 1)).toEqual([])
})

const openVersion = (id: string) => tab.open(VersionPage, `/apps/app_1/versions/${id}`, { id: 'app_1', versionId: id })

test('A version waits for the one that it is compared with.', async () => {
  answer([version(1, 'approved', { live: true }), version(2, 'submitted')])
  let come = () => {}
  const before = tab.answers[`${ROUTE}/versions/10`]
  tab.answers[`${ROUTE}/versions/10`] = () => new Promise((resolve) => (come = () => resolve(before)))
  await openVersion('20')
  expect(tab.body.querySelector('.page-lead')).toBeNull()
  come()
  await tab.settled()
  expect(tab.text('.page-lead')).toEndWith('beside version 1')
})

test('A version says what it is, beside the version that it is compared with.', async () => {
  answer([version(1, 'approved', { live: true }), version(2, 'submitted', { notes: 'New icon.', homepage: '' })])
  await openVersion('20')
  expect(tab.text('h1')).toBe('Tides, version 2')
  expect(tab.text('.page-lead')).toStartWith('In review · made')
  expect(tab.text('.page-lead')).toEndWith('beside version 1')
  expect(tab.texts('.callout')).toEqual(['Notes for the reviewerNew icon.'])
  expect(tab.texts('.diff-removed')).toEqual(['− https://a.example'])
  await openVersion('10')
  expect(tab.text('.page-lead')).toStartWith('Approved Sites run it · made')
  expect(tab.text('.page-lead')).not.toContain('beside')
  expect(tab.texts('.callout')).toEqual(['This is the first version: sites have nothing of it yet.'])
})

test('A version that cannot be loaded is asked for again.', async () => {
  answer([version(1, 'approved', { live: true })])
  tab.answers[`${ROUTE}/versions/10`] = new Refusal(404, 'NOT_FOUND')
  await openVersion('10')
  expect(tab.text()).toContain('The version could not be loaded.')
  tab.answers[`${ROUTE}/versions/10`] = { version: version(1, 'approved') }
  await tab.press('Try again')
  expect(tab.text('h1')).toBe('Tides, version 1')
})
