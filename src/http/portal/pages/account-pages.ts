import type { Flaw } from '../../../errors.ts'
import { html, type Markup } from '../../core/markup.ts'
import { openIdAddress } from './login-pages.ts'
import type { Offer } from '../offers.ts'
import { type Field, type FormValues, frame, inputs, NOTHING_CREATED } from './pages.ts'
import { withWay } from './portal.ts'

const EMAIL: Field = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true }
const NEW_PASSWORD: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters.',
  required: true,
}

interface LinkRequest {
  values?: FormValues
  refusal?: string
  /** Where the user was going. */
  way: string
}

/** Asks for the address that gets the link. */
export function resetRequestPage({ values = {}, refusal, way }: LinkRequest): Markup {
  return frame(
    'Forgotten password',
    html`
    <h1>Forgot your password?</h1>
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    <p>We send you a link with which you choose a new one.</p>
    <form method="post" action="/portal/reset">
      ${inputs([EMAIL], values)}
      <button>Send the link</button>
    </form>
    <p><a href="${withWay('login', way)}">Back to signing in</a></p>`,
  )
}

/** Asks for the new password. The form carries the link's token. */
export function resetPage(token: string, flaws: readonly Flaw[]): Markup {
  return frame(
    'New password',
    html`
    <h1>Choose a new password</h1>
    <p>You are then signed out everywhere, and sign in with the new one.</p>
    <form method="post" action="/portal/reset">
      <input type="hidden" name="token" value="${token}">
      ${inputs([NEW_PASSWORD], {}, flaws)}
      <button>Set the password</button>
    </form>`,
  )
}

/** Asks for the address that gets the link of a new account. `isOpen`: anybody may make one, not only who is invited. */
export function signUpRequestPage({ values = {}, refusal, way, isOpen }: LinkRequest & { isOpen: boolean }): Markup {
  return frame(
    'Make an account',
    html`
    <h1>Make an account</h1>
    ${refusal && html`<p class="refusal" role="alert">${refusal}</p>`}
    <p>${
      isOpen
        ? 'We send you a link with which you choose a password.'
        : 'Here this takes an invitation. If this address has one, we send it a link with which you choose a password.'
    }</p>
    <form method="post" action="/portal/sign-up">
      ${inputs([EMAIL], values)}
      <button>Send the link</button>
    </form>
    <p><a href="${withWay('login', way)}">You have an account? Sign in</a></p>`,
  )
}

interface SignUpView {
  token: string
  email: string
  values: FormValues
  flaws: readonly Flaw[]
}

/** Asks for name and password. The form carries the link's token. */
export function signUpPage({ token, email, values, flaws }: SignUpView): Markup {
  return frame(
    'Make an account',
    html`
    <h1>Make your account</h1>
    <p>You sign in with <strong>${email}</strong> and this password from then on.</p>
    ${flaws.length > 0 && NOTHING_CREATED}
    <form method="post" action="/portal/sign-up">
      <input type="hidden" name="token" value="${token}">
      ${inputs(ACCOUNT, values, flaws)}
      <button>Make the account</button>
    </form>`,
  )
}

/** Asks whether the account shall have the new address: mail programs open links by themselves. */
export function emailPage(token: string, email: string): Markup {
  return frame(
    'Your new address',
    html`
    <h1>Use this address?</h1>
    <p>You sign in with <strong>${email}</strong> from then on.</p>
    <form method="post" action="/portal/email">
      <input type="hidden" name="token" value="${token}">
      <button>Use this address</button>
    </form>`,
  )
}

export interface InvitationView {
  invitation: Offer
  token: string
  /** The page's own address, to return to after signing in. */
  address: string
  /** The address of the signed-in user. */
  email: string | null
  /** The ticket of the sign-out; empty without a session. */
  sign_out: string
  is_theirs: boolean
  /** Whether there is an account with the invitation's address. */
  has_account: boolean
  may_sign_up: boolean
  provider: string | null
  values: FormValues
  flaws: readonly Flaw[]
}

/** The invitation with its next step: join, sign in, sign in with another account, or create an account. */
export function invitationPage(view: InvitationView): Markup {
  const { invitation } = view
  return frame(
    `Invitation to ${invitation.name}`,
    html`
    <h1>Join ${invitation.name}</h1>
    <p>${invitation.inviter} invites <strong>${invitation.email}</strong>, as ${invitation.place}.</p>
    ${nextStep(view)}`,
  )
}

function nextStep(view: InvitationView): Markup {
  if (view.email !== null) return view.is_theirs ? join(view) : switchAccount(view)
  if (view.has_account) return signInFirst(view)
  return view.may_sign_up ? newAccount(view) : askOperator(view)
}

function join({ token, invitation }: InvitationView): Markup {
  return html`<form method="post" action="/portal/invitation">
      <input type="hidden" name="token" value="${token}">
      <button>Join ${invitation.name}</button>
    </form>`
}

function switchAccount({ email, address, sign_out }: InvitationView): Markup {
  return html`<p>You are signed in as <strong>${email}</strong>, and the invitation is for another address.</p>
    <form method="post" action="/portal/logout">
      <input type="hidden" name="return" value="${address}">
      <input type="hidden" name="ticket" value="${sign_out}">
      <button>Sign in with another account</button>
    </form>`
}

function signInFirst({ address, provider }: InvitationView): Markup {
  return html`<p>There is an account with this address.</p>
    <p class="onward">
      <a class="button" href="/portal/login?return=${encodeURIComponent(address)}">Sign in to join</a>
    </p>
    ${providerLink(provider, address)}`
}

/** Sign-up is closed (docs/api/platform.md#sign-up). */
function askOperator({ invitation }: InvitationView): Markup {
  return html`<p>There is no account with this address yet, and the operator of this service makes all accounts. Ask
    for one with the address <strong>${invitation.email}</strong>, and open this link again.</p>`
}

function newAccount({ token, address, provider, values, flaws }: InvitationView): Markup {
  return html`<p>Make an account to join. You sign in with your address and this password from then on.</p>
    ${flaws.length > 0 && NOTHING_CREATED}
    <form method="post" action="/portal/invitation">
      <input type="hidden" name="token" value="${token}">
      ${inputs(ACCOUNT, values, flaws)}
      <button>Make the account and join</button>
    </form>
    ${providerLink(provider, address)}`
}

const ACCOUNT: Field[] = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { ...NEW_PASSWORD, label: 'Password' },
]

function providerLink(provider: string | null, back: string): Markup | null {
  return provider === null
    ? null
    : html`<p class="or"><a class="button" href="${openIdAddress(back)}">Sign in with ${provider}</a></p>`
}
