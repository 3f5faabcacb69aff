import { requestReset, resetIsOpen, resetPassword } from '../../accounts/password-reset.ts'
import { AppError, type Flaw } from '../../errors.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange, Handler } from '../core/exchange.ts'
import { PORTAL_PATH } from '../core/paths.ts'
import { asPages, formValues, page, TOKEN_PAGE } from './portal.ts'
import { resetPage, resetRequestPage } from './account-pages.ts'
import { type FormValues, noticePage } from './pages.ts'
import { requireOwnForm } from '../core/origin.ts'

const ASK_AGAIN = { words: 'Ask for a new link', path: `${PORTAL_PATH}/reset` }
const SIGN_IN = { words: 'Sign in', path: `${PORTAL_PATH}/login` }

/** `GET /portal/reset`: asks for the address; with the `token` of a letter, for the new password. */
export function portalReset(runtime: Runtime): Handler {
  return asPages(runtime, async ({ url, now }) => {
    const token = url.searchParams.get('token')
    if (token === null) return page(runtime, 200, resetRequestPage({}))
    if (await resetIsOpen(runtime.store.db, token, now)) return page(runtime, 200, resetPage(token, []), TOKEN_PAGE)
    return page(
      runtime,
      404,
      noticePage('This link does not work', 'It is unknown, was used already or is older than an hour.', ASK_AGAIN),
      TOKEN_PAGE,
    )
  })
}

/** `POST /portal/reset`: what either of the two forms sends. */
export function portalResetForm(runtime: Runtime, limiter: RateLimiter): Handler {
  return asPages(runtime, async (exchange) => {
    requireOwnForm(runtime, exchange.request)
    const values = await formValues(exchange.request)
    return values.token === undefined
      ? ask(runtime, limiter, exchange, values)
      : set(runtime, limiter, exchange, values.token, values.password ?? '')
  })
}

async function ask(
  runtime: Runtime,
  limiter: RateLimiter,
  { address, now }: Exchange,
  values: FormValues,
): Promise<Response> {
  try {
    await requestReset(runtime, limiter, (values.email ?? '').slice(0, 320), address, now)
    return page(
      runtime,
      200,
      noticePage(
        'Look into your mailbox',
        'If there is an account with this address, a link is on its way to it. It works for an hour.',
        SIGN_IN,
      ),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error
    return page(runtime, error.status, resetRequestPage(values, error.message), error.headers)
  }
}

async function set(
  runtime: Runtime,
  limiter: RateLimiter,
  { address, now }: Exchange,
  token: string,
  password: string,
): Promise<Response> {
  try {
    await resetPassword(runtime, limiter, { token, password }, address, now)
    return page(
      runtime,
      200,
      noticePage('Your password is set', 'You were signed out everywhere. Sign in with the new password.', SIGN_IN),
      TOKEN_PAGE,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'VALIDATION_FAILED')
      return page(runtime, 400, resetPage(token, error.details as Flaw[]), TOKEN_PAGE)
    if (error.code === 'NOT_FOUND')
      return page(runtime, 404, noticePage('This link does not work', error.message, ASK_AGAIN), TOKEN_PAGE)
    throw error
  }
}
