import { expect, jest, mock } from 'bun:test'
import { stat } from 'node:fs/promises'
import { signal } from '@preact/signals'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import type { RouteName, RouteResponse } from '../../static/app/api/calls.ts'
import type { Operations } from '../../static/app/api/operations.d.ts'
import type { Role } from '../../src/shared/roles.ts'
import { type Call, Refusal, type Tab } from './tab.ts'
import { data } from '../../static/app/api/data.ts'
import { useQuery } from '../../static/app/api/query.ts'
import { ConfirmIdentity } from '../../static/app/shell/confirm-identity.tsx'
import { loadPage, Outlet } from '../../static/app/shell/outlet.tsx'
import { pageOf } from '../../static/app/shell/place.ts'
import { ToastRegion } from '../../static/app/ui/toast.tsx'

/** What the drawing of charts was asked for: it needs a canvas, which is a browser's. */
export const plots: { options: any; data: any }[] = []

mock.module('uplot', () => ({
  default: class {
    static paths = { bars: () => undefined }
    constructor(
      readonly options: unknown,
      readonly data: unknown,
    ) {
      plots.push(this)
    }
    setSize(): void {}
    setCursor(): void {}
    valToPos(): number {
      return 0
    }
    destroy(): void {}
  },
}))

/** What calls are answered with, by their names. */
export type Answers = { [Name in keyof Operations]?: Answer<Operations[Name]['response']> } & {
  [Name in RouteName]?: Answer<RouteResponse<Name>>
}
type Answer<T> = Part<T> | Refusal | ((body: any) => unknown)
/** As much of an answer as a page looks at. */
type Part<T> = T extends readonly (infer One)[]
  ? Part<One>[]
  : T extends object
    ? { [Name in keyof T]?: Part<T[Name]> }
    : T

/** Some turns of the event loop, which go on while `inTime` holds the clock. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await stat(import.meta.path)
}

/** Opens the page of an address of the project, as the shell does, with the messages at its lower edge
 * and the question who it is. */
export async function visit(tab: Tab, address: string, answers: Answers = {}, role: Role = 'owner'): Promise<void> {
  tab.data.project!.role = role
  Object.assign(tab.answers, answers)
  await drawPage(tab, tab.data.scope + (address === '/' ? '' : address))
  requireSound(tab)
  tab.atEnd(() => {
    requireSound(tab)
    tab.calls.forEach(requireProject)
  })
}

/** Draws the page of an address as `visit` does, with the answers and the data that the tab has. */
export async function drawPage(tab: Tab, path: string): Promise<void> {
  const match = pageOf(path.split('?')[0]!)
  tab.data.styles = { letter: '/letter.css', code: '/code.css' }
  // Style sheets never come: there is nothing that they could change.
  for (const href of Object.values(tab.data.styles))
    document.head.append(Object.assign(document.createElement('link'), { href }))
  if (match) await loadPage(match.page)
  await loadParts(match?.page.source ?? '')
  history.replaceState(null, '', path)
  const parts = [h('main', null, h(Outlet, null)), h(ConfirmIdentity, null), h(ToastRegion, null), h(Others, null)]
  await tab.draw(h('div', null, ...parts))
  // Parts whose code comes later are drawn once it has come.
  await turns()
  await tab.settled()
}

/** Loads what a page loads once it is drawn: then an import of it answers at once, on a busy machine, too. */
async function loadParts(source: string): Promise<unknown> {
  if (source.startsWith('letter/'))
    return Promise.all([
      import('../../static/app/letter/dialogs.tsx'),
      import('../../static/app/letter/drag.ts'),
      import('../../static/app/letter/inspector.tsx'),
      import('../../static/app/letter/preview.tsx'),
      import('../../static/app/letter/suggest.tsx'),
      import('../../static/app/letter/toolbar.tsx'),
    ])
  if (source === 'site/report/report')
    return Promise.all([
      import('../../static/app/site/report/events.tsx'),
      import('../../static/app/site/report/letter.tsx'),
      import('../../static/app/site/report/people.tsx'),
      import('../../static/app/site/report/recipients-csv.ts'),
    ])
  if (source === 'site/contact/contact')
    return Promise.all([
      import('../../static/app/site/contact/dialogs.tsx'),
      import('../../static/app/site/people/tag-choice.tsx'),
    ])
  if (source === 'site/contacts/contacts')
    return Promise.all([
      import('../../static/app/site/contacts/add-contact.tsx'),
      import('../../static/app/site/contacts/bulk-dialog.tsx'),
      import('../../static/app/site/contacts/save-dialog.tsx'),
    ])
}

/** A call about a project names the one of the page, and an operation is called by POST. */
function requireProject({ name, url, method, body }: Call): void {
  if (!url.startsWith('/project/')) return
  if (!name.includes(' ')) expect([name, method]).toEqual([name, 'POST'])
  const query = new URLSearchParams(url.split('?')[1])
  expect([name, query.get('project_id') ?? body?.project_id]).toEqual([name, data.project!.id])
}

