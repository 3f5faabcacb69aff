import { flawSentence, pathWords, plainTimes } from './flaw-words.ts'

/** What a refusal says: its message, and a list of its flaws or details of another kind. */
export interface Said {
  message: string
  details: unknown
}

interface Flaw {
  path: string
  name: string
  message: string
}

/** A refusal in sentences for people, with the name of what each flaw is about. */
export function inWords({ message, details }: Said): Said {
  const flaws = Array.isArray(details) ? details.map(withSentence) : details
  return { message: messageOf(withoutFlaw(message, details), flaws), details: flaws }
}

/** The message without the first flaw, which the platform appends to it in its own words. */
function withoutFlaw(text: string, details: unknown): string {
  const [first] = Array.isArray(details) ? (details as Partial<Flaw>[]) : []
  if (first?.path === undefined || first.message === undefined) return text
  const name = first.path === '' ? 'The body' : first.path.slice(1).replaceAll('/', '.')
  const flaw = ` ${name}: ${first.message}`
  return text.endsWith(flaw) ? text.slice(0, -flaw.length) : text
}

function withSentence(flaw: unknown): unknown {
  if (typeof flaw !== 'object' || flaw === null || !('message' in flaw) || typeof flaw.message !== 'string') return flaw
  const name = 'path' in flaw ? pathWords(String(flaw.path)) : ''
  return { ...flaw, name, message: flawSentence(flaw.message) }
}

/** The message, or the flaw itself where the message says no more than that there is one. */
function messageOf(text: string, details: unknown): string {
  if (text !== NOT_VALID || !Array.isArray(details)) return plainTimes(text)
  const [first, ...others] = details as Flaw[]
  if (!first || others.length > 0) return 'Some of what was typed is not right.'
  return first.name === '' ? first.message : `${first.name}: ${first.message}`
}

/** What the service says of every request with flaws. */
const NOT_VALID = 'The request is not valid.'
