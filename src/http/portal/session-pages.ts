import type { Device } from '../../accounts/devices.ts'
import type { SessionEntry } from '../../accounts/sessions.ts'
import type { User } from '../../accounts/users.ts'
import { html, type Markup } from '../core/markup.ts'
import { frame } from './pages.ts'
import { cell, columnHeads, day, labelFor, type Notice, noticeLine } from './page-parts.ts'

interface Sessions {
  user: User
  sessions: readonly SessionEntry[]
  devices: readonly Device[]
  /** Hash of the present session's token. */
  current: string
  /** Id of this browser's device. */
  here: string | null
  notice: Notice | null
}

/** Where the user is signed in, and the browsers that the user has signed in with. */
export function sessionsPage({ user, sessions, devices, current, here, notice }: Sessions): Markup {
  return frame(
    'Sessions and devices',
    html`
    <p class="up"><a href="/portal/account/security">Signing in</a></p>
    <h1>Sessions and devices</h1>
    ${noticeLine(notice)}
    <section>
      <h2>Sessions</h2>
      <p>Where you are signed in now.</p>
      ${visits(
        sessions.map((session) => ({ ...session, is_here: session.token_hash === current })),
        { action: 'end', text: 'End' },
      )}
      ${
        sessions.length > 1 &&
        html`
      <form method="post" action="/portal/account/sessions/end-others">
        <p><button class="quiet">End all other sessions</button></p>
      </form>`
      }
    </section>
    <section>
      <h2>Devices</h2>
      <p>Browsers that you have signed in with. You get a message about a sign-in from any other.</p>
      ${visits(
        devices.map((device) => ({ ...device, is_here: device.id === here })),
        { action: 'forget-device', text: 'Forget' },
      )}
    </section>`,
    user,
    'account',
  )
}

interface Visited {
  id: string
  address: string
  user_agent: string
  created_at: number
  last_used_at: number
  is_here: boolean
}

function visits(entries: readonly Visited[], { action, text }: { action: string; text: string }): Markup {
  const row = ({ id, address, user_agent, created_at, last_used_at, is_here }: Visited) => html`
          <tr role="row">
            <th class="name" scope="row" role="rowheader">
              ${user_agent || 'Unknown program'}${is_here && html`<br><span class="quiet">This browser</span>`}
            </th>
            ${cell('Address', address)}
            ${cell('Since', day(created_at))}
            ${cell('Last used', day(last_used_at))}
            <td class="act" role="cell">
              <form method="post" action="/portal/account/sessions/${action}">
                <input type="hidden" name="id" value="${id}">
                <button class="quiet">${labelFor(text, user_agent || 'Unknown program')}</button>
              </form>
            </td>
          </tr>`
  return html`
      <table class="stack" role="table">
        ${columnHeads(['Browser', 'Address', 'Since', 'Last used', ''])}
        <tbody role="rowgroup">${entries.map(row)}
        </tbody>
      </table>`
}
