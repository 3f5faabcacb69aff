import { readFileSync } from 'node:fs'
import { expect, test } from 'bun:test'
import { bundle, bundlePath, BROWSER_SCRIPTS } from '../bin/browser-scripts.ts'

test.each(BROWSER_SCRIPTS)('The bundle of %s is the one that its source gives.', async (source) => {
  expect(readFileSync(bundlePath(source), 'utf8')).toBe(await bundle(source))
})
