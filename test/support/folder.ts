import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'bun:test'

/** A folder that is there until the test file ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
