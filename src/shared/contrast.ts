/** Contrast of colors (WCAG 2.2). */

export const HEX = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'

/** `#rrggbb` in lower case, the notation that all mail programs read; null for anything but #rgb or #rrggbb. */
export function longHex(color: string | null | undefined): string | null {
  if (!color || !new RegExp(HEX).test(color)) return null
  return (color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color).toLowerCase()
}

/** The color of a project that chose none: of its letters, its confirmations and its public pages. */
const USUAL_BRAND = '#0b5a6e'

/** The color of a project as `#rrggbb`. */
export const brandColor = (chosen: string | null | undefined): string => longHex(chosen) ?? USUAL_BRAND

/** Minimum contrast ratio of text (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5
/** Minimum contrast ratio of large text (WCAG 2.2, 1.4.3). */
export const READABLE_LARGE = 3

/** Contrast ratio of two `#rrggbb` colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Relative luminance of a `#rrggbb` color, 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => linear(channel / 255)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue of a `#rrggbb` color, 0 to 255. */
export const channels = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)

/** The wanted color if it is readable on the background, else white, nearly black or black, of which one always is. */
export function readableOn(background: string, wanted: string): string {
  return [wanted, '#ffffff', '#1f1f23'].find((color) => contrast(background, color) >= READABLE) ?? '#000000'
}
