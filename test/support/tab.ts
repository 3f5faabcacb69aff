import { afterAll, afterEach, beforeEach, expect, jest } from 'bun:test'
import { stat } from 'node:fs/promises'
import { type ComponentType, h, options, render, type VNode } from 'preact'
import { LocationProvider, useLocation } from 'preact-iso'
import { act } from 'preact/test-utils'
import type { DocumentData } from '../../src/shared/app-document.ts'
import type { PageProps } from '../../static/app/page-props.ts'
import './code-views.ts'
import { requireNothingLeft, watchListeners, watched, watchedTimers } from './left-behind.ts'
import { makeWindow } from './tab-window.ts'

/**
 * A tab in which components of the web application are drawn and used without a browser: the document of happy-dom, and
 * a service that answers what the test says. Import it before the components. Looks, layout and the focus order are for
 * the tests in test/browser.
 */
export interface Tab {
  /** Everything the page holds. */
  body: HTMLElement
  /** The calls of the service that were made, in their order. */
  calls: Call[]
  /** What the service answers, by the name of a call: `imports/get`, `GET /user/me`. */
  answers: Record<string, Answer>
  data: DocumentData
  storage: Map<string, string>
  /** The media queries that hold. */
  media: Set<string>
  /** Addresses of other documents that the page went to. */
  left: string[]
  /** Addresses of this document that the back button leads back from. */
  pushed: string[]
  /** The address that is shown, below the scope of the document. */
  readonly address: string
  draw(shown: VNode<any>): Promise<void>
  /** Draws the same with other properties. */
  redraw(shown: VNode<any>): Promise<void>
  /** Draws a page at an address below the scope: `open(Imports, '/imports?cursor=x')`. */
  open(page: ComponentType<PageProps>, address: string, params?: Record<string, string>): Promise<void>
  /** Lets time pass, for tests with timers of their own (`jest.useFakeTimers()`). */
  pass(ms: number): Promise<void>
  /** Does what a person does, and draws what changes by it. */
  act(run: () => void): Promise<void>
  /** Waits until every answer has come and is drawn. */
  settled(): Promise<void>
  /** The words that are shown, in one line. */
  text(within?: string): string
  texts(selector: string): string[]
  find<Found extends HTMLElement = HTMLElement>(selector: string): Found
  all<Found extends HTMLElement = HTMLElement>(selector: string): Found[]
  /** The button, link, menu entry or option of this name; `button('Delete')` may be one that begins so. */
  button(name: string): HTMLElement
  names(): string[]
  has(name: string): boolean
  /** Waits for code that is loaded when it is first shown, as `type` and `check` do. */
  press(name: string): Promise<void>
  /** The control of this label. */
  field(label: string): HTMLInputElement
  type(label: string, text: string): Promise<void>
  check(label: string, on?: boolean): Promise<void>
  /** Chooses an option of a combobox. */
  choose(label: string, option: string): Promise<void>
  /** Leaves a field. */
  leave(label: string): Promise<void>
  submit(selector?: string): Promise<void>
  key(key: string, more?: Record<string, unknown>, at?: Element): Promise<void>
  /** What is done at the end of this test, while the tab is still open. */
  atEnd(end: () => unknown): void
  /** The bodies that a call was made with. */
  sent(name: string): any[]
}

export interface Call {
  name: string
  url: string
  method: string | undefined
  body: any
  headers: Headers
}

type Answer = unknown | ((body: any, call: Call) => unknown)

