import { safeStyle } from './styles.ts'

/**
 * The style sheets of imported markup, made into inline CSS: many mail programs drop style sheets, and one that
 * stayed would reach the whole message. Simple rules count: selectors of elements, classes and ids, one inside of
 * another. Media queries, pseudo-classes and the order of `!important` do not; declarations pass the same
 * allow-list as inline ones.
 */
export interface StyleSheet {
  /** The element that begins, inside of those that are open. */
  open(name: string, attributes: Record<string, string>): void
  close(): void
  /** Safe declarations for the element opened last. */
  declarations(): string
}

const MAX_CSS = 100_000
const MAX_RULES = 200
const MAX_DECLARATIONS = 500
/** Looks at ancestors for one piece of markup; after that, selectors of several steps fit nothing. */
const MAX_LOOKS = 1_000_000

/** The style sheets of a piece of foreign markup, or null when it has none. */
export function styleSheetOf(html: string): StyleSheet | null {
  const css = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style/gi)].map(([, body]) => body).join('\n')
  const rules = css.length <= MAX_CSS ? readRules(css) : []
  if (rules.length === 0) return null
  const path: Node[] = []
  // What is inlined stays in proportion to what was written.
  let left = 2000 + 2 * html.length
  const effort = { left: MAX_LOOKS }
  return {
    open: (name, attributes) =>
      void path.push({ name, id: attributes['id'] ?? '', classes: (attributes['class'] ?? '').split(/\s+/) }),
    close: () => void path.pop(),
    declarations() {
      const own = rules
        .filter(({ steps }) => isMeant(steps, path, effort))
        .map(({ css }) => css)
        .join(';')
      if (own.length > left) return ''
      left -= own.length
      return own
    },
  }
}

interface Node {
  name: string
  id: string
  classes: string[]
}

interface Step extends Node {
  /** Stands directly inside of the step before. */
  direct: boolean
}

interface Effort {
  left: number
}

interface Search {
  steps: readonly Step[]
  path: readonly Node[]
  effort: Effort
}

interface Rule {
  steps: Step[]
  css: string
  weight: number
}

/** In the order in which they win: the last is the strongest. */
function readRules(css: string): Rule[] {
  const rules: Rule[] = []
  for (const [selectors, body] of topLevel(css.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, ' '))) {
    const safe = safeStyle(body)
    if (selectors.startsWith('@') || safe === '' || safe.length > MAX_DECLARATIONS) continue
    for (const selector of selectors.split(',')) {
      const steps = readSelector(selector)
      if (steps && rules.length < MAX_RULES)
        rules.push({ steps, css: safe, weight: steps.reduce((sum, step) => sum + weightOf(step), 0) })
    }
  }
  return rules.sort((one, other) => one.weight - other.weight)
}

/** Each `selectors { body }` that does not stand inside of another. */
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

/** A selector's steps from outside to inside, or null for one that says more than is understood here. */
function readSelector(selector: string): Step[] | null {
  const steps: Step[] = []
  let direct = false
  for (const word of selector.replaceAll('>', ' > ').trim().split(/\s+/)) {
    if (word === '>') {
      direct = true
      continue
    }
    const [, name = '', marks = ''] = STEP.exec(word) ?? []
    if (name === '' && marks === '') return null
    const names = marks.split(/(?=[.#])/)
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

const weightOf = ({ name, id, classes }: Step): number => (id ? 10_000 : 0) + classes.length * 100 + (name ? 1 : 0)

/** Whether the last of the path is what a selector is about. */
function isMeant(steps: readonly Step[], path: readonly Node[], effort: Effort): boolean {
  const node = path.at(-1)
  const step = steps.at(-1)!
  if (!node || !fits(step, node)) return false
  return steps.length === 1 || isInside({ steps, path, effort }, steps.length - 2, path.length - 2, step.direct)
}

function isInside(search: Search, at: number, from: number, direct: boolean): boolean {
  if (at < 0) return true
  const step = search.steps[at]!
  for (let place = from; place >= 0 && search.effort.left > 0; place--) {
    search.effort.left--
    if (fits(step, search.path[place]!) && isInside(search, at - 1, place - 1, step.direct)) return true
    if (direct) return false
  }
  return false
}

function fits(step: Step, node: Node): boolean {
  return (
    (!step.name || step.name === node.name) &&
    (!step.id || step.id === node.id) &&
    step.classes.every((name) => node.classes.includes(name))
  )
}
