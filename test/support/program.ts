import { join } from 'node:path'
import process from 'node:process'

/**
 * The command with which a test starts Masthead as people do: the executable that `bin/test` has compiled, or,
 * when `bun test` is called by itself, the sources.
 */
export const program: readonly string[] = process.env.TESTED_EXECUTABLE
  ? [process.env.TESTED_EXECUTABLE]
  : [process.execPath, join(import.meta.dir, '../../src/main.ts')]
