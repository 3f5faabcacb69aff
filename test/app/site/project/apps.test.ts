import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { RouteResponse } from '../../../../static/app/api/calls.ts'
import { type Answers, asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

type Overview = RouteResponse<'POST /project/apps/overview'>
const AT = '2026-05-03T12:00:00.000Z'
const APP: Overview['apps'][number] = {
  ...{ id: 'app_1', displayName: 'Counter', homepage: 'https://counter.example/start', maker: 'Count Ltd' },
  ...{ permissions: ['Read pages'], asks_for: [], last_used_on: null, calls_in_7_days: 1_234, suspension: null },
  people: [
    { user_id: 'usr_ada', name: 'Ada', connected_on: AT },
    { user_id: 'usr_bo', name: 'Bo', connected_on: AT },
  ],
}
const SCRIPT: Overview['scripts'][number] = {
  ...{ connection_id: 4, script_id: 2, app: { id: 'app_1', displayName: 'Counter' }, name: 'Visits' },
  ...{ type: 'Analytics', placement: 'HTML Head', parameters: { site: 'x', on: true }, code: '<script>ü</script>' },
  ...{ filled: [], enabled: true, injected: true, connected_on: AT, last_update: AT, state: 'on' },
}
const SETTINGS = {
  ...{ consent_banner: true, consent_message: '', consent_accept: '', consent_decline: '', consent_privacy_url: '' },
  ...{ consent_words: {}, proof_of_work: false },
}

interface Opened extends Partial<Overview> {
  role?: Role
  at?: string
  answers?: Answers
}

async function open({ role = 'owner', at = '', answers = {}, ...more }: Opened = {}) {
  const overview = { apps: [APP], scripts: [SCRIPT], tests: [], pages: 3, consent_required: true, ...more }
  await visit(
    tab,
    `/apps${at}`,
    {
      'POST /project/apps/overview': overview,
      'POST /project/site-settings/get': { settings: SETTINGS, usual_texts: { question: 'May we?', accept: 'Yes' } },
      'POST /project/site-settings/preview': { html: '<p>May we?</p>' },
      'POST /project/site-settings/update': {},
      'POST /project/scripts/switch': ({ enabled }) => ({ script: { enabled } }),
      'POST /project/scripts/settings': ({ consent_required }) => ({ settings: { consent_required } }),
      'POST /project/scripts/end-test': {},
      'POST /project/apps/disconnect': {},
      'POST /project/members/list': { members: [], invitations: [] },
      'POST /project/api-keys/list': { api_keys: [] },
      ...answers,
    },
    role,
  )
}

test('An app stands with what it may, who let it in and how much it does.', async () => {
  await open()
  expect(tab.texts('.permissions')).toEqual(['Read pages'])
  expect(tab.texts('.card dd').slice(0, 5)).toEqual([
    'Ada on 3 May 2026Bo on 3 May 2026',
    'Not yet',
    '1,234',
    'Count Ltd',
    'counter.example',
  ])
  expect(tab.text('main')).not.toContain('It asks for more')
  expect(tab.text('main')).not.toContain('The service suspended it')
  expect(tab.text('main')).not.toContain('On trial')
})

test('An app tells what more it asks for, and when it was suspended.', async () => {
  const suspension = { suspended_on: '2026-06-04T12:00:00.000Z', comment: 'It harmed pages.' }
  const app = { ...APP, asks_for: ['Write pages'], last_used_on: AT, maker: null, homepage: 'javascript:x', suspension }
  await open({ apps: [app] })
  expect(tab.texts('.permissions')).toEqual(['Read pages', 'Write pages'])
  expect(tab.text('main')).toContain('A member allows it by connecting the app again.')
  expect(tab.text('.callout')).toContain('The service suspended it on 4 Jun 2026.It harmed pages.')
  expect(tab.texts('.card dt').slice(0, 4)).not.toContain('Made by')
  expect(tab.text('main')).not.toContain('Home page')
  expect(tab.texts('.card dd')[1]).toBe('3 May 2026')
})

test('Scripts stay named where nobody lets their app in any more.', async () => {
  await open({ apps: [] })
  expect(tab.texts('.card h2')[0]).toBe('Counter')
  expect(tab.text('main')).toContain('Nobody lets this app in any more. Its scripts do not run.')
  expect(tab.has('Remove Counter')).toBe(false)
  expect(tab.text('main')).not.toContain('None has access to this project.')
})

test('A project without apps is led to those that are approved.', async () => {
  await open({ apps: [], scripts: [] })
  expect(tab.text('main')).toContain('None has access to this project.')
  expect(tab.button('Find an app').getAttribute('href')).toBe('/apps')
})

test('An app is removed with all that it means.', async () => {
  await open()
  await tab.press('Remove Counter')
  expect(tab.text('dialog')).toContain('for everyone who let it in: Ada and Bo.')
  expect(tab.text('dialog')).toContain('Its scripts leave the pages with the next view: Visits.')
  expect(await change(tab, 'POST /project/apps/disconnect', () => tab.press('Remove Counter'))).toEqual({
    busy: ['Remove Counter'],
    again: ['/project/apps/overview'],
  })
  expect(asked(tab, 'POST /project/apps/disconnect')).toEqual([{ app_id: 'app_1' }])
  expect(tab.sent('POST /project/apps/overview')).toHaveLength(2)
  await open({ scripts: [] })
  await tab.press('Remove Counter')
  expect(tab.text('dialog')).not.toContain('Its scripts leave')
})

test.each([
  ['on', 'On', 'good', 'HTML Head, on 3 pages since 3 May 2026. It runs as soon as a page opens.'],
  ['after_consent', 'After consent', 'accent', 'on 3 pages since 3 May 2026. It waits until the visitor has agreed.'],
  ['off', 'Off', 'quiet', 'HTML Head, connected on 3 May 2026. No page has it'],
  ['not_running', 'Not running', 'wait', 'connected on 3 May 2026. Its app may not run here'],
] as const)('A script that is %s says what that means.', async (state, word, tone, sentence) => {
  await open({ scripts: [{ ...SCRIPT, state, enabled: state !== 'off' }], role: 'editor' })
  expect(tab.text('.script-words')).toContain(sentence)
  expect(tab.texts('.script .badge').at(-1)).toBe(word)
  expect(tab.all('.script .badge').at(-1)!.getAttribute('class')).toContain(`tone-${tone}`)
  expect(tab.has('See on a page with Visits')).toBe(state !== 'not_running')
  expect(tab.has('Remove Counter')).toBe(false)
  expect(tab.has('History of Counter')).toBe(false)
  expect(tab.text('main')).toContain('Removing an app and switching a script takes an administrator')
})

test('A script is switched off, and on again by taking that back.', async () => {
  await open()
  expect(await change(tab, 'POST /project/scripts/switch', () => tab.check('Visits: On'))).toEqual({
    busy: ['Visits: On'],
    again: ['/project/apps/overview'],
  })
  expect(tab.text('.toasts')).toContain('Visits is off: gone with the next view.')
  expect(tab.sent('POST /project/apps/overview')).toHaveLength(2)
  await tab.press('Undo')
  expect(tab.text('.toasts')).toContain('Visits is on again.')
  expect(asked(tab, 'POST /project/scripts/switch')).toEqual([
    { connection_id: 4, enabled: false },
    { connection_id: 4, enabled: true },
  ])
})

test('A switch that was refused says so.', async () => {
  await open({ answers: { 'POST /project/scripts/switch': new Refusal(409, 'CONFLICT', undefined, 'It is gone.') } })
  await tab.check('Visits: On')
  expect(tab.text('.script')).toContain('It was not switched.It is gone.')
})

test('The code of a script is shown with what is filled in.', async () => {
  await open()
  await tab.press('See the code of Visits')
  expect(tab.text('dialog')).toContain('This is what visitors get, 19 bytes')
  expect(tab.texts('dialog dt')).toEqual(['site', 'on'])
  expect(tab.texts('dialog dd')).toEqual(['x', 'true'])
  await tab.press('Close')
  await open({ scripts: [{ ...SCRIPT, parameters: {} }] })
  await tab.press('See the code of Visits')
  expect(tab.text('dialog')).not.toContain('Filled in for this project')
})

test('A published page is shown with the script and without it.', async () => {
  const page = (path: string, published: boolean) => ({ path, published }) as never
  await open({
    answers: {
      'POST /project/pages/list': { pages: [page('/draft', false), page('/', true), page('/about', true)] },
      'POST /project/scripts/preview': ({ path }) => ({
        with_script: `https://masthead.example/try${path}?with`,
        without_script: `https://masthead.example/try${path}?without`,
      }),
    },
  })
  await tab.press('See on a page with Visits')
  expect([...tab.field('Page').querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    ...['/', '/about', '/posts'],
  ])
  const frame = () => tab.find('dialog iframe')
  expect([frame().getAttribute('src'), frame().getAttribute('title')]).toEqual(['/try/?with', '/ with Visits'])
  expect(tab.text('dialog')).toContain('Cookies and storage are closed to it here')
  await tab.press('Without it')
  expect([frame().getAttribute('src'), frame().getAttribute('title')]).toEqual(['/try/?without', '/ without Visits'])
  await tab.type('Page', '/about')
  expect(frame().getAttribute('src')).toBe('/try/about?without')
  expect(asked(tab, 'POST /project/scripts/preview').at(-1)).toEqual({ connection_id: 4, path: '/about' })
})

test('Posts are offered only where some are published, and a site without pages says so.', async () => {
  await open({ pages: 1, answers: { 'POST /project/pages/list': { pages: [{ path: '/', published: true }] } } })
  await tab.press('See on a page with Visits')
  expect(tab.texts('dialog option')).toEqual(['/'])
  await open({ pages: 0, answers: { 'POST /project/pages/list': { pages: [] } } })
  await tab.press('See on a page with Visits')
  expect(tab.text('dialog')).toContain('The site has no page yet.')
})

test('A draft on trial is ended by an administrator.', async () => {
  const tests = [
    { app: { id: 'app_9', displayName: 'Draft' }, added_by: { user_id: 'u', email: 'd@x.example' }, added_on: AT },
  ]
  await open({ tests })
  expect(tab.text('main')).toContain('By d@x.example, since 3 May 2026.')
  expect(await change(tab, 'POST /project/scripts/end-test', () => tab.press('End the test of Draft'))).toEqual({
    busy: ['End the test of Draft'],
    again: ['/project/apps/overview'],
  })
  expect(asked(tab, 'POST /project/scripts/end-test')).toEqual([{ app_id: 'app_9' }])
  expect(tab.sent('POST /project/apps/overview')).toHaveLength(2)
  await open({ tests, role: 'editor' })
  expect(tab.has('End the test of Draft')).toBe(false)
})

test('Whether visitors are asked is switched, and can be taken back.', async () => {
  await open({ consent_required: false })
  expect(tab.text('#consent')).toContain('Every script runs as soon as a page opens.')
  expect(tab.has('Save the words')).toBe(false)
  expect(
    await change(tab, 'POST /project/scripts/settings', () => tab.check('Ask visitors before scripts run')),
  ).toEqual({ busy: ['Ask visitors before scripts run'], again: ['/project/apps/overview'] })
  expect(tab.text('.toasts')).toContain('Visitors are asked from now on.')
  await tab.press('Undo')
  expect(asked(tab, 'POST /project/scripts/settings').map((body) => body.consent_required)).toEqual([true, false])
})

test('Others read whether visitors are asked.', async () => {
  await open({ role: 'editor' })
  expect(tab.text('#consent')).toContain('Visitors are asked. Only essential scripts run at once.')
  expect(tab.body.querySelector('#consent form')).toBeNull()
  await open({ role: 'editor', consent_required: false })
  expect(tab.text('#consent')).toContain('Visitors are not asked. Every script runs')
})

test('The words of the question are kept together, those of one kind beside the others.', async () => {
  await open({
    answers: {
      'POST /project/site-settings/get': {
        settings: { ...SETTINGS, consent_words: { save: 'Keep' } },
        usual_texts: { question: 'May we?', accept: 'Yes' },
      },
    },
  })
  expect(tab.field('Question').getAttribute('placeholder')).toBe('May we?')
  const save = tab.find('#consent form [type=submit]')
  expect(save.getAttribute('aria-disabled')).toBe('true')
  await tab.type('Yes', 'Sure')
  await tab.type('Name of Analytics', 'Counting')
  expect(await change(tab, 'POST /project/site-settings/update', () => tab.submit('#consent form'))).toEqual({
    busy: ['Save'],
    again: ['/project/site-settings/get'],
  })
  expect(asked(tab, 'POST /project/site-settings/update')).toEqual([
    {
      ...{ consent_banner: true, consent_message: '', consent_accept: 'Sure', consent_decline: '' },
      ...{ consent_privacy_url: '', consent_words: { save: 'Keep', analytics: 'Counting' } },
    },
  ])
  expect(tab.sent('POST /project/site-settings/get')).toHaveLength(2)
})

test('A page that asks by itself has no words to write.', async () => {
  await open()
  await tab.check('Show the banner', false)
  expect(tab.text('#consent')).toContain('No banner is shown.')
  expect(tab.texts('#consent label')).toEqual(['Ask visitors before scripts run', 'Show the banner'])
  expect(tab.body.querySelector('iframe')).toBeNull()
  await tab.submit('#consent form')
  expect(asked(tab, 'POST /project/site-settings/update')[0].consent_banner).toBe(false)
})

test('A flaw of a text stands beside it.', async () => {
  const words = ['consent_message', 'consent_accept', 'consent_decline', 'consent_words/save', 'consent_words/privacy']
  const refusal = flawed('consent_privacy_url', ...words)
  await open({ answers: { 'POST /project/site-settings/update': refusal } })
  await tab.submit('#consent form')
  expect(flawsAt(tab, 'Question', 'Yes', 'No', 'Saves the kinds', 'Text of its link')).toEqual(words)
  expect(tab.body.querySelector('#consent details')!.hasAttribute('open')).toBe(true)
  expect(tab.text('#consent .flaw-summary')).toBe('Nothing is saved yet. Look at the marked fields.')
  expect(tab.texts('#consent .field-flaw')).toContain('Write a path that begins with a slash, or an https address.')
})

const history = (action: string, more: object = {}) => ({
  ...{
    id: 1,
    at: AT,
    actor: 'user:usr_x',
    action,
    target: 'script_connection:4',
    details: {},
    outcome: 'done' as const,
  },
  ...more,
})

test('The history of an app tells what became of its scripts.', async () => {
  await open({
    at: '?history=app_1',
    answers: {
      'POST /project/audit/list': {
        items: [
          history('POST /project/scripts/switch', { details: { enabled: false } }),
          history('POST /project/scripts/switch', { id: 2, details: { enabled: true }, target: 'script:2' }),
          history('consent-grant', { id: 3, target: 'app:app_1' }),
        ],
        next_cursor: 'c2',
      },
    },
  })
  await tab.press('Close')
  await tab.press('History of Counter')
  await open({ at: '?history=app_1', answers: tab.answers as Answers })
  expect(asked(tab, 'POST /project/audit/list')[0]).toEqual({
    ...{ targets: ['app:app_1', 'script:2', 'script_connection:4'], limit: 25 },
  })
  expect(tab.texts('dialog .timeline-title')).toEqual([
    'Switched a script: Visits is off',
    'Switched a script: Visits is on',
    'Let an app in',
  ])
  const tones = tab.all('dialog .timeline-item').map((item) => /tone-\w+/.exec(item.getAttribute('class')!)![0])
  expect(tones).toEqual(['tone-bad', 'tone-quiet', 'tone-good'])
  expect(tab.text('dialog')).toContain('Somebody who left')
  expect(tab.text('dialog')).not.toContain('Nothing is written down')
  await tab.press('Older')
  expect(tab.address).toBe('/apps?history=app_1&after=c2')
  expect(asked(tab, 'POST /project/audit/list').at(-1).cursor).toBe('c2')
  await tab.press('Close')
  expect(tab.address).toBe('/apps')
})

test('The history of an app is for administrators.', async () => {
  await open({ at: '?history=app_1', role: 'editor' })
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Apps that could not be loaded say so.', async () => {
  await open({ answers: { 'POST /project/apps/overview': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('Apps could not be loaded.')
})
