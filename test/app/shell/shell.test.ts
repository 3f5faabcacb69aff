import { expect, spyOn, test } from 'bun:test'
import { Refusal, send as press, useTab } from '../../support/tab.ts'
import { type ComponentType, h } from 'preact'
import type { Role } from '../../../src/shared/roles.ts'
import { LOADERS } from '../../../static/app/loaders.ts'
import * as conditions from '../../../static/app/api/conditions.ts'
import { calls } from '../../../static/app/api/call-log.ts'
import { sendOnce } from '../../../static/app/api/calls.ts'
import { ApiError } from '../../../static/app/api/errors.ts'
import { confirmed } from '../../../static/app/confirm-identity.ts'
import { useKeys } from '../../../static/app/shell/keys.tsx'
import type { Job } from '../../../static/app/api/operations.d.ts'
import { attention } from '../../../static/app/attention.ts'
import { asCurl } from '../../../static/app/shell/calls-drawer.tsx'
import { jobHref, jobName } from '../../../static/app/job.ts'
import { OverPage } from '../../../static/app/shell/over-page.tsx'
import { OverPageLater } from '../../../static/app/shell/over-page-later.tsx'
import { openPanel } from '../../../static/app/shell/panels.ts'
import { link } from '../../../static/app/api/link.ts'
import { pageOf } from '../../../static/app/shell/place.ts'
import { loadAhead } from '../../../static/app/shell/ahead.ts'
import { SideBar } from '../../../static/app/shell/side-bar.tsx'
import { Shell } from '../../../static/app/shell/shell.tsx'
import { theme } from '../../../static/app/theme.ts'
import { loadPage } from '../../../static/app/shell/outlet.tsx'
import { campaign, contact, page } from '../../support/answers.ts'
import { type Answers, asked, inTime } from '../../support/visit.ts'

const tab = useTab()

const AT = '2026-05-03T12:00:00.000Z'
const job = (more: Partial<Job> = {}): Job => ({
  ...{ id: 3, kind: 'bulk', action: 'add_tags', about: { type: 'tag', id: 5, name: 'VIP' }, status: 'running' },
  ...{ processed: 1_200, total: 5_000, error: null, attempts: 1, created_at: AT, updated_at: AT },
  ...more,
})

/** Opens the whole application at the page of templates, which asks for little. */
async function open(answers: Answers = {}, role: Role = 'owner', at = '/templates') {
  tab.data.project!.role = role
  tab.data.projects = [
    { id: 'prj_harbour', slug: 'harbour', name: 'Harbour', role },
    { id: 'prj_2', slug: 'quay', name: 'Quay', role: 'member' },
  ]
  Object.assign(tab.answers, {
    'templates/list': { items: [], next_cursor: null, gallery: [] },
    'jobs/list': page(),
    'campaigns/list': page(),
    'contacts/list': page(),
    'lists/list': page(),
    'segments/list': page(),
    'POST /project/cms/posts/list': { posts: [] },
    'POST /project/pages/list': { pages: [] },
    'POST /project/directory/list': { directories: [] },
    'POST /user/logout': {},
    ...answers,
  })
  history.replaceState(null, '', tab.data.scope + at)
  await loadPage(pageOf(tab.data.scope + at.split('?')[0]!)!.page)
  await tab.draw(h('div', null, h(Shell, null)))
}

const nav = () => tab.texts('nav a')

test('The side bar leads to every page that the person may open.', async () => {
  await open()
  expect(nav()).toEqual([
    ...['Home', 'Campaigns', 'Templates', 'Sending', 'Contacts', 'Segments', 'Lists & tags', 'Imports'],
    ...['Suppressions', 'Fields', 'Pages', 'Posts', 'Directory', 'Forms', 'Files', 'Apps & scripts'],
    ...['Activity', 'Members', 'API keys', 'Settings'],
  ])
  expect(tab.texts('nav h2')).toEqual(['Newsletter', 'Audience', 'Site', 'Project'])
  expect(tab.all('nav a').filter((a) => !a.querySelector('svg path')?.getAttribute('d'))).toEqual([])
  const here = tab.all('nav a').filter((a) => a.hasAttribute('aria-current'))
  expect(here.map((a) => [a.textContent, a.getAttribute('aria-current')])).toEqual([['Templates', 'page']])
  tab.data.sandbox = true
  await open()
  expect(nav()).toContain('Mailbox')
})

