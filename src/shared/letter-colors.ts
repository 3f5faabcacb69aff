import { contrast, longHex, readableOn } from './contrast.ts'

/** The colors of letters that follow from others: the same in mail, in the preview and in the editor. */

/** What is behind a block, and the color of the text on it. All colors are `#rrggbb`. */
export interface Ground {
  background: string
  text: string
}

/** The column of a letter, by its design. */
export function columnGround(design: { background_color?: string; text_color?: string }): Ground & { page: string } {
  const page = longHex(design.background_color) ?? '#f3f3f1'
  const text = longHex(design.text_color) ?? '#2a2a2e'
  // A light text color was chosen for a dark page, so the column is not white.
  const background = contrast(text, '#ffffff') >= contrast(text, page) ? '#ffffff' : page
  return { page, text, background }
}

/** The ground of a block with a band of its own, a color or `brand`; without one, the ground around it. */
export function bandGround(around: Ground, color: string | undefined, brand: string): Ground {
  const background = color === 'brand' ? brand : longHex(color)
  if (!background || background === around.background) return around
  return { background, text: readableOn(background, around.text) }
}

/** The lowest contrast ratio at which a button stands out. */
const VISIBLE = 1.15

/**
 * The colors of a button: its own, else the brand color, or that of the text where the brand would not stand out, with
 * a text that is readable on it.
 */
export function buttonColors(
  own: { background_color?: string | undefined; text_color?: string | undefined },
  ground: Ground,
  brand: string,
): { background: string; foreground: string } {
  const usual = contrast(brand, ground.background) >= VISIBLE ? brand : ground.text
  const background = longHex(own.background_color) ?? usual
  const foreground =
    longHex(own.text_color) ?? readableOn(background, background === ground.text ? ground.background : '#ffffff')
  return { background, foreground }
}
