import { expect, test } from 'bun:test'
import { projectNamed } from '../../../src/http/core/app-log.ts'

test('Only what has the form of an id is named as a project.', () => {
  expect(projectNamed('prj_ab12')).toBe('prj_ab12')
  for (const given of ['prj_', 'prj_A', `prj_${'a'.repeat(41)}`, 'xprj_a', 'ada@example.com', 5, null, undefined])
    expect([given, projectNamed(given)]).toEqual([given, null])
})
