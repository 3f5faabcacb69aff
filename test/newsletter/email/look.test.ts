import { expect, test } from 'bun:test'
import { contrast } from '../../../src/shared/contrast.ts'
import {
  type Brand,
  lookOf,
  lookOn,
  lookOnPage,
  type Settings,
  SYSTEM_FONT,
} from '../../../src/newsletter/email/look.ts'

const look = (settings: Settings = {}, { locale, ...brand }: Partial<Brand> & { locale?: string } = {}) =>
  lookOf({ settings, brand: { project_name: 'Harbour', ...brand }, locale })
const darkRule = ({ dark }: ReturnType<typeof look>, name: string): string =>
  dark
    .rules({ color: '', background: '' })
    .split('\n')
    .find((rule) => rule.startsWith(`.${name}{`))!

test('Without settings a message is a white column of 600 pixels on a light page.', () => {
  expect(look()).toMatchObject({
    page: '#f3f3f1',
    card: '#ffffff',
    background: '#ffffff',
    text: '#2a2a2e',
    accent: '#0b5a6e',
    link: '#0b5a6e',
    width: 600,
    inner_width: 520,
    side: 40,
    font: SYSTEM_FONT,
    lang: 'en',
    dir: 'ltr',
    start: 'left',
    dark_page: '#141416',
    dark_background: '#1f1f23',
    posts: [],
  })
})

test('Settings and brand replace the defaults.', () => {
  expect(
    look(
      {
        background_color: '#EEE',
        content_width: 400,
        font_family: '"My Font", serif',
        text_color: '#111',
        link_color: '#0a0',
      },
      { brand_color: '#A00' },
    ),
  ).toMatchObject({
    page: '#eeeeee',
    width: 400,
    inner_width: 320,
    font: "'My Font', serif",
    text: '#111111',
    link: '#00aa00',
    accent: '#aa0000',
  })
  expect(look({}, { brand_color: '#a00' }).link).toBe('#aa0000')
})

test('A link of a pale brand color is darkened until it is readable.', () => {
  const { link, accent } = look({}, { brand_color: '#ffee88' })
  expect(accent).toBe('#ffee88')
  expect(contrast(link, '#ffffff')).toBeGreaterThanOrEqual(4.5)
})

test('Light text was chosen for a dark page, so the column has the color of the page, in dark mode as well.', () => {
  const dark = look({ background_color: '#101010', text_color: '#fafafa' })
  expect(dark).toMatchObject({ card: '#101010', dark_page: '#101010', dark_background: '#101010' })
  expect(darkRule(dark, dark.classes.text)).toContain('color:#fafafa')
  // Neither is dark: the column follows the page into dark mode.
  expect(look({ background_color: '#808080', text_color: '#fff' })).toMatchObject({
    card: '#808080',
    dark_background: '#141416',
  })
  expect(look({ background_color: '#101010' })).toMatchObject({
    card: '#ffffff',
    dark_page: '#101010',
    dark_background: '#1f1f23',
  })
})

test('The language decides direction and words; one that is no language tag is English.', () => {
  expect(look({}, { locale: 'ar_EG' })).toMatchObject({ lang: 'ar-EG', dir: 'rtl', start: 'right' })
  expect(look({}, { locale: 'de_CH' }).translations.unsubscribe).toBe('Abmelden')
  expect(look({}, { locale: '"><script>' }).lang).toBe('en')
  expect(look({}, { locale: '' })).toMatchObject({ lang: 'en', dir: 'ltr' })
})

test('A band has its own background with readable text and links, in dark mode too.', () => {
  const base = look()
  for (const same of [undefined, '#fff', '#FFFFFF', 'not a color']) expect(lookOn(base, same)).toBe(base)
  const brand = lookOn(base, 'brand')
  expect(brand).toMatchObject({ background: '#0b5a6e', text: '#ffffff', link: '#ffffff', dark_background: '#0b5a6e' })
  expect(darkRule(brand, brand.classes.text)).toContain('color:#ffffff')
  const pale = lookOn(base, '#fed')
  expect(pale).toMatchObject({ background: '#ffeedd', text: '#2a2a2e', link: '#0b5a6e' })
  expect(pale.dark_background).not.toBe('#ffeedd')
  expect(darkRule(pale, pale.classes.text)).toContain('color:#e9e9ec')
  expect(darkRule(pale, pale.classes.background)).toContain(`background-color:${pale.dark_background}`)
  for (const { background, quiet } of [brand, pale]) expect(contrast(background, quiet)).toBeGreaterThanOrEqual(4.5)
})

test('Below the column the background is that of the page.', () => {
  const below = lookOnPage(look({ background_color: '#333' }))
  expect(below).toMatchObject({ background: '#333333', dark_background: below.dark_page })
  expect(contrast(below.quiet, '#333333')).toBeGreaterThanOrEqual(4.5)
})
