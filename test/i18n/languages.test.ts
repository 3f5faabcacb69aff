import { expect, test } from 'bun:test'
import { directionOf, isolate, languages, nameList, translationsFor } from '../../src/i18n/languages.ts'
import { en } from '../../src/i18n/en.ts'
import type { Translations } from '../../src/i18n/translations.ts'

const NAMES = 'Tides'
const ADDRESS = 'a@example.com'

/** Every text with its path; functions are called with sample values. */
function sentences(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') return [[path, String((value as (...values: string[]) => string)(NAMES, ADDRESS))]]
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([name, part]) => sentences(part, `${path}/${name}`))
}

const put = (words: Translations) =>
  [
    [words.confirm.text(NAMES, ADDRESS), NAMES, ADDRESS],
    [words.confirmed[1](NAMES), NAMES],
    [words.unsubscribe.text(ADDRESS), ADDRESS],
    [words.unsubscribe.lists(NAMES), NAMES],
    [words.unsubscribed[1](ADDRESS), ADDRESS],
    [words.unsubscribed_lists[1](NAMES), NAMES],
    [words.preferences.text(ADDRESS), ADDRESS],
    [words.confirmation.subject(NAMES), NAMES],
    [words.confirmation.request(NAMES), NAMES],
    [words.own_link.subject(NAMES), NAMES],
    [words.own_link.request(NAMES), NAMES],
    [words.form_notice.one(NAMES), NAMES],
    [words.form_notice.many(NAMES, '3'), NAMES, '3'],
    [words.form_notice.several('3'), '3'],
    [words.form_notice.more('3'), '3'],
    [words.form_notice.closing(NAMES), NAMES],
  ] as const

test.each(languages.map((words) => [words.lang, words] as const))(
  'The language %s has every text, and the texts contain the inserted values.',
  (lang, words) => {
    const said = sentences(words)
    expect(said.map(([path]) => path).sort()).toEqual(
      sentences(en)
        .map(([path]) => path)
        .sort(),
    )
    expect(said.filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([])
    for (const [sentence, ...parts] of put(words)) for (const part of parts) expect(sentence).toContain(part)
    const english = new Set(
      sentences(en)
        .filter(([path, text]) => path !== '/lang' && text.length > 12)
        .map(([, text]) => text),
    )
    if (lang !== 'en') expect(said.filter(([, text]) => english.has(text))).toEqual([])
    expect(Intl.ListFormat.supportedLocalesOf([lang])).toEqual([lang])
  },
)

test('A locale selects its language, and an unknown one selects English.', () => {
  for (const [locale, lang] of [
    ['de-AT', 'de'],
    ['DE_de', 'de'],
    ['en-GB', 'en'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['iw', 'he'],
    ['in-ID', 'id'],
    ['tlh', 'en'],
    ['', 'en'],
    [null, 'en'],
  ] as const)
    expect([locale, translationsFor(locale).lang]).toEqual([locale, lang])
})

test('Names in a sentence from right to left keep their own direction.', () => {
  expect([directionOf('ar-EG'), directionOf('he'), directionOf('arn'), directionOf('de')]).toEqual([
    'rtl',
    'rtl',
    'ltr',
    'ltr',
  ])
  // The script decides where a tag names one; another subtag of four letters is none.
  const tags = ['az-Arab', 'AZ_ARAB', 'ar-Latn', 'ur-Latn-PK', 'de-1996', 'yi', '']
  expect(tags.map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr', 'ltr', 'rtl', 'ltr'])
  expect(isolate(en, ADDRESS)).toBe(ADDRESS)
  expect(nameList({ ...en, lang: 'he' }, ['A'])).toBe('\u2068A\u2069')
  expect(isolate({ ...en, lang: 'ar' }, ADDRESS)).toBe(`\u2068${ADDRESS}\u2069`)
  expect(nameList(en, ['A', 'B', 'C'])).toBe('A, B, and C')
})
