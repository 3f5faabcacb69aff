import { expect, test } from 'bun:test'
import { tryScript } from '../../src/developer/trial.ts'
import { CODE_MAX_BYTES } from '../../src/scripts/code.ts'

test('A script that can be saved is shown with its values, and a placeholder without one stays.', () => {
  expect(tryScript({ code: '<p>{{a}} {{b}} {{a}}</p>', parameters: { a: 'x<y' } })).toEqual({
    code: '<p>x&lt;y {{b}} x&lt;y</p>',
    keys: ['a', 'b'],
    problem: null,
    problem_at: null,
  })
  const formats = { a: 'html' } as const
  expect(tryScript({ code: '<p>{{a}}</p>', parameters: { a: '<b>x</b>' }, parameter_formats: formats }).code).toBe(
    '<p><b>x</b></p>',
  )
})

test('A flaw of the code is told with its place, and the code stays as it is.', () => {
  expect(tryScript({ code: '<p>{{a}}\0' })).toEqual({
    code: '<p>{{a}}\0',
    keys: ['a'],
    problem: 'Code cannot contain a NUL character.',
    problem_at: { from: 8, to: 9 },
  })
  const open = tryScript({ code: 'x<!-- y' })
  expect([open.problem, open.problem_at]).toEqual([
    expect.stringContaining('leaves a tag or a comment open'),
    open.problem_at,
  ])
  expect(open.problem_at!.from).toBe(1)
  expect(tryScript({ code: ' ' })).toMatchObject({ problem: 'Code is required.', problem_at: null })
  expect(tryScript({ code: 'x'.repeat(CODE_MAX_BYTES + 1) }).problem).toContain('at most')
})

test('A flaw of a value points at the first placeholder that it fills, where the code has one.', () => {
  const parameter_formats = { a: 'html', gone: 'html' } as const
  const flawed = tryScript({ code: '<p>{{b}}{{a}}{{a}}</p>', parameters: { a: '<!-- x' }, parameter_formats })
  expect(flawed).toMatchObject({ code: '<p>{{b}}{{a}}{{a}}</p>', problem_at: { from: 8, to: 13 } })
  expect(flawed.problem).toStartWith('The value leaves a tag or a comment open')
  const unused = tryScript({ code: '<p>{{b}}</p>', parameters: { gone: '<!-- x' }, parameter_formats })
  expect(unused).toMatchObject({ problem: expect.any(String), problem_at: null })
  // Without a key there is no placeholder, though the code may have one that looks like it.
  const shapeless = tryScript({ code: '<p>{{undefined}}</p>', parameters: ['x'] })
  expect(shapeless).toMatchObject({ problem: expect.any(String), problem_at: null })
})

test('An error that is no flaw of the request is not swallowed.', () => {
  const broken = {
    get code(): string {
      throw new TypeError('a fault')
    },
  }
  expect(() => tryScript(broken)).toThrow(TypeError)
})
