/** The selectors that the application uses: no sibling combinators, and of the pseudo-classes those below. */

/** What a selector asks of an element. */
export interface Selectable {
  readonly localName: string
  readonly parentElement: Selectable | null
  readonly isModal: boolean
  readonly isShown: boolean
  /** Whether it has the focus, or something in it. */
  readonly holdsFocus: boolean
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  classes(): string[]
}

interface Compound {
  /** Whether the part before must be the parent itself. */
  isChild: boolean
  tests: ((element: Selectable, scope: Selectable | null) => boolean)[]
}

const PIECES = new RegExp(
  [
    String.raw`\s*(>)\s*|(\s+)|([\w-]+|\*)|#((?:\\.|[\w-])+)|\.([\w-]+)`,
    String.raw`\[([\w-]+)(?:([*^$~]?=)"?([^\]"]*)"?)?\]|:([\w-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?`,
  ].join('|'),
  'gy',
)

const known = new Map<string, Compound[][]>()

export function matches(element: Selectable, selector: string, scope: Selectable | null = null): boolean {
  let choices = known.get(selector)
  if (!choices) known.set(selector, (choices = splitList(selector).map(parse)))
  return choices.some((chain) => matchesChain(element, chain, scope))
}

/** Splits at the commas that stand in no parentheses or brackets. */
function splitList(selector: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of selector) {
    if (letter === '(' || letter === '[') depth++
    if (letter === ')' || letter === ']') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

function parse(selector: string): Compound[] {
  const chain: Compound[] = [{ isChild: false, tests: [] }]
  PIECES.lastIndex = 0
  while (PIECES.lastIndex < selector.length) {
    const at = PIECES.lastIndex
    const match = PIECES.exec(selector)
    if (!match) throw new Error(`The tiny document does not know the selector ${selector.slice(at)}.`)
    const [, child, space, tag, id, name, attribute, sign, value = '', pseudo, inside = ''] = match
    const { tests } = chain.at(-1)!
    if (child || space) chain.push({ isChild: child !== undefined, tests: [] })
    else if (tag) tests.push((element) => tag === '*' || element.localName === tag.toLowerCase())
    else if (id) tests.push((element) => element.getAttribute('id') === id.replaceAll('\\', ''))
    else if (name) tests.push((element) => element.classes().includes(name))
    else if (attribute) tests.push((element) => fits(element.getAttribute(attribute), sign, value))
    else tests.push((element, scope) => isPseudo(element, pseudo!, inside, scope))
  }
  return chain
}

function fits(given: string | null, sign: string | undefined, value: string): boolean {
  if (given === null) return false
  if (sign === '*=') return given.includes(value)
  if (sign === '^=') return given.startsWith(value)
  return sign === undefined || given === value
}

function isPseudo(element: Selectable, name: string, inside: string, scope: Selectable | null): boolean {
  if (name === 'not') return !matches(element, inside, scope)
  if (name === 'is') return matches(element, inside, scope)
  if (name === 'focus-within') return element.holdsFocus
  if (name === 'scope') return element === scope
  if (name === 'modal') return element.isModal
  if (name === 'popover-open') return element.isShown
  if (name === 'disabled') return element.hasAttribute('disabled')
  // Nothing is hovered or has a visible focus here.
  return false
}

function matchesChain(element: Selectable, chain: readonly Compound[], scope: Selectable | null): boolean {
  const last = chain.at(-1)!
  if (!last.tests.every((test) => test(element, scope))) return false
  const rest = chain.slice(0, -1)
  if (rest.length === 0) return true
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (matchesChain(above, rest, scope)) return true
    if (last.isChild) return false
  }
  return false
}
