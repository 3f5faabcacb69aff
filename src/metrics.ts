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

/** What was counted of one set of labels: of a histogram its buckets, too. */
interface Counted {
  labels: Labels
  /** The value of a counter, or how often a histogram was given a value. */
  count: number
  sum: number
  buckets: number[]
}

interface Family {
  name: string
  help: string
  type: 'counter' | 'histogram'
  bounds: readonly number[]
  counted: Map<string, Counted>
}

/** All that a thread has counted, by the names of its counters. It can be sent to another thread. */
export type MetricsSnapshot = Record<string, Counted[]>

interface Metrics {
  counter(name: string, help: string): Counter
  /** @param bounds upper bounds in seconds, ascending */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  snapshot(): MetricsSnapshot
  /** All counters, with what other threads counted, and the given gauges as text. */
  text(gauges: readonly Gauge[], others?: readonly MetricsSnapshot[]): string
}

export interface Gauge {
  name: string
  help: string
  /** `counter` for a value that something else counts. */
  type?: 'counter'
  samples: readonly Sample[]
}

export function createMetrics(): Metrics {
  const families: Family[] = []
  const familyOf = (family: Omit<Family, 'counted'>): Family['counted'] => {
    const counted: Family['counted'] = new Map()
    families.push({ ...family, counted })
    return counted
  }
  return {
    counter(name, help) {
      const counted = familyOf({ name, help, type: 'counter', bounds: [] })
      return {
        add(labels, by = 1) {
          at(counted, labels, []).count += by
        },
      }
    },
    histogram(name, help, bounds) {
      const counted = familyOf({ name, help, type: 'histogram', bounds })
      return {
        observe(labels, seconds) {
          const kept = at(counted, labels, bounds)
          bounds.forEach((bound, index) => {
            if (seconds <= bound) kept.buckets[index]! += 1
          })
          kept.sum += seconds
          kept.count += 1
        },
      }
    },
    snapshot: () => Object.fromEntries(families.map(({ name, counted }) => [name, [...counted.values()]])),
    text(gauges, others = []) {
      const counters = families.map((family) => {
        const all = sumOf([[...family.counted.values()], ...others.map((other) => other[family.name] ?? [])])
        return familyText(family, all.flatMap(family.type === 'counter' ? counterLines : histogramLines(family.bounds)))
      })
      return [...counters, ...gauges.map(gaugeText)].join('')
    },
  }
}

/** What several threads have counted, as if one had. */
export function sumOfSnapshots(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const names = new Set(snapshots.flatMap((snapshot) => Object.keys(snapshot)))
  return Object.fromEntries([...names].map((name) => [name, sumOf(snapshots.map((snapshot) => snapshot[name] ?? []))]))
}

function sumOf(parts: readonly Counted[][]): Counted[] {
  const sums = new Map<string, Counted>()
  for (const { labels, count, sum, buckets } of parts.flat()) {
    const total = at(sums, labels, buckets)
    total.count += count
    total.sum += sum
    buckets.forEach((n, index) => (total.buckets[index]! += n))
  }
  return [...sums.values()]
}

interface Line {
  suffix: string
  labels: Labels
  value: number
}

function counterLines({ labels, count }: Counted): Line[] {
  return [{ suffix: '', labels, value: count }]
}

function histogramLines(bounds: readonly number[]): (counted: Counted) => Line[] {
  return ({ labels, buckets, sum, count }) => [
    ...bounds.map((bound, index) => ({ suffix: '_bucket', labels: { ...labels, le: bound }, value: buckets[index]! })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ]
}

function gaugeText({ name, help, type, samples }: Gauge): string {
  const lines = samples.map(({ labels = {}, value }) => ({ suffix: '', labels, value }))
  return familyText({ name, help, type: type ?? 'gauge' }, lines)
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

const OUTCOMES = ['sent', 'failed', 'uncertain', 'bounced', 'skipped', 'complained'] as const
const messages = processMetrics.counter(
  'masthead_messages_total',
  'Messages by their outcome. A bounce or complaint that is reported later counts beside the first outcome.',
)
export const countMessages = (outcome: (typeof OUTCOMES)[number], count = 1): void => messages.add({ outcome }, count)
for (const outcome of OUTCOMES) countMessages(outcome, 0)
export const jobsFailed = processMetrics.counter('masthead_jobs_failed_total', 'Jobs that failed, by kind.')
export const loopRuns = processMetrics.counter('masthead_loop_runs_total', 'Runs of the loops, by result.')
export const threadsEnded = processMetrics.counter(
  'masthead_http_threads_ended_total',
  'Threads that answered requests and ended by themselves or without a response; each was replaced.',
)
threadsEnded.add({}, 0)

function at(counted: Map<string, Counted>, labels: Labels, buckets: readonly number[]): Counted {
  const key = JSON.stringify(labels)
  let one = counted.get(key)
  if (one === undefined) counted.set(key, (one = { labels, count: 0, sum: 0, buckets: buckets.map(() => 0) }))
  return one
}

function familyText(
  { name, help, type }: { name: string; help: string; type: string },
  lines: readonly Line[],
): string {
  const text = lines.map(({ suffix, labels, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${text.join('')}`
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([key, value]) =>
      `${key}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  )
  return parts.length > 0 ? `{${parts.join(',')}}` : ''
}
