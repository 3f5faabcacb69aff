import { expect, setSystemTime, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../../support/tab.ts'
import { useRate } from '../../../../static/app/site/report/rate.ts'

const tab = useTab()

function Rate({ sent }: { sent: number }) {
  return h('p', null, String(useRate(sent, 30)))
}

test('The speed is that of the last minute, known after five seconds, and never above the limit.', async () => {
  tab.atEnd(() => void setSystemTime())
  const rateAt = async (ms: number, sent: number) => {
    setSystemTime(new Date(1_000_000 + ms))
    await tab.redraw(h(Rate, { sent }))
    return tab.text()
  }
  expect(await rateAt(0, 100)).toBe('null')
  expect(await rateAt(4_999, 250)).toBe('null')
  expect(await rateAt(5_000, 250)).toBe('30')
  expect(await rateAt(30_000, 400)).toBe('10')
  expect(await rateAt(59_999, 1_000)).toBe(String(900 / 59.999))
  // The first count is a minute old.
  expect(await rateAt(65_000, 1_000)).toBe(String(600 / 35))
  expect(await rateAt(125_000, 1_000)).toBe('null')
})
