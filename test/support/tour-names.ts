import { createNamer } from './recorded.ts'

export interface TourNames {
  /** Gives a value a name in all texts. */
  name(value: number | string, name: string): void
  /** A text with the names that were given. */
  given(text: string): string
  /** A text with the names that were given, and with such for all that is random. */
  all(text: string): string
}

/** Secrets in links to a recipient's pages, whose form says nothing. */
const LINKS = /(\/general\/newsletter\/(?:webhooks\/)?([a-z]+)\/|\.\.\/(preferences)\/|unsubscribe%20)([\w.-]{30,})/g

/** Gives what is random in the texts of a tour names that are the same in each run. */
export function createTourNames(): TourNames {
  const chosen = new Map<number | string, string>()
  const nameOthers = createNamer()
  const counts = new Map<string, number>()
  const counted = new Map<string, string>()
  const nth = (kind: string, value: string) => {
    const count = (counts.get(kind) ?? 0) + 1
    if (!counted.has(value)) {
      counts.set(kind, count)
      counted.set(value, `<${kind} ${count}>`)
    }
    return counted.get(value)!
  }

  const given = (text: string) => {
    for (const [value, name] of chosen)
      text = text.replaceAll(typeof value === 'number' ? new RegExp(`\\b${value}\\b`, 'g') : value, name)
    return text
  }

  return {
    name: (value, name) => void chosen.set(value, name),
    given,
    all: (text) =>
      nameOthers(
        withHints(given(text))
          .replace(
            LINKS,
            (_, before: string, page: string | undefined, preferences: string | undefined, token: string) =>
              before + nth(`link to ${page ?? preferences ?? 'unsubscribe'}`, token),
          )
          .replace(/(?<![\w+/])[\w+/]{43}=(?![\w+/])/g, (key) => nth('public key', key))
          .replace(/\b[0-9a-v]{5}[0-9a-f]{20}\b/g, (mark) => nth('mark', mark))
          .replace(/(?<![\w&])#[\w-]{43}(?![\w-])/g, (mark) => nth('address mark', mark))
          .replace(/=_[\w-]{24}/g, (boundary) => nth('boundary', boundary))
          .replace(/(\p{L}|\{\{a\}\})\1{29,}/gu, (run, one: string) => `<${run.length / one.length} ${one}>`)
          .replace(/\bBun\/\d[\d.]*/g, 'Bun')
          .replace(/(?<=\?v=)\w+/g, '…'),
      ),
  }
}

/** The hint of a secret is the end of it. */
function withHints(text: string): string {
  for (const [secret] of text.matchAll(/svc_cs_[\w-]{43}/g))
    text = text.replaceAll(new RegExp(`hint("?:? ?"?)${secret.slice(-4)}(?![\\w-])`, 'g'), `hint$1<end of ${secret}>`)
  return text
}
