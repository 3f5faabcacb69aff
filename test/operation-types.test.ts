import { readFileSync } from 'node:fs'
import { expect, test } from 'bun:test'
import {
  newsletterAnswers,
  newsletterLimits,
  platformAnswers,
  platformLimits,
  RECORDED,
} from './support/request-limits.ts'

/* What requests and answers may hold is a promise to callers. A change that is meant is recorded, and then seen in a review. */

test.each([
  ['operations', RECORDED.newsletter, newsletterLimits],
  ['answers of operations', RECORDED.newsletterAnswers, newsletterAnswers],
  ['routes', RECORDED.platform, platformLimits],
  ['answers of routes', RECORDED.platformAnswers, platformAnswers],
])('The limits of all %s are the recorded ones; `bun test/support/request-limits.ts` records them.', (_, file, now) => {
  const recorded = readFileSync(file, 'utf8').split('\n')
  const declared = now().split('\n')
  const without = (these: readonly string[], those: readonly string[]) => {
    const known = new Set(those)
    return these.filter((line) => !known.has(line))
  }
  expect({
    'declared and not recorded': without(declared, recorded),
    'recorded and not declared': without(recorded, declared),
  }).toEqual({ 'declared and not recorded': [], 'recorded and not declared': [] })
})
