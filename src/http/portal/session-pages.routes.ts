import { knownDevice, listDevices, removeDevice } from '../../accounts/devices.ts'
import { endOtherSessions, endSessionOf, listSessions } from '../../accounts/sessions.ts'
import { getUser } from '../../accounts/users.ts'
import { readForm } from '../core/body.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { deviceCookieIn } from '../core/session-cookie.ts'
import type { Notice } from './page-parts.ts'
import { PAGE, page, type PageContext, seeOther } from './portal.ts'
import { sessionsPage } from './session-pages.ts'

const PATH = `${PORTAL_PATH}/account/sessions` as const

const DONE: Record<string, Notice> = {
  ended: { kind: 'done', text: 'The session has ended.' },
  others: { kind: 'done', text: 'All other sessions have ended.' },
  forgotten: { kind: 'done', text: 'The device is forgotten, and its sessions have ended.' },
}

const SESSION = { auth: 'session', ...PAGE } as const

/** One's sessions and devices, as a page (docs/api/platform.md#sessions). */
export const sessionPages = [
  route({
    ...SESSION,
    method: 'GET',
    path: PATH,
    summary: 'The sessions and devices of the signed-in user.',
    respond: show,
  }),
  route({
    ...SESSION,
    method: 'POST',
    path: `${PATH}/end`,
    summary: 'Ends one session.',
    async respond(context) {
      const { id = '' } = await readForm(context)
      await context.write((tx) => endSessionOf(tx, context.caller.user_id, id, context.now))
      return seeOther(`${PATH}?done=ended`)
    },
  }),
  route({
    ...SESSION,
    method: 'POST',
    path: `${PATH}/end-others`,
    summary: 'Ends all sessions but this one.',
    async respond({ caller, write }) {
      await write((tx) => endOtherSessions(tx, caller.user_id, caller.session_hash))
      return seeOther(`${PATH}?done=others`)
    },
  }),
  route({
    ...SESSION,
    method: 'POST',
    path: `${PATH}/forget-device`,
    summary: 'Forgets a device and ends its sessions.',
    async respond(context) {
      const { id = '' } = await readForm(context)
      await context.write((tx) => removeDevice(tx, context.caller.user_id, id))
      return seeOther(`${PATH}?done=forgotten`)
    },
  }),
]

async function show(context: PageContext): Promise<Response> {
  const { db, keys, caller, now, url, request } = context
  const [user, sessions, devices, here] = await Promise.all([
    getUser(db, caller.user_id),
    listSessions(db, caller.user_id, now),
    listDevices(db, caller.user_id),
    knownDevice(db, keys, deviceCookieIn(context, request), caller.user_id),
  ])
  const notice = DONE[url.searchParams.get('done') ?? ''] ?? null
  return page(context, 200, sessionsPage({ user, sessions, devices, current: caller.session_hash, here, notice }))
}
