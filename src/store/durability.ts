import fs from 'node:fs'

/**
 * When a commit survives a power cut (docs/operations.md#durability). SQLite appends commits to the `-wal` file. With
 * `synchronous=NORMAL` the system decides when they reach the disk; a checkpoint syncs that file before it copies from
 * it. This adds the sync that `synchronous=FULL` would make at each commit, but outside the write lock, off the thread,
 * and once for all commits that wait.
 */
interface Durability {
  /** Resolves when everything that was committed before the call is on the disk. */
  flush(): Promise<void>
  /** Puts what was committed before the call on the disk within a second. */
  flushSoon(): void
  close(): Promise<void>
}

/** Half of the promised second, which leaves the other half for a slow disk. */
const SOON_MS = 500

interface DurabilityOptions {
  /** Waits until a file is on the disk. */
  sync?: (descriptor: number) => Promise<void>
  /** Runs `work` after a time, and answers a function that cancels it. */
  later?: (work: () => void, after_ms: number) => () => void
}

export function createDurability(path: string, options: DurabilityOptions = {}): Durability {
  const { sync = syncData, later = unrefTimer } = options
  const wal = openFile(`${path}-wal`)
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  let cancelTimer: (() => void) | null = null
  /** After a failed sync the system may have dropped the pages, and a later success would prove nothing. */
  let failure: Error | null = null

  const syncNow = async (): Promise<void> => {
    next = null
    cancelTimer?.()
    cancelTimer = null
    if (failure) throw failure
    const descriptor = wal.descriptor()
    if (descriptor === null) return
    try {
      await sync(descriptor)
    } catch (error) {
      failure = new Error('The disk failed. Commits since then may be lost; restart the service.', { cause: error })
      throw failure
    }
  }

  const flush = (): Promise<void> => {
    // A sync that has begun may have missed the caller's commit; one that has not will include it.
    if (next === null) {
      next = running.then(syncNow)
      running = next.catch(() => undefined)
    }
    return next
  }

  return {
    flush,
    flushSoon() {
      if (next !== null) return
      cancelTimer ??= later(() => void flush().catch(() => undefined), SOON_MS)
    },
    async close() {
      try {
        if (cancelTimer) await flush()
        await running
      } finally {
        cancelTimer?.()
        wal.close()
      }
    },
  }
}

function syncData(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fdatasync(descriptor, (error) => (error ? reject(error) : resolve()))
  })
}

function unrefTimer(work: () => void, after_ms: number): () => void {
  const timer = setTimeout(work, after_ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** A descriptor of a file that SQLite may remove and make again. SQLite holds no locks on the `-wal` file to lose. */
function openFile(path: string): { descriptor(): number | null; close(): void } {
  let descriptor: number | null = null
  const close = (): void => {
    if (descriptor !== null) fs.closeSync(descriptor)
    descriptor = null
  }
  return {
    descriptor() {
      if (descriptor !== null && fs.fstatSync(descriptor).nlink > 0) return descriptor
      close()
      try {
        descriptor = fs.openSync(path, 'r')
      } catch (error) {
        // Without the file everything is in the database file, where a checkpoint has synced it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
      return descriptor
    },
    close,
  }
}
