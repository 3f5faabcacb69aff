import { jest, mock, setSystemTime } from 'bun:test'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { diffArrays } from 'diff'
import { h } from 'preact'
import type { Stop } from '../../bench/pages-data.ts'
import type { Role } from '../../src/store/tables/accounts.ts'
import type { SiteWorld } from '../http/site-world.ts'
import { acceptedAnswer } from './accepted.ts'
import { drawnOutline } from './drawn.ts'
import { type Call, chooseFiles, Refusal, send, type Tab } from './tab.ts'
import { plots } from './visit.ts'
import { data } from '../../static/app/api/data.ts'
import type { Stored } from '../../static/app/code/draft.ts'
import { isDesignOpen } from '../../static/app/letter/design-open.ts'
import { ConfirmIdentity } from '../../static/app/shell/confirm-identity.tsx'
import { loadPage, Outlet } from '../../static/app/shell/outlet.tsx'
import { place } from '../../static/app/shell/place.ts'
import { theme } from '../../static/app/shell/theme.ts'
import { ToastRegion } from '../../static/app/ui/toast.tsx'

/** Begins the keys of drafts, which outlive their page, so that each page is drawn without those of the one before. */
let visitPrefix = ''
let visits = 0
const { useDraft } = { ...(await import('../../static/app/code/draft.ts')) }
void mock.module('../../static/app/code/draft.ts', () => ({
  useDraft: <T extends object>(key: string, stored: Stored<T>) => useDraft(visitPrefix + key, stored),
}))

/** Somebody who looks at pages. `refused` gets no answer but a refusal. */
export type Viewer = Role | 'outsider' | 'refused'

/** Pages of the application, drawn with the answers of a real service, whose clock they share. */
export interface AppTour {
  /** The lines of a page, as a person sees it who comes from elsewhere. */
  show(stop: Place, viewer?: Viewer): Promise<string[]>
  /**
   * What each control of a page does, and each control that appears then, as deep as that: lines of what was asked of
   * the service (`>`), and of what came (`+`) and went (`-`). What would change something is refused at first. Tried
   * again, a button is accepted, with an answer made from its declaration; a page of depth 0 saves by itself, which is
   * refused always.
   */
  tryControls(stop: Place, depth: number): Promise<string[]>
}

/** A page at an address; the address may have a query. */
export type Place = Pick<Stop, 'root' | 'page' | 'path'>

/** Loads all code of the application: what a page loads when it is first used answers at once then. */
export async function loadApplication(): Promise<void> {
  const root = join(import.meta.dir, '../../static/app')
  const files = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(root))
  // These two draw a page when they are loaded.
  const modules = files.filter((file) => !/^main|kitchen-entry|\.d\.ts$/.test(file))
  await Promise.all(modules.map((file) => import(join(root, file))))
}

const READS = /\/(list|get|stats|usage|overview|forms|health|config|preview|recipients|readiness|estimate|activity)$/

/** Shows the rules in an address, which are packed into a text (`static/app/rules/address.ts`). */
function rulesShown(text: string): string {
  return text.replaceAll(/(?<=filter=)[\w-]+/g, (packed) => Buffer.from(packed, 'base64url').toString())
}

