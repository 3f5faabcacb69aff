import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure, Run } from './measure.ts'

/** What the workloads of one run share. */
export interface Bench {
  executable: string
  /** Short runs, for a look at the figures. */
  quick: boolean
  pairs: number
  /** Folders of npm packages that peers need, null where they could not be had. */
  packages: string | null
  folder(name: string): string
  /** Called in reverse order when the workload has ended, however it ended. */
  atEnd(work: () => Promise<unknown> | void): void
  endWorkload(): Promise<void>
}

/** A line of the report. */
export interface Row {
  name: string
  reference: string
  figures: Figure[]
  own: Run[]
  other: Run[]
  /** What was measured with other sizes than the goal says, or could not be measured. */
  note?: string
}

/** One kind of work, chosen by its name. It tells each line as soon as it is measured. */
export interface Workload {
  name: string
  run(bench: Bench): AsyncGenerator<Row>
}

/** Said by a workload whose peer could not be had. */
export class Skipped extends Error {}

export interface OpenBench extends Bench {
  close(): void
}

export function openBench(given: Pick<Bench, 'executable' | 'quick' | 'pairs' | 'packages'>, root: string): OpenBench {
  const folder = mkdtempSync(join(root, 'masthead-bench-'))
  const ends: (() => Promise<unknown> | void)[] = []
  return {
    ...given,
    folder: (name) => mkdtempSync(join(folder, `${name}-`)),
    atEnd: (work) => void ends.push(work),
    async endWorkload() {
      for (const end of ends.splice(0).reverse()) await end()
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
