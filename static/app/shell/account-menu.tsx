import { useSignal } from '@preact/signals'
import { data } from '../api/data.ts'
import { request } from '../api/request.ts'
import { Menu } from '../ui/menu.tsx'
import { forgetWork } from './forget.ts'
import { openPanel } from './panels.ts'
import { chooseTheme, theme } from '../theme.ts'

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const
const THEME_NAMES = { system: 'as the system', light: 'light', dark: 'dark' }

/** The user's menu: account, colors, keys, signing out. */
export function AccountMenu() {
  const leaving = useSignal(false)
  const { first_name, last_name, email } = data.user
  const name = `${first_name} ${last_name}`.trim() || email
  return (
    <Menu
      label={`${name}: account menu`}
      trigger={
        <span class="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
      }
      items={[
        { label: 'Account', href: '/portal/account', icon: 'user' },
        { label: 'Security', href: '/portal/account/security', icon: 'key' },
        { label: 'Sessions', href: '/portal/account/sessions', icon: 'activity' },
        'line',
        { label: `Colors: ${THEME_NAMES[theme.value]}`, icon: 'moon', onSelect: () => chooseTheme(NEXT[theme.value]) },
        { label: 'Keys', icon: 'help', onSelect: () => (openPanel.value = 'keys') },
        'line',
        { label: leaving.value ? 'Signing out…' : 'Sign out', icon: 'sign-out', onSelect: () => void signOut() },
      ]}
    />
  )

  async function signOut() {
    leaving.value = true
    await request({ method: 'POST', path: '/user/logout', body: {}, is_repeatable: true })
    forgetWork(localStorage, data.user.id)
    location.assign('/portal/login')
  }
}
