/** Selectors of elements, classes and ids with descendant and child combinators. */

/** An element of the markup. */
export interface Node {
  name: string
  id: string
  classes: ReadonlySet<string>
}

export interface Step {
  name: string
  id: string
  classes: readonly string[]
  /** A child of the previous step, not any descendant. */
  direct: boolean
}

const STEP = /^(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)$/i
/** Classes and ids of one step of a selector. */
const MAX_MARKS = 20

/** The steps of a selector from outside to inside, or null for a selector that is not supported. */
export function readSelector(selector: string): Step[] | null {
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

export const specificityOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { name, id, classes }) => sum + (id ? 10_000 : 0) + classes.length * 100 + (name ? 1 : 0), 0)

/** The last step's id, first class or element name. Only elements that have it can match. */
export function keyOf(steps: readonly Step[]): string {
  const { name, id, classes } = steps.at(-1)!
  return id ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : name || '*'
}

/** Every key that a selector matching this element can have. */
export const keysOf = ({ name, id, classes }: Node): string[] => [
  '*',
  name,
  `#${id}`,
  ...Array.from(classes, (className) => `.${className}`),
]

interface Search {
  steps: readonly Step[]
  /** The element and those around it, from outside to inside. */
  path: readonly Node[]
  /** Comparisons with ancestors that are left. Without any, selectors of several steps match nothing. */
  budget: { left: number }
}

/** Whether a selector matches the last node of the path. */
export function matches(search: Search): boolean {
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

/** Whether an element has the name, id and classes of a step. */
export function matchesStep(step: Step, node: Node | undefined): boolean {
  return (
    node !== undefined &&
    (!step.name || step.name === node.name) &&
    (!step.id || step.id === node.id) &&
    step.classes.every((name) => node.classes.has(name))
  )
}
