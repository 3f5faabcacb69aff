import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { DatabaseConnection } from '../../src/store/database-connection.ts'
import { createDurability } from '../../src/store/durability.ts'
import { openStore } from '../../src/store/open.ts'
import { type DiskImage, recordDisk } from '../support/disk-image.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()
let made = 0

describe('Syncs', () => {
  /** A disk whose syncs end when the test says so, and a timer that fires when the test moves its time. */
  const controlled = () => {
    const path = join(folder, `controlled-${++made}.db`)
    writeFileSync(`${path}-wal`, '')
    const syncs: PromiseWithResolvers<void>[] = []
    const timers: { work: () => void; after_ms: number }[] = []
    const durability = createDurability(path, {
      sync: () => {
        const sync = Promise.withResolvers<void>()
        syncs.push(sync)
        return sync.promise
      },
      later: (work, after_ms) => {
        const timer = { work, after_ms }
        timers.push(timer)
        return () => timers.splice(timers.indexOf(timer), 1)
      },
    })
    const settled = async (promise: Promise<unknown>) => {
      let is = false
      void promise.then(() => (is = true))
      await turns()
      return is
    }
    return { path, durability, syncs, timers, settled }
  }
  const turns = () =>
    new Promise<void>((resume) => {
      setImmediate(resume)
    })

  test('Syncs of callers that come together are one; a caller during a sync waits for the next.', async () => {
    const { durability, syncs, settled } = controlled()
    const together = [durability.flush(), durability.flush()]
    await turns()
    const late = durability.flush()
    expect([syncs.length, await settled(Promise.all(together))]).toEqual([1, false])
    syncs[0]!.resolve()
    expect([await settled(Promise.all(together)), await settled(late), syncs.length]).toEqual([true, false, 2])
    syncs[1]!.resolve()
    expect(await settled(late)).toBe(true)
  })

  test('Syncs of commits that may wait begin within a second, once, or with the next sync.', async () => {
    const { durability, syncs, timers } = controlled()
    durability.flushSoon()
    durability.flushSoon()
    expect(timers).toHaveLength(1)
    expect(timers[0]!.after_ms).toBeLessThan(1_000)
    timers[0]!.work()
    await turns()
    expect([syncs.length, timers.length]).toEqual([1, 0])
    durability.flushSoon()
    expect(timers).toHaveLength(1) // the sync that runs may have begun before this commit
    syncs[0]!.resolve()
    await turns()
    const flushed = durability.flush()
    await turns()
    expect([syncs.length, timers.length]).toEqual([2, 0])
    syncs[1]!.resolve()
    await flushed
  })

  test('A sync that fails rejects its callers and all later ones: the system may have dropped the pages.', async () => {
    const { durability, syncs } = controlled()
    const first = durability.flush()
    await turns()
    syncs[0]!.reject(new Error('EIO'))
    await expect(first).rejects.toThrow('The disk failed')
    await expect(durability.flush()).rejects.toThrow('The disk failed')
    expect(syncs).toHaveLength(1)
  })

  test('Syncs of commits that may wait are made before it closes.', async () => {
    const { durability, syncs, timers } = controlled()
    durability.flushSoon()
    const closed = durability.close()
    await turns()
    expect(syncs).toHaveLength(1)
    syncs[0]!.resolve()
    await closed
    expect(timers).toEqual([])
  })

  test('Syncs follow a WAL that was made again, and need none when it is gone.', async () => {
    const path = join(folder, `again-${++made}.db`)
    const seen: number[] = []
    const durability = createDurability(path, { sync: async (descriptor) => void seen.push(descriptor) })
    await durability.flush()
    expect(seen).toEqual([])
    const connection = new DatabaseConnection({ path, read_only: false, synchronous: 'NORMAL' })
    connection.script('PRAGMA journal_mode=WAL; CREATE TABLE a (b)')
    await durability.flush()
    connection.close()
    expect(seen).toHaveLength(1)
    await durability.flush()
    expect(seen).toHaveLength(1)
    await durability.close()
  })
})

describe('After a power cut', () => {
  let disk: DiskImage | undefined
  afterEach(() => disk?.restore())
  const notes = () => disk!.afterPowerCut('SELECT text FROM notes ORDER BY rowid').map(([text]) => String(text))

  test.each([true, false])(
    'After a power cut every answered write is there, with groups: %p, across checkpoints.',
    async (grouped) => {
      const path = join(folder, `cut-${++made}.db`)
      const store = await openStore({ url: `file:${path}`, grouped })
      await store.write((tx) => tx.script('CREATE TABLE notes (text TEXT NOT NULL) STRICT'))
      disk = recordDisk(path)
      const answered: string[] = []
      for (let round = 0; round < 12; round++) {
        await Promise.all(
          Array.from({ length: 6 }, async (_, index) => {
            const text = `${round} ${index}`
            // A write that says nothing of it is durable.
            const durable = index % 3 > 0
            const options = index % 3 === 2 ? undefined : { durable }
            await store.write((tx) => tx.run(sql`INSERT INTO notes VALUES (${text})`), options)
            if (durable) {
              answered.push(text)
              expect(notes()).toEqual(expect.arrayContaining(answered))
            }
          }),
        )
        if (round % 4 === 3) await store.query('PRAGMA wal_checkpoint(RESTART)')
      }
      expect(answered).toHaveLength(48)
      await store.close()
    },
  )

  test('A write that may wait is lost at once, and is there after a flush.', async () => {
    const path = join(folder, `soon-${++made}.db`)
    const store = await openStore({ url: `file:${path}`, grouped: true })
    await store.write((tx) => tx.script('CREATE TABLE notes (text TEXT NOT NULL) STRICT'))
    disk = recordDisk(path)
    await store.write((tx) => tx.run(sql`INSERT INTO notes VALUES ('soon')`), { durable: false })
    expect([notes(), disk.syncs()]).toEqual([[], 0])
    await store.flush()
    expect(notes()).toEqual(['soon'])
    await store.close()
  })
})
