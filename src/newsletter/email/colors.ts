import { Type } from '@sinclair/typebox'

const HEX = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'

export const Color = Type.String({ pattern: HEX, description: '#rgb or #rrggbb' })

/** Text on its background is readable from here (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

/** A colour in the one notation that all mail programs read, or null when it is none. */
export function longHex(color: string | null | undefined): string | null {
  if (!color || !new RegExp(HEX).test(color)) return null
  const hex = color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color
  return hex.toLowerCase()
}

/** Contrast ratio of two `#rrggbb` colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

export const isDark = (color: string): boolean => luminance(color) < 0.18

/** The wished colour where it can be read on the background, else black or white. */
export function readableOn(background: string, wished: string): string {
  if (contrast(background, wished) >= READABLE) return wished
  return contrast(background, '#ffffff') >= contrast(background, '#1f1f23') ? '#ffffff' : '#1f1f23'
}

/** The colour mixed with white until it can be read on a dark background. */
export function tintOn(background: string, color: string): string {
  for (let white = 0; white < 1; white += 0.1) {
    const mixed = channels(color).map((channel) => Math.round(channel + (255 - channel) * white))
    const tint = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
    if (contrast(background, tint) >= READABLE) return tint
  }
  return '#ffffff'
}

const channels = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => linear(channel / 255)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
