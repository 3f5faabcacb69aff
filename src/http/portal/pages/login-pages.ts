import { relyingParty } from '../../../accounts/passkeys.ts'
import { assetUrl } from '../../../assets.ts'
import type { Runtime } from '../../../runtime.ts'
import { html, type Markup } from '../../core/markup.ts'
import { type Field, type FormValues, frame, inputs } from './pages.ts'
import { withWay } from './portal.ts'

/** The pages of a sign-in. They work without script; passkeys need it. */

interface Login {
  /** The path to go to after signing in. */
  back: string
  values?: FormValues
  refusal?: string
  /** The name of the OpenID Connect provider, or null without one. */
  provider: string | null
  /** Whether somebody may sign in with a passkey. */
  passkeys: boolean
  service: Pick<Runtime, 'base_url' | 'config'>
}

export function loginPage({
  back,
  values = {},
  refusal,
  provider,
  passkeys,
  service: { base_url, config },
}: Login): Markup {
  return frame(
    'Sign in',
    html`
    <h1>Sign in</h1>
    ${refused(refusal)}
    <form method="post" action="/portal/login">
      <input type="hidden" name="return" value="${back}">
      ${inputs(LOGIN, values)}
      <button>Sign in</button>
    </form>
    ${passkeys && passkeyButton(base_url, back)}
    ${provider && html`<p class="or"><a class="button" href="${openIdAddress(back)}">Sign in with ${provider}</a></p>`}
    <p><a href="${withWay('reset', back)}">Forgot your password?</a></p>
    ${
      config.sign_up === 'open' &&
      html`<p><a href="/portal/sign-up?return=${encodeURIComponent(back)}">Make an account</a></p>`
    }`,
  )
}

const LOGIN: Field[] = [
  { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true },
]

const CODE: Field = { name: 'code', label: 'Code', autocomplete: 'one-time-code', required: true }

/** The path that starts a sign-in with the provider. */
export function openIdAddress(back: string): string {
  return `/portal/openid?return=${encodeURIComponent(back)}`
}

/** Asks for the second factor. The form carries the ticket of the right password. */
export function codePage({ back, ticket, refusal }: { back: string; ticket: string; refusal?: string }): Markup {
  return frame(
    'Your code',
    html`
    <h1>Enter your code</h1>
    ${refused(refusal)}
    <p>Your authenticator app shows a code of six digits. A recovery code works, too.</p>
    <form method="post" action="/portal/login/code">
      <input type="hidden" name="return" value="${back}">
      <input type="hidden" name="ticket" value="${ticket}">
      ${inputs([CODE])}
      <button>Sign in</button>
    </form>
    <p><a href="/portal/login?return=${encodeURIComponent(back)}">Start again</a></p>`,
  )
}

/**
 * Both lines are hidden until the script knows where the page is open: the button where passkeys work, else where they
 * do. Absent where the service's address allows none.
 */
function passkeyButton(base_url: string, back: string): Markup | null {
  const party = relyingParty(base_url)
  if (!party) return null
  const there = `${party.origin}/portal/login?return=${encodeURIComponent(back)}`
  return html`<p class="or" data-passkey="${party.origin}" data-return="${back}" hidden>
      <button type="button" class="quiet">Sign in with a passkey</button>
    </p>
    <p class="refusal" role="alert" data-passkey-refusal hidden></p>
    <p class="quiet" data-passkey-elsewhere hidden>
      Passkeys work at one host name only: <a href="${there}">sign in with yours at ${new URL(there).host}</a>.
    </p>
    <script type="module" src="${assetUrl('', 'portal/passkeys.js')}"></script>`
}

function refused(refusal: string | undefined): Markup | null {
  return refusal === undefined ? null : html`<p class="refusal" role="alert">${refusal}</p>`
}
