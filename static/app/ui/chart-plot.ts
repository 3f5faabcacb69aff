import type { default as UPlot, Options, Series as PlotSeries } from 'uplot'
import { clock, dayAndMonth, shortNumber } from './format.ts'
import type { Tone } from './state.tsx'

export type ChartKind = 'line' | 'area' | 'bars'

export interface Series {
  label: string
  /** One value for each point; null leaves a gap. */
  values: readonly (number | null)[]
  tone?: Tone
  /** Another kind than the chart's, such as an area behind lines. */
  kind?: ChartKind
}

interface Drawing {
  place: HTMLElement
  x: readonly number[]
  series: readonly Series[]
  kind: ChartKind
  beside?: boolean
  height: number
  format: (value: number) => string
  names?: readonly string[]
  onRead: (index: number | null) => void
  onDrawn: (plot: UPlot | null) => void
}

/** The line width of a kind, in pixels. */
const WIDTHS: Record<ChartKind, number> = { line: 2, area: 1, bars: 0 }
/** The distances between ticks: whole numbers, because counts have no halves. */
const WHOLE_STEPS = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
/** The distances between ticks of times, in seconds. */
const TIME_STEPS = [
  60,
  300,
  600,
  900,
  1800,
  3600,
  10_800,
  21_600,
  43_200,
  ...[1, 2, 5, 7, 14, 28].map((days) => days * 86_400),
]
/** Dashes distinguish lines without color. */
const DASHES: number[][] = [[], [6, 4], [2, 3], [10, 3, 2, 3]]

/**
 * Draws once the library has loaded, again when the theme changes, and to the width of its container. Returns a
 * function that ends it.
 */
export function drawChart(drawing: Drawing): () => void {
  let plot: UPlot | null = null
  let ended = false
  const draw = async () => {
    const { default: Plot } = await import('uplot')
    if (ended) return
    plot?.destroy()
    const data = [drawing.x, ...drawing.series.map((entry) => entry.values)] as unknown as UPlot.AlignedData
    plot = new Plot(optionsOf(drawing, Plot), data, drawing.place)
    drawing.onDrawn(plot)
  }
  const again = () => void draw()
  const sized = new ResizeObserver(() => plot?.setSize({ width: drawing.place.clientWidth, height: drawing.height }))
  const themed = new MutationObserver(again)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  sized.observe(drawing.place)
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  dark.addEventListener('change', again)
  again()
  return () => {
    ended = true
    sized.disconnect()
    themed.disconnect()
    dark.removeEventListener('change', again)
    plot?.destroy()
    drawing.onDrawn(null)
  }
}

function optionsOf(drawing: Drawing, Plot: typeof UPlot): Options {
  const style = getComputedStyle(drawing.place)
  const color = (token: string) => colorOf(drawing.place, token)
  const font = `12px ${style.fontFamily}`
  const axis = { stroke: color('--quiet'), font, ticks: { show: false } }
  const grid = { stroke: color('--line'), width: 1 }
  return {
    width: drawing.place.clientWidth,
    height: drawing.height,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { setScale: false, x: false, y: false } },
    scales: {
      x: {
        time: !drawing.names,
        ...(drawing.kind === 'bars' && { range: (_, low, high) => barRange(drawing, low, high) }),
      },
      y: { range: valueRange },
      // On the scale of the lines an area would flatten them, so it has a scale of its own.
      area: { range: valueRange },
    },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        ...(!drawing.names && { incrs: stepsFor(drawing.x) }),
        values: (_plot, ticks, _axis, _space, step) =>
          ticks.map((tick) => (drawing.names ? (drawing.names[tick] ?? '') : timeOf(tick, step))),
      },
      {
        ...axis,
        grid,
        size: 44,
        incrs: WHOLE_STEPS,
        values: (_plot, ticks) => ticks.map((tick) => shortNumber(Math.abs(tick))),
      },
    ],
    series: [{}, ...drawing.series.map((entry, index) => seriesOf(drawing, Plot, entry, index))],
    hooks: { setCursor: [(plot) => drawing.onRead(plot.cursor.idx ?? null)] },
  }
}

/** The distances that ticks may have: none below that of the points, which would have the same label twice. */
export function stepsFor(x: readonly number[]): number[] {
  const gap = gapOf(x)
  const steps = TIME_STEPS.filter((step) => step >= gap)
  return x.length < 2 ? TIME_STEPS : steps.length > 0 ? steps : [gap]
}

/** The label of a tick: the day when a tick is a day or begins one, otherwise the hour. */
function timeOf(seconds: number, step: number): string {
  const moment = new Date(seconds * 1000)
  const iso = moment.toISOString()
  return step >= 86_400 || (moment.getHours() === 0 && moment.getMinutes() === 0) ? dayAndMonth(iso) : clock(iso)
}

/** The smallest distance of two points; Infinity for fewer. */
function gapOf(x: readonly number[]): number {
  return Math.min(...x.slice(1).map((at, index) => at - x[index]!))
}

/** A range in which the first and the last bar have their whole width. A single bar stands in the middle. */
export function barRange({ x, names }: Pick<Drawing, 'x' | 'names'>, low: number, high: number): [number, number] {
  if (x.length === 1) {
    // Around a single point of time the library looks at the day after it. Ten minutes have ticks.
    const around = names ? 0.5 : 300
    return [x[0]! - around, x[0]! + around]
  }
  const half = Math.max((high - low) / 20, gapOf(x) / 2)
  return [low - half, high + half]
}

function valueRange(_plot: UPlot, low: number, high: number): [number, number] {
  return [Math.min(0, low * 1.08), Math.max(1, high * 1.08)]
}

function seriesOf(drawing: Drawing, Plot: typeof UPlot, entry: Series, index: number): PlotSeries {
  const tone = colorOf(drawing.place, `--${entry.tone ?? 'accent'}`)
  const kind = entry.kind ?? drawing.kind
  const soft = `color-mix(in srgb, ${tone} 18%, transparent)`
  return {
    label: entry.label,
    ...(kind === 'area' && drawing.kind === 'line' && { scale: 'area' }),
    stroke: tone,
    width: WIDTHS[kind],
    dash: kind === 'bars' ? undefined : DASHES[index % DASHES.length],
    points: { show: drawing.x.length === 1 && kind !== 'bars' },
    ...(kind !== 'line' && { fill: kind === 'bars' ? tone : soft }),
    ...(kind === 'bars' && { paths: Plot.paths.bars!(barsOf(drawing, index)) }),
  }
}

/** The place and the width of the bars of a series: the share of the distance of two points, and the most pixels. */
export function barsOf({ beside }: Pick<Drawing, 'beside'>, index: number): UPlot.Series.BarsPathBuilderOpts {
  return beside ? { align: index % 2 === 0 ? -1 : 1, size: [0.35, 20] } : { align: 0, size: [0.7, 40] }
}

/** The value of a token for the canvas: the element resolves `light-dark()`. */
function colorOf(place: HTMLElement, token: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
