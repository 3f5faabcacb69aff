import type { Row } from './bench.ts'
import { type Figure, type Measure, median, type Run } from './measure.ts'

/** docs/performance.md: a table of ratios, one of the measured figures, and the text of a plot. */
export interface Growth {
  title: string
  columns: readonly string[]
  lines: readonly { name: string; cells: readonly (number | null)[]; unit: string }[]
}

const WORDS: Record<Measure, string> = {
  rate: 'rate',
  time: 'time',
  cpu: 'work for a CPU second',
  p99: 'p99',
  value: '',
}

const short = (value: number): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
    : '–'

function goalOf({ at_least, at_most, unit }: Figure): string {
  if (at_least !== undefined) return `≥ ${at_least}${unit ? ` ${unit}` : ''}`
  return at_most === undefined ? '' : `≤ ${at_most}${unit ? ` ${unit}` : ''}`
}

/** Whether the median meets the goal; null where there is none. */
export function isMet({ values, at_least, at_most }: Figure): boolean | null {
  const value = median(values)
  if (at_least !== undefined) return value >= at_least
  return at_most === undefined ? null : value <= at_most
}

/** What the median lacks: the factor by which it has to change. */
function distance(figure: Figure): string {
  const met = isMet(figure)
  if (met === null) return ''
  if (met) return 'met'
  const [value, goal] = [median(figure.values), (figure.at_least ?? figure.at_most)!]
  return `${short(value > goal ? value / goal : goal / value)} × away`
}

export function told(figure: Figure): string {
  const { values, measure, unit } = figure
  const spread = values.length > 1 ? ` (${short(Math.min(...values))}–${short(Math.max(...values))})` : ''
  return `${WORDS[measure]} ${short(median(values))}${unit ? ` ${unit}` : ' ×'}${spread}`.trim()
}

const cells = (row: readonly string[]): string => `| ${row.join(' | ')} |`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n')
}

export function ratios(rows: readonly Row[]): string {
  return table(
    ['Workload', 'Beside', 'Measured', 'Goal', 'Distance'],
    rows.flatMap(({ name, reference, figures, note }) =>
      figures.map((figure, index) => [
        index === 0 ? `${name}${note ? ` (${note})` : ''}` : '',
        index === 0 ? reference : '',
        told(figure),
        goalOf(figure),
        distance(figure),
      ]),
    ),
  )
}

export function sides(rows: readonly Row[]): string {
  const of = (who: string, runs: Run[]): string[] => {
    const middle = (figure: (run: Run) => number | undefined) => short(median(runs.map((run) => figure(run) ?? NaN)))
    return [
      who,
      middle(({ count, seconds }) => count / seconds),
      middle(({ count, cpu_seconds }) => (cpu_seconds / count) * 1e6 || NaN),
      middle(({ p50_ms }) => p50_ms),
      middle(({ p99_ms }) => p99_ms),
      middle(({ megabytes }) => megabytes || NaN),
    ]
  }
  return table(
    ['Workload', 'Who', 'a second', 'CPU µs each', 'p50 ms', 'p99 ms', 'MB'],
    rows
      .filter(({ own }) => own.length > 0)
      .flatMap(({ name, reference, own, other }) => [
        [name, ...of('Masthead', own)],
        ...(other.length > 0 ? [['', ...of(reference, other)]] : []),
      ]),
  )
}

export function growthTable({ columns, lines }: Growth): string {
  return table(
    ['', ...columns],
    lines.map(({ name, cells, unit }) => [
      `${name}, ${unit}`,
      ...cells.map((cell) => (cell === null ? '–' : short(cell))),
    ]),
  )
}

const [LEFT, WIDTH, LINE] = [330, 420, 22]
const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function svg(height: number, title: string, parts: readonly string[]): string {
  const width = LEFT + WIDTH + 70
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" ` +
    `font-family="system-ui, sans-serif" font-size="12"><title>${escape(title)}</title>` +
    `<rect width="${width}" height="${height}" fill="#fff"/>${parts.join('')}</svg>\n`
  )
}

/** Bars of the ratios that have a goal, in parts of it: a bar that reaches the line meets the goal. */
export function ratioPlot(rows: readonly Row[]): string {
  const bars = rows.flatMap(({ name, figures }) =>
    figures
      .filter((figure) => isMet(figure) !== null)
      .map((figure) => {
        const value = median(figure.values)
        const share = figure.at_least === undefined ? figure.at_most! / value : value / figure.at_least
        return { text: `${name}: ${WORDS[figure.measure]}`, share, label: short(value) }
      }),
  )
  const [line, height] = [LEFT + WIDTH / 2, bars.length * LINE + 30]
  return svg(height, 'Shares of the goals', [
    ...bars.flatMap(({ text, share, label }, index) => {
      const [y, length] = [24 + index * LINE, (Math.min(share, 2) * WIDTH) / 2]
      const colour = share >= 1 ? '#2a7a4b' : '#b4552d'
      return [
        `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end" fill="#222">${escape(text)}</text>`,
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="16" fill="${colour}"/>`,
        `<text x="${LEFT + length + 5}" y="${y + 12}" fill="#222">${label}</text>`,
      ]
    }),
    `<path d="M${line} 18V${height - 6}" stroke="#222" stroke-dasharray="3 3"/>`,
    `<text x="${line}" y="13" text-anchor="middle" fill="#222">goal</text>`,
  ])
}

/** A line for each query, on logarithmic axes: flat lines do not grow with the contacts. */
export function growthPlot({ title, columns, lines }: Growth): string {
  const known = lines.flatMap(({ cells }) => cells.filter((cell): cell is number => cell !== null && cell > 0))
  const [low, high] = [Math.log10(Math.min(...known)), Math.log10(Math.max(...known))]
  const height = 60 + lines.length * LINE
  const y = (value: number) => height - 30 - ((Math.log10(value) - low) / (high - low || 1)) * (height - 60)
  const x = (index: number) => LEFT + 20 + (index * (WIDTH - 40)) / Math.max(1, columns.length - 1)
  const colour = (index: number) => `hsl(${(index * 137) % 360} 60% 38%)`
  return svg(height, title, [
    ...columns.map(
      (name, index) =>
        `<text x="${x(index)}" y="${height - 8}" text-anchor="middle" fill="#222">${escape(name)}</text>`,
    ),
    ...lines.flatMap(({ name, cells }, index) => {
      const points = cells.flatMap((cell, at) => (cell ? [`${x(at)},${y(cell).toFixed(1)}`] : []))
      return [
        `<text x="24" y="${28 + index * LINE}" fill="#222">${escape(name)}</text>`,
        `<rect x="8" y="${18 + index * LINE}" width="10" height="10" fill="${colour(index)}"/>`,
        `<polyline points="${points.join(' ')}" fill="none" stroke="${colour(index)}" stroke-width="2"/>`,
      ]
    }),
  ])
}
