import { contrast, dimmed, luminance, READABLE, readableOn, tintOn } from './colors.ts'

/**
 * What the colours of a message become where a mail program asks for dark ones. Most colours are the author's,
 * so the rules are collected while the message is drawn: whoever draws something coloured gets the class that
 * turns it over.
 */
export interface DarkSheet {
  /** The class that gives these colours in the dark. */
  shade(colors: { color?: string; background?: string }): string
  /** The rules so far, each with a prefix before its selector. */
  rules(prefix: { color: string; background: string }): string
}

export function darkSheet(): DarkSheet {
  const classes = new Map<string, { color?: string; background?: string }>()
  const names = new Map<string, string>()
  return {
    shade({ color, background }) {
      const key = `${color} ${background}`
      const name = names.get(key) ?? `d${names.size + 1}`
      names.set(key, name)
      classes.set(name, { color, background })
      return name
    },
    rules(prefix) {
      let css = ''
      for (const [name, { color, background }] of classes) {
        if (color) css += `${prefix.color}.${name}{color:${color}!important}\n`
        if (background) css += `${prefix.background}.${name}{background-color:${background}!important}\n`
      }
      return css
    },
  }
}

/** A ground in the dark: pale ones nearly go out and keep a breath of their colour, dark and strong ones stay as they are. */
export const darkGround = (ground: string): string => (luminance(ground) < 0.35 ? ground : dimmed(ground))

/** Letters of a colour on a ground that is dark now. */
export function darkInk(ground: string, color: string): string {
  if (contrast(ground, color) >= READABLE) return color
  return contrast(ground, '#ffffff') >= READABLE ? tintOn(ground, color, 5.5) : readableOn(ground, color)
}
