/**
 * The fair queue for writes to the database file, shared by all threads of the process. libsql is synchronous: a thread
 * that waited inside SQLite for another thread's transaction would block everything it serves. Writers wait here
 * instead, without blocking, and SQLite never sees two of them.
 *
 * Ticket numbers are in shared memory: [0] the next one to give out, [1] the one that is running. Within a thread only
 * the first waiting write holds a ticket, so threads take turns.
 */
export class WriteQueue {
  readonly memory: SharedArrayBuffer
  private readonly tickets: Int32Array
  private tail: Promise<unknown> = Promise.resolve()

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.tickets = new Int32Array(memory)
  }

  /** How much work of this process has ended. */
  get ended(): number {
    return Atomics.load(this.tickets, 1)
  }

  /** Runs `work` after all work with an earlier ticket. Work that calls `run` and waits for it never ends. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.tail.then(() => this.serve(work))
    this.tail = turn.catch(() => undefined)
    return turn
  }

  private async serve<T>(work: () => Promise<T>): Promise<T> {
    const mine = Atomics.add(this.tickets, 0, 1)
    for (;;) {
      const serving = Atomics.load(this.tickets, 1)
      if (serving === mine) break
      const wait = Atomics.waitAsync(this.tickets, 1, serving, 10_000)
      if (wait.async) await wait.value
    }
    try {
      return await work()
    } finally {
      Atomics.add(this.tickets, 1, 1)
      Atomics.notify(this.tickets, 1)
    }
  }
}
