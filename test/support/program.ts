import { join } from 'node:path'
import process from 'node:process'

/**
 * The command with which a test starts Masthead as people do: the executable that `bin/test` has compiled, or,
 * when `bun test` is called by itself, the sources.
 */
export const program: readonly string[] = process.env.TESTED_EXECUTABLE
  ? [process.env.TESTED_EXECUTABLE]
  : [process.execPath, join(import.meta.dir, '../../src/main.ts')]

/** A process of a test lives for seconds: compiling its code twice takes a quarter of the CPU time of a start. */
export const SHORT_LIVED = { BUN_JSC_useDFGJIT: '0', MIMALLOC_PURGE_DELAY: '-1', BUN_GC_TIMER_DISABLE: '1' }
