import { S3Client } from 'bun'
import type { Config } from '../config.ts'
import type { Bytes, Destination, Stored } from './destination.ts'

/** A file may have 10,000 parts. */
const PART_BYTES = 16 << 20
/** Parts that are sent at a time. */
const SENDING = 2
const RETRIES = 3

/** Backups in a bucket of S3 or a compatible service. An object appears when it is complete. */
export function bucketDestination(config: Config): Destination {
  const { backup_s3_bucket: bucket, backup_s3_prefix, backup_s3_endpoint: endpoint } = config
  const prefix = backup_s3_prefix.replace(/^\/+|\/+$/g, '')
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`)
  const client = new S3Client({
    bucket,
    region: config.backup_s3_region,
    accessKeyId: config.backup_s3_key,
    secretAccessKey: config.backup_s3_secret,
    ...(endpoint !== '' && { endpoint }),
  })
  const put = async (name: string, content: Bytes): Promise<void> => {
    const writer = client.file(keyOf(name)).writer({ partSize: PART_BYTES, queueSize: SENDING, retry: RETRIES })
    try {
      for await (const chunk of content) {
        await writer.write(chunk)
        // Waits while parts are under way: only those are held in memory.
        await writer.flush()
      }
    } catch (error) {
      await Promise.resolve(writer.end(error as Error)).catch(() => undefined)
      throw error
    }
    await writer.end()
  }
  return {
    shown: (name) => `s3://${bucket}/${keyOf(name)}`,
    put,
    putFile: (name, path) => put(name, Bun.file(path).stream()),
    read: (name) => client.file(keyOf(name)).stream(),
    async list(below) {
      const found: Stored[] = []
      for (let after: string | undefined; ;) {
        const page = await client.list({ prefix: keyOf(below), ...(after !== undefined && { startAfter: after }) })
        const contents = page.contents ?? []
        for (const { key, size } of contents) found.push({ name: key.slice(keyOf('').length), size_bytes: size ?? 0 })
        after = contents.at(-1)?.key
        if (!page.isTruncated || after === undefined) return found
      }
    },
    async remove(names) {
      for (const name of names) await client.delete(keyOf(name))
    },
    // The bucket drops parts of uploads that never ended by a rule of its own.
    clear: async () => undefined,
  }
}
