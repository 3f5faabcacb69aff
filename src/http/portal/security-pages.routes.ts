import { provePassword } from '../../accounts/confirmation.ts'
import {
  type Notice as AccountNotice,
  notifyUser,
  PASSKEY_REMOVED,
  RECOVERY_CODES_NEW,
  TOTP_OFF,
  TOTP_ON,
} from '../../accounts/security-notices.ts'
import { listPasskeys, removePasskey } from '../../accounts/passkeys.ts'
import { confirmSession } from '../../accounts/sessions.ts'
import { beginEnrollment, enroll, newRecoveryCodes, removeTotp, totpState } from '../../accounts/totp.ts'
import { getUser } from '../../accounts/users.ts'
import { AppError, type Flaw, notFound } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import { readForm } from '../core/body.ts'
import { route } from '../core/route.ts'
import { confirmPage } from './login-pages.ts'
import type { Notice } from './page-parts.ts'
import { CONFIRM, PAGE, page, type PageContext, safeReturn, SECURITY, seeOther } from './portal.ts'
import { enrollmentPage, recoveryCodesPage, securityPage } from './security-pages.ts'
import { visitOf } from './sign-in.ts'

const CODES = `${SECURITY}/codes` as const

const DONE: Record<string, Notice> = {
  'passkey-added': { kind: 'done', text: 'The passkey was added.' },
  'passkey-removed': { kind: 'done', text: 'The passkey was removed.' },
  'codes-off': { kind: 'done', text: 'One-time codes are off.' },
}

const SESSION = { auth: 'session', ...PAGE } as const
const FRESH = { ...SESSION, confirmed: true } as const

/** The ways to sign in, as pages (docs/api/platform.md#second-factor, #passkeys, #confirmation). */
export const securityPages = [
  route({
    ...SESSION,
    method: 'GET',
    path: SECURITY,
    summary: 'The passkeys and the second factor of the signed-in user.',
    respond: showSecurity,
  }),
  route({
    ...FRESH,
    method: 'POST',
    path: `${SECURITY}/passkeys/:id/remove`,
    summary: 'Removes a passkey.',
    async respond(context) {
      const { params, caller } = context
      await change(context, async (tx) => PASSKEY_REMOVED(await removePasskey(tx, caller.user_id, params.id ?? '')))
      return seeOther(`${SECURITY}?done=passkey-removed`)
    },
  }),
  route({
    ...FRESH,
    method: 'GET',
    path: CODES,
    summary: 'Shows the secret of one-time codes as a QR code and as text.',
    async respond(context) {
      const user = await getUser(context.db, context.caller.user_id)
      return page(context, 200, enrollmentPage(user, beginEnrollment(context, user, context.now), []))
    },
  }),
  route({
    ...FRESH,
    method: 'POST',
    path: CODES,
    summary: 'Turns one-time codes on.',
    respond: turnCodesOn,
  }),
  route({
    ...FRESH,
    method: 'POST',
    path: `${CODES}/off`,
    summary: 'Turns one-time codes off.',
    async respond(context) {
      await change(context, async (tx) => ((await removeTotp(tx, context.caller.user_id)) ? TOTP_OFF : null))
      return seeOther(`${SECURITY}?done=codes-off`)
    },
  }),
  route({
    ...FRESH,
    method: 'POST',
    path: `${SECURITY}/recovery-codes`,
    summary: 'Makes new recovery codes and shows them once.',
    async respond(context) {
      const { db, caller } = context
      let codes: string[] = []
      await change(context, async (tx) => {
        if (!(await totpState(tx, caller.user_id))) throw notFound('second factor')
        codes = await newRecoveryCodes(tx, caller.user_id)
        return RECOVERY_CODES_NEW
      })
      return page(context, 200, recoveryCodesPage(await getUser(db, caller.user_id), codes))
    },
  }),
  route({
    ...SESSION,
    method: 'GET',
    path: CONFIRM,
    summary: 'Asks for the password or a passkey before a sensitive change.',
    respond: (context) => showConfirm(context, context.url.searchParams.get('return')),
  }),
  route({
    ...SESSION,
    method: 'POST',
    path: CONFIRM,
    summary: 'Confirms the session with the password.',
    respond: confirm,
  }),
]

async function showSecurity(context: PageContext): Promise<Response> {
  const { db, caller, url, base_url } = context
  const [user, passkeys, totp] = await Promise.all([
    getUser(db, caller.user_id),
    listPasskeys(db, caller.user_id),
    totpState(db, caller.user_id),
  ])
  const notice = DONE[url.searchParams.get('done') ?? ''] ?? null
  return page(context, 200, securityPage({ user, passkeys, totp, notice, base_url }))
}

async function turnCodesOn(context: PageContext): Promise<Response> {
  const { db, keys, caller, now } = context
  const user = await getUser(db, caller.user_id)
  const { enrollment = '', code = '' } = await readForm(context)
  try {
    let codes: string[] = []
    await change(context, async (tx) => {
      codes = await enroll(tx, keys, { user_id: user.id, enrollment, code }, now)
      return TOTP_ON
    })
    return page(context, 200, recoveryCodesPage(user, codes))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    return page(
      context,
      400,
      enrollmentPage(user, beginEnrollment(context, user, now, enrollment), error.details as Flaw[]),
    )
  }
}

async function showConfirm(context: PageContext, back: string | null, refused?: AppError): Promise<Response> {
  const { db, caller, base_url } = context
  const { email } = await getUser(db, caller.user_id)
  const shown = confirmPage({ back: safeReturn(back), email, refusal: refused && reasonOf(refused), base_url })
  return page(context, refused?.status ?? 200, shown, refused?.headers)
}

async function confirm(context: PageContext): Promise<Response> {
  const { caller, now } = context
  const { return: back = null, password = '' } = await readForm(context)
  try {
    await provePassword(context, { ...visitOf(context), password, user_id: caller.user_id }, '/password', now)
  } catch (error) {
    if (error instanceof AppError) return showConfirm(context, back, error)
    throw error
  }
  await context.write((tx) => confirmSession(tx, caller.session_hash, now))
  return seeOther(safeReturn(back))
}

function reasonOf(error: AppError): string {
  return (error.details as Flaw[] | undefined)?.[0]?.message ?? error.message
}

/** Runs a change and queues the notice that it returns. */
async function change(context: PageContext, work: (tx: Tx) => Promise<AccountNotice | null>): Promise<void> {
  await context.write(async (tx) => {
    const notice = await work(tx)
    if (notice) await notifyUser(tx, context, context.caller.user_id, notice)
  })
  context.wake('mail')
}
