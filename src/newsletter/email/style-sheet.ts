import { safeStyle } from './styles.ts'

/**
 * Turns the style sheets of imported markup into inline CSS, because many mail programs drop style sheets, and a style
 * sheet would apply to the whole message. Supported are selectors of elements, classes and ids with descendant and
 * child combinators. Media queries, pseudo-classes and `!important` are ignored. Declarations pass the same allow-list
 * as inline CSS.
 */
export interface StyleSheet {
  /** Called for each start tag. */
  open(name: string, attributes: Record<string, string>): void
  close(): void
  /** The safe declarations for the element that was opened last. */
  declarations(): string
}

const MAX_CSS = 100_000
const MAX_RULES = 200
const MAX_DECLARATIONS = 500
/** Classes and ids of one step of a selector. */
const MAX_MARKS = 20
/** Comparisons with ancestors for one piece of markup. After that, selectors of several steps match nothing. */
const MAX_COMPARISONS = 1_000_000

/** The style sheets of imported markup, or null when it has no usable rule. */
export function styleSheetOf(html: string): StyleSheet | null {
  const rules = readRules(styleBodies(html).join('\n'))
  if (rules.length === 0) return null
  const path: Node[] = []
  // Limits the output in proportion to the input.
  let left = 2000 + 2 * html.length
  const budget = { left: MAX_COMPARISONS }
  return {
    open: (name, attributes) =>
      void path.push({ name, id: attributes['id'] ?? '', classes: new Set((attributes['class'] ?? '').split(/\s+/)) }),
    close: () => void path.pop(),
    declarations() {
      const matching = rules
        .filter(({ steps }) => matches({ steps, path, budget }))
        .map(({ css }) => css)
        .join(';')
      if (matching.length > left) return ''
      left -= matching.length
      return matching
    },
  }
}

/** The content of each style element that has an end tag. One pass, however many start tags there are. */
function styleBodies(html: string): string[] {
  const bodies: string[] = []
  /** Start of the body that is open, or null between style elements. */
  let start: number | null = null
  for (const { 0: tag, index } of html.matchAll(/<\/?style/gi)) {
    const isEnd = tag.startsWith('</')
    if (start === null && !isEnd) {
      const end = html.indexOf('>', index)
      if (end < 0) break
      start = end + 1
    } else if (start !== null && isEnd && index >= start) {
      bodies.push(html.slice(start, index))
      start = null
    }
  }
  return bodies
}

interface Node {
  name: string
  id: string
  classes: ReadonlySet<string>
}

interface Step {
  name: string
  id: string
  classes: readonly string[]
  /** A child of the previous step, not any descendant. */
  direct: boolean
}

interface Search {
  steps: readonly Step[]
  path: readonly Node[]
  budget: { left: number }
}

interface Rule {
  steps: Step[]
  css: string
}

/** The rules in order of specificity: the last one wins. A sheet that is too long has none. */
function readRules(css: string): Rule[] {
  const rules: Rule[] = []
  if (css.length > MAX_CSS) return rules
  for (const [selectors, body] of topLevel(withoutComments(css))) {
    const safe = safeStyle(body)
    if (selectors.startsWith('@') || safe === '' || safe.length > MAX_DECLARATIONS) continue
    for (const selector of selectors.split(',')) {
      const steps = readSelector(selector)
      if (steps && rules.length < MAX_RULES) rules.push({ steps, css: safe })
    }
  }
  return rules.sort((one, other) => specificityOf(one) - specificityOf(other))
}

/** A space for each comment that is closed, and for `<!--` and `-->`. */
function withoutComments(css: string): string {
  const pieces: string[] = []
  let at = 0
  for (;;) {
    const open = css.indexOf('/*', at)
    const close = open < 0 ? -1 : css.indexOf('*/', open + 2)
    if (close < 0) break
    pieces.push(css.slice(at, open))
    at = close + 2
  }
  return [...pieces, css.slice(at)].join(' ').replace(/<!--|-->/g, ' ')
}

/** Each `selectors { body }` outside other braces. */
function* topLevel(css: string): Generator<[selectors: string, body: string]> {
  let start = 0
  let opened = 0
  let depth = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) opened = index
    else if (brace === '}' && --depth === 0) {
      const before = css.slice(start, opened)
      yield [before.slice(before.lastIndexOf(';') + 1).trim(), css.slice(opened + 1, index)]
      start = index + 1
    }
    if (depth < 0) return
  }
}

const STEP = /^(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)$/i

/** The steps of a selector from outside to inside, or null for a selector that is not supported. */
function readSelector(selector: string): Step[] | null {
  const steps: Step[] = []
  let direct = false
  for (const part of selector.replaceAll('>', ' > ').trim().split(/\s+/)) {
    if (part === '>') {
      direct = true
      continue
    }
    const [, name = '', marks = ''] = STEP.exec(part) ?? []
    if (name === '' && marks === '') return null
    const names = marks.split(/(?=[.#])/)
    if (names.length > MAX_MARKS) return null
    steps.push({
      name: name === '*' ? '' : name.toLowerCase(),
      id: names.find((mark) => mark.startsWith('#'))?.slice(1) ?? '',
      classes: names.filter((mark) => mark.startsWith('.')).map((mark) => mark.slice(1)),
      direct,
    })
    direct = false
  }
  return steps.length > 0 && steps.length <= 5 && !direct ? steps : null
}

const specificityOf = ({ steps }: Rule): number =>
  steps.reduce((sum, { name, id, classes }) => sum + (id ? 10_000 : 0) + classes.length * 100 + (name ? 1 : 0), 0)

/** Whether a selector matches the last node of the path. */
function matches(search: Search): boolean {
  const { steps, path } = search
  const step = steps.at(-1)!
  return matchesStep(step, path.at(-1)) && isInside(search, steps.length - 2, path.length - 2, step.direct)
}

function isInside(search: Search, at: number, from: number, direct: boolean): boolean {
  if (at < 0) return true
  const step = search.steps[at]!
  for (let index = from; index >= 0 && search.budget.left > 0; index--) {
    search.budget.left--
    if (matchesStep(step, search.path[index]!) && isInside(search, at - 1, index - 1, step.direct)) return true
    if (direct) return false
  }
  return false
}

function matchesStep(step: Step, node: Node | undefined): boolean {
  return (
    node !== undefined &&
    (!step.name || step.name === node.name) &&
    (!step.id || step.id === node.id) &&
    step.classes.every((name) => node.classes.has(name))
  )
}
