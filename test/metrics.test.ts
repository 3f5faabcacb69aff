import { expect, test } from 'bun:test'
import { campaignsPaused, createMetrics, processMetrics } from '../src/metrics.ts'

const lines = (...all: string[]) => [...all, ''].join('\n')

test('A counter has a line for each set of labels, and counts by one unless told otherwise.', () => {
  const metrics = createMetrics()
  const letters = metrics.counter('letters', 'Letters by kind.')
  expect(metrics.text([])).toBe(lines('# HELP letters Letters by kind.', '# TYPE letters counter'))
  letters.add({ kind: 'welcome', code: 250 })
  letters.add({ kind: 'welcome', code: 250 }, 4)
  letters.add({ kind: 'goodbye', code: 250 }, 0)
  letters.add({})
  expect(metrics.text([])).toBe(
    lines(
      '# HELP letters Letters by kind.',
      '# TYPE letters counter',
      'letters{kind="welcome",code="250"} 5',
      'letters{kind="goodbye",code="250"} 0',
      'letters 1',
    ),
  )
})

test('Labels are escaped wherever a character of the format stands in them.', () => {
  const metrics = createMetrics()
  metrics.counter('odd', 'Odd labels.').add({ name: 'a"b"c\\d\\e\nf\ng' }, 3)
  expect(metrics.text([])).toContain('\nodd{name="a\\"b\\"c\\\\d\\\\e\\nf\\ng"} 3\n')
})

test('The buckets of a histogram are cumulative, and each set of labels has its own.', () => {
  const metrics = createMetrics()
  const times = metrics.histogram('times', 'Times.', [0.1, 1])
  for (const seconds of [0.1, 0.5, 5]) times.observe({}, seconds)
  times.observe({ route: '/' }, 1)
  expect(metrics.text([])).toBe(
    lines(
      '# HELP times Times.',
      '# TYPE times histogram',
      'times_bucket{le="0.1"} 1',
      'times_bucket{le="1"} 2',
      'times_bucket{le="+Inf"} 3',
      'times_sum 5.6',
      'times_count 3',
      'times_bucket{route="/",le="0.1"} 0',
      'times_bucket{route="/",le="1"} 1',
      'times_bucket{route="/",le="+Inf"} 1',
      'times_sum{route="/"} 1',
      'times_count{route="/"} 1',
    ),
  )
})

test('Gauges follow the counters, and those of one reading are gone with the next.', () => {
  const metrics = createMetrics()
  metrics.counter('first', 'First.').add({})
  const gauge = { name: 'waiting', help: 'Waiting.', samples: [{ value: 7 }, { labels: { of: 'mail' }, value: 0 }] }
  const counted = ['# HELP first First.', '# TYPE first counter', 'first 1']
  expect(metrics.text([gauge])).toBe(
    lines(...counted, '# HELP waiting Waiting.', '# TYPE waiting gauge', 'waiting 7', 'waiting{of="mail"} 0'),
  )
  expect(metrics.text([])).toBe(lines(...counted))
})

test('Every cause of a pause is counted from the start, so that the first pause is a rise.', () => {
  const counted = () =>
    processMetrics
      .text([])
      .split('\n')
      .filter((line) => line.startsWith('masthead_campaigns_paused_total{'))
      .map((line) => /cause="(\w+)"\} (\d+)$/.exec(line)!.slice(1))
  const before = new Map(counted() as [string, string][])
  expect([...before.keys()]).toEqual(['relay', 'reputation', 'connection', 'content', 'audience', 'disk', 'restore'])
  campaignsPaused.add({ cause: 'relay' })
  expect(new Map(counted() as [string, string][])).toEqual(
    new Map(before).set('relay', String(Number(before.get('relay')) + 1)),
  )
})
