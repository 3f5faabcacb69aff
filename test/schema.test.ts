import { describe, expect, test } from 'bun:test'
import { AppError } from '../src/errors.ts'
import { atLeastOneOf, exactlyOneOf } from '../src/schema.ts'

const refused = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.details]
    throw error
  }
  return null
}

describe('exactlyOneOf', () => {
  const which = exactlyOneOf('id', 'email')

  test('exactlyOneOf states the rule as oneOf in the JSON Schema.', () => {
    expect(which.keywords).toEqual({ oneOf: [{ required: ['id'] }, { required: ['email'] }] })
  })

  test('exactlyOneOf answers the one property that is given, whatever else the input has.', () => {
    const input: { id?: number; email?: string; note: string } = { id: 0, note: 'x' }
    expect(which.of(input)).toEqual({ id: 0 })
    expect(which.of({ email: '' })).toEqual({ email: '' })
  })

  test('exactlyOneOf refuses none and several, naming the choices.', () => {
    const flaw = ['VALIDATION_FAILED', [{ path: '', message: 'Expected exactly one of: id, email.' }]]
    expect(refused(() => which.of({}))).toEqual(flaw)
    expect(refused(() => which.of({ id: 1, email: 'a@b.example' }))).toEqual(flaw)
    expect(refused(() => which.of({ id: undefined }))).toEqual(flaw)
  })
})

describe('atLeastOneOf', () => {
  const some = atLeastOneOf('add', 'remove')

  test('atLeastOneOf states the rule as anyOf, passes one or both and refuses none.', () => {
    expect(some.keywords).toEqual({ anyOf: [{ required: ['add'] }, { required: ['remove'] }] })
    expect([refused(() => some.check({ add: [] })), refused(() => some.check({ add: [], remove: [] }))]).toEqual([
      null,
      null,
    ])
    expect(refused(() => some.check({}))).toEqual([
      'VALIDATION_FAILED',
      [{ path: '', message: 'Expected at least one of: add, remove.' }],
    ])
  })
})
