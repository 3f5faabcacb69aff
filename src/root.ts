import { join } from 'node:path'

/** The folder that holds `migrations` and `static`: the checkout, or the inside of the compiled executable. */
export const root = Bun.isStandaloneExecutable ? '/$bunfs/root' : join(import.meta.dir, '..')
