import { html, type Markup } from '../core/markup.ts'

/** What the pages color of a text of code. */
export type CodeLanguage = 'sh' | 'js' | 'ts' | 'python' | 'json' | 'html' | 'text'

const STRING = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`
const words = (...list: string[]) => String.raw`\b(?:${list.join('|')})\b`
const JS_WORDS = words(
  ...['import', 'from', 'export', 'const', 'let', 'await', 'async', 'function', 'new', 'return', 'if', 'else'],
  ...['throw', 'try', 'catch', 'for', 'of', 'null', 'true', 'false'],
)
const PYTHON_WORDS = words(
  ...['import', 'from', 'def', 'class', 'return', 'if', 'else', 'raise', 'try', 'except', 'with', 'as', 'for', 'in'],
  ...['not', 'and', 'or', 'None', 'True', 'False', 'lambda'],
)
const SCRIPT = new RegExp(
  String.raw`(//[^\n]*|/\*[^]*?\*/)|(${STRING}|\`(?:\\.|[^\`\\])*\`)|(${JS_WORDS}|\b\d+\b)`,
  'g',
)

/** Comments, strings and keywords, as the groups of one expression. */
const TOKENS: Readonly<Record<CodeLanguage, RegExp | null>> = {
  sh: /((?<![^\s])#[^\n]*)|('[^']*'|"(?:\\.|[^"\\])*")|((?<![^\s])(?:curl|-{1,2}[A-Za-z][\w-]*)(?![\w-]))/g,
  js: SCRIPT,
  ts: SCRIPT,
  python: new RegExp(String.raw`(#[^\n]*)|(f?(?:${STRING}))|(${PYTHON_WORDS}|\b\d+\b)`, 'g'),
  // A name is matched, too, so that what follows it begins outside of quotes.
  json: /"(?:\\.|[^"\\])*"(?=:)|()("(?:\\.|[^"\\])*")|(\b(?:true|false|null)\b|-?\b\d[\d.]*\b)/g,
  html: /(<!--[^]*?-->)|("[^"]*")|(<\/?[\w-]+|>)/g,
  text: null,
}
const CLASSES = ['c', 's', 'k'] as const

/** Code as HTML, with its comments, strings and keywords marked. */
export function highlighted(code: string, language: CodeLanguage): Markup {
  const tokens = TOKENS[language]
  if (tokens === null) return html`${code}`
  const parts: (string | Markup)[] = []
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const at = match.slice(1).findIndex((group) => group !== undefined && group !== '')
    if (at === -1) continue
    parts.push(code.slice(end, match.index), html`<i class="${CLASSES[at]!}">${match[0]}</i>`)
    end = match.index + match[0].length
  }
  return html`${parts}${code.slice(end)}`
}
