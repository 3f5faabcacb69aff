import { expect, test } from 'bun:test'
import { FixedClock } from '../../src/clock.ts'
import type { ProjectId } from '../../src/ids.ts'
import { Keys, newMasterKey } from '../../src/secrets.ts'
import { previewToken, readPreviewToken, readScriptPreviewToken, scriptPreviewToken } from '../../src/sites/previews.ts'

const setUp = () => ({ keys: new Keys([newMasterKey()]), clock: new FixedClock(1000) })
const DAY = 86_400_000

test('The token of a post works for seven days.', () => {
  const runtime = setUp()
  const { token, expires_at } = previewToken(runtime, 5)
  expect(expires_at).toBe(1000 + 7 * DAY)
  runtime.clock.advance(7 * DAY - 1)
  expect(readPreviewToken(runtime, token)).toBe(5)
  runtime.clock.advance(1)
  expect(readPreviewToken(runtime, token)).toBeNull()
})

test('The token of a script works for an hour, and says what it shows.', () => {
  const runtime = setUp()
  const shown = { project_id: 3 as ProjectId, connection_id: 4, shown: false }
  const { token, expires_at } = scriptPreviewToken(runtime, shown)
  expect(expires_at).toBe(1000 + 3_600_000)
  expect(readScriptPreviewToken(runtime, token)).toEqual(shown)
  runtime.clock.advance(3_600_000 - 1)
  expect(readScriptPreviewToken(runtime, token)).toEqual(shown)
  runtime.clock.advance(1)
  expect(readScriptPreviewToken(runtime, token)).toBeNull()
})

test('Another text, another key and the token of the other kind show nothing.', () => {
  const runtime = setUp()
  const post = previewToken(runtime, 5).token
  const script = scriptPreviewToken(runtime, { project_id: 3 as ProjectId, connection_id: 4, shown: true }).token
  expect([
    readPreviewToken(runtime, 'x'),
    readPreviewToken(runtime, script),
    readScriptPreviewToken(runtime, post),
  ]).toEqual([null, null, null])
  expect(readPreviewToken(setUp(), post)).toBeNull()
})
