import { beforeEach, expect, test } from 'bun:test'
import { APP, appAnswers } from '../../support/developer-app.ts'
import { Refusal, useTab } from '../../support/tab.ts'
import Permissions from '../../../static/app/developer/permissions.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
/** The app of a test, whose draft no other test left. */
let id = 0
let SAVE: string
beforeEach(() => {
  SAVE = `PATCH /user/developer/apps/app_${++id}`
})
async function open(app: object = {}) {
  Object.assign(tab.answers, appAnswers({ id: `app_${id}`, ...app }))
  tab.answers[SAVE] = ({ displayName, description, homepage, redirect_uris, scopes, ...more }: typeof APP) => ({
    app: { ...APP, ...more, draft: { displayName, description, homepage, redirect_uris, scopes } },
  })
  await tab.open(Permissions, '/apps/app_1/permissions', { id: 'app_1' })
}
const saved = () => tab.text('.form-saved')
const SENT = {
  ...{ displayName: 'Tides', description: 'High water', homepage: 'https://a.example' },
  ...{ redirect_uris: ['https://a.example/back'], scopes: ['newsletter:read'] },
  ...{ scope_reasons: { 'newsletter:read': 'To count.' }, require_pkce: false, require_par: false },
}

test("The author's text is saved, addresses one a line and without what is around them.", async () => {
  await open()
  expect(saved()).toBe('Saved')
  await tab.type('Name', 'Nets')
  await tab.type('Redirect addresses', ' https://b.example \n\nhttps://c.example')
  await tab.type('Homepage', '')
  await tab.check('Require PKCE')
  await tab.check('Require pushed requests')
  expect(saved()).toBe('Not saved yet')
  await tab.press('Save')
  expect(tab.sent(SAVE)).toEqual([
    {
      ...{ ...SENT, displayName: 'Nets', homepage: '', require_pkce: true, require_par: true },
      redirect_uris: ['https://b.example', 'https://c.example'],
    },
  ])
  expect(saved()).toBe('Saved')
  expect(tab.field('Redirect addresses').value).toBe('https://b.example\nhttps://c.example')
})

test('A web address gets its scheme, and each flaw stands beside its field in a sentence.', async () => {
  await open()
  await tab.type('Homepage', 'tides.example')
  await tab.leave('Homepage')
  expect(tab.field('Homepage').value).toBe('https://tides.example')
  await tab.type('Homepage', 'nets.example')
  await tab.key('Enter', {}, tab.field('Homepage'))
  expect(tab.field('Homepage').value).toBe('https://nets.example')
  await tab.type('Redirect addresses', 'a.example\nlocalhost:3000')
  tab.answers[SAVE] = new Refusal(
    400,
    'invalid_request',
    [
      { path: '/redirect_uris/1', message: 'http is for loopback addresses only.' },
      { path: '/homepage', message: "Expected string to match 'uri' format (an http or https address)." },
    ],
    'The request is not valid.',
  )
  await tab.press('Save')
  expect(tab.sent(SAVE)[0].redirect_uris).toEqual(['https://a.example', 'http://localhost:3000'])
  expect(tab.texts('.field-flaw')).toEqual([
    'Write a web address, such as https://example.com.',
    'Redirect address 2: http is for loopback addresses only.',
  ])
  expect(tab.text('.flaw-summary')).toContain('Some of what was typed is not right.')
})

test('A permission has a reason while it is asked for, and an empty reason is none.', async () => {
  await open()
  const scope = 'Change contacts, audiences, drafts'
  expect(tab.texts('.scope-reason label')).toEqual(['Why it needs newsletter:read'])
  await tab.check(scope)
  await tab.type('Why it needs newsletter:read', ' ')
  await tab.type('Why it needs newsletter:write', 'To mend.')
  await tab.press('Save')
  expect(tab.sent(SAVE)[0]).toMatchObject({
    scopes: ['newsletter:read', 'newsletter:write'],
    scope_reasons: { 'newsletter:write': 'To mend.' },
  })
  await tab.check(scope, false)
  await tab.press('Save')
  const { scopes, scope_reasons } = tab.sent(SAVE)[1] as Record<string, unknown>
  expect([scopes, scope_reasons]).toEqual([['newsletter:read'], {}])
})

test('Of an approved app it says that sites keep what was approved.', async () => {
  await open({ approved: { scopes: [] } })
  expect(tab.text()).toContain('Sites keep what was approved.')
  await open()
  expect(tab.text()).not.toContain('Sites keep what was approved.')
})

test('A refusal leaves what was written.', async () => {
  await open()
  tab.answers[SAVE] = new Refusal(422, 'VALIDATION', undefined, 'The name is taken.')
  await tab.type('Name', 'Nets')
  await tab.press('Save')
  expect(tab.text()).toContain('Nothing was saved.The name is taken.')
  expect([tab.field('Name').value, saved()]).toEqual(['Nets', 'Not saved yet'])
  await tab.type('Name', 'Tides')
  expect(saved()).toBe('Saved')
})
