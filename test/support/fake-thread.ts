import type { FromWorker, ToWorker } from '../../src/threads/messages.ts'
import type { Threads } from '../../src/threads/start.ts'

/** A thread whose messages the test sends. */
export class FakeThread extends EventTarget {
  readonly told: ToWorker[] = []
  terminated = false
  postMessage(message: ToWorker): void {
    this.told.push(message)
  }
  terminate(): void {
    this.terminated = true
  }
  says(data: FromWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  ends(): void {
    this.dispatchEvent(new Event('close'))
  }
}

/** Threads of a test, with those that were taken and given back. */
export function fakeThreads(make = () => new FakeThread()) {
  const [taken, given]: FakeThread[][] = [[], []]
  const threads: Threads = {
    take: () => taken![taken!.push(make()) - 1] as unknown as Worker,
    give: (thread) => void given!.push(thread as unknown as FakeThread),
  }
  return { threads, taken: taken!, given: given! }
}
