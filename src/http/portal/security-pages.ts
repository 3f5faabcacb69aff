import { type Passkey, relyingParty } from '../../accounts/passkeys.ts'
import type { Enrollment, TotpState } from '../../accounts/totp.ts'
import type { User } from '../../accounts/users.ts'
import type { Flaw } from '../../errors.ts'
import { html, Markup } from '../core/markup.ts'
import { PASSKEY_REFUSAL, passkeyScript } from './login-pages.ts'
import { frame, input } from './pages.ts'
import { cell, columnHeads, day, labelFor, type Notice, noticeLine } from './page-parts.ts'

interface Security {
  user: User
  passkeys: readonly Passkey[]
  totp: TotpState | null
  notice: Notice | null
  base_url: string
}

/** The ways to sign in to an account. */
export function securityPage({ user, passkeys, totp, notice, base_url }: Security): Markup {
  return frame(
    'Account',
    html`
    <h1>Signing in</h1>
    <p class="lead">How you sign in. Your <a href="/portal/account/sessions">sessions and devices</a>
      are on a page of their own.</p>
    ${noticeLine(notice)}
    <section>
      <h2>Passkeys</h2>
      <p>A passkey of your device replaces the password and the code.</p>
      ${passkeys.length > 0 && passkeyTable(passkeys)}
      ${relyingParty(base_url) ? NEW_PASSKEY : html`<p class="quiet">Passkeys need a host name.</p>`}
    </section>
    <section>
      <h2>One-time codes</h2>
      ${totp ? codesOn(totp) : CODES_OFF}
    </section>
    ${passkeyScript()}`,
    user,
    'account',
  )
}

const NEW_PASSKEY = html`
      <form data-passkey="register" hidden>
        ${input({ name: 'name', label: 'Name of the new passkey', hint: 'Such as the name of the device.' }, {}, [])}
        <button>Add a passkey</button>
      </form>
      ${PASSKEY_REFUSAL}
      <noscript><p class="quiet">Adding a passkey needs JavaScript.</p></noscript>`

function passkeyTable(passkeys: readonly Passkey[]): Markup {
  return html`
      <table class="stack" role="table">
        ${columnHeads(['Name', 'Added on', 'Last used', ''])}
        <tbody role="rowgroup">${passkeys.map(
          ({ id, name, created_at, last_used_at }) => html`
          <tr role="row">
            <th class="name" scope="row" role="rowheader">${name}</th>
            ${cell('Added on', day(created_at))}
            ${cell('Last used', last_used_at === null ? 'Not yet' : day(last_used_at))}
            <td class="act" role="cell">
              <form method="post" action="/portal/account/security/passkeys/${id}/remove">
                <button class="quiet">${labelFor('Remove', name)}</button>
              </form>
            </td>
          </tr>`,
        )}
        </tbody>
      </table>`
}

const CODES_OFF = html`
      <p>An authenticator app shows a code every 30 seconds. Signing in with your password then asks for it.</p>
      <p><a class="button" href="/portal/account/security/codes">Set up one-time codes</a></p>`

function codesOn({ created_at, recovery_codes_left }: TotpState): Markup {
  return html`
      <p class="state on">On since ${day(created_at)}</p>
      <p>${recovery_codes_left} of 10 recovery codes are left. Each replaces a code once.</p>
      <div class="answer">
        <form method="post" action="/portal/account/security/recovery-codes">
          <button class="quiet">Make new recovery codes</button>
        </form>
        <form method="post" action="/portal/account/security/codes/off">
          <button class="quiet">Turn one-time codes off</button>
        </form>
      </div>`
}

/** The secret for the authenticator app, and the form for its first code. */
export function enrollmentPage(user: User, { secret, qr_svg, enrollment }: Enrollment, flaws: readonly Flaw[]): Markup {
  const expired = flaws.find(({ path }) => path === '/enrollment')
  return frame(
    'Set up one-time codes',
    html`
    <h1>Set up one-time codes</h1>
    ${expired && html`<p class="refusal" role="alert">${expired.message}</p>`}
    <p>Scan this with your authenticator app, then type the code that it shows.</p>
    <div class="qr">${new Markup(qr_svg)}</div>
    <p>Or type this key: <code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
    <form method="post" action="/portal/account/security/codes">
      <input type="hidden" name="enrollment" value="${enrollment}">
      ${input({ name: 'code', label: 'Code', autocomplete: 'one-time-code', required: true }, {}, flaws)}
      <button>Turn on</button>
    </form>`,
    user,
    'account',
  )
}

/** The recovery codes, which are shown once. */
export function recoveryCodesPage(user: User, codes: readonly string[]): Markup {
  return frame(
    'Recovery codes',
    html`
    <h1>Your recovery codes</h1>
    <p>Store these where you find them without your phone. Each works once in place of a code.
      They are not shown again.</p>
    <pre>${codes.join('\n')}</pre>
    <p class="onward"><a href="/portal/account/security">Done</a></p>`,
    user,
    'account',
  )
}
