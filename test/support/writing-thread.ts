import { sql } from 'drizzle-orm'
import { openStore } from '../../src/store/open.ts'

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<{ url: string; memory: SharedArrayBuffer; writes: number }>) => {
  try {
    const store = await openStore({ url: data.url, queue_memory: data.memory })
    for (let n = 0; n < data.writes; n++) await store.write((tx) => tx.run(sql`INSERT INTO marks VALUES (1, ${n})`))
    await store.close()
    self.postMessage({ failed: null })
  } catch (error) {
    self.postMessage({ failed: String(error) })
  }
}