test('A page below another one marks its entry.', async () => {
  await open({}, 'owner', '/campaigns/new')
  const here = tab.all('nav a').filter((a) => a.hasAttribute('aria-current'))
  expect(here.map((a) => [a.textContent, a.getAttribute('aria-current')])).toEqual([['Campaigns', 'true']])
})

test('In places without a project a page marks the entry that it belongs to.', async () => {
  const marked = async (scope: string, path: string) => {
    Object.assign(tab.data, { scope, project: null })
    history.replaceState(null, '', scope + path)
    await tab.draw(h(SideBar, { isOpen: false, onClose() {} }))
    const here = tab.all('nav a').filter((a) => a.hasAttribute('aria-current'))
    return here.map((a) => [a.textContent, a.getAttribute('aria-current')].join(' '))
  }
  expect(await marked('/portal/developer', '')).toEqual(['Apps page'])
  expect(await marked('/portal/developer', '/apps/a/team')).toEqual(['Apps true'])
  expect(await marked('/portal/developer', '/api')).toEqual(['API page'])
  expect(await marked('/portal/operator', '/reviews/7')).toEqual(['Reviews true'])
  expect(await marked('/portal/operator', '')).toEqual(['Reviews true'])
  expect(await marked('/portal/account', '/security')).toEqual(['Security page'])
})

test('An entry whose page needs a look says why.', async () => {
  await open()
  expect(tab.texts('.side-bar-dot')).toEqual([])
  attention.value = { '/sending': 'Look here' }
  await tab.settled()
  expect([tab.texts('.side-bar-dot'), tab.texts('nav a').includes('SendingLook here')]).toEqual([['Look here'], true])
  attention.value = {}
})

test('The title names the page and the project, and the focus goes to the heading of the next page.', async () => {
  await open()
  expect(document.title).toBe('Templates · Harbour · Masthead')
  expect(tab.text('.top-bar-title')).toBe('Templates')
  await loadPage(pageOf(`${tab.data.scope}/campaigns`)!.page)
  await tab.press('Campaigns')
  expect([tab.address, document.title]).toEqual(['/campaigns', 'Campaigns · Harbour · Masthead'])
  expect((document.activeElement as unknown as { textContent: string }).textContent).toBe('Campaigns')
  await tab.press('Suppressions')
  expect(tab.address).toBe('/suppressions')
})

test('A page whose code cannot be loaded says so, and the one before stays while it is on its way.', async () => {
  await open()
  const arriving = Promise.withResolvers<never>()
  const loaders = LOADERS as Record<string, () => Promise<never>>
  const { page } = pageOf(`${tab.data.scope}/fields`)!
  const { source } = page
  // Another test may have loaded the code of the page under its own name.
  Object.assign(page, { source: 'site/fields/absent' })
  loaders['site/fields/absent'] = () => arriving.promise
  tab.atEnd(() => {
    Object.assign(page, { source })
    delete loaders['site/fields/absent']
  })
  await tab.press('Fields')
  expect([tab.address, tab.text('h1')]).toEqual(['/fields', 'Templates'])
  arriving.reject(new Error('no network'))
  await tab.settled()
  expect(tab.text('main')).toBe('This page could not be openedThe code of this page could not be loaded.Load it again')
  conditions.isOutdated.value = true
  await tab.settled()
  expect(tab.text('main')).toContain('Masthead was updated.')
  conditions.isOutdated.value = false
  await tab.press('Load it again')
  expect(tab.left).toEqual(['/portal/projects/harbour/fields'])
})

