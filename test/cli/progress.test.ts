import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { progressBar } from '../../src/cli/progress.ts'

const terminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
const setTerminal = (value: boolean) => Object.defineProperty(process.stderr, 'isTTY', { value, configurable: true })
let written: string[]
let spy: ReturnType<typeof spyOn>
beforeEach(() => {
  written = []
  spy = spyOn(process.stderr, 'write').mockImplementation((text: unknown) => written.push(String(text)) > 0)
})
afterEach(() => {
  spy.mockRestore()
  if (terminal) Object.defineProperty(process.stderr, 'isTTY', terminal)
  else delete (process.stderr as { isTTY?: boolean }).isTTY
})

test('Nothing is written when standard error is not a terminal.', () => {
  setTerminal(false)
  const bar = progressBar('Reading', 10)
  bar.advance(5)
  bar.end()
  expect(written).toEqual([])
})

test('A bar shows the share of the total, at most all of it, and repeats no line.', () => {
  setTerminal(true)
  const bar = progressBar('Reading', 1000)
  bar.advance(500)
  bar.advance(1)
  bar.advance(2000)
  bar.end()
  expect(written).toEqual([
    `\rReading [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`,
    `\rReading [${'#'.repeat(30)}] 100 %`,
    '\r\u001B[K',
  ])
})

test('Without a total only the amount is shown, and an empty total is complete.', () => {
  setTerminal(true)
  progressBar('Reading', null).advance(7)
  progressBar('Reading', 0).advance(0)
  expect(written).toEqual(['\rReading 7', `\rReading [${'#'.repeat(30)}] 100 %`])
})
