import { type Static, Type } from '@sinclair/typebox'
import { line, obj } from '../../schema.ts'
import { Color, contrast, isDark, longHex, quietOn, READABLE, readableOn } from './colors.ts'
import { darkGround, darkInk, type DarkSheet, darkSheet } from './dark.ts'
import { translationsFor } from '../../i18n/languages.ts'
import type { Translations } from '../../i18n/translations.ts'

const FONT_NAME = '[A-Za-z0-9 _-]+| *\'[A-Za-z0-9 _-]+\' *| *"[A-Za-z0-9 _-]+" *'

export const FontFamily = Type.String({
  maxLength: 200,
  pattern: `^(?:${FONT_NAME})(?:,(?:${FONT_NAME}))*$`,
  description: 'Font names separated by commas.',
})

/** `settings` of an email document. */
export const Settings = obj({
  background_color: Type.Optional(Color),
  content_width: Type.Optional(Type.Integer({ minimum: 320, maximum: 800, default: 600, description: 'Pixels.' })),
  font_family: Type.Optional(FontFamily),
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

/** A post as the block `cms_posts` shows it: plain texts, nothing of it is markup. */
export interface EmailPost {
  title: string
  slug: string
  /** http or https; null where no page of the project's is known to show it. */
  url: string | null
  excerpt: string
  category: string
  /** As it is to be shown, in the language of the message. */
  date: string
}

/** All that the drawing of a block needs to know about the message around it. */
export interface Look {
  brand: Brand
  translations: Translations['email']
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  /** The side where a line begins. */
  start: 'left' | 'right'
  font: string
  /** Pixels: the column, and what the padding at its sides leaves. */
  width: number
  inner_width: number
  /** Pixels at each side of a row; none inside of `columns`. */
  side: number
  page: string
  dark_page: string
  card: string
  accent: string
  /** The colour that a block stands on, and those that can be read on it. */
  ground: string
  text: string
  link: string
  quiet: string
  /** The ground in the dark, and the classes that give the dark colours. */
  dark_ground: string
  classes: { ground: string; text: string; link: string; quiet: string }
  dark: DarkSheet
  /** Newest first. */
  posts: readonly EmailPost[]
}

/** Pixels at each side of the column, on a screen that is wide enough. */
export const SIDE = 40

export const SYSTEM_FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
const ACCENT = '#26457d'

/** Page and column in the dark, unless the owner's own are dark already. */
const DARK_PAGE = '#141416'
const DARK_CARD = '#1f1f23'
const DARK_TEXT = '#e9e9ec'
const DARK_QUIET = '#a9a9b2'

export interface LookSource {
  settings: Settings
  brand: Brand
  locale?: string | null
  posts?: readonly EmailPost[]
}

/** The look that the owner's choices give. Colours that cannot be read on each other are never combined here. */
export function lookOf({ settings, brand, locale, posts = [] }: LookSource): Look {
  const page = longHex(settings.background_color) ?? '#f3f3f1'
  const text = longHex(settings.text_color) ?? '#2a2a2e'
  // Light letters were chosen for a dark page: then there is no white card on it.
  const card = contrast(text, '#ffffff') >= contrast(text, page) ? '#ffffff' : page
  const accent = longHex(brand.brand_color) ?? ACCENT
  const link = longHex(settings.link_color) ?? readableOn(card, accent)
  const lang = locale?.replaceAll('_', '-') ?? ''
  const dir = isRightToLeft(lang) ? 'rtl' : 'ltr'
  const width = settings.content_width ?? 600
  const dark = darkSheet()
  const dark_page = isDark(page) ? page : DARK_PAGE
  const dark_ground = isDark(card) ? card : card === page ? dark_page : DARK_CARD
  return {
    brand,
    translations: translationsFor(lang).email,
    lang: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : 'en',
    dir,
    start: dir === 'rtl' ? 'right' : 'left',
    font: settings.font_family?.replaceAll('"', "'") ?? SYSTEM_FONT,
    width,
    inner_width: width - 2 * SIDE,
    side: SIDE,
    page,
    dark_page,
    card,
    accent,
    ground: card,
    text,
    link,
    quiet: quietOn(card),
    dark_ground,
    classes: {
      ground: dark.shade({ background: dark_ground }),
      text: dark.shade({ color: readableOn(dark_ground, isDark(card) ? text : DARK_TEXT) }),
      link: dark.shade({ color: darkInk(dark_ground, link) }),
      quiet: dark.shade({ color: readableOn(dark_ground, DARK_QUIET) }),
    },
    dark,
    posts,
  }
}

/** The look of a block on a ground of its own: everything on it stays readable, in the dark as well. */
export function lookOn(look: Look, color: string | undefined): Look {
  const ground = colorOf(look, color)
  if (!ground || ground === look.ground) return look
  const dark_ground = darkGround(ground)
  const text = readableOn(ground, look.text)
  const link = contrast(ground, look.link) >= READABLE ? look.link : text
  const quiet = quietOn(ground)
  const classes = {
    ground: look.dark.shade({ background: dark_ground }),
    text: look.dark.shade({ color: dark_ground === ground ? text : readableOn(dark_ground, DARK_TEXT) }),
    link: look.dark.shade({ color: darkInk(dark_ground, link) }),
    quiet: look.dark.shade({ color: dark_ground === ground ? quiet : readableOn(dark_ground, DARK_QUIET) }),
  }
  return { ...look, ground, text, link, quiet, dark_ground, classes }
}

/** A colour of a block, `brand` being the project's own; null for none. */
export const colorOf = (look: Look, color: string | undefined): string | null =>
  color === 'brand' ? look.accent : longHex(color)

/** The look of what stands below the column, on the page itself. */
export function lookOnPage(look: Look): Look {
  const quiet = quietOn(look.page)
  const classes = { ...look.classes, quiet: look.dark.shade({ color: readableOn(look.dark_page, DARK_QUIET) }) }
  return { ...look, ground: look.page, quiet, dark_ground: look.dark_page, classes }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'iw',
  'ji',
  'ks',
  'nqo',
  'ps',
  'sd',
  'syr',
  'ug',
  'ur',
  'yi',
])

/** By language, unless the locale names a script. */
function isRightToLeft(lang: string): boolean {
  const [language = '', script = ''] = lang.toLowerCase().split('-')
  if (/^[a-z]{4}$/.test(script)) return ['arab', 'hebr', 'syrc', 'thaa', 'nkoo', 'adlm', 'rohg'].includes(script)
  return RIGHT_TO_LEFT.has(language)
}
