import type { NoteRemoved } from './removed.ts'
import { keyOf, keysOf, matches, type Node } from './selectors.ts'
import { type MediaRule, readRules, type Rule } from './sheet-rules.ts'
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
  const byKey = Map.groupBy(rules, ({ steps }) => keyOf(steps))
  const path: Node[] = []
  // Limits the output in proportion to the input.
  let left = 2000 + 2 * html.length
  const budget = { left: MAX_COMPARISONS }
  const used = new Set<MediaRule>()

  const matchingRules = (): Rule[] =>
    keysOf(path.at(-1)!)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ steps }) => matches({ steps, path, budget }))
      .sort((one, other) => one.order - other.order)

  return {
    open: (name, attributes) =>
      void path.push({ name, id: attributes['id'] ?? '', classes: new Set((attributes['class'] ?? '').split(/\s+/)) }),
    close: () => void path.pop(),
    forElement(own) {
      const matching = matchingRules()
      for (const rule of matching) {
        for (const removed of rule.removed) note('property', removed)
        rule.removed = []
      }
      const media = matching.flatMap((rule) => rule.media).filter((rule) => !yields(rule, own))
      const length = matching.reduce((sum, { css }) => sum + css.length + 1, 0) + media.length * (scope.length + 6)
      if (length > left) return { style: '', classes: '' }
      left -= length
      for (const rule of media) used.add(rule)
      return {
        style: matching.flatMap(({ css }) => css || []).join(';'),
        classes: media.map(({ name }) => `${scope}-${name}`).join(' '),
      }
    },
    mediaRules: () => writeMediaRules([...used], scope),
  }
}

/** Whether the element's own inline CSS wins over a rule that is not important. */
function yields({ isImportant, declarations }: MediaRule, own: string): boolean {
  if (isImportant || own === '') return false
  const names = own.split(';').map((declaration) => declaration.slice(0, declaration.indexOf(':')))
  return declarations.some(({ property }) =>
    names.some((name) => name === property || name.startsWith(`${property}-`) || property.startsWith(`${name}-`)),
  )
}

/** All declarations become important, because the plain rules are inline CSS now. Those that were important win. */
function writeMediaRules(rules: MediaRule[], scope: string): { css: string; has_dark: boolean } {
  rules.sort((one, other) => Number(one.isImportant) - Number(other.isImportant) || one.order - other.order)
  let css = ''
  let query = ''
  for (const rule of rules) {
    if (rule.query !== query) css += `${query && '}\n'}@media ${rule.query}{\n`
    query = rule.query
    css += `.${scope} .${scope}-${rule.name}{${styleText(rule.declarations).replaceAll(';', '!important;')}!important}\n`
  }
  return { css: css && `${css}}\n`, has_dark: rules.some((rule) => rule.query.includes('dark')) }
}
