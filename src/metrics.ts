/** Counters of this process, in the Prometheus text format (0.0.4). */

type Labels = Record<string, string | number>

interface Counter {
  add(labels: Labels, by?: number): void
}

interface Histogram {
  observe(labels: Labels, seconds: number): void
}

/** A value that is read when the metrics are fetched. */
export interface Sample {
  labels?: Labels
  value: number
}

interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples(): { suffix: string; labels: Labels; value: number }[]
}

interface Metrics {
  counter(name: string, help: string): Counter
  /** @param bounds upper bounds in seconds, ascending */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  /** All counters and the given gauges as text. */
  text(gauges: readonly { name: string; help: string; samples: readonly Sample[] }[]): string
}

export function createMetrics(): Metrics {
  const families: Family[] = []
  return {
    counter(name, help) {
      const values = new Map<string, { labels: Labels; value: number }>()
      families.push({
        name,
        help,
        type: 'counter',
        samples: () => [...values.values()].map(({ labels, value }) => ({ suffix: '', labels, value })),
      })
      return {
        add(labels, by = 1) {
          at(values, labels, () => ({ labels, value: 0 })).value += by
        },
      }
    },
    histogram(name, help, bounds) {
      const values = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>()
      families.push({
        name,
        help,
        type: 'histogram',
        samples: () =>
          [...values.values()].flatMap(({ labels, counts, sum, count }) => [
            ...bounds.map((bound, index) => ({
              suffix: '_bucket',
              labels: { ...labels, le: bound },
              value: counts[index]!,
            })),
            { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
            { suffix: '_sum', labels, value: sum },
            { suffix: '_count', labels, value: count },
          ]),
      })
      return {
        observe(labels, seconds) {
          const kept = at(values, labels, () => ({ labels, counts: bounds.map(() => 0), sum: 0, count: 0 }))
          bounds.forEach((bound, index) => {
            if (seconds <= bound) kept.counts[index]! += 1
          })
          kept.sum += seconds
          kept.count += 1
        },
      }
    },
    text(gauges) {
      const looked: Family[] = gauges.map(({ name, help, samples }) => ({
        name,
        help,
        type: 'gauge',
        samples: () => samples.map(({ labels = {}, value }) => ({ suffix: '', labels, value })),
      }))
      return [...families, ...looked].map(familyText).join('')
    },
  }
}

/** Why a campaign paused by itself (docs/operations.md#health). */
const PAUSE_CAUSES = ['relay', 'reputation', 'connection', 'content', 'audience', 'disk', 'restore'] as const
export type PauseCause = (typeof PAUSE_CAUSES)[number]

/** The counters of this process, which any module may increase. */
export const processMetrics = createMetrics()
export const campaignsPaused = processMetrics.counter(
  'masthead_campaigns_paused_total',
  'Campaigns that paused by themselves, by cause.',
)
for (const cause of PAUSE_CAUSES) campaignsPaused.add({ cause }, 0)

function at<T>(values: Map<string, T>, labels: Labels, make: () => T): T {
  const key = JSON.stringify(labels)
  let value = values.get(key)
  if (value === undefined) values.set(key, (value = make()))
  return value
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples().map(({ suffix, labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([key, value]) =>
      `${key}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  )
  return parts.length > 0 ? `{${parts.join(',')}}` : ''
}
