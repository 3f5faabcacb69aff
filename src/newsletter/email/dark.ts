import { contrast, luminance, READABLE, readableOn } from '../../shared/contrast.ts'
import { dimmed, tintOn } from './colors.ts'

/**
 * The dark-mode style sheet of a message. Most colors are the author's, so the rules are collected during rendering:
 * the renderer of an element asks for a class with its dark-mode colors.
 */
export interface DarkSheet {
  /** The class that sets these colors in dark mode. */
  shade(colors: { color?: string; background?: string }): string
  /** The CSS rules collected so far, each with a prefix before its selector. */
  rules(prefix: { color: string; background: string }): string
}

export function darkSheet(): DarkSheet {
  const classes = new Map<string, { name: string; color?: string; background?: string }>()
  return {
    shade({ color, background }) {
      const key = `${color} ${background}`
      const { name } = classes.get(key) ?? { name: `d${classes.size + 1}` }
      classes.set(key, { name, color, background })
      return name
    },
    rules(prefix) {
      let css = ''
      for (const { name, color, background } of classes.values()) {
        if (color) css += `${prefix.color}.${name}{color:${color}!important}\n`
        if (background) css += `${prefix.background}.${name}{background-color:${background}!important}\n`
      }
      return css
    },
  }
}

/** The dark-mode color of a background: pale colors become dark ones of the same hue, dark and strong colors stay. */
export const darkBackground = (background: string): string =>
  luminance(background) < 0.35 ? background : dimmed(background)

/** The dark-mode color of text on a background: the same color where it is readable, else a lighter one. */
export function darkForeground(background: string, color: string): string {
  return contrast(background, color) < READABLE && contrast(background, '#ffffff') >= READABLE
    ? tintOn(background, color, 5.5)
    : readableOn(background, color)
}
