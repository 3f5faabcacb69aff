import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect } from 'bun:test'

/**
 * Texts that stand in test/recorded/: whole answers, pages and rows, of which other tests look at the parts that matter
 * to them. A change to any of it is seen in a review. `RECORD=1 bun test FILE` writes what the tests of a file compare.
 */
const FOLDER = join(import.meta.dir, '../recorded')

/** Requires that a text is the one that stands in a file of test/recorded/. */
export function expectRecorded(file: string, text: string): void {
  const path = join(FOLDER, file)
  const whole = text.replaceAll(/[ \t]+$/gm, '').trimEnd() + '\n'
  if (process.env.RECORD === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, whole)
  }
  const recorded = existsSync(path) ? readFileSync(path, 'utf8') : `Nothing is recorded: RECORD=1 bun test\n`
  // Lines compare faster than one text, and the report shows those around the first difference.
  if (whole !== recorded) expect(differing(whole, recorded)).toEqual(differing(recorded, whole))
  expect(whole === recorded).toBe(true)
}

const AROUND = 6

/** The lines of a text from a little before the first that another text does not have there. */
function differing(text: string, other: string): string[] {
  const lines = text.split('\n')
  const others = other.split('\n')
  const first = lines.findIndex((line, at) => line !== others[at])
  const from = Math.max(0, (first < 0 ? lines.length : first) - AROUND)
  return lines.slice(from, from + 40)
}

const RANDOM = new RegExp(
  [
    // Ids and secrets, by their prefix.
    /\b(?<id>usr|prj|app|aut|key|ses|inv|req|prc|cli|dev|psk|fct|frm)_[a-z2-9]{24}\b/,
    /\b(?<secret>svc_[a-z]{2})_[\w-]{43}/,
    // A hint at the end of a secret.
    /(?<=…|ends with )(?<ending>[\w-]{4})(?![\w-])/,
    /(?<folder>(?:\/[\w.-]+)+\/masthead-test-\w{6})\b/,
    /(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)(?<port>\d{4,5})\b/,
    // What is sealed, signed or hashed. One of a thousand hashes has no digit, and one of forty ids of sessions.
    /(?<![\w-])(?<sealed>ses_[\w-]{22,}|(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?:(?=[\w-]*\d)[\w-]{22,}|[\w-]{40,})|[0-9a-f]{32,})(?![\w-])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/**
 * Gives what is random in texts a name that is the same in each run: the kind and the number of its first appearance,
 * such as `<prj 1>`. One function serves all texts of a recording.
 */
export function createNamer(): (text: string) => string {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) =>
    text.replaceAll(RANDOM, (found, ...more) => {
      const known = names.get(found)
      if (known !== undefined) return known
      const groups = more.at(-1) as Record<string, string | undefined>
      const [kind, value] = Object.entries(groups).find(([, part]) => part !== undefined)!
      const word = kind === 'id' || kind === 'secret' ? value! : kind
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      const name = `<${word} ${count}>`
      names.set(found, name)
      return name
    })
}

const WIDTH = 116

/** A JSON value as lines: an object or array that fits into a line stands in one, others have a line for each part. */
export function outline(value: unknown, indent = ''): string {
  const line = JSON.stringify(value) ?? 'undefined'
  if (value === null || typeof value !== 'object' || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + outline(part, inner))
    : Object.entries(value).map(([key, part]) => `${inner}${key}: ${outline(part, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return [open, ...parts, indent + close].join('\n')
}
