/** HTML, as opposed to text that is still to be escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | null | undefined | false | readonly Part[]

/** Builds HTML. Values that are not markup are escaped, for text and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Markup {
  let text = literals[0]!
  parts.forEach((part, index) => {
    text += render(part) + literals[index + 1]!
  })
  return new Markup(text)
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  if (part === null || part === undefined || part === false) return ''
  return Bun.escapeHTML(String(part))
}
