import { type Static, Type } from '@sinclair/typebox'
import { line, obj } from '../../schema.ts'
import { brandColor, contrast, longHex, READABLE, readableOn } from '../../shared/contrast.ts'
import { Color, isDark, mutedOn } from './colors.ts'
import { darkBackground, darkForeground, type DarkSheet, darkSheet } from './dark.ts'
import { type ImportedStyles, importedStyles } from './imported-styles.ts'
import { bandGround, columnGround } from '../../shared/letter-colors.ts'
import { type Direction, startOf } from '../../shared/text-direction.ts'
import type { EmailPost } from '../../store/tables/email-document.ts'
import { directionOf, translationsFor } from '../../i18n/languages.ts'
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

/** The sender's brand. The settings check the address of the logo. */
export interface Brand {
  project_name: string
  company_name?: string | null
  postal_address?: string | null
  footer_text?: string | null
  brand_color?: string | null
  logo_url?: string | null
}

/** Colors, fonts, sizes and texts of a message, as a block needs them for rendering. */
export interface Look {
  brand: Brand
  translations: Translations['email']
  /** The language of the message, as a BCP 47 tag. */
  lang: string
  dir: Direction
  /** The side where a line begins. */
  start: 'left' | 'right'
  font: string
  /** Width of the column in pixels, and its width without the padding at the sides. */
  width: number
  inner_width: number
  /** Padding in pixels at each side of a row; 0 inside `columns`. */
  side: number
  page: string
  dark_page: string
  card: string
  accent: string
  /** The color behind a block, and text colors that are readable on it. */
  background: string
  text: string
  link: string
  quiet: string
  /** The background in dark mode, and the classes that set the dark-mode colors. */
  dark_background: string
  classes: { background: string; text: string; link: string; quiet: string }
  dark: DarkSheet
  imported: ImportedStyles
  /** The project's posts, the newest first. */
  posts: readonly EmailPost[]
  /** The message has no recipient, so its footer has no recipient's links. */
  for_everybody: boolean
}

/** Padding in pixels at each side of the column on wide screens. */
const SIDE = 40

export const SYSTEM_FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** Page and column in dark mode, unless the chosen colors are dark already. */
const DARK_PAGE = '#141416'
const DARK_CARD = '#1f1f23'
const DARK_TEXT = '#e9e9ec'
const DARK_QUIET = '#a9a9b2'

/** The look for the settings of a document and the brand. Defaults are readable on the chosen colors. */
export function lookOf({
  settings,
  brand,
  locale,
  posts = [],
  for_everybody = false,
}: {
  settings: Settings
  brand: Brand
  locale?: string | null
  posts?: readonly EmailPost[]
  for_everybody?: boolean
}): Look {
  const { page, text, background: card } = columnGround(settings)
  const accent = brandColor(brand.brand_color)
  const link = longHex(settings.link_color) ?? readableOn(card, accent)
  const lang = locale?.replaceAll('_', '-') ?? ''
  const dir = directionOf(lang)
  const width = settings.content_width ?? 600
  const dark = darkSheet()
  const dark_page = isDark(page) ? page : DARK_PAGE
  const dark_background = isDark(card) ? card : card === page ? dark_page : DARK_CARD
  return {
    brand,
    translations: translationsFor(lang).email,
    lang: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : 'en',
    dir,
    start: startOf(dir),
    font: settings.font_family?.replaceAll('"', "'") ?? SYSTEM_FONT,
    width,
    inner_width: width - 2 * SIDE,
    side: SIDE,
    page,
    dark_page,
    card,
    accent,
    background: card,
    text,
    link,
    quiet: mutedOn(card),
    dark_background,
    classes: {
      background: dark.shade({ background: dark_background }),
      text: dark.shade({ color: readableOn(dark_background, isDark(card) ? text : DARK_TEXT) }),
      link: dark.shade({ color: darkForeground(dark_background, link) }),
      quiet: dark.shade({ color: readableOn(dark_background, DARK_QUIET) }),
    },
    dark,
    imported: importedStyles(),
    posts,
    for_everybody,
  }
}

/** The look of a block with its own background: all text on it is readable, in dark mode too. */
export function lookOn(look: Look, color: string | undefined): Look {
  const { background, text } = bandGround(look, color, look.accent)
  if (background === look.background) return look
  const dark_background = darkBackground(background)
  const link = contrast(background, look.link) >= READABLE ? look.link : text
  const quiet = mutedOn(background)
  const shade = (color: string) => look.dark.shade({ color })
  return {
    ...look,
    background,
    text,
    link,
    quiet,
    dark_background,
    classes: {
      background: look.dark.shade({ background: dark_background }),
      text: shade(dark_background === background ? text : readableOn(dark_background, DARK_TEXT)),
      link: shade(darkForeground(dark_background, link)),
      quiet: shade(dark_background === background ? quiet : readableOn(dark_background, DARK_QUIET)),
    },
  }
}

/** The look of content below the column, on the background of the page. */
export function lookOnPage(look: Look): Look {
  return {
    ...look,
    background: look.page,
    quiet: mutedOn(look.page),
    dark_background: look.dark_page,
    classes: { ...look.classes, quiet: look.dark.shade({ color: readableOn(look.dark_page, DARK_QUIET) }) },
  }
}
