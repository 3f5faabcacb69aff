import { PLACEHOLDER, readPlaceholder } from '../../../src/shared/merge-tags.ts'

/** A merge tag as the editor shows it: one chip, with its fallback. */
export interface Tag {
  name: string
  fallback: string
}

/** Splits a text at its merge tags. */
export function splitTags(text: string): (string | Tag)[] {
  return text
    .split(PLACEHOLDER)
    .map((piece, at) => (at % 2 === 0 ? piece : readTag(piece)))
    .filter((piece) => piece !== '')
}

/** Reads the text between the braces. */
export function readTag(inside: string): Tag {
  const { tag, fallback } = readPlaceholder(inside)
  return { name: tag, fallback }
}

/** `{{ contact.first_name | default: reader }}` (docs/api/campaigns.md#merge-tags). */
export function writeTag({ name, fallback }: Tag): string {
  return fallback === '' ? `{{ ${name} }}` : `{{ ${name} | default: ${quoted(fallback)} }}`
}

/** Braces and outer quotes are only safe inside quotes; braces that no quotes can hold are left out. */
function quoted(fallback: string): string {
  if (!/[{}]|^["'“‘\s]|\s$/.test(fallback)) return fallback
  const quote = ['"', "'"].find((mark) => !fallback.includes(mark))
  return quote === undefined ? fallback.replaceAll(/[{}]/g, '').trim() : quote + fallback.replaceAll('{{', '{') + quote
}

/** "first name", "unsubscribe link"; a custom field by its key. */
export function tagWords(name: string): string {
  const words = name.replace(/^contact\.(?:custom\.)?/, '').replaceAll(/[._]/g, ' ')
  return words.replace(/ url$/, ' link')
}

/** `first name, else “reader”`, as a chip shows it. */
export function chipWords({ name, fallback }: Tag): string {
  return fallback === '' ? tagWords(name) : `${tagWords(name)}, else “${fallback}”`
}

/** A text with its merge tags in readable form, for names and lists. */
export function textInWords(text: string): string {
  return splitTags(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${tagWords(piece.name)}]`))
    .join('')
}
