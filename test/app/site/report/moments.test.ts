import { expect, test } from 'bun:test'
import { sentBySteps } from '../../../../static/app/site/report/moments.ts'

const at = (minute: number, sent: number) => ({
  ...{ at: new Date(Date.UTC(2026, 4, 3, 12, minute)).toISOString(), sent, opens: 0, clicks: 0 },
})
const now = Date.UTC(2026, 4, 3, 12, 3, 20)

test('A minute that is not over is a series of its own, and a minute without messages has none.', () => {
  const { x, series } = sentBySteps([at(0, 5), at(3, 7)], 60, now)
  expect(x.map((second) => second - x[0]!)).toEqual([0, 60, 120, 180])
  expect(series.map(({ label, values }) => [label, values])).toEqual([
    ['Sent', [5, 0, 0, null]],
    ['This minute so far', [null, null, null, 7]],
  ])
})

test('Minutes that are over are one series.', () => {
  expect(sentBySteps([at(0, 5), at(2, 7)], 60, now).series.map(({ values }) => values)).toEqual([[5, 0, 7]])
})
