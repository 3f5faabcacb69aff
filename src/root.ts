import { join } from 'node:path'

/** The folder with `migrations` and `static`: the checkout, or the file system inside the compiled executable. */
export const root = Bun.isStandaloneExecutable ? '/$bunfs/root' : join(import.meta.dir, '..')