test('An address without a page says so.', async () => {
  await open()
  history.replaceState(null, '', `${tab.data.scope}/nonsense`)
  await tab.draw(h('div', null, h(Shell, null)))
  expect(tab.text('main')).toContain('There is no page here')
  expect(tab.button('Go to the first page').getAttribute('href')).toBe('/portal/projects/harbour')
  expect(document.title).toStartWith('Not found')
})

test('A page for editors says who may to a member.', async () => {
  await open({}, 'member', '/campaigns/new')
  expect(tab.text('main')).toContain('This page takes an editor; you are a member here. Ask Bo Holm.')
  await open({}, 'editor', '/campaigns/new')
  expect(tab.text('main')).not.toContain('takes an editor')
})

test('Links are below the project, without what is empty.', () => {
  expect([link('/'), link('/x', { a: 1, b: '', c: null, d: undefined, e: 'ä b' })]).toEqual([
    '/portal/projects/harbour',
    '/portal/projects/harbour/x?a=1&e=%C3%A4+b',
  ])
})

test('Keys open what they name, and do nothing where somebody writes.', async () => {
  await open()
  const pressed = (key: string, more: object = {}) =>
    !press(document.body, 'keydown', { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })
  expect(pressed('?')).toBe(true)
  await tab.settled()
  expect(tab.text('dialog h2')).toBe('Keys')
  expect(tab.text('dialog')).toContain('Go to Campaigns')
  await tab.key('.')
  expect(openPanel.value).toBe('keys')
  await tab.press('Close')
  await tab.key('.')
  expect(tab.text('dialog h2')).toBe('Calls of this page')
  await tab.press('Close')
  expect(openPanel.value).toBeNull()
  expect([pressed('g'), pressed('q'), pressed('q')]).toEqual([false, false, false])
  expect(pressed('k', { ctrlKey: true })).toBe(true)
  await tab.settled()
  expect(tab.text('dialog h2')).toBe('Search')
  const field = tab.find('dialog input')
  expect(['ArrowDown', 'ArrowUp', 'x'].map((key) => press(field, 'keydown', { key }))).toEqual([false, false, true])
  await tab.key('?', {}, tab.find('dialog input'))
  expect(openPanel.value).toBe('palette')
  await tab.press('Close')
})

test('The search gets what is typed before its code has come, and the page below does not.', async () => {
  const coming = Promise.withResolvers<ComponentType>()
  function Page() {
    useKeys()
    const button = h('button', { 'data-main-action': true, onClick: () => tab.left.push('n') }, 'New')
    return h('div', null, button, h(OverPageLater, { load: () => coming.promise }))
  }
  await tab.draw(h(Page, {}))
  await tab.key('k', { ctrlKey: true })
  // What was typed for a search that was given up is no part of the next one.
  for (const key of ['o', 'l', 'd', 'Escape']) await tab.key(key)
  await tab.key('k', { ctrlKey: true })
  for (const key of ['n', 'e', 'w', ' ', 'Shift']) await tab.key(key)
  coming.resolve(OverPage)
  await tab.settled()
  expect([tab.find<HTMLInputElement>('dialog input').value, tab.left]).toEqual(['new ', []])
  expect(tab.texts('dialog li')).toContain('New templateAction')
  await tab.press('Close')
  expect(openPanel.value).toBeNull()
})

