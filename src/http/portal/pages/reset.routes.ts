import { addressOfReset, requestReset, resetPassword } from '../../../accounts/password-reset.ts'
import { AppError, type Flaw } from '../../../errors.ts'
import { readForm } from '../../core/body.ts'
import { withCookies } from '../../core/exchange.ts'
import { requireOwnForm } from '../../core/origin.ts'
import { PORTAL_PATH } from '../../core/paths.ts'
import { route } from '../../core/route.ts'
import { endedWayCookie, wayCookie, wayIn } from '../../core/session-cookie.ts'
import { resetPage, resetRequestPage } from './account-pages.ts'
import { type FormValues, noticePage } from './pages.ts'
import { PAGE, page, type PublicPageContext, safeReturn, START, TOKEN_PAGE, withWay } from './portal.ts'

const PATH = `${PORTAL_PATH}/reset` as const
const NEW_LINK = { text: 'Ask for a new link', path: PATH }

export const resetRoutes = [
  route({
    method: 'GET',
    path: PATH,
    summary: 'Asks for an email address; with the `token` of a message, for the new password.',
    auth: 'public',
    ...PAGE,
    respond: show,
  }),
  route({
    method: 'POST',
    path: PATH,
    summary: 'Sends a link, or with its `token` sets the new password.',
    auth: 'public',
    ...PAGE,
    async respond(context) {
      requireOwnForm(context, context.request)
      const values = await readForm(context)
      return values.token === undefined
        ? sendLink(context, values)
        : setPassword(context, { token: values.token, password: values.password ?? '' })
    },
  }),
]

async function show(context: PublicPageContext): Promise<Response> {
  const token = context.url.searchParams.get('token')
  if (token === null) {
    const way = safeReturn(context.url.searchParams.get('return'))
    const asked = page(200, resetRequestPage({ way }))
    return way === START ? asked : withCookies(asked, [wayCookie(context, way)])
  }
  return (await addressOfReset(context.db, token, context.now)) !== null
    ? page(200, resetPage(token, []), TOKEN_PAGE)
    : brokenLink('It is unknown, was used already or is older than an hour.')
}

async function sendLink(context: PublicPageContext, values: FormValues): Promise<Response> {
  const way = wayOf(context)
  try {
    await requestReset(context, (values.email ?? '').slice(0, 320))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error
    return page(error.status, resetRequestPage({ values, refusal: error.message, way }), error.headers)
  }
  const sentence = 'If there is an account with this address, a link was sent to it. It works for an hour.'
  return page(200, noticePage('Look into your mailbox', sentence, signInFor(way)))
}

async function setPassword(context: PublicPageContext, input: { token: string; password: string }): Promise<Response> {
  try {
    await resetPassword(context, input)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'NOT_FOUND') return brokenLink(error.message)
    if (error.code !== 'VALIDATION_FAILED') throw error
    return page(400, resetPage(input.token, error.details as Flaw[]), TOKEN_PAGE)
  }
  const sentence = 'You were signed out everywhere. Sign in with the new password.'
  const way = wayOf(context)
  const done = page(200, noticePage('Your password is set', sentence, signInFor(way)), TOKEN_PAGE)
  return way === START ? done : withCookies(done, [endedWayCookie(context)])
}

/** Where the user was going before the password was missing. */
function wayOf(context: PublicPageContext): string {
  return safeReturn(wayIn(context, context.request))
}

function signInFor(way: string): { text: string; path: string } {
  return { text: 'Sign in', path: withWay('login', way) }
}

function brokenLink(sentence: string): Response {
  return page(404, noticePage('This link does not work', sentence, NEW_LINK), TOKEN_PAGE)
}