/** Nothing is drawn that no page shows: a way to nowhere, a button or field without a name, a value that is none. */
export function requireSound(tab: Tab): void {
  const drawn = (element: Element) => element.outerHTML.slice(0, 200)
  const named = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent!).trim() !== ''
  const flaws = [
    ...tab.all('a').filter((way) => !way.getAttribute('href') || !named(way)),
    ...tab.all('button').filter((button) => !named(button) && !tab.body.querySelector(`label[for="${button.id}"]`)),
    // What is its own value has no words beside it.
    ...tab.all('option').filter((option) => !option.hasAttribute('value') && option.textContent!.includes(' ')),
    ...tab.all('[href*=undefined], [href*=NaN], [href*="%5Bobject"], [src*=undefined]'),
    ...tab.all('dt').filter((term) => !named(term)),
  ]
  expect(flaws.map(drawn)).toEqual([])
  // Whoever may do something is not told who may.
  const refused = [...tab.text().matchAll(/ takes an? (\w+); you are an? (\w+) here/g)]
  const rank = (role = '') => ['member', 'editor', 'administrator', 'owner'].indexOf(role)
  expect(refused.filter(([, least, own]) => rank(own) >= rank(least)).map(String)).toEqual([])
  expect(tab.text()).not.toMatch(/\bundefined\b|\bNaN\b|\[object Object\]|Invalid Date/)
}

/** What the other pages of a project show, by the beginnings of the names of its calls. */
const SHOWN = [
  ...['campaigns/get', 'campaigns/list', 'campaigns/readiness', 'connections/list', 'contacts/list', 'contacts/stats'],
  ...['custom-fields/list', 'imports/list', 'jobs/get', 'jobs/list', 'lists/list', 'overview', 'schema/get'],
  ...['segments/list', 'segments/preview', 'settings/get', 'suppressions/list', 'tags/list', 'templates/list'],
  ...['get', 'api-keys/list', 'apps/overview', 'audit/list', 'cms/posts/list', 'directory/list', 'files/list'].map(
    (name) => `/project/${name}`,
  ),
  ...['form-entries/forms', 'form-settings/list', 'letters/settings/get', 'mailbox/list', 'members/list'].map(
    (name) => `/project/${name}`,
  ),
  ...['pages/list', 'sign-up-forms/list', 'site-files/list', 'site-settings/get', 'site-templates/list', 'usage'].map(
    (name) => `/project/${name}`,
  ),
]
const isShown = signal(false)
const askedAgain = new Set<string>()

/** Stands for the other pages, as far as it shows what they show. */
function Others() {
  return isShown.value ? SHOWN.map((name) => h(Other, { key: name, name })) : null
}

function Other({ name }: { name: string }) {
  useQuery(`${name} elsewhere`, () => Promise.resolve(askedAgain.add(name)))
  return null
}

interface Change {
  /** The buttons that are at work until the answer comes. */
  busy: string[]
  /** What is asked for again afterwards, of all that other pages show. */
  again: string[]
}

/** Does what makes a call that changes something. */
export async function change(tab: Tab, call: keyof Answers, act: () => Promise<void>): Promise<Change> {
  const given: unknown = tab.answers[call]
  const held = Promise.withResolvers<void>()
  tab.answers[call] = async (body: unknown) => {
    await held.promise
    return typeof given === 'function' ? (given(body) as unknown) : given
  }
  isShown.value = true
  await tab.settled()
  await act()
  askedAgain.clear()
  const busy = tab
    .all('button[aria-busy=true]')
    .map((button) => (tab.body.querySelector(`label[for="${button.id}"]`) ?? button).textContent!)
  held.resolve()
  await tab.settled()
  isShown.value = false
  await tab.settled()
  tab.answers[call] = given
  return { busy, again: [...askedAgain].sort() }
}

/** A refusal that finds a flaw in each of these parts of a body. */
export function flawed(...parts: string[]): Refusal {
  const details = parts.map((part) => ({ path: `/${part}`, message: `Flaw of ${part}.` }))
  return new Refusal(400, 'VALIDATION_FAILED', details, 'Look again.')
}

/** The parts of a body whose flaws stand at the fields of these labels. */
export function flawsAt(tab: Tab, ...labels: string[]): string[] {
  return labels.map((label) => {
    const notes = (tab.field(label).getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
    const texts = notes.map((id) => document.getElementById(id)?.textContent ?? '')
    return texts.flatMap((text) => /Flaw of (\S+)\./.exec(text)?.[1] ?? []).join()
  })
}

/** What operations of the newsletter were asked, without the project and the key of each call. */
export function asked(tab: Tab, name: keyof Operations | RouteName): any[] {
  return tab.sent(name).map(({ project_id: _project, idempotency_key: _key, ...body }) => body)
}

/** Runs with a clock of its own: for what waits until nobody types any more, or asks again by itself. */
export async function inTime(tab: Tab, run: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  jest.useFakeTimers()
  try {
    await run(async (ms) => {
      await act(() => void jest.advanceTimersByTime(ms))
      await tab.settled()
    })
  } finally {
    jest.useRealTimers()
  }
}
