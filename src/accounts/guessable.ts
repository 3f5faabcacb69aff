import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'text' }

/** Shorter passwords are refused before anybody looks here (docs/api/platform.md#login). */
export const PASSWORD_MIN_CHARACTERS = 8

/** Passwords from published breaches, which guessing programs try first, in lower case. */
let known: ReadonlySet<string> | undefined

/**
 * Whether a password is on the list of common ones, or is only the name of the account or of this service with digits
 * and signs around it.
 */
export function isGuessable(password: string, email: string): boolean {
  known ??= readList()
  const lower = password.toLowerCase()
  const [name = '', host = ''] = email.toLowerCase().split('@')
  const own = ['masthead', name, host, host.split('.', 1)[0]!, email].map(lettersOf).filter(Boolean)
  return known.has(lower) || own.includes(lettersOf(lower))
}

/** Read at the first new password, not at the start of the service. */
function readList(): ReadonlySet<string> {
  const passwords = JSON.parse(list as unknown as string) as string[] // a text by the import's type, which tsc ignores
  return new Set(passwords.filter((password) => password.length >= PASSWORD_MIN_CHARACTERS))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '')
}
