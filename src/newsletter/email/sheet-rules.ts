import { type PlainRule, readMedia, rulesOf, styleElements, type SyntaxErrors } from './css.ts'
import type { NoteRemoved } from './removed.ts'
import { readSelector, specificityOf, type Step } from './selectors.ts'
import { type Declaration, hasFixedSize, readStyle, styleText } from './styles.ts'

/** A rule of a style sheet for one selector. */
export interface Rule {
  steps: Step[]
  /** Position in the order of specificity. */
  order: number
  /** Inline CSS; empty for a rule with a media query. */
  css: string
  media: MediaRule[]
  /** The rules and declarations that the allow-list removed. */
  removed: string[]
}

/** The important or the other declarations of a rule with a media query. */
export interface MediaRule {
  /** Unique in the block; the end of the class. */
  name: string
  query: string
  declarations: readonly Declaration[]
  properties: Properties
  isImportant: boolean
  order: number
}

const MAX_CSS = 100_000
/** Syntax errors of all sheets together. */
const MAX_SYNTAX_ERRORS = 200
/** Plain rules, and as many rules with media queries. */
const MAX_RULES = 200
/** Characters of the declarations of a rule. */
const MAX_DECLARATIONS = 500

/** The rules in order of specificity: the last one wins. Sheets that are too long or too faulty have none. */
export function readRules(html: string, note: NoteRemoved): Rule[] {
  const sheets = [...styleElements(html)]
  if (sheets.reduce((sum, { css }) => sum + css.length, 0) > MAX_CSS) {
    note('selector', `all, because they have more than ${MAX_CSS} characters`)
    return []
  }
  const rules: Rule[] = []
  const counts = { plain: 0, media: 0 }
  for (const { selectors, body, query } of readable(sheets, note)) {
    const { declarations, removed } = readBody(body, query)
    const isTooLong = styleText(declarations).length > MAX_DECLARATIONS
    for (const selector of selectors.split(',')) {
      const steps = readSelector(selector)
      if (!steps || isTooLong || counts[query ? 'media' : 'plain']++ >= MAX_RULES) note('selector', selector)
      else
        rules.push(
          query ? mediaRule(steps, { query, declarations, removed }) : plainRule(steps, { declarations, removed }),
        )
    }
  }
  rules.sort((one, other) => specificityOf(one.steps) - specificityOf(other.steps))
  rules.forEach((rule, order) => {
    rule.order = order
    rule.media = rule.media.map((part) => ({ ...part, order, name: `${order}${part.isImportant ? 'i' : ''}` }))
  })
  return rules
}

/** Names of properties, alone and together with their shorthands: `border-top-color`, `border-top` and `border`. */
export interface Properties {
  own: ReadonlySet<string>
  withShorthands: ReadonlySet<string>
}

export function propertiesOf(names: readonly string[]): Properties {
  const withShorthands = new Set<string>()
  for (const name of names)
    for (let end = name.length; end > 0; end = name.lastIndexOf('-', end - 1)) withShorthands.add(name.slice(0, end))
  return { own: new Set(names), withShorthands }
}

/** Whether declarations of these properties set something in common. */
export const overlap = (some: Properties, others: Properties): boolean =>
  !some.own.isDisjointFrom(others.withShorthands) || !others.own.isDisjointFrom(some.withShorthands)

interface Body {
  declarations: readonly Declaration[]
  removed: string[]
}

const plainRule = (steps: Step[], { declarations, removed }: Body): Rule => ({
  steps,
  order: 0,
  css: styleText(declarations),
  media: [],
  removed,
})

const mediaRule = (steps: Step[], { query, declarations, removed }: Body & { query: string }): Rule => ({
  steps,
  order: 0,
  css: '',
  media: [false, true]
    .map((isImportant) => {
      const part = declarations.filter(({ important }) => important === isImportant)
      const properties = propertiesOf(part.map(({ property }) => property))
      return { name: '', query, declarations: part, properties, isImportant, order: 0 }
    })
    .filter((part) => part.declarations.length > 0),
  removed,
})

function readBody(body: string, query: string): Body {
  const removed: string[] = []
  const given = readStyle(body, (_, declaration) => removed.push(declaration), {
    tinyFonts: query === '',
    hiding: query !== '',
  })
  const declarations = given.filter((declaration) => {
    const isAllowed = query === '' || !isRelativeFont(declaration)
    if (!isAllowed) removed.push(styleText([declaration]))
    return isAllowed
  })
  return { declarations, removed }
}

/**
 * Inside a container with a tiny font size, which `keepTinyFonts` allows around text that has its own size, a relative
 * size would hide the text.
 */
const isRelativeFont = ({ property, value }: Declaration): boolean =>
  /^font(?:-size)?$/.test(property) && !hasFixedSize(property, value)

/** The rules that can be applied, without at-rules that are not supported. */
function* readable(sheets: readonly { media: string; css: string }[], note: NoteRemoved): Generator<PlainRule> {
  const errors: SyntaxErrors = { left: MAX_SYNTAX_ERRORS }
  for (const { media, css } of sheets) {
    const query = readMedia(media)
    const rules = query === null ? [{ at_rule: `@media ${media}` }] : rulesOf(css, query, errors)
    if (rules === null) note('selector', `all of a sheet with over ${MAX_SYNTAX_ERRORS} syntax errors`)
    for (const rule of rules ?? []) {
      if ('at_rule' in rule) note('at_rule', rule.at_rule)
      else if ('unreadable' in rule) note('selector', rule.unreadable)
      else yield rule
    }
  }
}
