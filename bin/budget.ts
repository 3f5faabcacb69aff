/** What the tests of this repository may take: `bin/test` tells it in one line at its end. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const MAX_SECONDS = 120 // on two quiet cores; a busy machine takes longer, so nothing fails for it
const MAX_RATIO = 1
const MAX_RECORDED_KB = 300

export interface Measured {
  seconds: number
  test_lines: number
  product_lines: number
  /** The size of the largest file of `test/recorded`. */
  recorded_bytes: number
}

/** Counts the lines of code below `root`, and looks at the sizes of recorded files. */
export function measure(root: string, seconds: number): Measured {
  const files = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root })].map((path) => join(root, path))
  const lines = (pattern: string) =>
    files(pattern).reduce((sum, path) => sum + countCodeLines(readFileSync(path, 'utf8')), 0)
  return {
    seconds,
    test_lines: lines('test/**/*.{ts,tsx,js,css}'),
    product_lines: lines('{src,static}/**/*.{ts,tsx,js,css}'),
    recorded_bytes: Math.max(0, ...files('test/recorded/**/*').map((path) => statSync(path).size)),
  }
}

/** The line for people, and whether lines or sizes are beyond the budget. */
export function judge({ seconds, test_lines, product_lines, recorded_bytes }: Measured) {
  const ratio = test_lines / product_lines
  const recordedKb = Math.ceil(recorded_bytes / 1000)
  const note = (isWithin: boolean, allowed: string) => (isWithin ? '' : ` (more than ${allowed})`)
  const lines = `${(Math.ceil(ratio * 100) / 100).toFixed(2)} lines of test for a line of product`
  const [fewLines, smallFiles] = [ratio <= MAX_RATIO, recordedKb <= MAX_RECORDED_KB]
  return {
    line:
      `Budget: ${Math.round(seconds)} s of ${MAX_SECONDS} s, ` +
      `${lines}${note(fewLines, `${MAX_RATIO}`)}, ` +
      `largest recorded file ${recordedKb} kB${note(smallFiles, `${MAX_RECORDED_KB} kB`)}.`,
    isWithin: fewLines && smallFiles,
  }
}

/** Lines that are neither blank nor a comment alone. */
export function countCodeLines(text: string): number {
  let count = 0
  let isComment = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    isComment ||= line.startsWith('/*')
    if (line !== '' && !isComment && !line.startsWith('//')) count++
    if (line.includes('*/')) isComment = false
  }
  return count
}
