import { jest, mock } from 'bun:test'
import { stat } from 'node:fs/promises'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import type { RouteName, RouteResponse } from '../../static/app/api/calls.ts'
import type { Operations } from '../../static/app/api/operations.d.ts'
import type { Role } from '../../src/store/tables/accounts.ts'
import type { Refusal, Tab } from './tab.ts'
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
  const path = tab.data.scope + (address === '/' ? '' : address)
  const match = pageOf(path.split('?')[0]!)
  tab.data.styles = { letter: '/letter.css', code: '/code.css' }
  // Style sheets never come: there is nothing that they could change.
  for (const href of Object.values(tab.data.styles))
    document.head.append(Object.assign(document.createElement('link'), { href }))
  if (match) await loadPage(match.page)
  history.replaceState(null, '', path)
  await tab.draw(h('div', null, h('main', null, h(Outlet, null)), h(ConfirmIdentity, null), h(ToastRegion, null)))
  // Parts whose code comes later are drawn once it has come.
  await turns()
  await tab.settled()
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
