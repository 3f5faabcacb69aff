import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { default as UPlot } from 'uplot'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { type ChartKind, drawChart, type Series } from './chart-plot.ts'
import { number } from './format.ts'

export type { Series } from './chart-plot.ts'

export interface ChartProps {
  /** The title. */
  label: string
  /** Seconds since 1970, or positions when `names` is given. */
  x: readonly number[]
  series: readonly Series[]
  kind?: ChartKind
  /** Pairs of bars stand side by side. Otherwise each series covers those before it, as parts cover their whole. */
  beside?: boolean
  /** Names of the points, instead of times. */
  names?: readonly string[]
  /** The label of a point; otherwise its time. */
  x_label?: (x: number, index: number) => string
  format?: (value: number) => string
  /** The head of the table's first column. */
  x_head?: string
  height?: number
  /** Buttons beside the legend. */
  actions?: ComponentChildren
}

/** A chart that can be read by pointer and by arrow keys, with a table of the same numbers. */
export function Chart(props: ChartProps) {
  const { label, x, series, kind = 'line', format = number, x_head = 'Time', height = 220, actions } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const [as_table, setAsTable] = useState(false)
  const nameOf = (index: number) => props.names?.[index] ?? props.x_label?.(x[index]!, index) ?? timeOf(x[index]!)
  useEffect(() => {
    if (as_table || x.length === 0) return
    return drawChart({
      place: place.current!,
      x,
      series,
      kind,
      beside: props.beside,
      height,
      format,
      names: props.names,
      onRead: setAt,
      onDrawn: (drawn) => {
        plot.current = drawn
      },
    })
  }, [x, series, kind, height, as_table])
  const read = (index: number) => {
    setAt(index)
    const drawn = plot.current
    if (drawn) drawn.setCursor({ left: drawn.valToPos(drawn.data[0][index]!, 'x'), top: height / 2 }, false)
  }
  const keyed = (event: KeyboardEvent) => {
    const here = at ?? -1
    const to = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: at === null ? x.length - 1 : here - 1,
      ArrowDown: at === null ? x.length - 1 : here - 1,
      Home: 0,
      End: x.length - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    read(Math.max(0, Math.min(x.length - 1, to)))
  }
  const valueOf = (entry: Series, index: number) => {
    const value = entry.values[index]
    return value === null || value === undefined ? '–' : format(value)
  }
  const sentence = (index: number) =>
    `${nameOf(index)}: ${series.map((entry) => `${entry.label} ${valueOf(entry, index)}`).join(', ')}`
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span class="chart-title" id={id}>
          {label}
        </span>
        <span class="chart-actions">
          {actions}
          {x.length > 0 && (
            <Button small kind="quiet" onClick={() => setAsTable(!as_table)}>
              {as_table ? 'Show as plot' : 'Show as table'}
            </Button>
          )}
        </span>
      </figcaption>
      {x.length === 0 ? (
        <p class="quiet">There are no values yet.</p>
      ) : as_table ? (
        <div class="chart-table" tabIndex={0} role="region" aria-label={label}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{x_head}</th>
                {series.map((entry) => (
                  <th class="table-end" scope="col" key={entry.label}>
                    {entry.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {x.map((_, index) => (
                <tr key={index}>
                  <th scope="row">{nameOf(index)}</th>
                  {series.map((entry) => (
                    <td class="table-end" key={entry.label}>
                      {valueOf(entry, index)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <>
          <div
            ref={place}
            class="chart-place"
            style={`min-block-size:${height}px`}
            role="slider"
            tabIndex={0}
            aria-labelledby={id}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, x.length - 1)}
            aria-valuenow={at ?? 0}
            aria-valuetext={at === null ? 'Arrow keys read the values.' : sentence(at)}
            onKeyDown={keyed}
          />
          <div class="chart-legend">
            <span class="chart-name">{at === null ? '' : nameOf(at)}</span>
            {(series.length > 1 || at !== null) &&
              series.map((entry, index) => (
                <span class="chart-entry" key={entry.label}>
                  <span
                    class={classes(
                      'chart-swatch',
                      `tone-${entry.tone ?? 'accent'}`,
                      kind === 'bars' ? 'chart-block' : `chart-line-${index}`,
                    )}
                  />
                  {entry.label}
                  {at !== null && <b class="number">{valueOf(entry, at)}</b>}
                </span>
              ))}
          </div>
        </>
      )}
    </figure>
  )
}

function timeOf(seconds: number): string {
  return new Intl.DateTimeFormat(document.documentElement.lang || 'en', {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(seconds * 1000)
}
