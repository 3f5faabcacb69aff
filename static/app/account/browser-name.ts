type Mark = readonly [RegExp, string]

/** The first match counts, because a browser also names the browsers that it descends from. */
const BROWSERS: readonly Mark[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly Mark[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Firefox on Windows", or the program's own name when it is no browser. */
export function browserName(user_agent: string): string {
  const browser = find(BROWSERS, user_agent)
  const system = find(SYSTEMS, user_agent)
  if (browser === undefined) return user_agent || 'Unknown program'
  return system === undefined ? browser : `${browser} on ${system}`
}

function find(marks: readonly Mark[], text: string): string | undefined {
  return marks.find(([pattern]) => pattern.test(text))?.[1]
}
