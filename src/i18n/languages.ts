import { ar } from './ar.ts'
import { bg } from './bg.ts'
import { ca } from './ca.ts'
import { cs } from './cs.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { el } from './el.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { et } from './et.ts'
import { fa } from './fa.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { hr } from './hr.ts'
import { hu } from './hu.ts'
import { id } from './id.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ro } from './ro.ts'
import { ru } from './ru.ts'
import { sk } from './sk.ts'
import { sv } from './sv.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { ur } from './ur.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'
import type { Translations } from './translations.ts'

const LANGUAGES: ReadonlyMap<string, Translations> = new Map(
  [
    ar,
    bg,
    ca,
    cs,
    da,
    de,
    el,
    en,
    es,
    et,
    fa,
    fi,
    fr,
    he,
    hr,
    hu,
    id,
    it,
    ja,
    ko,
    nb,
    nl,
    pl,
    pt,
    ro,
    ru,
    sk,
    sv,
    tr,
    uk,
    ur,
    vi,
    zh,
  ].map((translations) => [translations.lang, translations]),
)

/** The same language under another code. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
  ['iw', 'he'],
  ['in', 'id'],
])

/** Every language that has translations. */
export const languages: readonly Translations[] = [...LANGUAGES.values()]

/**
 * The translations for a BCP 47 tag, or English where the language has none. A page takes its `lang` attribute from the
 * returned `lang`, so English text is marked as English.
 */
export function translationsFor(locale: string | null | undefined): Translations {
  const language = (locale ?? 'en').toLowerCase().split(/[-_]/)[0]!
  return LANGUAGES.get(ALIASES.get(language) ?? language) ?? en
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set('ar arc ckb dv fa he iw ji ks nqo ps sd syr ug ur yi'.split(' '))
const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<string> = new Set('arab hebr syrc thaa nkoo adlm rohg'.split(' '))

/** The direction of a BCP 47 tag: that of its script if it names one, else that of its language. */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  const [language = '', script = ''] = lang.toLowerCase().split(/[-_]/)
  const isRightToLeft = /^[a-z]{4}$/.test(script) ? RIGHT_TO_LEFT_SCRIPTS.has(script) : RIGHT_TO_LEFT.has(language)
  return isRightToLeft ? 'rtl' : 'ltr'
}

/** A list of names, joined in the way of the language, e.g. "A, B, and C". */
export function nameList(translations: Translations, names: readonly string[]): string {
  const isolated = names.map((name) => isolate(translations, name))
  return new Intl.ListFormat(translations.lang, { type: 'conjunction' }).format(isolated)
}

/** A name or an address inside a sentence; in right-to-left text it is wrapped in directional isolates (UAX #9). */
export function isolate({ lang }: Translations, text: string): string {
  return directionOf(lang) === 'rtl' ? `\u2068${text}\u2069` : text
}