test('A question whose code cannot be loaded says so, is asked when it has come, and can be given up.', async () => {
  const loads: PromiseWithResolvers<ComponentType>[] = []
  const load = () => {
    loads.push(Promise.withResolvers())
    return loads.at(-1)!.promise
  }
  await tab.draw(h(OverPageLater, { load }))
  const ask = () => confirmed(() => Promise.reject(new ApiError('CONFIRMATION_REQUIRED', 'Refused.', { status: 403 })))
  const fail = async () => {
    loads.at(-1)!.reject(new Error('no'))
    await tab.settled()
  }
  const end = ask().catch((error: Error) => error.message)
  await tab.settled()
  await fail()
  expect(tab.text('dialog h2')).toBe('This could not be opened')
  await tab.press('Close')
  expect([await end, tab.body.querySelector('dialog')]).toEqual(['Refused.', null])
  conditions.isSignedOut.value = true
  await tab.settled()
  await fail()
  expect(tab.button('Sign in on another page').getAttribute('href')).toStartWith('/portal/login?return=%2F')
  // The session stays over, so there is no button that closes it.
  expect(tab.has('Close')).toBe(false)
  await tab.press('Try again')
  loads.at(-1)!.resolve(OverPage)
  await tab.settled()
  expect(tab.has('Go on')).toBe(true)
  conditions.isSignedOut.value = false
  await tab.settled()
})

test('The code of a page is loaded while a link to it is pressed.', async () => {
  await open()
  const loaded = spyOn(LOADERS as Record<string, () => Promise<never>>, 'site/fields/fields')
  loadAhead(tab.body)
  const pressed = (name: string) => press(tab.button(name), 'pointerdown')
  pressed('Search')
  pressed('Fields')
  expect(loaded).toHaveBeenCalledTimes(1)
  loaded.mockRestore()
})

test('Keys of one character can be switched off, and Ctrl K stays.', async () => {
  await open()
  await tab.key('?')
  await tab.check('Keys of one character')
  await tab.press('Close')
  await tab.key('?')
  expect(openPanel.value).toBeNull()
  await tab.key('K', { metaKey: true })
  expect(openPanel.value).toBe('palette')
  await tab.press('Close')
  await tab.press('Ada Lind: account menu')
  await tab.press('Keys')
  await tab.check('Keys of one character')
  await tab.press('Close')
  await tab.key('?')
  expect(openPanel.value).toBe('keys')
  await tab.press('Close')
})

test('G and a key go to a page, once.', async () => {
  await open()
  await loadPage(pageOf(`${tab.data.scope}/campaigns`)!.page)
  await tab.key('c')
  expect(tab.address).toBe('/templates')
  await tab.key('g')
  await tab.key('q')
  await tab.key('c')
  expect(tab.address).toBe('/templates')
  await tab.key('g')
  await tab.key('c')
  expect(tab.address).toBe('/campaigns')
})

test('N presses the main action of the page.', async () => {
  await open({ 'templates/create': { template: { id: 9 } } as never })
  await tab.key('n')
  expect(tab.sent('templates/create')).toHaveLength(1)
})

const SEARCH = 'Search pages, actions, people and everything with a name'
const options = () => tab.texts('#palette-found [role=option]')

test('The search finds pages and actions at once, contacts and campaigns a moment later.', async () => {
  await inTime(tab, async (pass) => {
    await open({
      'contacts/list': page(contact()),
      'campaigns/list': page(campaign({ name: 'Gracious' })),
    })
    const before = tab.sent('contacts/list').length
    await tab.key('k', { ctrlKey: true })
    expect(options()).toHaveLength(8)
    await tab.type(SEARCH, 'import')
    expect(options()).toEqual(['ImportsPage', 'Import contactsAction'])
    await tab.type(SEARCH, ' GRAC ')
    await pass(249)
    expect(tab.text('.palette')).toContain('Searching…')
    expect(tab.sent('contacts/list')).toHaveLength(before)
    await pass(1)
    expect(asked(tab, 'contacts/list').at(-1)).toEqual({ search: 'grac', limit: 5 })
    expect(options()).toEqual(['grace@example.comContact', 'GraciousCampaign'])
    const chosen = () => tab.find('#palette-found [aria-selected=true]').textContent
    expect(chosen()).toContain('grace@')
    await tab.key('ArrowDown')
    expect(chosen()).toContain('Gracious')
    await tab.key('ArrowDown')
    expect(chosen()).toContain('grace@')
    await tab.key('ArrowUp')
    await tab.key('Enter')
    expect([tab.address, openPanel.value]).toEqual(['/campaigns/5', null])
  })
})

