/** "Firefox on Linux", as far as a user agent tells; otherwise empty. */
export function deviceName(user_agent: string | null | undefined): string {
  if (!user_agent) return ''
  const browser = BROWSERS.find(([sign]) => user_agent.includes(sign))?.[1]
  const system = SYSTEMS.find(([sign]) => user_agent.includes(sign))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? user_agent.slice(0, 40)
}

/** A browser also names the browsers that it descends from, so the order matters. */
const BROWSERS: readonly [string, string][] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const SYSTEMS: readonly [string, string][] = [
  ['Android', 'Android'],
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'a Mac'],
  ['Linux', 'Linux'],
]
