import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const YEAR_S = 31_536_000
/** As in src/http/portal/pages/app-pages.routes.ts, which draws the next document in the chosen colors at once. */
const COOKIE = location.protocol === 'https:' ? '__Host-masthead_theme' : 'masthead_theme'

/** The color theme that the user chose on this device. */
export const theme = signal<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
})

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const age = chosen === 'system' ? 0 : YEAR_S
  document.cookie = `${COOKIE}=${chosen}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`
}