test('Everything that a project holds is found by its name.', async () => {
  await inTime(tab, async (pass) => {
    const names = { id: 7, name: 'Tide', title: 'Tides', path: '/tide', directory: 'Tide shops', displayName: 'x' }
    await open({
      'segments/list': page(names),
      'lists/list': page(names, { ...names, name: 'Weekly' }),
      'templates/list': { ...page(names), gallery: [] },
      'POST /project/cms/posts/list': { posts: [names] },
      'POST /project/pages/list': { pages: [names] },
      'POST /project/directory/list': { directories: [names] },
    })
    await tab.key('k', { ctrlKey: true })
    for (const text of ['tid', 'tide']) {
      await tab.type(SEARCH, text)
      await pass(250)
    }
    expect(options()).toEqual([
      ...['TidesPost', 'TideList', 'TideSegment', 'TideTemplate', 'TidesPage of the site', 'Tide shopsDirectory'],
    ])
    // Few as they are, they are asked for once.
    expect(tab.sent('segments/list')).toHaveLength(1)
    expect(tab.sent('POST /project/cms/posts/list').map(({ filters }) => filters.search)).toEqual(['tid', 'tide'])
    await tab.press('TideList')
    expect(tab.address).toBe('/lists?search=Tide')
  })
})

test('Every action that is found leads to a page that does it.', async () => {
  await open()
  await tab.key('k', { ctrlKey: true })
  await tab.type(SEARCH, 'new')
  expect(options()).toEqual(['New campaignAction', 'New templateAction', 'New segmentAction', 'New projectAction'])
  await tab.press('New templateAction')
  expect([tab.address, tab.has('New template')]).toEqual(['/templates', true])
})

test('The search finds the other projects and places, and opens them as documents of their own.', async () => {
  tab.data.projects = [...tab.data.projects, { id: 'p2', slug: 'quay', name: 'Quay letters', role: 'editor' }]
  await open()
  await tab.key('k', { ctrlKey: true })
  for (const [text, found] of [
    ['security', 'SecurityYour account'],
    ['approved', 'Approved appsGallery'],
    ['reviews', undefined],
  ] as const) {
    await tab.type(SEARCH, text)
    expect(options()[0]).toBe(found as string)
  }
  await tab.type(SEARCH, 'security')
  await tab.press('SecurityYour account')
  expect(tab.left).toEqual(['/portal/account/security'])
})

test('A search of one letter asks nothing, and one that fails finds pages still.', async () => {
  await inTime(tab, async (pass) => {
    await open({ 'contacts/list': new Refusal(403, 'FORBIDDEN') })
    await tab.key('k', { ctrlKey: true })
    await tab.type(SEARCH, 'i')
    await pass(250)
    expect(tab.sent('contacts/list')).toEqual([])
    await tab.type(SEARCH, 'imports')
    await pass(250)
    expect(options()).toEqual(['ImportsPage'])
    const box = () => tab.find('dialog input')
    const attributes = () => ['aria-expanded', 'aria-activedescendant'].map((name) => box().getAttribute(name))
    expect(attributes()).toEqual(['true', 'palette-0'])
    await tab.type(SEARCH, 'nothing')
    await pass(250)
    expect(attributes()).toEqual(['false', null])
    expect(tab.text('dialog')).toContain('Only pages and actions were searched: the service gave no answer.')
    await tab.press('Close')
  })
})

