import { type Tag, tags } from '@lezer/highlight'

/** The color of each syntax category. */
export const CODE_PARTS: readonly { tag: readonly Tag[]; color: 'accent' | 'wait' | 'good' | 'bad' | 'quiet' }[] = [
  { tag: [tags.tagName, tags.keyword, tags.definitionKeyword, tags.modifier], color: 'accent' },
  { tag: [tags.attributeName, tags.propertyName, tags.className], color: 'wait' },
  { tag: [tags.string, tags.attributeValue, tags.special(tags.string), tags.regexp], color: 'good' },
  { tag: [tags.number, tags.bool, tags.null, tags.color, tags.unit, tags.atom], color: 'bad' },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'quiet' },
  { tag: [tags.angleBracket, tags.bracket, tags.punctuation], color: 'quiet' },
]
