import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Row } from './bench.ts'
import { type Growth, growthPlot, growthTable, ratioPlot, ratios, sides } from './report.ts'

/** The measured part of docs/performance.md and its plots; what people write about it stays. */
export interface Measured {
  workloads: Record<string, Outcome>
}

export interface Outcome {
  /** The day, as in 2026-11-28. */
  at: string
  quick: boolean
  pairs: number
  rows: Row[]
  growth?: Growth
  /** Why there is no more. */
  skipped?: string
}

const COLUMNS = 120
const DOCS = join(import.meta.dir, '../docs')
const PAGE = join(DOCS, 'performance.md')
const [BEGIN, END] = ['<!-- measured by bench/run -->', '<!-- end of measured -->']

export function writePage({ workloads }: Measured, names: readonly string[], missing: readonly string[]): void {
  const outcomes = names.flatMap((name) => (workloads[name] ? [{ name, ...workloads[name] }] : []))
  const rows = outcomes.flatMap((outcome) => outcome.rows)
  const days = [...new Set(outcomes.map(({ at }) => at))].sort().join(', ')
  const pairs = [...new Set(outcomes.map(({ pairs }) => pairs))].sort().join(' or ')
  const sizes = outcomes.some(({ quick }) => quick) ? ', with the small sizes of `--quick`' : ''
  const grown = outcomes.find(({ growth }) => growth)?.growth
  const prose = [
    `Measured on ${days}${sizes}, in ${pairs} pairs, on ${cpus().length} processors (${cpus()[0]!.model}) with ` +
      `${Math.round(totalmem() / 1e9)} GB. The load generator runs on the same processors.`,
    ...missing,
    ...outcomes.flatMap(({ name, skipped }) => (skipped ? [`\`${name}\` is not complete: ${skipped}`] : [])),
  ]
  const text = [
    ...prose.map(wrapped),
    '![Measured ratios as shares of their goals](performance-ratios.svg)',
    ratios(rows),
    '### Both sides',
    sides(rows),
    ...(grown ? ['### Growth', `![${grown.title}](performance-growth.svg)`, growthTable(grown)] : []),
  ].join('\n\n')
  const page = readFileSync(PAGE, 'utf8')
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  writeFileSync(PAGE, `${page.slice(0, before)}\n\n${text}\n\n${page.slice(after)}`)
  writeFileSync(join(DOCS, 'performance-ratios.svg'), ratioPlot(rows))
  if (grown) writeFileSync(join(DOCS, 'performance-growth.svg'), growthPlot(grown))
}

function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    if (`${lines.at(-1)} ${word}`.length > COLUMNS) lines.push(word)
    else lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines.join('\n')
}
