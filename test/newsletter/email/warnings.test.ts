import { expect, test } from 'bun:test'
import { collectWarnings } from '../../../src/newsletter/email/warnings.ts'

test('Each warning is told once for each block, in order, and one about the message has no block.', () => {
  const { found, about } = collectWarnings()
  for (const block of ['b1', undefined, 'b1', 'b2', undefined]) about(block)('size', 'Large.')
  about('b1')('size', 'Larger.')
  about('b1')('no_text', 'Large.')
  expect(found).toEqual([
    { code: 'size', message: 'Large.', block_id: 'b1' },
    { code: 'size', message: 'Large.' },
    { code: 'size', message: 'Large.', block_id: 'b2' },
    { code: 'size', message: 'Larger.', block_id: 'b1' },
    { code: 'no_text', message: 'Large.', block_id: 'b1' },
  ])
  expect(found[1]).not.toHaveProperty('block_id')
})
