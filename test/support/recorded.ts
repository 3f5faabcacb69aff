import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect } from 'bun:test'

/**
 * Documents that are promises as a whole and stand in test/recorded/, so that a review sees each change to them.
 * `RECORD=1 bun test FILE` writes what the tests of a file compare.
 */
const FOLDER = join(import.meta.dir, '../recorded')

/** Requires that a text is the one that stands in a file of test/recorded/. */
export function expectRecorded(file: string, text: string): void {
  const path = join(FOLDER, file)
  const whole = `${text.trimEnd()}\n`
  if (process.env.RECORD === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, whole)
  }
  const recorded = existsSync(path) ? readFileSync(path, 'utf8') : 'Nothing is recorded: RECORD=1 bun test\n'
  // Lines compare faster than one text, and the report shows those around the first difference.
  if (whole !== recorded) expect(differing(whole, recorded)).toEqual(differing(recorded, whole))
}

const LINES_BEFORE = 6
const LINES_SHOWN = 40

/** The lines of a text from a little before the first that another text does not have there. */
function differing(text: string, other: string): string[] {
  const lines = text.split('\n')
  const others = other.split('\n')
  const first = lines.findIndex((line, at) => line !== others[at])
  const from = Math.max(0, (first < 0 ? lines.length : first) - LINES_BEFORE)
  return lines.slice(from, from + LINES_SHOWN)
}

const WIDTH = 300

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
