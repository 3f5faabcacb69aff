import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { directionOf, isolate, languages, nameList, translationsFor } from '../../src/i18n/languages.ts'
import { CONTACT_FIELDS } from '../../src/shared/contact-fields.ts'
import { en } from '../../src/i18n/en.ts'
import { QUESTION_WORDS } from '../../src/i18n/form-questions.ts'
import type { Translations } from '../../src/i18n/translations.ts'

const NAMES = 'Tides'
const ADDRESS = 'a@example.com'

/** Every text with its path; functions are called with sample values. */
function sentences(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') return [[path, String((value as (...values: string[]) => string)(NAMES, ADDRESS))]]
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([name, part]) => sentences(part, `${path}/${name}`))
}

/** The texts of a language, with the questions of sign-up forms. */
function textsOf(words: Translations): [string, string][] {
  const asked = CONTACT_FIELDS.filter(({ question }) => question !== null)
  const questions = asked.map(({ name }) => [name, QUESTION_WORDS[name][words.lang] ?? ''])
  return sentences({ ...words, questions: Object.fromEntries(questions) as object })
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
    [words.form_notice.entries('3'), '3'],
    [words.form_notice.more('3'), '3'],
    [words.form_notice.closing(NAMES), NAMES],
  ] as const

test.each(languages.map((words) => [words.lang, words] as const))(
  'The language %s has every text, and the texts contain the inserted values.',
  (lang, words) => {
    const said = textsOf(words)
    expect(said.map(([path]) => path).sort()).toEqual(
      textsOf(en)
        .map(([path]) => path)
        .sort(),
    )
    expect(said.filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([])
    for (const [sentence, ...parts] of put(words)) for (const part of parts) expect(sentence).toContain(part)
    const english = new Set(
      textsOf(en)
        .filter(([path, text]) => path !== '/lang' && text.length > 12)
        .map(([, text]) => text),
    )
    if (lang !== 'en') expect(said.filter(([, text]) => english.has(text))).toEqual([])
    expect(Intl.ListFormat.supportedLocalesOf([lang])).toEqual([lang])
  },
)

/** Texts that are the same in each language, or may be. */
const SAME = [
  ['/failed/0', '/forms/failed/0'],
  ['/failed/1', '/forms/failed/1'],
  ['/confirm/button', '/confirmation/button'],
  ['/unsubscribe/everything', '/preferences/unsubscribe_all'],
  ['/unsubscribed/0', '/unsubscribed_lists/0'],
]
const LIKE = [
  ['/unsubscribe/title', '/email/unsubscribe'],
  ['/forms/sent/0', '/forms/signed_up/0'],
  ['/confirm/title', '/confirm/button', '/confirmation/button'],
  ['/preferences/title', '/email/preferences'],
]

test("A text stands only in its own place, and is no other language's.", () => {
  const of = new Map<string, string>()
  for (const words of languages) {
    const said = textsOf(words)
    const equal = [...Map.groupBy(said, ([, text]) => text).values()]
      .filter((places) => places.length > 1)
      .map((places) => places.map(([path]) => path))
    const unlike = equal.filter(
      (paths) => ![...SAME, ...LIKE].some((allowed) => paths.every((path) => allowed.includes(path))),
    )
    // Consent and agreement are one word in Korean.
    expect([words.lang, unlike]).toEqual([
      words.lang,
      words.lang === 'ko' ? [['/consent/label', '/consent/accept']] : [],
    ])
    for (const same of SAME)
      expect([words.lang, equal.some((paths) => same.every((path) => paths.includes(path)))]).toEqual([
        words.lang,
        true,
      ])
    for (const [path, text] of said.filter(([, text]) => text.length > 25)) {
      expect([path, text, of.get(text) ?? words.lang]).toEqual([path, text, words.lang])
      of.set(text, words.lang)
    }
  }
})

test('Each language is in the script that it is written in.', () => {
  const scripts: Record<string, string[]> = {
    Cyrillic: ['bg', 'ru', 'uk'],
    Arabic: ['ar', 'fa', 'ur'],
    Hebrew: ['he'],
    Greek: ['el'],
    Hangul: ['ko'],
  }
  for (const words of languages) {
    const [script = 'Latin'] = Object.entries(scripts).find(([, langs]) => langs.includes(words.lang)) ?? []
    const wanted = ['ja', 'zh'].includes(words.lang)
      ? /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
      : new RegExp(`\\p{Script=${script}}`, 'u')
    for (const [path, text] of textsOf(words).filter(([path]) => path !== '/lang'))
      expect([words.lang, path, wanted.test(text.replaceAll(NAMES, '').replaceAll(ADDRESS, ''))]).toEqual([
        words.lang,
        path,
        true,
      ])
  }
})

test('Every file of texts is a language that is offered.', () => {
  const files = [...new Bun.Glob('*.ts').scanSync(join(import.meta.dir, '../../src/i18n'))]
  const others = new Set(['languages.ts', 'form-questions.ts', 'translations.ts'])
  expect(languages.map(({ lang }) => `${lang}.ts`).sort()).toEqual(files.filter((file) => !others.has(file)).sort())
})

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
  const written_so = 'ar arc ckb dv fa he iw ji ks nqo ps sd syr ug ur yi'.split(' ')
  const scripts = 'Arab Hebr Syrc Thaa Nkoo Adlm Rohg'.split(' ').map((script) => `en-${script}`)
  for (const tag of [...written_so, ...scripts]) expect([tag, directionOf(tag)]).toEqual([tag, 'rtl'])
  expect(isolate(en, ADDRESS)).toBe(ADDRESS)
  expect(nameList({ ...en, lang: 'he' }, ['A'])).toBe('\u2068A\u2069')
  expect(isolate({ ...en, lang: 'ar' }, ADDRESS)).toBe(`\u2068${ADDRESS}\u2069`)
  expect(nameList(en, ['A', 'B', 'C'])).toBe('A, B, and C')
})
