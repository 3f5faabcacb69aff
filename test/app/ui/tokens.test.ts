import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const UI = join(import.meta.dir, '../../../static/app/ui')

type Scheme = 'light' | 'dark'

/** The colors of both schemes, by the names of their tokens. */
function readColors(): Map<string, Record<Scheme, string>> {
  const text = readFileSync(join(UI, 'tokens.css'), 'utf8')
  const found = text.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)
  return new Map([...found].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }]))
}

const COLORS = readColors()

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

/** Pairs below a ratio, each as a line. */
function tooClose(scheme: Scheme, fronts: string[], grounds: string[], least: number): string[] {
  return fronts.flatMap((front) =>
    grounds.flatMap((ground) => {
      const ratio = contrast(COLORS.get(front)![scheme], COLORS.get(ground)![scheme])
      return ratio < least ? [`--${front} on --${ground}: ${ratio.toFixed(2)}`] : []
    }),
  )
}

const GROUNDS = ['ground', 'paper', 'raised']
const TONES = ['good', 'wait', 'bad', 'accent']

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test('Text has a contrast of 4.5 to 1 on every ground it stands on.', () => {
    expect(tooClose(scheme, ['ink', 'quiet', ...TONES], GROUNDS, 4.5)).toEqual([])
    expect(tooClose(scheme, ['ink'], ['accent-soft', 'good-soft', 'wait-soft', 'bad-soft'], 4.5)).toEqual([])
    expect(tooClose(scheme, ['quiet'], ['accent-soft'], 4.5)).toEqual([])
    for (const tone of TONES) expect(tooClose(scheme, [tone], [`${tone}-soft`], 4.5)).toEqual([])
    expect(tooClose(scheme, ['on-accent'], ['accent', 'bad'], 4.5)).toEqual([])
  })

  test('Edges of controls and shapes have a contrast of 3 to 1.', () => {
    expect(tooClose(scheme, ['edge', ...TONES], GROUNDS, 3)).toEqual([])
    expect(tooClose(scheme, TONES, ['line'], 3)).toEqual([])
  })
})