test('A search that fails late leaves what a later one has found.', async () => {
  await inTime(tab, async (pass) => {
    const late = Promise.withResolvers<Refusal>()
    await open({
      'contacts/list': ({ search }: { search?: string }) => (search === 'gr' ? late.promise : page(contact())),
    })
    await tab.key('k', { ctrlKey: true })
    for (const text of ['gr', 'grace']) {
      await tab.type(SEARCH, text)
      await pass(250)
    }
    const found = options()
    expect(found).toHaveLength(1)
    late.resolve(new Refusal(403, 'FORBIDDEN'))
    await tab.settled()
    expect(options()).toEqual(found)
    await tab.press('Close')
  })
})

test('The work that runs is counted, and its end is told.', async () => {
  await inTime(tab, async (pass) => {
    const running = campaign({ id: 8, status: 'sending' })
    await open({
      'jobs/list': page(job()),
      'campaigns/list': page(running),
      'campaigns/stats': { recipients: 100, queued: 40 },
      'jobs/get': { job: job({ status: 'failed' }) },
      'campaigns/get': { campaign: campaign({ id: 8, status: 'sent' }) },
    })
    await tab.press('Running work: 2')
    expect(tab.texts('.tray-list li a')).toEqual(['Sending: May', 'Tagging contacts: VIP'])
    expect(tab.all('.tray-list [role=progressbar]').map((bar) => bar.getAttribute('aria-valuenow'))).toEqual([
      '60',
      '24',
    ])
    tab.answers['jobs/list'] = page()
    tab.answers['campaigns/list'] = page()
    await pass(5_000)
    await tab.settled()
    expect(tab.texts('.toast-text')).toEqual(['Tagging contacts: VIP: failed', '“May”: sent'])
    expect(tab.has('Running work: none')).toBe(true)
    const before = tab.sent('jobs/list').length
    await pass(59_000)
    expect(tab.sent('jobs/list').length - before).toBeLessThanOrEqual(1)
    expect(tab.text('.tray-list')).toContain('Nothing runs now.')
  })
})

test('A session that still goes on elsewhere is not said to have ended.', async () => {
  await inTime(tab, async (pass) => {
    await open({ 'jobs/list': page(job()), 'jobs/get': { job: job() } })
    tab.answers['jobs/list'] = page()
    await pass(5_000)
    expect(tab.texts('.toast-text')).toEqual([])
  })
})

test('The projects and places are one press away, searched once they are many.', async () => {
  await open()
  await tab.press('Harbour: projects and places')
  expect(tab.texts('.places li')).toEqual(['Harbourowner', 'Quaymember', 'New project', 'Developer'])
  expect(tab.button('Quay').getAttribute('href')).toBe('/portal/projects/quay')
  expect(tab.texts('.places [aria-current=true]')).toEqual(['Harbourowner'])
  expect(tab.body.querySelector('.places input')).toBeNull()
  tab.data.projects = Array.from({ length: 5 }, (_, at) => ({
    id: `p${at}`,
    slug: `s${at}`,
    name: `Project ${at}`,
    role: 'owner',
  }))
  tab.data.user.is_reviewer = true
  await tab.draw(h('div', null, h(Shell, null)))
  await tab.press('Harbour: projects and places')
  await tab.type('Search projects', 'S3')
  expect(tab.texts('.places li')).toEqual(['Project 3owner', 'New project', 'Developer', 'Operator'])
  await tab.type('Search projects', 'zzz')
  expect(tab.text('.places')).toContain('No project is called that.')
})

test('Colors go round, and are kept for the next document.', async () => {
  await open()
  Object.defineProperty(document, 'cookie', { value: '', writable: true, configurable: true })
  for (const [next, cookie] of [
    ['light', '__Host-masthead_theme=light; Path=/; Max-Age=31536000; SameSite=Lax; Secure'],
    ['dark', '__Host-masthead_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure'],
    ['system', '__Host-masthead_theme=system; Path=/; Max-Age=0; SameSite=Lax; Secure'],
  ]) {
    await tab.press('Ada Lind: account menu')
    await tab.press('Colors: ')
    expect([theme.value as string, document.cookie]).toEqual([next!, cookie!])
    expect(document.documentElement.dataset.theme).toBe(next === 'system' ? undefined : next)
  }
})