/** @param name gives what is random a name that is the same in each run */
export function appTour(tab: Tab, world: SiteWorld, name: (text: string) => string): AppTour {
  const answers = new Map<string, Promise<{ status: number; headers: Headers; text: string }>>()
  let cookie = ''
  let isRefused = false
  /** The calls that were accepted; null: what would change something is refused. */
  let accepted: Set<string> | null = null
  let underway = 0

  async function ask({
    url,
    method,
    headers,
    body,
  }: Call): Promise<{ status: number; headers: Headers; text: string }> {
    const answer = await Bun.fetch(world.url + url, {
      method,
      headers: { ...Object.fromEntries(headers), Cookie: cookie, Origin: world.url },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  async function answered(_: unknown, call: Call): Promise<unknown> {
    const { url, method, body } = call
    if (isRefused) return new Refusal(403, 'FORBIDDEN', undefined, 'Refused.')
    if (changesSomething(call)) {
      if (!accepted) return new Refusal(409, 'CONFLICT', undefined, 'Refused.')
      // Whoever asks again until nothing is left comes to an end.
      const count = accepted.has(call.name) ? 0 : 1
      accepted.add(call.name)
      return acceptedAnswer(call, new Date(world.clock.now()).toISOString(), count)
    }
    underway++
    try {
      const key = `${cookie} ${method} ${url} ${JSON.stringify(body)}`
      const known = answers.get(key) ?? ask(call)
      answers.set(key, known)
      const { text, ...rest } = await known
      return new Response(text, rest)
    } finally {
      underway--
    }
  }
  tab.answers = new Proxy({}, { has: () => true, get: () => answered })

  /** Waits until every answer has come and is drawn. */
  async function answersDrawn(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      const before = tab.calls.length
      // Code that a part of a page loads comes after files and imports that were asked for before.
      for (let wait = 0; wait < 3; wait++) await Promise.all([stat(import.meta.path), import('./tab.ts')])
      await tab.settled()
      calm = underway > 0 || tab.calls.length > before ? 0 : calm + 1
    }
  }
  /** Waits, too, until what waits for a moment of quiet is done. */
  async function drawn(): Promise<void> {
    await answersDrawn()
    for (let pass = 0, quiet = 0; pass < MAX_PASSES && quiet < 2; pass++) {
      const before = tab.calls.length
      await tab.pass(1_000)
      await answersDrawn()
      quiet = tab.calls.length > before ? 0 : quiet + 1
    }
  }
  async function open({ root, path }: Place, viewer: Viewer): Promise<void> {
    isRefused = viewer === 'refused'
    cookie = await world.cookie(viewer === 'refused' ? 'owner' : viewer)
    tab.storage.clear()
    visitPrefix = `visit ${++visits} `
    plots.length = 0
    isDesignOpen.value = false
    const address = root + (path === '/' ? '' : path)
    const key = `${cookie} ${address}`
    const call = { name: '', url: address, method: 'GET', body: undefined, headers: new Headers() }
    const known = answers.get(key) ?? ask(call)
    answers.set(key, known)
    const found = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec((await known).text)
    Object.assign(data, JSON.parse(found![1]!), { answers: {}, styles: { letter: '/letter.css', code: '/code.css' } })
    // Style sheets never come: there is nothing that they could change.
    for (const href of Object.values(data.styles))
      if (!document.head.querySelector(`link[href="${href}"]`))
        document.head.append(Object.assign(document.createElement('link'), { href }))
    // A page stays until the code of the next one has come.
    for (const other of place().pages) await loadPage(other)
    history.replaceState(null, '', address)
    await tab.draw(h('div', null, h('main', null, h(Outlet, null)), h(ConfirmIdentity, null), h(ToastRegion, null)))
    await drawn()
  }
  const linesNow = () => [
    ...drawnOutline(tab.body, (text) => name(rulesShown(text))),
    ...plots.map(({ options, data }) => `chart ${JSON.stringify([options.series, options.scales, data])}`),
  ]

  async function inTime<T>(run: () => Promise<T>): Promise<T> {
    jest.useFakeTimers()
    setSystemTime(world.clock.now())
    try {
      return await run()
    } finally {
      visitPrefix = ''
      theme.value = 'system'
      jest.useRealTimers()
    }
  }

  const tour: AppTour = {
    show: (stop, viewer = 'owner') =>
      inTime(async () => {
        await open(stop, viewer)
        return linesNow()
      }),
    tryControls: (stop, depth) =>
      inTime(async () => {
        const out: string[] = []
        const find = (name: string) => controlsOf(tab).find((one) => nameOf(one) === name)
        const use = async (name: string): Promise<boolean> => {
          const control = find(name)
          // A control may be there only after others were used.
          if (!control) return false
          await useControl(tab, control)
          await drawn()
          return true
        }
        /** Uses the controls of a path, one after the other, on the page as it is first drawn. */
        const follow = async (path: readonly string[]): Promise<void> => {
          await open(stop, 'owner')
          for (const used of path) await use(used)
        }
        /** Uses each control that the last one of a path brought, fields first. A form is sent as they leave it. */
        const explore = async (path: readonly string[], known: ReadonlySet<string>): Promise<void> => {
          const found = controlsOf(tab).toSorted((a, b) => turnOf(a) - turnOf(b))
          const names = [...new Set(found.map(nameOf))].filter((name) => !known.has(name))
          const here = new Set([...known, ...names])
          const indent = '    '.repeat(path.length)
          let isThere = true
          for (const name of names) {
            if (!isThere || !find(name)) await follow(path)
            const before = linesNow()
            const calls = tab.calls.length
            if (!(await use(name))) continue
            const made = tab.calls.slice(calls)
            const report = (of: readonly string[], from: number, line: string) =>
              out.push(
                indent + line,
                ...[...callLines(tab.calls.slice(from)), ...changes(of, linesNow(), MAX_CAME)].map(
                  (one) => `${indent}  ${one}`,
                ),
              )
            report(before, calls, name)
            const isHere = stop.root + (stop.path === '/' ? '' : stop.path.split('?')[0]!) === location.pathname
            const now = new Set(controlsOf(tab).map(nameOf))
            isThere = isHere && made.length === 0 && names.every((other) => now.has(other))
            const again = find(name)
            if (depth > 0 && again && turnOf(again) > 0 && made.some(changesSomething)) {
              const [refused, from] = [linesNow(), tab.calls.length]
              accepted = new Set()
              try {
                await use(name)
              } finally {
                accepted = null
              }
              report(refused, from, `${name}, accepted: ${placeNow()}`)
            }
            if (!isHere || path.length >= depth || [...now].every((one) => here.has(one))) continue
            await follow([...path, name])
            await explore([...path, name], here)
            isThere = false
          }
        }
        await open(stop, 'owner')
        await explore([], new Set())
        await tab.draw(h('div', null))
        return out.map(name)
      }),
  }
  return tour
}

/** What can be used now: in an open dialog, nothing behind it. */
export function controlsOf(tab: Tab): HTMLElement[] {
  const top = tab.all('dialog[open]').at(-1) ?? tab.body
  return [
    ...top.querySelectorAll<HTMLElement>('button, summary, [role=option], [role^=menuitem], input, textarea, select'),
  ].filter((one) => isTried(one))
}

/** Of a table, the controls of the first row are tried, of a list those of two entries. */
function isTried(control: HTMLElement): boolean {
  if ((control as HTMLButtonElement).disabled || control.getAttribute('aria-disabled') === 'true') return false
  for (let at: Element | null = control; at; at = at.parentElement) {
    const tried = at.tagName === 'TR' ? 1 : at.tagName === 'LI' || at.getAttribute('role') === 'option' ? 2 : Infinity
    if ([...(at.parentElement?.children ?? [])].indexOf(at) >= tried) return false
  }
  return true
}

/** The kind of a control and the words by which a person knows it. */
export function nameOf(control: HTMLElement): string {
  const label = control.id === '' ? null : document.querySelector(`label[for="${control.id}"]`)
  const name = control.getAttribute('aria-label') ?? (label ?? control).textContent!
  const kind = control.getAttribute('role') ?? control.getAttribute('type') ?? control.localName
  return `${kind} "${name.replaceAll(/\s+/g, ' ').trim()}"`
}

/** Fields are used before what sends them, and that before all other buttons. */
function turnOf(control: HTMLElement): number {
  if (/^(input|textarea|select)$/.test(control.localName)) return 0
  return control.getAttribute('type') === 'submit' || control.matches('.button-primary') ? 1 : 2
}

const TYPED: Record<string, string> = {
  email: 'typed@quay.example',
  number: '17',
  url: 'https://typed.example/path',
  color: '#123456',
  date: '2026-03-04',
  time: '05:06',
  'datetime-local': '2026-03-04T05:06',
}

/** Presses a control, or writes into it what its type takes. */
export async function useControl(tab: Tab, control: HTMLElement): Promise<void> {
  await tab.act(() => {
    const type = control.getAttribute('type') ?? 'text'
    if (control.localName === 'select') {
      const select = control as HTMLSelectElement
      select.value = select.options[select.selectedIndex === 1 ? 0 : 1]?.value ?? ''
      send(select, 'change')
    } else if (
      control.localName === 'textarea' ||
      (control.localName === 'input' && !/checkbox|radio|file/.test(type))
    ) {
      control.focus()
      ;(control as HTMLInputElement).value = TYPED[type] ?? 'Typed words'
      send(control, 'input')
      send(control, 'change')
    } else if (type === 'file') chooseFiles(control, [])
    else {
      control.focus()
      control.click()
    }
  })
}

function changesSomething({ url, method }: Call): boolean {
  return method !== 'GET' && !READS.test(url.split('?')[0]!)
}

const placeNow = () => location.pathname + location.search

function callLines(calls: readonly Call[]): string[] {
  return calls.map((call) => `> ${callLine(call)}`).toSorted()
}

const IN_EACH_CALL = new Set(['project_id', 'idempotency_key'])

function callLine({ name, url, method, body }: Call): string {
  const query = url.includes('?') ? `?${url.split('?')[1]}` : ''
  const own = Object.entries((body ?? {}) as object).filter(([key]) => !IN_EACH_CALL.has(key))
  const verb = name.includes(' ') || method === 'POST' ? '' : `${method} `
  return `${verb}${name}${query} ${JSON.stringify(Object.fromEntries(own))}`
}

/** Lines that came and went; of many, the first ones and their number. */
export function changes(before: readonly string[], after: readonly string[], most = Infinity): string[] {
  const all = changed(before, after)
  const came = all.filter((line) => line.startsWith('+'))
  const went = all.filter((line) => line.startsWith('-'))
  return [
    ...(went.length > MAX_GONE ? [`- ${went.length} lines`] : went),
    ...came.slice(0, most),
    ...(came.length > most ? [`+ ${came.length - most} more lines`] : []),
  ]
}

/** A page that asks again and again is not waited for. */
const MAX_PASSES = 5
const MAX_GONE = 6
const MAX_CAME = 30

function changed(before: readonly string[], after: readonly string[]): string[] {
  return diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    added || removed ? value.map((line) => `${added ? '+' : '-'} ${line.trimStart()}`) : [],
  )
}