/** What the service says no with. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: unknown = undefined,
    readonly message = 'The service refused this.',
  ) {}
}

const ADA = { id: 'usr_ada', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lind', is_reviewer: false }
const HARBOUR = { id: 'prj_harbour', slug: 'harbour', name: 'Harbour', role: 'owner' as const }
const DATA: DocumentData = {
  user: ADA,
  projects: [HARBOUR],
  project: { ...HARBOUR, administrators: ['Bo Holm'], sending_trouble: false },
  scope: '/portal/projects/harbour',
  sandbox: false,
  base_url: 'https://masthead.example',
  base_url_problem: null,
  version: 'v1',
  styles: {},
  answers: {},
}
const NEWSLETTER = '/project/newsletter/'
const ORIGIN = 'https://masthead.example'
const OWN = [
  ...['addEventListener', 'removeEventListener', 'dispatchEvent', 'Event'],
  ...['document', 'window', 'location', 'history', 'localStorage', 'fetch'],
  ...[
    'Element',
    'HTMLElement',
    'HTMLAnchorElement',
    'HTMLIFrameElement',
    'Node',
    'CSS',
    'DOMParser',
    'DOMRect',
    'NodeFilter',
    'matchMedia',
    'scrollTo',
  ],
  ...['innerWidth', 'innerHeight', 'getComputedStyle', 'getSelection', 'requestAnimationFrame', 'cancelAnimationFrame'],
  ...['ResizeObserver', 'MutationObserver', 'IntersectionObserver', 'setInterval', 'clearInterval'],
]

const before = new Map<string, PropertyDescriptor | undefined>()
const page = makeWindow(ORIGIN)
const shown = page.document as unknown as Document
for (const place of [page as unknown as Window, shown]) watchListeners(place)
const storage = new Map<string, string>()
const left: string[] = []
const media = new Set<string>()
const pushed: string[] = []

install(() => Promise.reject(new Error('No test is under way.')))
// These read the document when they are loaded.
const { data } = await import('../../static/app/api/data.ts')
const conditions = await import('../../static/app/api/conditions.ts')
await import('../../static/app/theme.ts')
const { useQuery } = await import('../../static/app/api/query.ts')
// Once it is loaded, an import of it answers at once.
await import('../../static/app/code/code-view.ts')
await import('../../static/app/api/refusal-words.ts')
remove()

/** A fresh tab for each test of the file. */
export function useTab(defaults: Partial<DocumentData> = {}, root: Record<string, Answer> = {}): Tab {
  const ends: (() => unknown)[] = []
  let isFirstDraw = true
  const tab: Tab = {
    get body() {
      return shown.body
    },
    calls: [],
    answers: {},
    data,
    storage,
    media,
    left,
    pushed,
    get address() {
      return (location.pathname + location.search).slice(data.scope.length)
    },
    async draw(node) {
      if (shown.body.firstChild !== null) await leave()
      await tab.redraw(node)
    },
    async redraw(node) {
      // The library keeps the last scope, such as that of the shell.
      await act(() => render(h(LocationProvider, { scope: /^\// }, node), shown.body))
      await settled()
      // Tests that draw no messages leave theirs to the next one that does.
      if (isFirstDraw) await act(dismissToasts)
      isFirstDraw = false
    },
    async open(page, address, params = {}) {
      history.replaceState(null, '', data.scope + address)
      await tab.draw(h(AtAddress, { page, params }))
    },
    async pass(ms) {
      await act(() => void jest.advanceTimersByTime(ms))
      await settled()
    },
    async act(run) {
      await act(run)
      await settled()
    },
    settled,
    text: (within) => spaced(within === undefined ? shown.body : tab.find(within)),
    texts: (selector) => tab.all(selector).map(spaced),
    all: <Found extends HTMLElement>(selector: string) => all<Found>(shown.body, selector),
    find<Found extends HTMLElement>(selector: string) {
      const found = shown.body.querySelector<Found>(selector)
      if (!found) throw new Error(`Nothing is ${selector}: ${spaced(shown.body)}`)
      return found
    },
    button(name) {
      const all = pressable()
      const found = all.find((one) => nameOf(one) === name) ?? all.find((one) => nameOf(one).startsWith(name))
      if (!found) throw new Error(`Nothing to press is named ${name}: ${tab.names().join(' | ')}`)
      return found
    },
    names: () => pressable().map(nameOf),
    has: (name) => tab.names().includes(name),
    async press(name) {
      const button = await appeared(() => tab.button(name))
      await act(() => click(button))
      await settled()
    },
    field(label) {
      const labels = all(onTop(), 'label[for]')
      const labeled = labels.find((one) => spaced(one) === label) ?? labels.find((one) => spaced(one).startsWith(label))
      const found = labeled && shown.getElementById(labeled.getAttribute('for')!)
      const named = all(onTop(), 'input, textarea, select, button, [role=slider]').find(
        (one) => one.getAttribute('aria-label') === label,
      )
      if (!found && !named) throw new Error(`No field is labeled ${label}: ${tab.texts('label').join(' | ')}`)
      return (found ?? named) as HTMLInputElement
    },
    async type(label, text) {
      const field = await appeared(() => tab.field(label))
      await act(() => {
        field.focus()
        field.value = text
        send(field, 'input')
        send(field, 'change')
      })
      await settled()
    },
    async check(label, on = true) {
      const box = await appeared(() => tab.field(label))
      await act(() => {
        if (box.localName === 'button') click(box)
        else {
          box.checked = on
          send(box, 'change')
        }
      })
      await settled()
    },
    async choose(label, option) {
      const field = await appeared(() => tab.field(label))
      await act(() => click(field))
      await tab.press(option)
    },
    async leave(label) {
      await act(() => {
        tab.field(label).focus()
        tab.field(label).blur()
      })
      await settled()
    },
    async submit(selector = 'form') {
      await act(() => void send(tab.find(selector), 'submit'))
      await settled()
    },
    async key(key, more = {}, at = shown.activeElement ?? shown.body) {
      await act(
        () =>
          void send(at, 'keydown', { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }),
      )
      await settled()
    },
    atEnd: (end) => void ends.push(end),
    sent: (name) => tab.calls.filter((call) => call.name === name).map(({ body }) => body),
  }
  beforeEach(() => {
    isFirstDraw = true
    storage.clear()
    media.clear()
    left.length = pushed.length = tab.calls.length = 0
    tab.answers = { ...root }
    install((url, request) => answer(tab, String(url), request))
    Object.assign(data, structuredClone({ ...DATA, ...defaults }))
    history.replaceState(null, '', data.scope)
  })
  afterEach(async () => {
    await requireRetries(tab)
    for (const end of ends.splice(0)) await end()
    await leave()
    // A service that cannot be reached is looked for until it is back.
    conditions.isUnreachable.value = false
    conditions.isOnline.value = true
    requireNothingLeft()
    // Modules that are loaded next read it.
    Object.assign(data, structuredClone(DATA))
  })
  // Each global that goes makes the engine forget compiled code: they go once for a file.
  afterAll(remove)
  return tab
}

/** A page that gets the query of the address, as the shell gives it. */
function AtAddress({ page, params }: { page: ComponentType<PageProps>; params: Record<string, string> }) {
  return h(page, { params, query: useLocation().query as Record<string, string> })
}

/** Whoever reads that something could not be loaded can have it asked for again. */
async function requireRetries(tab: Tab): Promise<void> {
  for (const again of all(shown.body, '[role=alert] button')) {
    if (!spaced(again).startsWith('Try again')) continue
    const before = tab.calls.length
    await act(() => click(again))
    await settled()
    expect([tab.text(), tab.calls.length > before]).toEqual([tab.text(), true])
  }
}

/** Takes away what is drawn, its messages and the answers that were kept for it. */
async function leave(): Promise<void> {
  await act(dismissToasts)
  // Answers that something shows are not forgotten: what was drawn last, by code that came late, has an end, too.
  for (const next of [null, h(Forgetful, null), null]) {
    await act(() => render(next, shown.body))
    await stat(import.meta.path)
    await settled()
  }
}

function dismissToasts(): void {
  all(shown.body, '.toast [aria-label="Dismiss"]').forEach(click)
}

let forgotten = 0

/** The application keeps the last hundred answers: others take their places. */
function Forgetful() {
  for (let at = 0; at <= 100; at++) useQuery(`nothing ${++forgotten}`, () => Promise.resolve(null), { enabled: false })
  return null
}

async function settled(): Promise<void> {
  for (let round = 0; round < 6; round++)
    await act(async () => {
      for (let turn = 0; turn < 12; turn++) await Promise.resolve()
    })
  const [thrown] = uncaught.splice(0)
  if (thrown !== undefined) throw thrown
}

/** What components threw while they were drawn: `act` keeps to itself what comes after a call was answered. */
const uncaught: unknown[] = []
const hooks = options as unknown as { __e(error: unknown, ...more: unknown[]): void }
const catchError = hooks.__e
hooks.__e = (error, ...more) => {
  uncaught.push(error)
  catchError(error, ...more)
}

async function answer(tab: Tab, url: string, request: RequestInit = {}): Promise<Response> {
  const [path = ''] = url.split('?')
  const name = path.startsWith(NEWSLETTER) ? path.slice(NEWSLETTER.length) : `${request.method} ${path}`
  const { body } = request
  const call = {
    name,
    url,
    method: request.method,
    body: typeof body === 'string' ? JSON.parse(body) : body,
    headers: new Headers(request.headers),
  }
  tab.calls.push(call)
  if (!(name in tab.answers)) throw new Error(`The test has no answer for ${name}.`)
  const given = tab.answers[name]
  const said: unknown = await (typeof given === 'function' ? given(call.body, call) : given)
  if (said instanceof Response) return said
  const isRefused = said instanceof Refusal
  const answered = isRefused
    ? { error: { code: said.code, message: said.message, details: said.details } }
    : path.startsWith(NEWSLETTER)
      ? { data: said }
      : said
  // A Response reads its body in a turn of its own; this one is there at once.
  return {
    status: isRefused ? said.status : 200,
    ok: !isRefused,
    headers: new Headers({ 'content-type': 'application/json' }),
    json: () => Promise.resolve(structuredClone(answered)),
    text: () => Promise.resolve(JSON.stringify(answered)),
  } as Response
}

/** How long something is waited for that never comes: longer than any delay of the application. */
const MAX_WAIT_NS = 4_000_000_000
const MAX_TURNS = 3000

/** What the present state is looked for in until it is there. Throws what the last look threw. */
export async function appeared<T>(look: () => T): Promise<T> {
  const start = Bun.nanoseconds()
  const passed = () => Bun.nanoseconds() - start
  // A clock that a test holds does not pass: then turns are counted.
  for (let turn = 0; turn < MAX_TURNS || (passed() > 0 && passed() < MAX_WAIT_NS); turn++) {
    try {
      return look()
    } catch {
      // A file is waited for, and no timer: the clock may be held.
      for (let wait = 0; wait < 5; wait++) await stat(import.meta.path)
      await settled()
    }
  }
  return look()
}

function all<Found extends HTMLElement = HTMLElement>(within: Element, selector: string): Found[] {
  return [...within.querySelectorAll<Found>(selector)]
}

/** The dialog on top, behind which nothing can be reached, or the page. */
function onTop(): HTMLElement {
  return all(shown.body, 'dialog[open]').at(-1) ?? shown.body
}

function pressable(): HTMLElement[] {
  return all(onTop(), 'button, a, [role=option], summary')
}

function nameOf(element: Element): string {
  return element.getAttribute('aria-label') ?? spaced(element)
}

function click(element: HTMLElement): void {
  if (element.matches('a, button')) element.focus()
  element.click()
}

/** Sends an event with properties of its own. Returns whether nobody prevented what it usually does. */
export function send(
  element: Element,
  type: string,
  properties: Record<string, unknown> = {},
  bubbles = true,
): boolean {
  const event = new page.Event(type, { bubbles, cancelable: true })
  for (const [name, value] of Object.entries(properties)) Object.defineProperty(event, name, { value })
  return element.dispatchEvent(event as unknown as Event)
}

/** Chooses files in a field. */
export function chooseFiles(field: HTMLElement, files: readonly File[]): void {
  Object.defineProperty(field, 'files', { value: files, configurable: true })
  send(field, 'change')
}

function spaced(element: Element): string {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

function install(fetch: (url: unknown, request?: RequestInit) => Promise<Response>): void {
  shown.head.replaceChildren()
  shown.body.replaceChildren()
  shown.documentElement.removeAttribute('dir')
  for (const given of ['visibilityState', 'cookie']) Reflect.deleteProperty(shown, given)
  const script = shown.createElement('script')
  script.setAttribute('id', 'data')
  script.setAttribute('type', 'application/json')
  script.textContent = JSON.stringify(DATA)
  shown.head.append(script)
  const at = { pathname: '', search: '', origin: ORIGIN, protocol: 'https:', hash: '' }
  const show = (_: unknown, __: unknown, url: string) => {
    const { pathname, search } = new URL(url, at.origin)
    Object.assign(at, { pathname, search })
  }
  const push = (state: unknown, title: unknown, url: string) => {
    pushed.push(url.slice(data.scope.length))
    show(state, title, url)
  }
  const given: Record<string, unknown> = {
    document: shown,
    window: globalThis,
    location: Object.assign(Object.defineProperty(at, 'href', { get: () => at.origin + at.pathname + at.search }), {
      assign: (url: string) => left.push(url),
      reload: () => left.push('reload'),
    }),
    history: { pushState: push, replaceState: show, back() {}, state: null },
    localStorage: {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
      removeItem: (name: string) => void storage.delete(name),
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
    Element: page.Element,
    HTMLElement: page.HTMLElement,
    HTMLAnchorElement: page.HTMLAnchorElement,
    HTMLIFrameElement: page.HTMLIFrameElement,
    Node: page.Node,
    Event: page.Event,
    DOMParser: page.DOMParser,
    DOMRect: page.DOMRect,
    NodeFilter: page.NodeFilter,
    ResizeObserver: watched(page.ResizeObserver),
    MutationObserver: watched(page.MutationObserver),
    IntersectionObserver: watched(page.IntersectionObserver),
    matchMedia: (query: string) => ({
      matches: media.has(query),
      addEventListener() {},
      removeEventListener() {},
    }),
    scrollTo() {},
    ...{ innerWidth: 1280, innerHeight: 800, getSelection: () => null },
    // The color that was set stands for the one that is seen.
    getComputedStyle: ({ style }: HTMLElement) => ({
      color: style.color,
      fontFamily: 'sans-serif',
      direction: shown.documentElement.getAttribute('dir') ?? 'ltr',
    }),
    requestAnimationFrame: (draw: () => void) => setTimeout(draw, 0),
    cancelAnimationFrame: (timer: ReturnType<typeof setTimeout>) => clearTimeout(timer),
    CSS: page.CSS,
    ...watchedTimers(),
    fetch,
  }
  for (const name of OWN) {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value: given[name], configurable: true, writable: true })
  }
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
  // happy-dom has no locks. Another tab has them all.
  const locks = { request: () => new Promise(() => undefined) }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
}

function remove(): void {
  for (const name of OWN) {
    const descriptor = before.get(name)
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else delete (globalThis as Record<string, unknown>)[name]
  }
  for (const name of ['onLine', 'locks']) Reflect.deleteProperty(navigator, name)
}

/** What stands in the rows of the table of this caption, cell by cell. */
export function rowsOf(tab: Tab, caption: string): string[][] {
  const table = tab.all('table').find((one) => one.getAttribute('aria-label') === caption)
  const rows = table ? all(table, 'tbody tr') : []
  expect(rows.length).toBeGreaterThan(0)
  // A column without a name says nothing to whoever hears the table.
  expect(all(table!, 'thead th').map(spaced)).not.toContain('')
  return rows.map((row) =>
    [...row.children].map((cell) => spaced(cell.querySelector('.table-cell, .table-link') ?? cell)),
  )
}
