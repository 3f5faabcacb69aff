import { type Static, Type } from '@sinclair/typebox'
import { line, obj } from '../../schema.ts'
import { Color, contrast, longHex, readableOn } from './colors.ts'
import { type FooterWords, footerWords } from './footer-words.ts'

const FONT_NAME = '[A-Za-z0-9 _-]+| *\'[A-Za-z0-9 _-]+\' *| *"[A-Za-z0-9 _-]+" *'

/** `settings` of an email document. */
export const Settings = obj({
  background_color: Type.Optional(Color),
  content_width: Type.Optional(Type.Integer({ minimum: 320, maximum: 800, default: 600, description: 'Pixels.' })),
  font_family: Type.Optional(Type.String({
    maxLength: 200,
    pattern: `^(?:${FONT_NAME})(?:,(?:${FONT_NAME}))*$`,
    description: 'Font names separated by commas.',
  })),
  text_color: Type.Optional(Color),
  link_color: Type.Optional(Color),
  preheader: Type.Optional(line(300, { description: 'Shown after the subject in the inbox.' })),
})
export type Settings = Static<typeof Settings>

/** Whose message it is. Everything may be missing; the addresses of images are checked where they are saved. */
export interface Brand {
  project_name: string
  company_name?: string | null
  postal_address?: string | null
  footer_text?: string | null
  brand_color?: string | null
  logo_url?: string | null
}

/** All that the drawing of a block needs to know about the message around it. */
export interface Look {
  brand: Brand
  words: FooterWords
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  /** The side where a line begins. */
  start: 'left' | 'right'
  font: string
  /** Pixels: the column, and what the padding at its sides leaves. */
  width: number
  inner_width: number
  page: string
  card: string
  text: string
  link: string
  accent: string
}

/** Pixels at each side of the column, on a screen that is wide enough. */
export const SIDE = 40

export const SYSTEM_FONT = '-apple-system, BlinkMacSystemFont, \'Segoe UI\', Roboto, \'Helvetica Neue\', Arial, sans-serif'
const ACCENT = '#26457d'

/** The look that the owner's choices give. Colours that cannot be read on each other are never combined here. */
export function lookOf(settings: Settings, brand: Brand, locale: string | null | undefined): Look {
  const page = longHex(settings.background_color) ?? '#f3f3f1'
  const text = longHex(settings.text_color) ?? '#2a2a2e'
  // Light letters were chosen for a dark page: then there is no white card on it.
  const card = contrast(text, '#ffffff') >= contrast(text, page) ? '#ffffff' : page
  const accent = longHex(brand.brand_color) ?? ACCENT
  const lang = locale?.replaceAll('_', '-') ?? ''
  const dir = isRightToLeft(lang) ? 'rtl' : 'ltr'
  const width = settings.content_width ?? 600
  return {
    brand,
    words: footerWords(lang),
    lang: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : 'en',
    dir,
    start: dir === 'rtl' ? 'right' : 'left',
    font: settings.font_family?.replaceAll('"', '\'') ?? SYSTEM_FONT,
    width,
    inner_width: width - 2 * SIDE,
    page,
    card,
    text,
    link: longHex(settings.link_color) ?? readableOn(card, accent),
    accent,
  }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'iw', 'ji', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi'])

/** By language, unless the locale names a script. */
function isRightToLeft(lang: string): boolean {
  const [language = '', script = ''] = lang.toLowerCase().split('-')
  if (/^[a-z]{4}$/.test(script)) return ['arab', 'hebr', 'syrc', 'thaa', 'nkoo', 'adlm', 'rohg'].includes(script)
  return RIGHT_TO_LEFT.has(language)
}
