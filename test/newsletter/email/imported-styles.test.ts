import { expect, test } from 'bun:test'
import { importedStyles } from '../../../src/newsletter/email/imported-styles.ts'

test('Each block of a message has a scope of its own, and their rules follow one another.', () => {
  const styles = importedStyles()
  expect([styles.nextScope(), styles.nextScope()]).toEqual(['x1', 'x2'])
  expect(styles.css()).toBe('')
  styles.add('a')
  styles.add('b')
  expect(styles.css()).toBe('ab')
  expect(importedStyles().nextScope()).toBe('x1')
})