test('A person who signs out is led to the way in.', async () => {
  await open()
  await tab.press('Ada Lind: account menu')
  await tab.press('Sign out')
  expect([tab.sent('POST /user/logout').length, tab.left]).toEqual([1, ['/portal/login']])
})

test('A trouble between the person and the service is told above the page.', async () => {
  await open()
  const banners = () => tab.text('.banners')
  expect(banners()).toBe('')
  conditions.isUnreachable.value = true
  await tab.settled()
  expect(banners()).toContain('Masthead does not answer.')
  conditions.isOnline.value = false
  await tab.settled()
  expect(banners()).toBe(
    'You are offline. What you write is kept in this browser, and what you save goes out when you are back.',
  )
  conditions.isOnline.value = true
  conditions.isUnreachable.value = false
  conditions.isOutdated.value = true
  await tab.settled()
  await tab.press('Reload')
  expect(tab.left).toEqual(['reload'])
  conditions.isOutdated.value = false
  await inTime(tab, async (pass) => {
    conditions.pausedUntil.value = Date.now() + 5_000
    await tab.settled()
    expect(banners()).toContain('Going on in 5 s.')
    await pass(2_000)
    expect(banners()).toContain('Going on in 3 s.')
    conditions.pausedUntil.value = null
    await tab.settled()
    expect(banners()).toBe('')
  })
})

test('A session that ended is begun again over the page, and the waiting call goes on.', async () => {
  let isSignedIn = false
  await open({
    'POST /user/logout': () => (isSignedIn ? {} : new Refusal(401, 'UNAUTHORIZED')),
    'POST /user/login': ({ password }) =>
      password === 'right'
        ? { second_factor: { ticket: 't1' } }
        : new Refusal(400, 'WRONG', undefined, 'The password is wrong.'),
    'POST /user/login/second-factor': () => ((isSignedIn = true), { user: { id: 'usr_ada' } }),
  } as Answers)
  const waiting = sendOnce('POST /user/logout', {})
  await tab.settled()
  expect(tab.text('dialog h2')).toBe('Your session has ended')
  expect([document.activeElement, tab.has('Close')]).toEqual([tab.field('Password of ada@example.com'), false])
  expect(tab.button('Sign in another way').getAttribute('href')).toBe(
    '/portal/login?return=%2Fportal%2Fprojects%2Fharbour%2Ftemplates',
  )
  await tab.type('Password of ada@example.com', 'wrong')
  await tab.press('Go on')
  expect(tab.text('.callout')).toContain('The password is wrong.')
  await tab.type('Password of ada@example.com', 'right')
  await tab.press('Go on')
  expect(document.activeElement).toBe(tab.field('Code of your authenticator'))
  await tab.type('Code of your authenticator', '123456')
  await tab.press('Go on')
  expect(tab.sent('POST /user/login')).toEqual([
    { email: 'ada@example.com', password: 'wrong' },
    { email: 'ada@example.com', password: 'right' },
  ])
  expect(tab.sent('POST /user/login/second-factor')).toEqual([{ ticket: 't1', code: '123456' }])
  await waiting
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Another person who signs in gets the page anew.', async () => {
  await open({ 'POST /user/login': { user: { id: 'usr_other' } } as never })
  conditions.isSignedOut.value = true
  await tab.settled()
  await tab.press('Go on')
  expect([tab.left, conditions.isSignedOut.value]).toEqual([['reload'], true])
  conditions.isSignedOut.value = false
  await tab.settled()
})

