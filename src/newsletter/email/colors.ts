import { Type } from '@sinclair/typebox'
import { channels, contrast, HEX, luminance, READABLE, readableOn } from '../../shared/contrast.ts'

export const Color = Type.String({ pattern: HEX, description: '#rgb or #rrggbb' })

export const isDark = (color: string): boolean => luminance(color) < 0.18

/** A gray for secondary text that is readable on the background. */
export function mutedOn(background: string): string {
  return (
    ['#66666e', '#b4b4bc'].find((gray) => contrast(gray, background) >= READABLE) ?? readableOn(background, '#1f1f23')
  )
}

/** The color, lightened with the same saturation until it has the least contrast ratio with a dark background. */
export function tintOn(background: string, color: string, least = READABLE): string {
  const [hue, saturation, lightness] = hslOf(color)
  for (let light = lightness; light < 0.97; light += 0.03) {
    const tint = hexOf(hue, saturation, light)
    if (contrast(background, tint) >= least) return tint
  }
  return '#ffffff'
}

/** A dark color of the same hue with less saturation. */
export function dimmed(color: string): string {
  const [hue, saturation] = hslOf(color)
  return hexOf(hue, Math.min(saturation * 0.8, 0.24), 0.2)
}

/** The notation of red, green and blue from 0 to 255. */
export const hexOfChannels = (rgb: readonly number[]): string =>
  `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** Hue in degrees, saturation and lightness from 0 to 1. */
function hslOf(color: string): [hue: number, saturation: number, lightness: number] {
  const [red, green, blue] = channels(color).map((channel) => channel / 255) as [number, number, number]
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  const lightness = most - span / 2
  if (span === 0) return [0, 0, lightness]
  const sector =
    most === red ? ((green - blue) / span + 6) % 6 : most === green ? (blue - red) / span + 2 : (red - green) / span + 4
  return [sector * 60, span / (1 - Math.abs(2 * lightness - 1)), lightness]
}

function hexOf(hue: number, saturation: number, lightness: number): string {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const sector = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(sector - 3, 9 - sector, 1))))
  }
  return hexOfChannels([channel(0), channel(8), channel(4)])
}
