import { expect } from 'bun:test'

type Listening = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
type Observer = abstract new (...given: never[]) => { observe(...given: never[]): void; disconnect(): void }

interface Held {
  what: string
  isOver: () => boolean
}

/** What components hold beyond what they draw: listeners of the page, observers and timers that go on. */
const held = new Set<Held>()

function hold(what: string, isOver: () => boolean = () => false): Held {
  const one = { what, isOver }
  // Modules listen for as long as the page is there.
  if (/node_modules\/(preact|@preact)\//.test(new Error().stack ?? '')) held.add(one)
  return one
}

/** Remembers who listens to the window or the document. */
export function watchListeners(target: Listening): void {
  const own = { add: target.addEventListener, remove: target.removeEventListener }
  const listening = new Map<unknown, Map<string, Held>>()
  target.addEventListener = function (this: EventTarget, type: string, listener: unknown, options?: unknown) {
    own.add.call(this, type, listener as EventListener, options as AddEventListenerOptions)
    // The library of the texts adds and removes this one by itself.
    if (type === 'selectionchange') return
    const { signal } = (typeof options === 'object' ? (options ?? {}) : {}) as AddEventListenerOptions
    const types = listening.get(listener) ?? new Map<string, Held>()
    listening.set(listener, types)
    // Whoever listens already does not listen twice.
    if (!held.has(types.get(type)!))
      types.set(
        type,
        hold(`a listener of ${type}`, () => signal?.aborted ?? false),
      )
  }
  target.removeEventListener = function (this: EventTarget, type: string, listener: unknown, options?: unknown) {
    own.remove.call(this, type, listener as EventListener, options as EventListenerOptions)
    const known = listening.get(listener)?.get(type)
    if (known) held.delete(known)
  }
}

/** An observer like this one that is remembered until it is disconnected. */
export function watched<Kind extends Observer>(Kind: Kind): Kind {
  const Base = Kind as unknown as new (...given: unknown[]) => {
    observe(...given: unknown[]): void
    disconnect(): void
  }
  class Watched extends Base {
    private held: Held | undefined
    override observe(...given: unknown[]): void {
      this.held ??= hold(`a ${Kind.name}`)
      super.observe(...given)
    }
    override disconnect(): void {
      held.delete(this.held!)
      super.disconnect()
    }
  }
  return Watched as unknown as Kind
}

const timers = new Map<unknown, Held>()
const clock = { set: setInterval, clear: clearInterval }

/** Timers that are remembered until they are cleared. */
export function watchedTimers(): object {
  return {
    setInterval: (run: () => void, ms: number) => {
      const timer = clock.set(run, ms)
      timers.set(timer, hold('a timer that goes on'))
      return timer
    },
    clearInterval: (timer: ReturnType<typeof setInterval>) => {
      clock.clear(timer)
      held.delete(timers.get(timer)!)
      timers.delete(timer)
    },
  }
}

/** Whoever leaves the page leaves nothing behind. */
export function requireNothingLeft(): void {
  const left = [...held].filter(({ isOver }) => !isOver()).map(({ what }) => what)
  held.clear()
  expect(left).toEqual([])
}
