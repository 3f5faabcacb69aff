import { h } from 'preact'
import type { RouteName, RouteResponse } from '../../static/app/api/calls.ts'
import type { Operations } from '../../static/app/api/operations.d.ts'
import type { Role } from '../../src/store/tables/accounts.ts'
import type { Refusal, Tab } from './tab.ts'
import { ConfirmIdentity } from '../../static/app/shell/confirm-identity.tsx'
import { loadPage, Outlet } from '../../static/app/shell/outlet.tsx'
import { pageOf } from '../../static/app/shell/place.ts'
import { ToastRegion } from '../../static/app/ui/toast.tsx'

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

/** Opens the page of an address of the project, as the shell does, with the messages at its lower edge
 * and the question who it is. */
export async function visit(tab: Tab, address: string, answers: Answers = {}, role: Role = 'owner'): Promise<void> {
  tab.data.project!.role = role
  Object.assign(tab.answers, answers)
  const path = tab.data.scope + (address === '/' ? '' : address)
  const match = pageOf(path.split('?')[0]!)
  if (match) await loadPage(match.page)
  history.replaceState(null, '', path)
  await tab.draw(h('div', null, h('main', null, h(Outlet, null)), h(ConfirmIdentity, null), h(ToastRegion, null)))
}

/** What operations of the newsletter were asked, without the project and the key of each call. */
export function asked(tab: Tab, name: keyof Operations | RouteName): any[] {
  return tab.sent(name).map(({ project_id: _project, idempotency_key: _key, ...body }) => body)
}
