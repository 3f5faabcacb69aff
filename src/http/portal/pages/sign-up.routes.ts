import { confirmEmailChange, findEmailChange } from '../../../accounts/email-change.ts'
import { addressOfSignUp, requestSignUp, requireSignUp, signUp } from '../../../accounts/sign-up.ts'
import { throttleAddress } from '../../../accounts/throttle.ts'
import { AppError, type Flaw } from '../../../errors.ts'
import { readForm } from '../../core/body.ts'
import { withCookies } from '../../core/exchange.ts'
import { requireOwnForm } from '../../core/origin.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { route } from '../../core/route.ts'
import { endedWayCookie, sessionCookies, wayCookie, wayIn } from '../../core/session-cookie.ts'
import { emailPage, signUpPage, signUpRequestPage } from './account-pages.ts'
import { type FormValues, noticePage } from './pages.ts'
import { PAGE, page, type PublicPageContext, safeReturn, seeOther, START, TOKEN_PAGE } from './portal.ts'
import { visitOf } from '../account/sign-in.ts'

const SIGN_UP = `${PORTAL_PATH}/sign-up` as const
const EMAIL = `${PORTAL_PATH}/email` as const
const SIGN_IN = { text: 'Sign in', path: `${PORTAL_PATH}/login` }
const NEW_LINK = { text: 'Ask for a new link', path: SIGN_UP }

/** Making an account, and confirming a new address (docs/api/platform.md#sign-up). */
export const signUpRoutes = [
  route({
    method: 'GET',
    path: SIGN_UP,
    summary: 'Asks for an email address; with the `token` of a message, for name and password.',
    auth: 'public',
    ...PAGE,
    async respond(context) {
      const token = context.url.searchParams.get('token')
      if (token !== null) return askForPassword(context, token)
      requireSignUp(context.config)
      const way = safeReturn(context.url.searchParams.get('return'))
      const asked = page(200, signUpRequestPage({ way, isOpen: context.config.sign_up === 'open' }))
      return way === START ? asked : withCookies(asked, [wayCookie(context, way)])
    },
  }),
  route({
    method: 'POST',
    path: SIGN_UP,
    summary: 'Sends a link, or with its `token` makes the account and signs in.',
    auth: 'public',
    ...PAGE,
    async respond(context) {
      requireOwnForm(context, context.request)
      const values = await readForm(context)
      return values.token === undefined ? sendLink(context, values) : makeAccount(context, values.token, values)
    },
  }),
  route({
    method: 'GET',
    path: EMAIL,
    summary: 'Asks whether the account shall have the address that the `token` of a message proves.',
    auth: 'public',
    ...PAGE,
    async respond(context) {
      const token = context.url.searchParams.get('token') ?? ''
      const change = await findEmailChange(context.db, token, context.now)
      return change
        ? page(200, emailPage(token, change.email), TOKEN_PAGE)
        : brokenLink('It is unknown, was used already or is older than an hour.', SIGN_IN)
    },
  }),
  route({
    method: 'POST',
    path: EMAIL,
    summary: 'Gives the account its new address.',
    auth: 'public',
    ...PAGE,
    async respond(context) {
      requireOwnForm(context, context.request)
      const { token = '' } = await readForm(context)
      const { store, limiter, address, config, wake } = context
      await throttleAddress(limiter, 'reset', address, config.logins_per_minute)
      const email = await store.write((tx) => confirmEmailChange(tx, context, token))
      wake('mail')
      return page(200, noticePage('Your address is set', `You sign in with ${email} from now on.`, SIGN_IN))
    },
  }),
]

async function askForPassword(context: PublicPageContext, token: string): Promise<Response> {
  const email = await addressOfSignUp(context, token, context.now)
  return email === null
    ? brokenLink('It is unknown, was used or revoked, or is too old.', NEW_LINK)
    : page(200, signUpPage({ token, email, values: {}, flaws: [] }), TOKEN_PAGE)
}

async function sendLink(context: PublicPageContext, values: FormValues): Promise<Response> {
  try {
    await requestSignUp(context, (values.email ?? '').slice(0, 320))
  } catch (error) {
    if (!(error instanceof AppError) || !['RATE_LIMITED', 'VALIDATION_FAILED'].includes(error.code)) throw error
    const refusal = error.code === 'RATE_LIMITED' ? error.message : 'This is not an email address.'
    const way = safeReturn(wayIn(context, context.request))
    const isOpen = context.config.sign_up === 'open'
    return page(error.status, signUpRequestPage({ values, refusal, way, isOpen }), error.headers)
  }
  const sentence =
    context.config.sign_up === 'open'
      ? 'We sent a message to this address. Its link works for a day.'
      : 'If this address is invited, a link was sent to it. It works for a day.'
  return page(200, noticePage('Look into your mailbox', sentence, SIGN_IN))
}

async function makeAccount(context: PublicPageContext, token: string, values: FormValues): Promise<Response> {
  const { password = '', first_name = '', last_name = '' } = values
  try {
    const { session } = await signUp(context, { token, password, first_name, last_name }, visitOf(context))
    const way = safeReturn(wayIn(context, context.request))
    return withCookies(seeOther(way), [...sessionCookies(context, session), endedWayCookie(context)])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'NOT_FOUND') return brokenLink(error.message, NEW_LINK)
    if (error.code !== 'VALIDATION_FAILED') throw error
    const email = (await addressOfSignUp(context, token, context.now)) ?? ''
    return page(400, signUpPage({ token, email, values, flaws: error.details as Flaw[] }), TOKEN_PAGE)
  }
}

function brokenLink(sentence: string, next: typeof SIGN_IN): Response {
  return page(404, noticePage('This link does not work', sentence, next), TOKEN_PAGE)
}
