import { expect, test } from 'bun:test'
import { bySteps, READ, SENT } from '../../../../static/app/site/report/moments.ts'

const at = (minute: number, sent: number) => ({
  ...{ at: new Date(Date.UTC(2026, 4, 3, 12, minute)).toISOString(), sent, opens: 0, clicks: 0 },
})
const now = Date.UTC(2026, 4, 3, 12, 3, 20)

test('A minute that is not over is a series of its own, and a minute without messages has none.', () => {
  const { x, series } = bySteps([at(0, 5), at(3, 7)], SENT, 60, now)
  expect(x.map((second) => second - x[0]!)).toEqual([0, 60, 120, 180])
  expect(series.map(({ label, values }) => [label, values])).toEqual([
    ['Sent', [5, 0, 0, null]],
    ['Sent, this minute so far', [null, null, null, 7]],
  ])
})

test('Minutes that are over are one series.', () => {
  expect(bySteps([at(0, 5), at(2, 7)], SENT, 60, now).series.map(({ values }) => values)).toEqual([[5, 0, 7]])
})

test('Opens and clicks begin with the first of them, and each has its own minute so far.', () => {
  const read = (minute: number, opens: number, clicks: number) => ({ ...at(minute, 0), opens, clicks })
  const { x, series } = bySteps([at(0, 9), read(1, 4, 0), read(3, 2, 1)], READ, 60, now)
  expect(x).toHaveLength(3)
  expect(series.map(({ label, values }) => [label, values])).toEqual([
    ['Opens', [4, 0, null]],
    ['Clicks', [0, 0, null]],
    ['Opens, this minute so far', [null, null, 2]],
    ['Clicks, this minute so far', [null, null, 1]],
  ])
})
