import { expect, spyOn, test } from 'bun:test'
import { useTab, send } from '../../support/tab.ts'
import { h } from 'preact'
import { barRange, barsOf, stepsFor } from '../../../static/app/ui/chart-plot.ts'
import { Chart, type ChartProps } from '../../../static/app/ui/chart.tsx'
import { plots, turns } from '../../support/visit.ts'

const tab = useTab()

const NOON = Date.parse('2026-05-03T12:00:00.000Z') / 1_000
const X = [NOON, NOON + 60, NOON + 120]

async function draw(more: Partial<ChartProps> = {}) {
  plots.length = 0
  const series = [
    { label: 'Sent', values: [1_200, null, 3], tone: 'quiet' as const, kind: 'area' as const },
    { label: 'Opens', values: [4, 5, 6] },
  ]
  await tab.draw(h(Chart, { label: 'Letters', x: X, series, ...more }))
  await turns()
  await tab.settled()
}

const said = () => tab.find('[role=slider]').getAttribute('aria-valuetext')

test('A plot is read by the arrow keys.', async () => {
  await draw()
  expect(said()).toBe('Arrow keys read the values.')
  const slider = tab.find('[role=slider]')
  expect(['min', 'max', 'now'].map((name) => slider.getAttribute(`aria-value${name}`))).toEqual(['0', '2', '0'])
  const steps: [string, string][] = [
    ['ArrowRight', '0'],
    ['ArrowUp', '1'],
    ['ArrowRight', '2'],
    ['ArrowRight', '2'],
    ['ArrowLeft', '1'],
    ['Home', '0'],
    ['ArrowDown', '0'],
    ['End', '2'],
  ]
  for (const [key, at] of steps) {
    await tab.key(key, {}, slider)
    expect(slider.getAttribute('aria-valuenow')).toBe(at)
  }
  expect(said()).toEndWith(': Sent 3, Opens 6')
  await tab.key('ArrowLeft', {}, slider)
  expect(said()).toEndWith(': Sent –, Opens 5')
  expect(send(slider, 'keydown', { key: 'x' })).toBe(true)
})

test('The first arrow back begins at the end.', async () => {
  await draw()
  await tab.key('ArrowLeft', {}, tab.find('[role=slider]'))
  expect(tab.find('[role=slider]').getAttribute('aria-valuenow')).toBe('2')
})

test('The same numbers stand in a table.', async () => {
  await draw({ names: ['One', 'Two', 'Three'], x_head: 'Name', format: (value) => `${value}!` })
  await tab.press('Show as table')
  expect(tab.texts('thead th')).toEqual(['Name', 'Sent', 'Opens'])
  expect(tab.texts('tbody tr')).toEqual(['One1200!4!', 'Two–5!', 'Three3!6!'])
  await tab.press('Show as plot')
  expect(tab.body.querySelector('table')).toBeNull()
})

test('A point is called by what is given for it.', async () => {
  await draw({ x_label: (x, index) => `${index}: ${x - NOON}` })
  await tab.key('End', {}, tab.find('[role=slider]'))
  expect(tab.text('.chart-name')).toBe('2: 120')
})

test('Without values there is nothing to draw.', async () => {
  await draw({ x: [] })
  expect([tab.text(), plots.length, tab.has('Show as table')]).toEqual(['LettersThere are no values yet.', 0, false])
})

test('A plot is drawn with its series, an area by a scale of its own.', async () => {
  await draw()
  const [{ options, data }] = plots as [{ options: any; data: any }]
  expect(data).toEqual([X, [1_200, null, 3], [4, 5, 6]])
  const [, sent, opens] = options.series
  expect([sent.scale, sent.width, sent.stroke]).toEqual(['area', 1, 'var(--quiet)'])
  expect([opens.scale, opens.width, opens.stroke, opens.dash]).toEqual([undefined, 2, 'var(--accent)', [6, 4]])
  expect([opens.fill, sent.fill]).toEqual([undefined, 'color-mix(in srgb, var(--quiet) 18%, transparent)'])
  expect(options.height).toBe(220)
  expect(options.scales.x.time).toBe(true)
})

test('Ticks are days where they stand for days or begin one, and hours otherwise.', async () => {
  await draw()
  const [time, values] = (plots[0] as { options: any }).options.axes
  expect(time.values(null, [NOON], 0, 0, 3_600)).toEqual(['12:00'])
  expect(time.values(null, [NOON], 0, 0, 86_400)).toEqual(['3 May'])
  expect(time.values(null, [NOON - 43_200], 0, 0, 3_600)).toEqual(['3 May'])
  expect(values.values(null, [-12_480, 5])).toEqual(['12.5K', '5'])
  await draw({ names: ['One'], x: [0] })
  expect((plots[0] as { options: any }).options.axes[0].values(null, [0, 7], 0, 0, 1)).toEqual(['One', ''])
})

test('Values begin at nothing, and bars have room at the sides.', async () => {
  await draw({ kind: 'bars' })
  const { options } = plots[0] as { options: any }
  expect(options.scales.y.range(null, 5, 100)).toEqual([0, 108])
  expect(options.scales.y.range(null, -50, 0)).toEqual([-54, 1])
  expect(options.scales.x.range(null, 0, 20)).toEqual([-30, 50])
  expect([options.series[2].fill, options.series[2].dash, options.series[2].width]).toEqual([
    'var(--accent)',
    undefined,
    0,
  ])
})

