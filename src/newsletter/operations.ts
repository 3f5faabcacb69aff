import type { Operation } from '../operation/declare.ts'

/**
 * Every newsletter operation that works, in the order of the specification. Both doors, the OpenAPI document and
 * the test suite that goes through all of them read this list.
 */
export const operations: readonly Operation[] = []
