import { readFileSync } from 'node:fs'
import { expect, test } from 'bun:test'
import { OPERATION_TYPES, operationTypes } from '../bin/operation-types.ts'

test('The types of the web application are those of the declared operations and routes.', () => {
  expect(readFileSync(OPERATION_TYPES, 'utf8') === operationTypes()).toBe(true)
})
