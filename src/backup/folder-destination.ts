import {
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { partOf, removeAbandonedParts } from '../store/backup.ts'
import { syncPath } from '../store/file-path.ts'
import type { Destination, Stored } from './destination.ts'

const { O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = constants

/** Backups in a folder. Files are private to their owner. */
export function folderDestination(folder: string): Destination {
  const make = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 })
  /** Gives a complete file its name, when it is on the disk. */
  const put = async (name: string, write: (part: string) => unknown): Promise<void> => {
    make()
    const path = join(folder, name)
    const part = partOf(join(folder, name.replaceAll('/', '-')))
    try {
      await write(part)
      syncPath(part)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      renameSync(part, path)
      syncPath(dirname(path))
    } finally {
      rmSync(part, { force: true })
    }
  }
  return {
    shown: (name) => join(folder, name),
    put: (name, content) =>
      put(name, async (part) => {
        // Each chunk is synced alone: a sync of all of them would keep others waiting (src/store/file-path.ts).
        const file = await open(part, O_WRONLY | O_CREAT | O_EXCL | O_DSYNC, 0o600)
        try {
          for await (const chunk of content) await file.writeFile(chunk)
        } finally {
          await file.close()
        }
      }),
    putFile: (name, path) => put(name, (part) => linkOrCopy(path, part)),
    read: (name) => createReadStream(join(folder, name), { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>,
    async list(prefix) {
      return [...filesWith(prefix, folder)].toSorted((one, other) => (one.name < other.name ? -1 : 1))
    },
    async remove(names) {
      for (const name of names) rmSync(join(folder, name), { force: true })
    },
    async clear() {
      removeAbandonedParts(folder)
    },
  }
}

/** Looks into no folder that cannot have such a file: the root of a disk has `lost+found`, which only root reads. */
function* filesWith(prefix: string, folder: string, below = ''): Generator<Stored> {
  const path = join(folder, below)
  if (!existsSync(path)) return
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const name = `${below}${entry.name}`
    const inside = `${name}/`
    if (entry.isDirectory()) {
      if (inside.startsWith(prefix) || prefix.startsWith(inside)) yield* filesWith(prefix, folder, inside)
    } else if (name.startsWith(prefix))
      // Another process may remove a file that was listed.
      yield { name, size_bytes: statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0 }
  }
}

/** On one file system a second name takes no room and no time. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}
