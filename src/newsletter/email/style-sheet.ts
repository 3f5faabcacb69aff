import type { NoteRemoved } from './removed.ts'
import { keyOf, keysOf, matches, matchesStep, type Node } from './selectors.ts'
import { type MediaRule, overlap, type Properties, propertiesOf, readRules, type Rule } from './sheet-rules.ts'
import { styleText } from './styles.ts'

/**
 * Applies the style sheets of imported markup. Plain rules become inline CSS, because many mail programs drop style
 * sheets. Rules inside a media query of the width or of dark mode stay rules: each element that such a rule matches
 * gets a class of that rule, and the new rule selects this class inside the block. So no selector of the author is in
 * the message, and no rule reaches anything outside the block. Pseudo-classes and other at-rules are removed.
 * Declarations pass the same allow-list as inline CSS.
 */
export interface StyleSheet {
  /** Called for each start tag. */
  open(name: string, attributes: Record<string, string>): void
  close(): void
  /** The inline CSS and the classes for the element that was opened last, which has this inline CSS of its own. */
  forElement(own: string): { style: string; classes: string }
  /** The rules with media queries that match an element. */
  mediaRules(): { css: string; has_dark: boolean }
}

/** Comparisons with ancestors for one piece of markup. */
const MAX_COMPARISONS = 1_000_000

/**
 * The style sheets of imported markup, or null when it has no rule.
 * @param scope the class of the block, from which the classes of its rules are made
 */
export function styleSheetOf(html: string, scope: string, note: NoteRemoved): StyleSheet | null {
  const rules = readRules(html, note)
  if (rules.length === 0) return null
  const candidatesFor = candidateFinder(rules)
  const path: Node[] = []
  // Limits the output in proportion to the input.
  let left = 2000 + 2 * html.length
  const budget = { left: MAX_COMPARISONS }
  const used = new Set<MediaRule>()

  function matching({ rules, isSure }: Candidates): readonly Rule[] {
    const found = isSure ? rules : rules.filter(({ steps }) => matches({ steps, path, budget }))
    for (const rule of found) {
      for (const removed of rule.removed) note('property', removed)
      rule.removed = []
    }
    return found
  }

  function effect(candidates: Candidates, own: string): Effect {
    const known = candidates.effects.get(own)
    if (known) return known
    const found = effectOf(matching(candidates), own, { scope, left })
    const isShort = own.length <= MAX_SIGNATURE && candidates.effects.size < MAX_STORED
    if (candidates.isSure && isShort) candidates.effects.set(own, found)
    return found
  }

  return {
    open: (name, attributes) =>
      void path.push({ name, id: attributes['id'] ?? '', classes: new Set((attributes['class'] ?? '').split(/\s+/)) }),
    close: () => void path.pop(),
    forElement(own) {
      const found = effect(candidatesFor(path.at(-1)!), own)
      if (found.length > left) return NOTHING
      left -= found.length
      for (const rule of found.media) used.add(rule)
      return found
    },
    mediaRules: () => writeMediaRules([...used], scope),
  }
}

/** The rules whose last step matches an element. */
interface Candidates {
  rules: readonly Rule[]
  /** No rule depends on the elements around. */
  isSure: boolean
  /** Cached effects of these rules, by the element's own inline CSS. */
  effects: Map<string, Effect>
}

/** Elements of one name, id and classes share their candidates: most markup repeats a few. */
const MAX_STORED = 200
/** Characters of a name, id and classes, or of inline CSS, that are stored. */
const MAX_SIGNATURE = 200

function candidateFinder(rules: readonly Rule[]): (node: Node) => Candidates {
  const byKey = Map.groupBy(rules, ({ steps }) => keyOf(steps))
  const stored = new Map<string, Candidates>()
  return (node) => {
    const signature = `${[node.name, ...node.classes].join(' ')}\n${node.id}`
    const known = stored.get(signature)
    if (known) return known
    const found = keysOf(node)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ steps }) => matchesStep(steps.at(-1)!, node))
      .sort((one, other) => one.order - other.order)
    const candidates: Candidates = {
      rules: found,
      isSure: found.every(({ steps }) => steps.length === 1),
      effects: new Map(),
    }
    if (signature.length <= MAX_SIGNATURE && stored.size < MAX_STORED) stored.set(signature, candidates)
    return candidates
  }
}

/** The inline style, classes and media rules that the matching rules give an element. */
interface Effect {
  style: string
  classes: string
  media: readonly MediaRule[]
  /** Characters of the style and the classes, or a little more. */
  length: number
}

const NOTHING: Effect = { style: '', classes: '', media: [], length: 0 }

const propertiesIn = (style: string): Properties =>
  propertiesOf(style.split(';').map((declaration) => declaration.split(':', 1)[0]!))

/** Nothing when the output would be longer than the characters that are left. */
function effectOf(rules: readonly Rule[], own: string, { scope, left }: { scope: string; left: number }): Effect {
  const given = propertiesIn(own)
  const media = rules.flatMap((rule) => rule.media.filter((part) => !yieldsTo(part, given)))
  const length = rules.reduce((sum, { css }) => sum + css.length + 1, 0) + media.length * (scope.length + 6)
  if (length > left) return NOTHING
  const style = rules.flatMap(({ css }) => css || []).join(';')
  return { style, classes: media.map(({ name }) => `${scope}-${name}`).join(' '), media, length }
}

/** Whether the element's own inline CSS with these properties wins over a rule that is not important. */
const yieldsTo = ({ isImportant, properties }: MediaRule, own: Properties): boolean =>
  !isImportant && overlap(properties, own)

/** All declarations become important, because the plain rules are inline CSS now. Those that were important win. */
function writeMediaRules(rules: MediaRule[], scope: string): { css: string; has_dark: boolean } {
  rules.sort((one, other) => Number(one.isImportant) - Number(other.isImportant) || one.order - other.order)
  let css = ''
  let query = ''
  for (const rule of rules) {
    if (rule.query !== query) css += `${query && '}\n'}@media ${rule.query}{\n`
    query = rule.query
    const declarations = styleText(rule.declarations).replaceAll(';', '!important;')
    css += `.${scope} .${scope}-${rule.name}{${declarations}!important}\n`
  }
  return { css: css && `${css}}\n`, has_dark: rules.some((rule) => rule.query.includes('dark')) }
}
