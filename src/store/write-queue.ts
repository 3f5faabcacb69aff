/**
 * The fair queue in front of the database file, shared by all threads of the process. The local driver is
 * synchronous: a thread that waited inside SQLite for another's transaction would freeze everything it serves,
 * so writers wait here, without blocking, and SQLite never sees two of them.
 *
 * Tickets lie in shared memory: [0] the next to be drawn, [1] the one being served. Within a thread only the
 * head of its own line draws a ticket, so threads take turns and a waiting line costs nothing.
 */
export class WriteQueue {
  readonly memory: SharedArrayBuffer
  private readonly tickets: Int32Array
  private tail: Promise<unknown> = Promise.resolve()

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.tickets = new Int32Array(memory)
  }

  /** Runs `work` when all that came before it, on every thread, has ended. Not re-entrant. */
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
