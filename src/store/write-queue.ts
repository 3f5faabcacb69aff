/** How many threads of a process may write. */
const MAX_THREADS = 128
const NONE = -1
/** The cells of the shared memory: the next ticket, the one that runs, commits so far, and each thread's ticket. */
const [NEXT, SERVING, COMMITS, HELD] = [0, 1, 2, 3]

/**
 * The fair queue for writes to the database file, shared by all threads of the process. libsql is synchronous: a thread
 * that waited inside SQLite for another thread's transaction would block everything it serves. Writers wait here
 * instead, without blocking, and SQLite never sees two of them.
 *
 * Ticket numbers are in shared memory. Within a thread only the first waiting write holds a ticket, so threads take
 * turns.
 */
export class WriteQueue {
  readonly memory: SharedArrayBuffer
  private readonly cells: Int32Array
  private tail: Promise<unknown> = Promise.resolve()

  /** @param writer the number of this thread among those that write: 0 for the one that makes the memory */
  constructor(
    memory?: SharedArrayBuffer,
    private readonly writer = 0,
  ) {
    this.memory = memory ?? new SharedArrayBuffer(4 * (HELD + MAX_THREADS))
    this.cells = new Int32Array(this.memory)
    if (memory === undefined) this.cells.fill(NONE, HELD)
  }

  /** Runs `work` after all work with an earlier ticket. Work that calls `run` and waits for it never ends. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.tail.then(() => this.serve(work))
    this.tail = turn.catch(() => undefined)
    return turn
  }

  /** Says that something was committed, before anybody is told. */
  committed(): void {
    Atomics.add(this.cells, COMMITS, 1)
  }

  /** A number that changes with each commit of any thread of this process. */
  get commits(): number {
    return Atomics.load(this.cells, COMMITS)
  }

  /**
   * Passes on the turn that a thread waited for when it ended. False when the thread was writing: its connection still
   * holds the lock of the database, which only the end of the process releases.
   */
  leave(writer: number): boolean {
    const held = Atomics.exchange(this.cells, HELD + writer, NONE)
    if (held === NONE) return true
    if (Atomics.load(this.cells, SERVING) === held) return false
    void this.turnOf(held).then(() => this.pass())
    return true
  }

  private async serve<T>(work: () => Promise<T>): Promise<T> {
    const mine = Atomics.add(this.cells, NEXT, 1)
    Atomics.store(this.cells, HELD + this.writer, mine)
    await this.turnOf(mine)
    try {
      return await work()
    } finally {
      Atomics.store(this.cells, HELD + this.writer, NONE)
      this.pass()
    }
  }

  private async turnOf(ticket: number): Promise<void> {
    for (;;) {
      const serving = Atomics.load(this.cells, SERVING)
      if (serving === ticket) return
      const wait = Atomics.waitAsync(this.cells, SERVING, serving, 10_000)
      if (wait.async) await wait.value
    }
  }

  private pass(): void {
    Atomics.add(this.cells, SERVING, 1)
    Atomics.notify(this.cells, SERVING)
  }
}
