/** HTML that is ready to be sent, as opposed to text. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | null | undefined | false | readonly Part[]

/** Builds HTML: what is put in is escaped, for text and quoted attributes alike, unless it is markup itself. */
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
