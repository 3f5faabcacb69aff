import { expect, test } from 'bun:test'
import { createAutosave, type Timers } from '../../../static/app/code/autosave.ts'

/** Timers that run when the test says so. */
function clockwork() {
  let now = 0
  let planned: { at: number; run(): void }[] = []
  const timers: Timers = {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run }
      planned.push(entry)
      return () => (planned = planned.filter((other) => other !== entry))
    },
  }
  async function pass(ms: number): Promise<void> {
    const end = now + ms
    for (;;) {
      const next = planned.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end)
      if (!next) break
      planned = planned.filter((other) => other !== next)
      now = next.at
      next.run()
      await Promise.resolve()
      await Promise.resolve()
    }
    now = end
  }
  return { timers, pass }
}

test('A save follows one and a half seconds after the last change.', async () => {
  const { timers, pass } = clockwork()
  const saves: number[] = []
  const autosave = createAutosave(async () => void saves.push(timers.now()), timers)
  autosave.changed()
  await pass(1_000)
  autosave.changed()
  await pass(10_000)
  expect(saves).toEqual([2_500])
})

test('Saves are at least five seconds apart.', async () => {
  const { timers, pass } = clockwork()
  const saves: number[] = []
  const autosave = createAutosave(async () => void saves.push(timers.now()), timers)
  autosave.changed()
  await pass(2_000)
  autosave.changed()
  await pass(10_000)
  expect(saves).toEqual([1_500, 6_500])
})

test('One save runs at a time, and what changed meanwhile is saved after it.', async () => {
  const { timers, pass } = clockwork()
  const ends: (() => void)[] = []
  const autosave = createAutosave(() => new Promise<void>((resolve) => ends.push(resolve)), timers)
  autosave.changed()
  await pass(1_500)
  autosave.changed()
  await pass(20_000)
  expect(ends).toHaveLength(1)
  const flushed = autosave.flush()
  ends[0]!()
  await new Promise(setImmediate)
  ends[1]!()
  await flushed
  expect(ends).toHaveLength(2)
})

test('Nothing is saved that was not changed, nor after the end.', async () => {
  const { timers, pass } = clockwork()
  const saves: number[] = []
  const autosave = createAutosave(async () => void saves.push(timers.now()), timers)
  await autosave.flush()
  expect(saves).toEqual([])
  autosave.changed()
  autosave.stop()
  await pass(10_000)
  await autosave.flush()
  expect(saves).toEqual([])
})

test('A flush takes the place of the save that was planned, and waits for it.', async () => {
  const { timers, pass } = clockwork()
  const saves: number[] = []
  const autosave = createAutosave(async () => {
    await Promise.resolve()
    saves.push(timers.now())
  }, timers)
  autosave.changed()
  await autosave.flush()
  expect(saves).toEqual([0])
  await pass(10_000)
  await autosave.flush()
  expect(saves).toEqual([0])
})

test('A change during a save is saved by itself, unless the editor was closed meanwhile.', async () => {
  for (const closed of [false, true]) {
    const { timers, pass } = clockwork()
    let saves = 0
    const autosave = createAutosave(() => {
      saves += 1
      return new Promise((resolve) => void timers.after(1_000, resolve))
    }, timers)
    autosave.changed()
    await pass(1_600)
    autosave.changed()
    if (closed) autosave.stop()
    await pass(1_000)
    await new Promise(setImmediate)
    await pass(10_000)
    expect(saves).toBe(closed ? 1 : 2)
  }
})

test('A save without an answer is repeated after a moment, unless saving has stopped.', async () => {
  const { timers, pass } = clockwork()
  const saves: number[] = []
  const autosave = createAutosave(async () => {
    saves.push(timers.now())
    autosave.retry()
  }, timers)
  autosave.changed()
  await pass(8_000)
  expect(saves).toEqual([1_500, 8_000])
  autosave.stop()
  autosave.retry()
  await pass(20_000)
  expect(saves).toHaveLength(2)
})