test('Series are told apart by their dashes, and bars by their color alone.', async () => {
  const swatches = () => tab.all('.chart-swatch').map((one) => one.getAttribute('class'))
  await draw()
  expect(swatches()).toEqual(['chart-swatch tone-quiet chart-line-0', 'chart-swatch tone-accent chart-line-1'])
  expect((plots[0] as { options: any }).options.series.map(({ points }: any) => points?.show)).toEqual([
    undefined,
    false,
    false,
  ])
  await draw({ kind: 'bars', x: [NOON] })
  expect(swatches()).toEqual(['chart-swatch tone-quiet chart-block', 'chart-swatch tone-accent chart-block'])
  const [, sent, opens] = (plots[0] as { options: any }).options.series
  expect([sent.scale, sent.points.show, opens.points.show, 'paths' in sent]).toEqual([undefined, true, false, false])
  await draw({ series: [{ label: 'Sent', values: [1, 2, 3] }] })
  expect(swatches()).toEqual([])
  await tab.key('Home', {}, tab.find('[role=slider]'))
  expect(tab.texts('.chart-entry')).toEqual(['Sent1'])
})

test('Lines, areas and bars have the color of their tone, and what stands around them is quiet.', async () => {
  await draw()
  const drawn = () => (plots[0] as { options: any }).options
  const looks = () =>
    drawn()
      .series.slice(1)
      .map(({ stroke, width, dash, fill }: any) => [stroke, width, dash, fill])
  expect(looks()).toEqual([
    ['var(--quiet)', 1, [], 'color-mix(in srgb, var(--quiet) 18%, transparent)'],
    ['var(--accent)', 2, [6, 4], undefined],
  ])
  expect(drawn().axes.map(({ stroke, grid }: any) => [stroke, grid.stroke ?? grid.show])).toEqual([
    ['var(--quiet)', false],
    ['var(--quiet)', 'var(--line)'],
  ])
  expect(tab.all('.chart i')).toEqual([])
  await draw({ kind: 'bars', series: [{ label: 'Bounced', values: [1, 2, 3], tone: 'bad' }] })
  expect(looks()).toEqual([['var(--bad)', 0, undefined, 'var(--bad)']])
})

test('The pointer reads a plot, which is drawn again in other colors and goes with its place.', async () => {
  await draw()
  const [first] = plots as unknown as [
    { options: any; destroy(): void; setCursor(at: object): void; valToPos(x: number, scale: string): number },
  ]
  const [gone, cursor] = [spyOn(first, 'destroy'), spyOn(first, 'setCursor')]
  const place = spyOn(first, 'valToPos').mockReturnValue(33)
  const [setCursor] = first.options.hooks.setCursor
  setCursor({ cursor: { idx: 2 } })
  await tab.settled()
  expect(said()).toEndWith(': Sent 3, Opens 6')
  setCursor({ cursor: { idx: 0 } })
  await tab.settled()
  expect(said()).toEndWith(': Sent 1,200, Opens 4')
  setCursor({ cursor: { idx: undefined } })
  await tab.settled()
  expect(said()).toBe('Arrow keys read the values.')
  await tab.key('End', {}, tab.find('[role=slider]'))
  expect(cursor.mock.calls).toEqual([[{ left: 33, top: 110 }, false]] as never)
  expect(place.mock.calls).toEqual([[NOON + 120, 'x']])
  document.documentElement.setAttribute('data-theme', 'dark')
  tab.atEnd(() => document.documentElement.removeAttribute('data-theme'))
  await turns()
  await tab.settled()
  expect([plots.length, gone.mock.calls.length]).toEqual([2, 1])
  const last = spyOn(plots[1] as unknown as { destroy(): void }, 'destroy')
  await tab.press('Show as table')
  expect(last).toHaveBeenCalledTimes(1)
  document.documentElement.setAttribute('data-theme', 'light')
  await turns()
  expect(plots).toHaveLength(2)
})

test('No tick is closer to the next than the points, which would have the same label.', () => {
  const minutes = [0, 60, 120, 300]
  expect(stepsFor(minutes)[0]).toBe(60)
  expect(stepsFor([0, 3_600])[0]).toBe(3_600)
  expect(stepsFor([0, 86_400 * 365])).toEqual([86_400 * 365])
})

test('Neither of two bars that stand for different things covers the other.', () => {
  expect([0, 1, 2, 3].map((index) => barsOf({ beside: true }, index).align)).toEqual([-1, 1, -1, 1])
  expect(barsOf({}, 1).align).toBe(0)
})

test('The first and the last bar have their whole width.', () => {
  expect(barRange({ x: [0, 60, 120] }, 0, 120)).toEqual([-30, 150])
  const hours = Array.from({ length: 41 }, (_, hour) => hour * 3_600)
  expect(barRange({ x: hours }, 0, 144_000)).toEqual([-7_200, 151_200])
  // The library adds a day to a single point of time.
  expect(barRange({ x: [NOON] }, NOON, NOON + 86_400)).toEqual([NOON - 300, NOON + 300])
  expect(barRange({ x: [0], names: ['One'] }, 0, 0)).toEqual([-0.5, 0.5])
})
