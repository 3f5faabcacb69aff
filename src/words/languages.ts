import { de } from './de.ts'
import { en } from './en.ts'
import type { Words } from './words.ts'

const LANGUAGES: ReadonlyMap<string, Words> = new Map([de, en].map((words) => [words.lang, words]))

/** The same language under another code. */
const ALSO: ReadonlyMap<string, string> = new Map([['no', 'nb'], ['nn', 'nb'], ['iw', 'he'], ['in', 'id']])

/** Every language that there are words in. */
export const languages: readonly Words[] = [...LANGUAGES.values()]

/** The words of the language of a BCP 47 tag; English where there are none, and whoever shows them then says that they are English. */
export function wordsIn(locale: string | null | undefined): Words {
  const language = (locale ?? 'en').toLowerCase().split(/[-_]/)[0]!
  return LANGUAGES.get(ALSO.get(language) ?? language) ?? en
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'iw', 'ur'])

export function directionOf(lang: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(lang.toLowerCase().split(/[-_]/)[0]!) ? 'rtl' : 'ltr'
}

/** Names in a row, as the language joins them. */
export function inARow(words: Words, names: readonly string[]): string {
  return new Intl.ListFormat(words.lang, { type: 'conjunction' }).format(names.map((name) => apart(words, name)))
}

/** A name or an address within a sentence: where that runs from right to left, between isolates of its own direction (UAX #9). */
export function apart({ lang }: Words, text: string): string {
  return directionOf(lang) === 'rtl' ? `\u2068${text}\u2069` : text
}
