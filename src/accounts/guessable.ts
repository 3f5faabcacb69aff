import common from './common-passwords.txt' with { type: 'text' }

/**
 * Passwords that guessing programs try first (docs/api/platform.md#login). The list holds, in lower case, those of at
 * least 8 characters from the password list of @zxcvbn-ts/language-common 4.1.3, which comes from published breaches
 * (MIT License; Copyright 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts).
 */
let known: ReadonlySet<string> | undefined

/**
 * Whether a password is on the list of common ones, or is only the name of the account or of this service with digits
 * and signs around it.
 */
export function isGuessable(password: string, email: string): boolean {
  known ??= new Set(common.split('\n').filter(Boolean))
  const lower = password.toLowerCase()
  const [name = '', host = ''] = email.toLowerCase().split('@')
  const own = ['masthead', name, host, host.split('.', 1)[0]!, email].map(lettersOf).filter(Boolean)
  return known.has(lower) || own.includes(lettersOf(lower))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '')
}