test('The calls of a page are listed, to be made again from a command line.', async () => {
  await open()
  await tab.key('.')
  const [first] = calls.value
  expect(tab.texts('.call > button')[0]).toContain('POST /general/api/v1/newsletter/')
  expect(tab.texts('.call > button')[0]).toContain('200 · ')
  await tab.press(tab.texts('.call > button').at(-1)!)
  expect(tab.texts('.call pre')).toHaveLength(2)
  expect(first!.method).toBe('POST')
  await tab.press('Close')
})

test('A call becomes a command line.', () => {
  const path = '/project/newsletter/overview'
  expect(asCurl({ method: 'POST', path, body: { name: "Ada's" } }).split(' \\\n  ')).toEqual([
    "curl -X POST 'https://masthead.example/general/api/v1/newsletter/overview'",
    '-H "Authorization: $MASTHEAD_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '{"name":"Ada'\\''s"}'`,
  ])
  expect(asCurl({ method: 'GET', path: '/user/me', body: undefined })).toBe(
    `curl -X GET 'https://masthead.example/user/me' \\\n  -H "Cookie: $MASTHEAD_COOKIE"`,
  )
})

test('On a narrow screen the menu is opened and closed.', async () => {
  await open()
  const state = () => tab.find('.shell').getAttribute('data-menu')
  await tab.press('Open the menu')
  expect(state()).toBe('open')
  await tab.key('Escape')
  expect(state()).toBe('closed')
  await tab.press('Open the menu')
  await tab.press('Close the menu')
  expect(state()).toBe('closed')
  await loadPage(pageOf(`${tab.data.scope}/campaigns`)!.page)
  await tab.press('Open the menu')
  openPanel.value = 'calls'
  await tab.settled()
  history.pushState(null, '', `${tab.data.scope}/campaigns`)
  dispatchEvent(new Event('popstate'))
  await tab.settled()
  expect([tab.address, state(), openPanel.value]).toEqual(['/campaigns', 'closed', null])
})

test('A field that the address names gets the focus, and the address loses it.', async () => {
  await open({ 'suppressions/list': page() }, 'owner', '/suppressions?field=nothing')
  expect(tab.address).toBe('/suppressions?field=nothing')
  await open(
    {
      'settings/get': { settings: { from_email: '', timezone: 'UTC' } },
      'connections/list': page(),
      'campaigns/get': { campaign: campaign() },
      'campaigns/readiness': { checks: [] },
      'campaigns/audience-count': { count: 1, excluded: {} },
      'lists/list': page(),
      'tags/list': page(),
      'segments/list': page(),
    } as Answers,
    'owner',
    '/campaigns/5/review',
  )
  history.pushState(null, '', `${tab.data.scope}/campaigns/5/review?field=audience`)
  dispatchEvent(new Event('popstate'))
  await tab.settled()
  expect(tab.address).toBe('/campaigns/5/review')
  expect((document.activeElement as unknown as { localName: string }).localName).toMatch(/^(input|button)$/)
})

test.each<[Partial<Job>, string, string]>([
  [{}, 'Tagging contacts: VIP', '/lists'],
  [
    { kind: 'campaign_prepare', action: null, about: { type: 'campaign', id: 5, name: null } },
    'Preparing a campaign',
    '/campaigns/5',
  ],
  [{ kind: 'import', action: null, about: { type: 'import', id: 6, name: 'a.csv' } }, 'Import: a.csv', '/imports/6'],
  [
    { kind: 'segment_materialize', action: null, about: { type: 'segment', id: 7, name: 'X' } },
    'Tagging a segment: X',
    '/segments/7',
  ],
  [{ action: 'add_to_list', about: { type: 'list', id: 1, name: 'W' } }, 'Adding contacts to a list: W', '/lists'],
  [{ action: 'delete', about: null }, 'Deleting contacts', '/activity'],
])('A job is called by what it does, and leads to what it is about (%#).', (more, name, path) => {
  expect([jobName(job(more)), jobHref(job(more))]).toEqual([name, `/portal/projects/harbour${path}`])
})
